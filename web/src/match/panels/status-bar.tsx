/* status-bar.tsx -- the top of the match: who plays, whose turn it is, round, phase and clocks. */
import { useEffect, useState } from 'preact/hooks';
import { embedded } from '../../embedded';
import type { Player, Position, Seat } from '../../model';
import { unitLabel } from '../../names';
import { speak, urgent } from '../../speech';
import type { RunningClock, Table } from '../../table/table';
import { playSound } from '../../sound';
import { say } from '../../texts/match';
import { PlayerName } from '../../screens/player-name';
import { shownName, t } from '../../texts/texts';
import { tableGauges } from './facts';
import { clockWords } from '../input/preview-text';
import { secondsToTell } from './clock-words';
import { OpenWhole } from './open-whole';

/** What a clock shows now, drawn anew several times a second while it runs. */
export function useClock(clock: RunningClock | null): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!clock?.running) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [clock]);
  if (!clock) return null;
  return clock.running ? clock.left_ms - (performance.now() - clock.at) : clock.left_ms;
}

/** What a seat is called: the player's name, or the side's. */
export function seatName(table: Table, seat: Seat): string {
  return shownName(table.players.value[seat].name ?? table.about.value.sides[seat]);
}

/** Do two people share this device? Then nobody is "you". */
export function sharesDevice(table: Table): boolean {
  return table.kind === 'local' && table.players.value.every((player) => player.role === 'person');
}

/** Whose turn it is, as a sentence. */
export function turnWords(table: Table, position: Position): string {
  if (position.result) return say('matchOver');
  const { awaited, you, board } = position;
  const { active } = board;
  const unit = active === undefined ? null : unitLabel(position.board, active);
  if (you !== null && awaited.includes(you) && sharesDevice(table))
    return unit
      ? say('turnOfUnit', seatName(table, you), unit)
      : say('turnOf', seatName(table, you));
  if (you !== null && awaited.includes(you)) {
    if (awaited.length > 1 && unit === null) return say('yourTurn');
    return unit ? say('yourTurnUnit', unit) : say('yourTurn');
  }
  if (awaited.length > 1) return say('bothChoose');
  const seat = awaited[0];
  if (seat === undefined) return '';
  /* Which computer, and of which level, is on its plate: here it would be cut off. */
  if (table.thinking.value) return say('thinking');
  const name = seatName(table, seat);
  return unit ? say('theirTurnUnit', name, unit) : say('theirTurn', name);
}

/** A clock that runs; below 20 seconds it warns, by its look and by a sign. */
function Clock({ clock, name }: { clock: RunningClock | null; name: string }) {
  const left = useClock(clock);
  if (left === null) return null;
  const low = left < LOW_MS;
  return (
    <span
      class={`clock number${low ? ' low' : ''}`}
      aria-label={say('timeLeft', name, clockWords(left))}
      role="timer"
    >
      {low && <span aria-hidden="true">⏳</span>}
      {clockWords(left)}
    </span>
  );
}

/** So much time is little: clocks warn from here on. */
const LOW_MS = 20_000;
/** One's own clock in words and with a sound, below 20 seconds: said at once to who hears the page. */
export function ClockVoice({ table }: { table: Table }) {
  const { you, clocks, position } = table;
  const seat = you.value;
  const mine = seat !== null && (position.value?.awaited.includes(seat) ?? false) && !position.value?.result;
  const clock = mine ? clocks.value.turn[seat] : null;
  const told = secondsToTell(useClock(clock));
  useEffect(() => {
    if (told === null) return;
    playSound('warn');
    if (clock?.running) speak(t('warning.turn', { seconds: told }), urgent);
  }, [told]);
  return null;
}

/** A player: name, side, whether it is their turn, their clock. */
function SeatPlate({ table, seat }: { table: Table; seat: Seat }) {
  const player: Player = table.players.value[seat];
  const position = table.position.value;
  const awaited = position?.awaited.includes(seat) ?? false;
  const name = seatName(table, seat);
  const side = table.about.value.sides[seat];
  return (
    <div class={`plate seat-${seat}${awaited ? ' awaited' : ''}`}>
      <i class="seat-mark" aria-hidden="true" />
      <span class="plate-name">
        <b><PlayerName {...player} name={name} away={!table.result.value} /></b>
        <small>
          {[
            /* First what matters most where there is no room for all. */
            player.name && !player.here && player.role !== 'ai' && say('away'),
            side !== name && side,
            table.you.value === seat && !sharesDevice(table) && say('you'),
            player.role === 'ai' && say('robot'),
          ].filter(Boolean).join(' · ')}
        </small>
      </span>
      <Clock clock={table.clocks.value.turn[seat]} name={name} />
    </div>
  );
}

/** The time that is left for the whole match. */
function MatchClock({ clock }: { clock: RunningClock | null }) {
  const left = useClock(clock);
  if (left === null) return null;
  return <span class="number">{say('matchTime', clockWords(left))}</span>;
}

/** How many lines of the chat are new. */
export function UnreadBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="badge">
      {count}
      <span class="visually-hidden"> {say('chatNew')}</span>
    </span>
  );
}

/** The bar. `onMenu` opens the menu; `chat` is there where no panel beside the board has it. */
export function MatchBar({ table, onMenu, chat }: { table: Table; onMenu: () => void; chat: { unread: number; open: () => void } | null }) {
  const position = table.position.value;
  const [round] = position ? tableGauges(position.board, 'round') : [];
  /* What counts towards an end is told once half of it is over. */
  const limits = position
    ? tableGauges(position.board, 'limit').filter((gauge) => gauge.most > 0 && gauge.now * 2 >= gauge.most)
    : [];
  const mine =
    position?.you !== null && position?.awaited.includes(position.you) && !position.result;
  return (
    <header class="match-bar">
      <SeatPlate table={table} seat={0} />
      <div class="match-turn">
        <p class={`turn-words${mine ? ' mine' : ''}`}>
          {position ? turnWords(table, position) : '…'}
        </p>
        <p class="small soft turn-more">
          {position && !position.result && <span>{position.board.phase}</span>}
          {round && round.now > 0 && (
            <span>
              {round.most ? say('roundOf', round.now, round.most) : say('round', round.now)}
            </span>
          )}
          {limits.map((gauge) => (
            <span>
              {gauge.name} {gauge.now}/{gauge.most}
            </span>
          ))}
          <MatchClock clock={table.clocks.value.match} />
          {table.watchers.value > 0 && <span>{say('watchers', table.watchers.value)}</span>}
        </p>
      </div>
      <SeatPlate table={table} seat={1} />
      <div class="bar-buttons">
        {chat && (
          <button type="button" class="button small chat-button" aria-haspopup="dialog" onClick={chat.open}>
            {say('chat')} <UnreadBadge count={chat.unread} />
          </button>
        )}
        {embedded === null ? (
          <button
            type="button"
            class="button small menu-button"
            aria-haspopup="dialog"
            aria-label={say('menu')}
            onClick={onMenu}
          >
            <span aria-hidden="true">☰</span>
            <span class="menu-word">{say('menu')}</span>
          </button>
        ) : (
          <OpenWhole code={embedded} />
        )}
      </div>
    </header>
  );
}
