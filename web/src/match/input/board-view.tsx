/* board-view.tsx -- the board inside the match: feeds the Stage with positions, marks and the
 * choice, and hands clicks to the match input. */
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Stage, type UnitForecast } from '../../board/stage';
import { legsOf } from '../../board/trail';
import { cellsOf } from '../../lesson/script';
import type { Position } from '../../model';
import { speak } from '../../speech';
import { marksOfNote } from '../../table/notes';
import type { Table } from '../../table/table';
import { language } from '../../texts/language';
import { say } from '../../texts/match';
import type { StoryPlayer } from './match-history';
import type { MatchInput } from './match-input';
import { forecastOf, markKind, markLabel } from './preview-text';
import { actionsAt, aimsOf, marksOf, needsArming, offered, type CellMark } from './board-actions';
import { budgetOf } from './animation-budget';
import { speedNow } from './animation-speed';
import { ableUnits, type LegalAction } from './legal-actions';
import type { Cell } from '../../board/trail';
import { threatMarks } from './danger';
import { markBoard } from '../notes/mark';
import { Hitters } from '../speech/hitters';
import { nodeAt, reachMarks, wayTo } from './walking';

/** Between two actions that are shown again, and how long each stays where nothing moves. */
const BETWEEN_MS = 250;
const STILL_MS = 900;
/** Where a lesson lets one choose among more cells, their marks are enough. */
const SPOTS_MAX = 4;

/** Where the match screen finds the stage, for keys. */
export interface StageHolder {
  current: Stage | null;
}

/* Marks for a selection; where nothing is chosen, those who can act. */
function marksFor(input: MatchInput, actions: LegalAction[]): CellMark[] {
  const position = input.table.position.value;
  if (!position) return [];
  const offers = offered(actions, input.selection.value);
  if (offers.length > 0) {
    const marks = marksOf(
      offers,
      input.preview,
      (action, preview, cell) => markLabel(position, action, preview, cell),
      (action, preview) => markKind(position, action, preview),
    );
    return [...marks, ...reachMarks(input.reach.value, marks)];
  }
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

/** Shows the last turn of the others once more, action by action; nothing moves where no motion is wanted, but each stays for a while. */
function storyPlayer(stage: Stage, input: MatchInput, motion: boolean): StoryPlayer {
  const { history, table } = input;
  let turn = 0;
  const stop = () => {
    turn++;
    if (history.repeating.value === null) return;
    history.repeating.value = null;
    if (table.position.value) stage.show(table.position.value);
  };
  const repeat = async () => {
    stop();
    const mine = turn;
    const [before, ...story] = input.recent.story(table.you.value);
    if (!before || story.length === 0) return;
    history.past.value = null;
    stage.trail([]);
    stage.show(before);
    for (const [at, position] of story.entries()) {
      history.repeating.value = at + 1;
      await stage.play(position);
      await new Promise((done) => setTimeout(done, motion ? BETWEEN_MS : STILL_MS));
      if (mine !== turn) return;
    }
    stop();
    stage.trail(input.recent.seen(table.you.value));
  };
  return { repeat: () => void repeat(), stop };
}

/* The way to the cell that is pointed at, if it takes several steps, or to where the enemy in question can be hit. */
function wayFor(input: MatchInput): Cell[] {
  const reach = input.reach.value;
  const cell = input.tapped.value ?? input.pointed.value;
  if (!reach || input.underway) return [];
  const goal = cell ? nodeAt(reach, cell.x, cell.y) : undefined;
  const chase = goal ? null : input.chase.value;
  const before = chase?.words[chase.words.length - 2];
  const node = goal ?? reach.find((one) => one.word === before);
  return node && node.loss === 0 && node.steps > (chase ? 0 : 1) ? wayTo(reach, node) : [];
}

/* In a lesson: the cells that the step points at, else the end of the way or the aim of what it asks for. */
function spotsFor(input: MatchInput): Cell[] {
  const { table, actions, history, reach } = input;
  const position = table.position.value;
  const { lesson } = table;
  if (!lesson || !position || history.past.value !== null) return [];
  if (lesson.point.value.length > 0) return cellsOf(lesson.point.value, position.board);
  const goal = reach.value?.at(-1);
  if (goal && goal.steps > 0) return [goal];
  const ready = actions.value.filter((action) => !needsArming(input, action));
  const aims = ready.flatMap((action) => aimsOf(action, input.preview(action)));
  return aims.length <= SPOTS_MAX ? aims.map(([x, y]) => ({ x, y })) : [];
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
  const hitters = useRef(new Hitters(table));
  const speed = speedNow();
  /* The board is there as soon as its place is: the first key or click finds it. */
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const stage = new Stage(host.current, {
      game: table.about.value.game,
      onCell: (x, y, touch, dragged) => input.clickCell(x, y, touch, dragged),
      onUnit: (unit) => input.clickUnit(unit),
      onGrab: (unit) => input.grab(unit),
      onInspect: (unit) => input.look(unit),
      onPress: (down, cell) => input.hold(down, cell),
      onHover: (cell) => input.point(cell),
      onSound,
      onSay: speak,
      ...(table.replay ? { onMark: (from: Cell, to: Cell, colour: string) => void markBoard(table, from, to, colour) } : {}),
      tell: (x, y) => hitters.current.at(x, y),
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
    const shift = (position: Position) => void stage.shift(position).then(() => settle(position));
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
    const { history } = input;
    history.player = storyPlayer(stage, input, speed > 0);
    /* What one has just done is seen before anything else is told of it. */
    let early: { seen: Position['seen']; played: Promise<void> } | null = null;
    const stopEarly = table.onStep((position) => {
      history.player?.stop();
      stage.trail([]);
      stage.skip();
      early = { seen: position.seen, played: stage.play(position) };
    });
    const stop = table.onPosition((position, before) => {
      if (early?.seen && early.seen === position.seen) return void early.played.then(() => settle(position));
      history.player?.stop();
      /* Who looks back is not torn away, but for the end. */
      if (history.past.value !== null && !position.result) return onSettled(position.number);
      history.past.value = null;
      stage.trail([]);
      if (before === null) return show(position);
      if (position.number < before.number || position.undone !== undefined) return shift(position);
      /* What one does oneself is seen at once. */
      if (before.you !== null && before.you === position.you && before.awaited.includes(before.you)) stage.skip();
      play(position);
    });
    let shown: number | null = null;
    const listen = hitters.current.follow(host.current, () => stage.retell());
    const unlook = effect(() => {
      const past = history.past.value;
      const position = past === null ? table.position.peek() : history.at(past);
      if (past === shown || !position) return;
      shown = past;
      void stage.shift(position);
      stage.trail(past === null ? input.recent.seen(position.you) : legsOf(position.events));
    });
    return () => {
      unlook();
      listen();
      history.player = null;
      stopEarly();
      stop();
      holder.current = null;
      stage.destroy();
    };
  }, [table, input, speed, language.value]);
  const drawMarks = () => {
    const away = input.history.past.value !== null || input.history.repeating.value !== null;
    const marks = away ? [] : marksFor(input, input.actions.value);
    const { unit } = input.selection.value;
    const looked = input.looked.value;
    const { open, intents } = input.prepared;
    const planned = open.value && !away ? intents.value : [];
    const shown = table.position.peek();
    const wishes = planned.map((intent, at): CellMark => ({
      x: intent.x,
      y: intent.y,
      kind: intent.target === null ? 'move' : 'attack',
      label: String(at + 1),
      words: shown ? say('preparedHere', at + 1, input.prepared.spoken(shown, intent)) : '',
    }));
    queueMicrotask(() => {
      if (host.current)
        host.current.dataset.marks = marks.map(({ x, y, kind }) => `${x},${y},${kind}`).join(' ');
      holder.current?.mark([...marks, ...wishes]);
      holder.current?.ghosts(planned.filter(({ target }) => target === null));
      holder.current?.select(looked ?? unit);
    });
  };
  useLayoutEffect(() => effect(() => holder.current?.turn(input.turned.value)), [table, input, speed, language.value]);
  useLayoutEffect(() => effect(() => holder.current?.lift(input.acting.value)), [table, input, speed, language.value]);
  useLayoutEffect(() => effect(drawMarks), [table, input, speed, language.value]);
  const drawForecast = () => {
    const forecasts = forecastFor(input);
    const way = wayFor(input);
    queueMicrotask(() => {
      if (host.current) host.current.dataset.way = way.map(({ x, y }) => `${x},${y}`).join(' ');
      holder.current?.forecast(forecasts);
      holder.current?.path(way);
    });
  };
  useLayoutEffect(() => effect(drawForecast), [table, input, speed, language.value]);
  const drawThreat = () => {
    const position = table.position.value;
    const marks = position ? threatMarks(position.board, input.threat.value) : [];
    queueMicrotask(() => {
      if (host.current) host.current.dataset.threat = marks.map(({ x, y, sign }) => `${x},${y},${sign}`).join(' ');
      holder.current?.threat(marks);
    });
  };
  useLayoutEffect(() => effect(drawThreat), [table, input, speed, language.value]);
  const drawSpots = () => {
    const cells = spotsFor(input);
    queueMicrotask(() => holder.current?.spot(cells));
  };
  useLayoutEffect(() => effect(drawSpots), [table, input, speed, language.value]);
  const drawNote = () => {
    const at = table.replay?.at.value;
    const point = table.lesson?.point.value ?? table.replay?.notes.value.find((one) => one.at === at)?.point ?? [];
    const marks = marksOfNote(point).filter(({ to }) => table.replay !== null || to !== undefined);
    const units = table.replay && table.position.value ? cellsOf(point.filter((one) => one.startsWith('unit ')), table.position.value.board) : [];
    queueMicrotask(() => holder.current?.draw([...marks, ...units.map(({ x, y }) => ({ x, y, colour: '' }))]));
  };
  useLayoutEffect(() => effect(drawNote), [table, input, speed, language.value]);
  const tellWhy = () => {
    const text = input.why.value?.text ?? '';
    queueMicrotask(() => holder.current?.note(text));
  };
  useLayoutEffect(() => effect(tellWhy), [table, input, speed, language.value]);
  return <div class="board-host" ref={host} />;
}
