/* charts.ts -- figures over time, for the charts of the end screen: one row of numbers a side for
 * everything that was worth counting, taken from the positions of the whole match. */
import { otherSeat, type Board, type Figure, type Position, type Seat } from '../../model';
import { isThing } from './facts';

/** One chart: a value of both sides, one entry for each position. */
export interface Series {
  name: string;
  sides: [number[], number[]];
}

/** The health of a side's units together. */
function health(board: Board, seat: Seat): number {
  const mine = new Set(
    board.tokens.filter((token) => token.seat === seat).map((token) => token.unit),
  );
  return board.meters
    .filter((meter) => meter.role === 'health' && meter.unit !== undefined && mine.has(meter.unit))
    .reduce((sum, meter) => sum + Math.max(0, meter.now), 0);
}

/** How many things a side holds. */
function held(board: Board, seat: Seat): number {
  return board.tokens.filter((token) => token.seat === seat && isThing(board, token.unit)).length;
}

/* Damage that a side's units did, summed up as events come. */
function struck(position: Position, seat: Seat): number {
  const seats = new Map(position.board.tokens.map((token) => [token.unit, token.seat]));
  return position.events
    .filter(
      (event) =>
        event.kind === 'hurt' && seats.get(event.other) === seat && seats.get(event.unit) !== seat,
    )
    .reduce((sum, event) => sum + event.amount, 0);
}

/* Enemies that a side's own units knocked out: neither what somebody without a side did (Thanos), nor what the enemy did to itself. */
function beaten(position: Position, seat: Seat): number {
  const seats = new Map(position.board.tokens.map((token) => [token.unit, token.seat]));
  return position.events.filter(
    (event) =>
      event.kind === 'died' &&
      seats.get(event.other) === seat &&
      seats.get(event.unit) === otherSeat(seat),
  ).length;
}

/** A value for each position and both sides; `running`: summed up. */
function row(
  positions: Position[],
  value: (position: Position, seat: Seat) => number,
  running: boolean,
): [number[], number[]] {
  const one = (seat: Seat) => {
    let sum = 0;
    return positions.map((position) => {
      sum = running ? sum + value(position, seat) : value(position, seat);
      return sum;
    });
  };
  return [one(0), one(1)];
}

/** The names of the charts, given so that they can be translated. */
export interface SeriesNames {
  health: string;
  held: string;
  damage: string;
  beaten: string;
}

/** All charts of a match that say something: rows that never change are left out. */
export function seriesOf(positions: Position[], names: SeriesNames): Series[] {
  const all: Series[] = [
    { name: names.held, sides: row(positions, (p, seat) => held(p.board, seat), false) },
    { name: names.health, sides: row(positions, (p, seat) => health(p.board, seat), false) },
    { name: names.damage, sides: row(positions, struck, true) },
    { name: names.beaten, sides: row(positions, beaten, true) },
  ];
  return all.filter((series) => series.sides.some((side) => new Set(side).size > 1));
}

/** The points of a line in a chart of `width` by `height`, as an SVG path, at most 240 of them. */
export function chartPath(values: number[], top: number, width: number, height: number): string {
  if (values.length === 0) return '';
  const step = Math.max(1, Math.ceil(values.length / 240));
  const points: string[] = [];
  for (let at = 0; at < values.length; at += step) points.push(point(at));
  if ((values.length - 1) % step !== 0) points.push(point(values.length - 1));
  return `M${points.join('L')}`;

  /** The place of one value in the chart. */
  function point(at: number): string {
    const x = values.length === 1 ? 0 : (at / (values.length - 1)) * width;
    const y = height - ((values[at] ?? 0) / Math.max(1, top)) * height;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  }
}

/** Figures of the end as a table: a row for each name, a column for each side. */
export function sideTable(figures: Figure[]): { name: string; values: [number, number] }[] {
  const names = new Map(figures.filter((f) => (f.side ?? null) !== null).map((f) => [f.id, f.name]));
  const value = (id: string, seat: Seat) =>
    figures.find((f) => f.side === seat && f.id === id)?.value ?? 0;
  return [...names].map(([id, name]) => ({ name, values: [value(id, 0), value(id, 1)] }));
}

/** Figures of units: names of columns, and a row for each unit. */
export function unitTable(figures: Figure[]): {
  names: string[];
  rows: { unit: number; values: number[] }[];
} {
  const mine = figures.filter((figure) => figure.unit !== undefined);
  const names = new Map(mine.map((figure) => [figure.id, figure.name]));
  const units = [...new Set(mine.map((figure) => figure.unit as number))];
  return {
    names: [...names.values()],
    rows: units.map((unit) => ({
      unit,
      values: [...names.keys()].map((id) => mine.find((f) => f.unit === unit && f.id === id)?.value ?? 0),
    })),
  };
}
