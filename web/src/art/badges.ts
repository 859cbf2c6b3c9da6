/* badges.ts -- small signs on a token: what it carries, what it is under, what it is worth. Which meters become a sign follows from
 * their role, which picture it has from the id; what has no picture is told in the panel only. */
import { ofAllGames, type Sign } from '../games';
import { UNIT_NONE, type Board, type Meter, type Token } from '../model';
import { ordinalOf } from '../names';
import { ICONS } from './icons';

/** Signs by id: the games' own, and that of a leader, who may be in any game. */
const SIGNS: Record<string, Sign> = { leader: { icon: 'crown', colour: '#f2b705' }, ...ofAllGames((game) => game.signs) };

/** The colour of an ability, item or effect: that of its sign, or that of magic. */
export function signColour(id: string | undefined): string {
  return (id === undefined ? undefined : SIGNS[id]?.colour) ?? 'var(--accent)';
}

/** Roles of meters that are signs. */
const SIGNED = new Set(['held', 'effect', 'leader']);
/** The meter that is a number in the corner, for units without health. */
const WORTH = 'power';

const sorted = new WeakMap<Board, Map<number, Meter[]>>();

/** The meters of a unit; a board is sorted once. */
export function badgeMeters(board: Board, unit: number): Meter[] {
  let units = sorted.get(board);
  if (!units) {
    sorted.set(board, (units = new Map()));
    for (const meter of board.meters) {
      if (meter.unit === undefined) continue;
      const list = units.get(meter.unit);
      if (list) list.push(meter);
      else units.set(meter.unit, [meter]);
    }
  }
  return units.get(unit) ?? [];
}

/** The ids of what a meter speaks of: what it is about, or its own. */
function idsOf(meter: Meter): string[] {
  return meter.about_ids ?? [meter.id];
}

/** A sign as SVG text; `wait`: so many turns until it can be used again. */
function drawSign(sign: Sign, wait = 0): string {
  const path = ICONS[sign.icon] ?? '<circle cx="50" cy="50" r="20"/>';
  const inner = wait > 0
    ? `<text x="50" y="74" font-family="system-ui,sans-serif" font-weight="900" font-size="66" text-anchor="middle">${wait}</text>`
    : sign.cools
      ? '<path d="M34 26H66L80 46 50 80 20 46Z" fill="#fffdf7" stroke="#1d1a2f" stroke-width="6" stroke-linejoin="round"/>'
      : `<g transform="translate(16 16) scale(.68)" fill="#1d1a2f" color="#1d1a2f">${path}</g>`;
  return (
    '<svg viewBox="0 0 100 100" aria-hidden="true">' +
    `<circle cx="50" cy="50" r="45" fill="${sign.colour}" stroke="#1d1a2f" stroke-width="9"/>${inner}</svg>`
  );
}

/** The signs of a token, as HTML. */
export function badgesOf(board: Board, token: Token): string {
  let out = '';
  for (const meter of badgeMeters(board, token.unit)) {
    if (!SIGNED.has(meter.role) || (meter.most === undefined && meter.now <= 0)) continue;
    for (const id of idsOf(meter)) {
      const sign = SIGNS[id];
      if (sign) out += `<span class="sign">${drawSign(sign, sign.cools ? meter.now : 0)}</span>`;
    }
  }
  if (token.revealed) out += `<span class="sign">${drawSign({ icon: 'eye', colour: '#fff7d6' })}</span>`;
  return out;
}

/** The number in the corner, as HTML: what it is worth, else which of several of its kind it is. */
export function tagOf(board: Board, token: Token): string {
  const meters =
    token.unit === UNIT_NONE
      ? board.meters.filter((one) => one.unit === undefined && one.about_ids?.length === 1 && one.about_ids[0] === token.kind_id)
      : badgeMeters(board, token.unit);
  const worth = meters.find((one) => one.id === WORTH && (one.role === 'number' || one.role === 'offered'));
  if (worth) return `<b class="tag">${worth.now}</b>`;
  const twin = meters.some((one) => one.role === 'health') ? ordinalOf(board, token) : null;
  return twin === null ? '' : `<b class="tag twin">${twin}</b>`;
}
