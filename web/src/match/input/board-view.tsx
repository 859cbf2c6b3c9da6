/* board-view.tsx -- the board inside the match: feeds the Stage with positions, marks and the
 * choice, and hands clicks to the match input. */
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Stage, type UnitForecast } from '../../board/stage';
import type { Position } from '../../model';
import type { Table } from '../../table/table';
import { language } from '../../texts/language';
import type { MatchInput } from './match-input';
import { forecastOf, markKind, markLabel } from './preview-text';
import { actionsAt, marksOf, offered, type CellMark } from './board-actions';
import { budgetOf } from './animation-budget';
import { speedNow } from './animation-speed';
import { ableUnits, type LegalAction } from './legal-actions';

/** Where the match screen finds the stage, for keys. */
export interface StageHolder {
  current: Stage | null;
}

/* Marks for a selection; where nothing is chosen, those who can act. */
function marksFor(input: MatchInput, actions: LegalAction[]): CellMark[] {
  const position = input.table.position.value;
  if (!position) return [];
  const offers = offered(actions, input.selection.value);
  if (offers.length > 0)
    return marksOf(
      offers,
      input.preview,
      (action, preview) => markLabel(position, action, preview),
      (action, preview) => markKind(position, action, preview),
    );
  if (input.selection.value.unit !== null) return [];
  return ableUnits(actions).flatMap((unit) => {
    const token = position.board.tokens.find((one) => one.unit === unit && one.place === 'board');
    return token ? [{ x: token.x ?? 0, y: token.y ?? 0, kind: 'other' as const, label: '' }] : [];
  });
}

/* What the action at the cell that is pointed at would do to each unit; of several the one that is named first. */
function forecastFor(input: MatchInput): UnitForecast[] {
  const position = input.table.position.value;
  const cell = input.pointed.value;
  if (!position || !cell) return [];
  const [action] = actionsAt(offered(input.actions.value, input.selection.value), input.preview, cell.x, cell.y);
  return action ? forecastOf(position, input.preview(action)) : [];
}

/** The board of a table. `onSettled` is told the number of each position that is wholly shown. */
export function BoardView({
  table,
  input,
  holder,
  onSettled,
  onSound,
}: {
  table: Table;
  input: MatchInput;
  holder: StageHolder;
  onSettled: (number: number) => void;
  onSound: (name: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const speed = speedNow();
  /* The board is there as soon as its place is: the first key or click finds it. */
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const stage = new Stage(host.current, {
      game: table.about.value.game,
      onCell: (x, y) => input.clickCell(x, y),
      onUnit: (unit) => input.select(unit),
      onHover: (cell) => input.point(cell),
      onSound,
      motion: speed > 0,
    });
    holder.current = stage;
    stage.speed(speed || 1);
    stage.budget(budgetOf(table.about.value));
    const settle = ({ you, number }: Position) => {
      stage.trail(input.recent.seen(you));
      host.current?.setAttribute('data-trail', String(input.recent.seen(you).length));
      onSettled(number);
    };
    const play = (position: Position) => void stage.play(position).then(() => settle(position));
    const show = (position: Position) => {
      stage.show(position);
      settle(position);
    };
    const now = table.position.value;
    const missed = table.missed();
    input.recent.recall(missed);
    if (missed[0]) stage.show(missed[0]);
    else if (now) show(now);
    missed.slice(1).forEach(play);
    const stop = table.onPosition((position, before) => {
      stage.trail([]);
      if (before === null) show(position);
      else play(position);
    });
    return () => {
      stop();
      holder.current = null;
      stage.destroy();
    };
  }, [table, input, speed, language.value]);
  const drawMarks = () => {
    const marks = marksFor(input, input.actions.value);
    const { unit } = input.selection.value;
    const looked = input.looked.value;
    queueMicrotask(() => {
      if (host.current)
        host.current.dataset.marks = marks.map(({ x, y, kind }) => `${x},${y},${kind}`).join(' ');
      holder.current?.mark(marks);
      holder.current?.select(looked ?? unit);
    });
  };
  useLayoutEffect(() => effect(() => holder.current?.turn(input.turned.value)), [table, input, speed, language.value]);
  useLayoutEffect(() => effect(drawMarks), [table, input, speed, language.value]);
  const drawForecast = () => {
    const forecasts = forecastFor(input);
    queueMicrotask(() => holder.current?.forecast(forecasts));
  };
  useLayoutEffect(() => effect(drawForecast), [table, input, speed, language.value]);
  return <div class="board-host" ref={host} />;
}
