/* cards.ts -- the pictures of the five games on the start screen, composed from the same drawings as the boards: SVG text of
 * 320 x 180. A game that nobody has drawn gets its name's colours. */
import { artOf, avatar, bust } from './avatar';
import { hash } from './tone';

const INK = '#1d1a2f';

/** A drawing at a place, `size` wide; turned around if `flip`. */
function put(kind: string, x: number, y: number, size: number, flip = false): string {
  const scale = size / 100;
  const turn = flip ? ` translate(100 0) scale(-1 1)` : '';
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(2)})${turn}">${bust(kind)}</g>`;
}

/** A framed piece at a place. */
function piece(kind: string | undefined, seat: 0 | 1, x: number, y: number, size: number): string {
  const colours = seat === 0 ? '--seat:#2f6fed' : '--seat:#e0621b';
  const inner = avatar(kind, seat).replace('<svg ', `<svg x="${x}" y="${y}" width="${size}" height="${size}" style="${colours};--line:${INK}" `);
  return inner;
}

/** Rays from a point. */
function rays(x: number, y: number, colour: string, count = 14): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const a = (i * 2 * Math.PI) / count;
    const b = a + Math.PI / count;
    path += `M${x} ${y}L${(x + 400 * Math.cos(a)).toFixed(0)} ${(y + 400 * Math.sin(a)).toFixed(0)} ${(x + 400 * Math.cos(b)).toFixed(0)} ${(y + 400 * Math.sin(b)).toFixed(0)}Z`;
  }
  return `<path d="${path}" fill="${colour}"/>`;
}

/** Dots that fade towards the top. */
function dots(colour: string, rows = 6): string {
  let out = '';
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < 33; x++) {
      const radius = 3.4 - row * 0.5;
      if (radius > 0.4) out += `<circle cx="${x * 10 + (row % 2 ? 5 : 0)}" cy="${178 - row * 9}" r="${radius.toFixed(1)}"/>`;
    }
  }
  return `<g fill="${colour}">${out}</g>`;
}

const STONES = ['Space Stone', 'Mind Stone', 'Reality Stone', 'Power Stone', 'Time Stone', 'Soul Stone'];

const PICTURES: Record<string, () => string> = {
  'marvelous-mashup': () =>
    `<rect width="320" height="180" fill="#4b2e83"/>${rays(160, 110, '#5c3a9e')}${dots('#37206a')}` +
    STONES.map((stone, i) => put(stone, 12 + i * 51, i < 3 ? 44 - i * 15 : 14 + (i - 3) * 15, 40)).join('') +
    put('Thanos', 96, 44, 128) + put('Spiderman', 26, 86, 100) + put('Captain Marvel', 196, 84, 100, true) +
    put('Goose', 126, 118, 68),
  'ultimate-war': () =>
    `<rect width="320" height="180" fill="#d7493a"/><path d="M0 0H190L130 180H0Z" fill="#2f6fed"/>${dots('rgb(0 0 0/.18)')}` +
    put('Hulk', -14, 50, 128) + put('Ironman', 66, 74, 108) + put('Thor', 34, 18, 84) +
    put('Venom', 206, 50, 128, true) + put('Hela', 146, 74, 108, true) + put('Loki', 204, 16, 84, true) +
    `<path d="M196 -6L140 84H170L118 190 214 74H180L236 -6Z" fill="#ffd23f" stroke="${INK}" stroke-width="5" stroke-linejoin="round"/>`,
  'generals': () =>
    `<rect width="320" height="180" fill="#efe3c4"/><g stroke="#d9c79b" stroke-width="2">${Array.from({ length: 8 }, (_, i) => `<path d="M${i * 48 - 8} 0V180"/>`).join('')}` +
    `<path d="M0 44H320M0 92H320M0 140H320"/></g>${dots('#e0d0a4', 5)}` +
    [undefined, 'Thanos', undefined, undefined, undefined].map((kind, i) => piece(kind, 1, 14 + i * 60, i === 1 ? 30 : 10, 54)).join('') +
    ['Shield Agent', 'Hulk', 'Blue Nexus', 'Thor', 'Hawkeye'].map((kind, i) => piece(kind, 0, 14 + i * 60, i === 3 ? 98 : 116, 54)).join('') +
    `<path d="M160 84L165 92 175 90 170 99 176 107 166 107 162 116 156 108 146 111 150 102 143 94 153 93Z" transform="translate(0 -8)" fill="#ffd23f" stroke="${INK}" stroke-width="3"/>`,
  'zorde': () =>
    `<rect width="320" height="180" fill="#f7c96b"/><circle cx="160" cy="70" r="42" fill="#fff0b8"/>` +
    `<path d="M0 120L50 60 92 112 140 50 196 116 250 62 320 124V180H0Z" fill="#c98a3d"/><path d="M0 134Q160 108 320 134V180H0Z" fill="#a8682b"/>${dots('rgb(70 35 5/.3)', 4)}` +
    put('Elf', 64, 58, 86) + put('Human', 4, 68, 104) + put('Dwarf', 84, 90, 92) +
    put('Goblin', 170, 58, 86, true) + put('Ork', 214, 64, 112, true) + put('Troll', 148, 88, 96, true),
  'battleground': () =>
    `<rect width="320" height="180" fill="#8fc7a0"/>${rays(160, 180, '#9fd3ae', 18)}<path d="M0 122H320V180H0Z" fill="#5f9c72"/>${dots('rgb(10 50 25/.25)', 5)}` +
    put('Knight', 8, 56, 108) + put('Ninja', 84, 84, 96) + put('Pumpkin', 210, 60, 108) + put('Zombie M.', 150, 80, 96, true) +
    put('Dino', 118, 30, 70) + put('heal', 82, 14, 40) + put('runner', 196, 16, 40) + put('strength', 8, 12, 40) + put('aging', 270, 12, 40),
};

/** A picture made from a name. */
function made(game: string): string {
  const hue = hash(game) % 360;
  return `<rect width="320" height="180" fill="hsl(${hue} 45% 45%)"/>${rays(160, 90, `hsl(${hue} 45% 52%)`)}${put(game, 100, 36, 120)}`;
}

/** The picture of a game, as SVG text. */
export function cardPicture(game: string): string {
  return (
    '<svg viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">' +
    `${(PICTURES[game] ?? (() => made(game)))()}</svg>`
  );
}

/** The background's colour of a kind, for panels about it. */
export function colourOf(kind: string): string {
  return artOf(kind).back;
}
