/* match.test.ts -- the pure parts of the match screen: actions, plans, commands, keys, log,
 * layouts, cards, figures. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ActionGroup, Meter, Position, Preview, Role, Tip, Token } from '../src/model';
import { completeCommand, readCommand } from '../src/match/input/command';
import { tipReasonWords, tipRiskWords } from '../src/match/panels/advice';
import { roster, tableGauges, turnOrder, unitFacts } from '../src/match/panels/facts';
import { actionFor, assign, keyName, loadKeys, saveKeys, usualKeys } from '../src/match/input/keys';
import * as layouts from '../src/match/flow/placement-layouts';
import { lineKind, logText, shownLines } from '../src/match/panels/log-lines';
import { budgetOf } from '../src/match/input/animation-budget';
import { isAssembling, isPlacing, chosenBy, offersAfter, offersOf, shortcuts, takenBy } from '../src/match/flow/draft-offers';
import {
  clockWords,
  costWords,
  forecastOf,
  markKind,
  markLabel,
  outcomeWords,
  tipReason,
} from '../src/match/input/preview-text';
import {
  clickCell,
  cycle,
  endNeedsAsking,
  endings,
  groupsOf,
  marksOf,
  nextSelection,
  offered,
} from '../src/match/input/board-actions';
import { presentationOf } from '../src/match/panels/presentation';
import { secondsToTell } from '../src/match/panels/clock-words';
import { chartPath, seriesOf, sideTable, unitTable } from '../src/match/panels/charts';
import { ableUnits, legalActions, slug, thingNames, actionTitle } from '../src/match/input/legal-actions';
import { deedOf } from '../src/match/panels/turn-strip';
import { dangerEverywhere, dangerWords, threatMarks } from '../src/match/input/danger';
import { nodeAt, reachMarks, stepsOf, surprised, walks, wayTo, whyNoHit, whyNot, whyNoWay, wished } from '../src/match/input/walking';
import { RecentEvents } from '../src/match/input/recent-events';
import { reasonSentence } from '../src/match/flow/end-reason';
import { BaseTable } from '../src/table/base';
import { unitLabel } from '../src/names';
import { GAMES, gamePage } from '../src/games';
import { howToFor } from '../src/texts/howto';
import { language } from '../src/texts/language';
import { optionWords } from '../src/texts/wording';

function token(
  unit: number,
  name: string,
  seat: 0 | 1 | null,
  x?: number,
  y?: number,
  more: Partial<Token> = {},
): Token {
  const place = x === undefined ? 'bench' : 'board';
  return {
    unit,
    name,
    kind: name[0]!.toUpperCase() + name.slice(1),
    kind_id: slug(more.kind ?? name),
    seat,
    place,
    ...(x === undefined ? {} : { x, y: y! }),
    ...more,
  };
}

function group(
  verb: number,
  name: string,
  unit: number,
  entries: [number[], string][],
  ability = 0,
): ActionGroup {
  return {
    verb,
    id: entries[0]![1].split(' ')[0]!,
    name,
    unit,
    ability,
    cells: entries.map(([cell]) => cell),
    words: entries.map(([, word]) => word),
  };
}

function position(
  tokens: Token[],
  actions: ActionGroup[] = [],
  meters: Meter[] = [],
  more: Partial<Position> = {},
): Position {
  return {
    code: '',
    number: 1,
    you: 0,
    awaited: [0],
    draw: null,
    paused: false,
    clocks: { turn: [null, null] },
    actions,
    events: [],
    board: {
      width: 9,
      height: 8,
      phase: 'play',
      phase_id: 'play',
      order: [],
      grounds: ['grass'],
      ground_ids: ['grass'],
      ground: [],
      tokens,
      meters,
    },
    ...more,
  };
}

/* A meter; what it is about has an id and a name. */
function meter(id: string, role: Role, now: number, more: Partial<Meter> = {}): Meter {
  const ids = more.about ? { about_ids: more.about.map(slug) } : {};
  return { id, role, name: id, index: 0, now, ...ids, ...more };
}

function preview(more: Partial<Preview> = {}): Preview {
  return { sampled: false, outcomes: 1, wins: 0, loses: 0, events: [], units: [], changes: [], ...more };
}

const event = (kind: string, more = {}) => ({
  kind,
  unit: 255,
  other: 255,
  from: [0, 0] as [number, number],
  at: [0, 0] as [number, number],
  amount: 0,
  what: 0,
  happens: 1000,
  text: `${kind}.`,
  ...more,
});

const fight = position(
  [
    token(0, 'hulk', 0, 3, 4),
    token(1, 'thor', 0, 1, 1),
    token(5, 'loki', 1, 4, 4),
    token(6, 'hela', 1),
  ],
  [
    group(2, 'move', 0, [
      [[0, 0], 'move hulk 0 0'],
      [[3, 5], 'move hulk 3 5'],
      [[4, 4], 'move hulk 4 4'],
    ]),
    group(3, 'melee attack', 0, [[[4, 4], 'melee hulk 4 4']]),
    group(2, 'move', 1, [[[1, 2], 'move thor 1 2']]),
    group(4, 'attack', 0, [
      [[0, 0, 0, 0], 'attack hulk up'],
      [[0, 0, 0, 1], 'attack hulk right'],
    ]),
    group(5, 'cast', 0, [[[0, 0], 'cast hulk hulk-smash']], 24),
    group(6, 'use', 0, [[[0, 0, 5, 0], 'use heal loki']], 0),
    group(7, 'end turn', 0, [[[0, 0], 'end hulk']]),
  ],
  [
    meter('health', 'health', 70, { unit: 0, name: 'Leben', most: 100 }),
    meter('cooldown', 'cooldown', 2, { unit: 0, name: 'Ruhezeit', index: 24, about: ['Hulk Smash'], most: 3 }),
    meter('heal', 'held', 1, { side: 0, name: 'Heilung' }),
  ],
);

test('words say what an action is about', () => {
  const [corner, , , melee, , up, , cast, use, end] = legalActions(fight, 'marvelous-mashup');
  assert.deepEqual(
    [corner!.verb, corner!.kind, corner!.unit, corner!.cell],
    ['move', 'move', 0, { x: 0, y: 0 }],
  );
  assert.deepEqual([melee!.kind, melee!.cell], ['attack', { x: 4, y: 4 }]);
  assert.deepEqual([up!.direction, up!.cell], ['up', null]);
  assert.deepEqual([cast!.thing, cast!.cell, cast!.kind], ['hulk-smash', null, 'other']);
  assert.equal(legalActions(fight, 'ultimate-war')[7]!.kind, 'use', 'a game says itself how its verbs look');
  assert.deepEqual(
    [use!.unit, use!.thing, use!.target, use!.cell],
    [null, 'heal', 5, { x: 4, y: 4 }],
  );
  assert.deepEqual([end!.unit, end!.cell], [0, null]);
  assert.deepEqual(ableUnits(legalActions(fight, 'marvelous-mashup')), [0, 1]);
});

test('titles use the names that the engine gives', () => {
  const names = thingNames(fight);
  const title = (at: number) => actionTitle(legalActions(fight, 'marvelous-mashup')[at]!, names);
  assert.deepEqual(
    [title(0), title(5), title(7), title(8), title(9)],
    ['Move', 'Attack ↑', 'Hulk Smash', 'Heilung', 'End turn'],
  );
  assert.equal(slug('Dr. Doom é'), 'dr-doom-e');
});

test('buttons gather what differs only in its aim', () => {
  const actions = legalActions(fight, 'marvelous-mashup');
  const groups = groupsOf(actions, 0);
  assert.deepEqual(
    groups.map(({ key, plain, actions: all }) => [key, plain, all.length]),
    [
      ['0 move', false, 3],
      ['0 melee', false, 1],
      ['0 attack', false, 2],
      ['0 cast hulk-smash', true, 1],
    ],
  );
  assert.deepEqual(
    groupsOf(actions, null).map(({ key }) => key),
    ['- use heal'],
  );
  assert.deepEqual(
    endings(actions).map(({ word }) => word),
    ['end hulk'],
  );
});

test('a click does what alone is possible, asks about several, selects or looks', () => {
  const actions = legalActions(fight, 'marvelous-mashup');
  const none = () => undefined;
  const hulk = { unit: 0, armed: null };
  const click = (choice: { unit: number | null; armed: string | null }, x: number, y: number) =>
    clickCell(fight, actions, choice, none, x, y);
  assert.equal((click(hulk, 3, 5) as { action: { word: string } }).action.word, 'move hulk 3 5');
  assert.deepEqual(
    (click(hulk, 4, 4) as { actions: { verb: string }[] }).actions.map(({ verb }) => verb),
    ['melee', 'move'],
  );
  assert.equal(click({ unit: 0, armed: '0 melee' }, 4, 4).do, 'act');
  assert.equal(click({ unit: 0, armed: '0 melee' }, 3, 5).do, 'nothing');
  assert.equal(click(hulk, 1, 1).do, 'select');
  assert.equal(click({ unit: null, armed: null }, 4, 4).do, 'look');
  assert.equal(click(hulk, 8, 7).do, 'nothing');
  assert.equal(click({ unit: null, armed: '- use heal' }, 4, 4).do, 'act');
});

test('marks: directions show what they would hit, the stronger kind wins a cell', () => {
  const actions = offered(legalActions(fight, 'marvelous-mashup'), { unit: 0, armed: null });
  const hit = preview({
    events: [
      event('attacked', { at: [3, 3] }), event('ground-hurt', { at: [3, 2], amount: 100 }), event('hurt', { at: [4, 4], unit: 5, amount: 9 }),
    ],
    units: [{ unit: 5, before: 50, least: 41, most: 41, mean: 41, dies: 0 }],
  });
  const looks = (action: { word: string }) => (action.word === 'attack hulk up' ? hit : preview());
  const marks = marksOf(
    actions,
    looks,
    (action, p, cell) => markLabel(fight, action, p, cell),
    (action, p) => markKind(fight, action, p),
  );
  assert.deepEqual(
    marks.find(({ x, y }) => x === 3 && y === 2),
    { x: 3, y: 2, kind: 'attack', label: '−100' },
    'a cover tells its own loss, not that of the unit behind it',
  );
  assert.equal(marks.find(({ x, y }) => x === 4 && y === 4)!.label, '−9');
  assert.equal(marks.find(({ x, y }) => x === 4 && y === 4)!.kind, 'attack');
  assert.equal(marks.filter(({ x, y }) => x === 4 && y === 4).length, 1);
});

test('the choice stays with who can act, follows the active one, and finds the only one', () => {
  const actions = legalActions(fight, 'marvelous-mashup');
  assert.equal(nextSelection(fight, actions, { unit: 1, armed: 'x' }).unit, 1);
  assert.equal(nextSelection(fight, actions, { unit: 9, armed: null }).unit, null);
  assert.equal(
    nextSelection(
      fight,
      actions.filter(({ unit }) => unit === 1),
      { unit: null, armed: null },
    ).unit,
    1,
  );
  assert.equal(
    nextSelection({ ...fight, board: { ...fight.board, active: 0 } }, actions, { unit: 1, armed: null })
      .unit,
    0,
  );
  assert.deepEqual(
    [cycle([3, 5, 8], 5, 1), cycle([3, 5, 8], 8, 1), cycle([3, 5, 8], null, -1), cycle([], 1, 1)],
    [8, 3, 8, null],
  );
  assert.equal(endNeedsAsking(actions, false), true);
  assert.equal(endNeedsAsking(actions, true), false);
});

test('the way to a cell, what it takes, and what ends it', () => {
  const nodes = [
    { x: 3, y: 4, from: 0, steps: 0, loss: 0, kinds: [] },
    { x: 3, y: 5, from: 0, steps: 1, loss: 0, word: 'move hulk 3 5', kinds: ['moved'] },
    { x: 4, y: 6, from: 1, steps: 2, loss: 20, word: 'move hulk 4 6', kinds: ['moved', 'hurt'] },
    { x: 4, y: 6, from: 1, steps: 2, loss: 0, word: 'move hulk 4 6', kinds: ['moved'] },
  ];
  const goal = nodeAt(nodes, 4, 6)!;
  assert.equal(goal.loss, 0, 'the safer of two ways');
  const way = wayTo(nodes, goal);
  assert.deepEqual(way.map(({ x, y }) => [x, y]), [[3, 4], [3, 5], [4, 6]]);
  assert.deepEqual(stepsOf(way).map(({ word }) => word), ['move hulk 3 5', 'move hulk 4 6']);
  assert.equal(nodeAt(nodes, 8, 8), undefined);
  const marks = reachMarks(nodes, [{ x: 3, y: 5, kind: 'move', label: '' }]);
  assert.deepEqual(marks.map(({ x, y, kind, told }) => [x, y, kind, told]), [[4, 6, 'reach', '2 steps']]);
  const [step] = stepsOf(way);
  assert.equal(surprised(step!, { ...fight, events: [event('moved')] }), false);
  assert.equal(surprised(step!, { ...fight, events: [event('moved'), event('revealed')] }), true);
  const actions = legalActions(fight, 'marvelous-mashup');
  assert.equal(walks(actions, { unit: 0, armed: null }), true);
  assert.equal(walks(actions, { unit: 0, armed: '0 move' }), true);
  assert.equal(walks(actions, { unit: 0, armed: '0 melee' }), false);
  assert.equal(walks(actions, { unit: null, armed: null }), false);
  assert.deepEqual([wished(actions, 0, 8, 7)!.x, wished(actions, 0, 8, 7)!.y, wished(actions, 5, 8, 7)], [8, 7, undefined]);
  assert.equal(whyNot(fight, [], { unit: null, armed: null }), 'It’s not your turn.');
  assert.equal(whyNot(fight, actions, { unit: null, armed: null }), 'Select one of your units first.');
  assert.equal(whyNot(fight, actions, { unit: 0, armed: null }), null);
  assert.equal(whyNoWay('rooted'), 'A rooted unit can\'t move.');
  assert.equal(whyNoWay('no-such-thing'), 'The selected unit can’t go there this turn.');
});

test('an enemy that can\'t be hit now is out of reach only if no phase of the turn follows', () => {
  const ending = (...kinds: string[]): Preview =>
    ({ sampled: false, outcomes: 1, wins: 0, loses: 0, events: kinds.map((kind) => ({ ...event(kind), happens: 1000 })), units: [], changes: [] });
  const outOfReach = 'Out of reach for the selected unit this turn.';
  assert.equal(whyNoHit(ending('phase-began')), 'The selected unit can’t attack there in this phase. Your turn has more phases.');
  assert.equal(whyNoHit(ending('turn-ended', 'turn-began', 'phase-began')), outOfReach);
  assert.equal(whyNoHit(ending('turn-ended', 'turn-began')), outOfReach);
  assert.equal(whyNoHit(null), outOfReach);
});

test('danger in words and shades: the share of the strongest unit, unknown as the worst', () => {
  const threat = Array.from({ length: 72 }, () => 0);
  threat[0] = 25;
  threat[10] = 100;
  threat[11] = -1;
  assert.deepEqual(threatMarks(fight.board, threat), [
    { x: 0, y: 0, shade: 1, sign: '25' },
    { x: 1, y: 1, shade: 4, sign: '100' },
    { x: 2, y: 1, shade: 4, sign: '?' },
  ]);
  assert.deepEqual(threatMarks(fight.board, null), []);
  assert.deepEqual(threatMarks({ ...fight.board, meters: [] }, [1]), [{ x: 0, y: 0, shade: 4, sign: '!' }]);
  const everywhere = Array.from({ length: 72 }, (_, at) => (at === 10 ? 100 : 25));
  assert.equal(dangerEverywhere(fight.board, everywhere), 25);
  assert.deepEqual(threatMarks(fight.board, everywhere).slice(9, 11), [
    { x: 0, y: 1, shade: 0, sign: '25' },
    { x: 1, y: 1, shade: 4, sign: '100' },
  ]);
  for (const some of [[0, 25], [-1, 25], null]) assert.equal(dangerEverywhere(fight.board, some), 0);
  assert.equal(dangerEverywhere({ ...fight.board, meters: [] }, [1, 1]), 0);
  assert.equal(dangerWords(3, 4, 0, true), '3,4: safe in the enemy’s next turn.');
  assert.equal(dangerWords(3, 4, 40, true), '3,4: can lose up to 40 health in the enemy’s next turn.');
  assert.equal(dangerWords(3, 4, 1, false), '3,4: can be hit in the enemy’s next turn.');
  assert.equal(dangerWords(3, 4, -1, true), '3,4: unknown whether this cell is safe.');
});

test('the strip of a turn tells what the other side lost, not the sum of both', () => {
  const both = [event('fought', { unit: 0, other: 5 }), event('hurt', { unit: 5, amount: 70 }), event('hurt', { unit: 0, amount: 100 })];
  assert.equal(deedOf({ ...fight, events: both })!.amount, '−70');
  assert.equal(deedOf({ ...fight, events: [event('used', { unit: 0 }), event('hurt', { unit: 0, amount: 10 })] })!.amount, '−10');
});

test('what no unit does is done by none: not by unit 0 on whom a potion is used', () => {
  const tokens = [token(0, 'gla0', 0, 4, 4), token(5, 'nin5', 1, 3, 4)];
  const potion = { ...group(6, 'use', 0, [[[0, 0, 0, 0], 'use weakness gla0'], [[0, 0, 5, 0], 'use weakness nin5']]), nobody: true };
  const blue = position(tokens, [group(5, 'attack', 5, [[[0, 0, 0, 0], 'attack nin5 gla0']]), potion], [], { you: 1, awaited: [1] });
  const actions = legalActions(blue, 'battleground');
  assert.deepEqual(actions.map(({ unit, target }) => [unit, target]), [[5, 0], [null, 0], [null, 5]]);
  assert.equal(nextSelection(blue, actions, { unit: null, armed: null }).unit, 5);
  const foreign = actions.map((action) => ({ ...action, unit: 0 }));
  const active = { ...blue, board: { ...blue.board, active: 0 } };
  assert.equal(nextSelection(active, foreign, { unit: 0, armed: null }).unit, null, 'an enemy is never chosen');
});

test('commands: exact, shortened, by kind, ambiguous, unknown', () => {
  const actions = legalActions(fight, 'marvelous-mashup');
  const word = (line: string) => {
    const found = readCommand(fight, actions, line);
    return 'found' in found ? found.found.word : 'several' in found ? found.several.length : null;
  };
  assert.equal(word('move hulk 3 5'), 'move hulk 3 5');
  assert.equal(word('  MOVE  hulk 3,5 '), 'move hulk 3 5');
  assert.equal(word('mel'), 'melee hulk 4 4');
  assert.equal(word('mo t'), 'move thor 1 2');
  assert.equal(word('move'), 4);
  assert.equal(word('fly hulk'), null);
  assert.equal(word(''), null);
  assert.deepEqual(completeCommand(fight, actions, 'mo'), ['move ']);
  assert.deepEqual(completeCommand(fight, actions, 'move '), ['move hulk ', 'move thor ']);
  assert.deepEqual(completeCommand(fight, actions, 'move hulk 3 '), ['move hulk 3 5']);
});

test('keys are kept, swapped when taken, and damaged ones are the usual ones', () => {
  const kept = new Map<string, string>();
  const shelf = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  const changed = assign(loadKeys(shelf), 'end-turn', 'n');
  assert.deepEqual([changed['end-turn'], changed['next-unit']], ['n', 'e']);
  saveKeys(shelf, changed);
  assert.deepEqual(loadKeys(shelf), changed);
  kept.set('mashup.keys', '{"end-turn": 3, "bogus": "x"}');
  assert.deepEqual(loadKeys(shelf), usualKeys);
  kept.set('mashup.keys', 'no json');
  assert.deepEqual(loadKeys(shelf), usualKeys);
  const key = (name: string, more = {}) =>
    keyName({ key: name, ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...more });
  assert.deepEqual(
    [
      key('E'),
      key('?', { shiftKey: true }),
      key(' '),
      key('Shift'),
      key('ArrowUp', { shiftKey: true }),
      key('a', { altKey: true }),
      key('U', { shiftKey: true }),
    ],
    ['e', '?', 'Space', '', 'Shift+ArrowUp', '', 'Shift+u'],
  );
  assert.equal(actionFor(usualKeys, 'e'), 'end-turn');
  assert.equal(actionFor(usualKeys, 'F9'), null);
  assert.deepEqual(['u', 'Shift+u', 'Shift+e'].map((name) => actionFor(usualKeys, name)), ['own-unit', 'enemy-unit', 'end-turn']);
  assert.equal(new Set(Object.values(usualKeys)).size, Object.keys(usualKeys).length, 'two actions have one key');
});

test('the log is filtered by kind, rounds stay as headings', () => {
  const line = (kind: string, number = 1) => ({ text: kind, number, event: event(kind) });
  const log = [
    line('round-began'),
    line('moved'),
    line('hurt'),
    line('changed', 2),
    line('died', 2),
    { text: 'Ann is back.', number: 2 },
  ];
  assert.deepEqual(
    shownLines(log, new Set(['fight'])).map(({ text }) => text),
    ['round-began', 'hurt', 'died'],
  );
  assert.equal(lineKind(log[5]!), 'table');
  assert.equal(shownLines(log, new Set(['fight', 'move', 'table']), 2).length, 2);
  assert.equal(logText('Zorde', log).split('\n')[2], 'round-began');
});

test('the log by actions: what was done, and what came of it', () => {
  const kinds = ['match-began', 'turn-began', 'chosen', 'chosen', 'moved', 'changed', 'item-taken', 'turn-began', 'attacked', 'hurt', 'died', 'turn-ended', 'turn-began', 'item-appeared'];
  const numbers = [0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 4, 4, 4, 4];
  const log = kinds.map((kind, at) => ({ text: kind, event: event(kind), number: numbers[at]! }));
  const shown = shownLines([...log, { text: 'Ann is back.', number: 4 }], new Set(['fight', 'thing', 'move', 'turn', 'table']));
  assert.deepEqual(
    shown.filter(({ minor }) => minor).map(({ text, number }) => `${text} ${number}`),
    ['item-taken 2', 'hurt 4', 'died 4'],
  );
});

test('a clock is told at 20, 10 and 5 seconds', () => {
  const told = [null, 60_000, 20_001, 20_000, 10_500, 10_000, 5_000, 300, 0].map(secondsToTell);
  assert.deepEqual(told, [null, null, null, 20, 20, 10, 5, 5, null]);
});

test('outcomes and costs in few words', () => {
  const [move, , onto, melee] = legalActions(fight, 'marvelous-mashup');
  const hurt = preview({
    outcomes: 4,
    units: [{ unit: 5, before: 50, least: 36, most: 40, mean: 38, dies: 0 }],
    changes: [{ unit: 0, id: 'actions', role: 'points', name: 'AP', index: 0, least: -1, most: -1 }],
  });
  assert.equal(outcomeWords(fight, melee!, hurt), 'Loki −10–14 (50 → 36–40)');
  const dying = { ...hurt.units[0]!, least: 0, dies: 1000 };
  assert.equal(outcomeWords(fight, melee!, { ...hurt, units: [dying] }), 'Loki −10–50 (50 → 0–40), defeated');
  assert.equal(outcomeWords(fight, melee!, { ...hurt, units: [{ ...dying, dies: 374 }] }), 'Loki −10–50 (50 → 0–40), defeated (37 %)');
  assert.equal(
    outcomeWords(fight, melee!, { ...hurt, sampled: true, units: [{ unit: 5, dies: 374 }] }),
    'Loki defeated (about 37 %)',
  );
  assert.equal(costWords(melee!, hurt), '1 AP');
  const paid = (id: string, name: string, role: Role, by: number) =>
    costWords(melee!, preview({ changes: [{ unit: 0, id, role, name, index: 0, least: -by, most: -by }] }));
  assert.deepEqual(
    [paid('points', 'Punkte', 'points', 1), paid('points', 'Punkte', 'points', 2), paid('health', 'Leben', 'health', 3)],
    ['1 point', '2 Punkte', ''],
  );
  assert.equal(outcomeWords(fight, melee!, null), '');
  assert.deepEqual(markLabel(fight, melee!, hurt), { label: '−10–14', own: '' });
  const healed = preview({ units: [{ unit: 0, before: 70, least: 75, most: 75, mean: 75, dies: 0 }] });
  assert.deepEqual(markLabel(fight, melee!, healed), { label: '+5', own: '' });
  assert.equal(outcomeWords(fight, melee!, healed), 'your Hulk +5 (70 → 75)');
  assert.equal(markKind(fight, move!, preview()), 'move');
  assert.equal(markKind(fight, onto!, preview()), 'attack');
  assert.equal(markKind(fight, onto!, preview({ events: [event('swapped')] })), 'move');
  /* Onto a friend: it stays, unless the two change places. */
  const friends = { ...fight, board: { ...fight.board, tokens: fight.board.tokens.map((token) => ({ ...token, seat: 0 as const })) } };
  assert.equal(markKind(friends, onto!, preview()), 'stay');
  assert.deepEqual(markLabel(friends, onto!, preview()), { label: '⊘', own: '' });
  assert.equal(markKind(friends, onto!, preview({ events: [event('swapped')] })), 'move');
  /* A click there chooses the friend, if it can act, or asks; unless the step is meant, or is more than to be stopped. */
  const mover = { unit: onto!.unit, armed: null };
  const friend = friends.board.tokens.find(({ x, y }) => x === onto!.cell!.x && y === onto!.cell!.y)!.unit;
  const clicked = (outcome: ReturnType<typeof preview> | undefined, able: boolean, meant?: boolean) =>
    clickCell(friends, able ? [onto!, { ...move!, unit: friend }] : [onto!], mover, () => outcome, onto!.cell!.x, onto!.cell!.y, meant);
  assert.deepEqual(clicked(preview(), true), { do: 'select', unit: friend });
  assert.deepEqual(clicked(undefined, true), { do: 'select', unit: friend });
  assert.deepEqual(clicked(preview(), false), { do: 'ask', actions: [onto] });
  assert.deepEqual(clicked(preview(), true, true), { do: 'act', action: onto });
  assert.deepEqual(clicked(preview({ events: [event('swapped')] }), true), { do: 'act', action: onto });
  assert.match(tipReason(fight, move!, null), /\w/);
  assert.deepEqual(
    [clockWords(245_000), clockWords(9_450), clockWords(-3), clockWords(8_100_000), clockWords(190_000_000)],
    ['4:05', '9.4', '0.0', '2 h 15 min', '2 d 4 h'],
  );
  assert.deepEqual(
    [
      budgetOf({ animation_ms: 900, turn_ms: 60_000 }),
      budgetOf({ animation_ms: 0, turn_ms: 60_000 }),
      budgetOf({ animation_ms: 0, turn_ms: 0 }),
    ],
    [900, 15_000, 0],
  );
});

test('each side has its own loss: never a sum, the death of either marked, one\'s own told apart', () => {
  const [, , onto] = legalActions(fight, 'marvelous-mashup');
  const both = preview({
    units: [
      { unit: 0, before: 70, least: 0, most: 0, mean: 0, dies: 1000 },
      { unit: 5, before: 200, least: 130, most: 130, mean: 130, dies: 0 },
    ],
  });
  assert.deepEqual(markLabel(fight, onto!, both), { label: '−70', own: '♥−70 ✕' });
  assert.equal(outcomeWords(fight, onto!, both), 'Loki −70 (200 → 130), your Hulk −70 (70 → 0), defeated');
  assert.deepEqual(
    forecastOf(fight, both).map(({ unit, text, own, after }) => [unit, text, own, after]),
    [[0, '70 → 0 ✕', true, 0], [5, '200 → 130', false, 130]],
  );
  const seenFromBehind = { ...fight, you: 1 as const };
  assert.deepEqual(markLabel(seenFromBehind, onto!, both), { label: '−70 ✕', own: '♥−70' });
  const lost = preview({ ...both, loses: 1000 });
  assert.match(outcomeWords(fight, onto!, lost), /loses the match!$/);
  const several = preview({ units: [5, 6].map((unit) => ({ unit, before: 50, least: 20, most: 20, mean: 20, dies: 0 })) });
  assert.equal(markLabel(fight, onto!, several).label, '2× −30');
});

test('facts of a unit come from the roles of its meters, whatever they are called', () => {
  const facts = unitFacts(fight, 0)!;
  assert.deepEqual(facts.health, { id: 'health', name: 'Leben', now: 70, most: 100 });
  assert.deepEqual(facts.abilities, [
    { id: 'hulk-smash', name: 'Hulk Smash', wait: 2, waitMost: 3, amount: 0, held: false, index: 24 },
  ]);
  const of = (...meters: Meter[]) =>
    unitFacts(position([token(0, 'hulk', 0, 3, 4)], [], meters.map((one) => ({ ...one, unit: 0 }))), 0)!;
  assert.deepEqual(
    of(
      meter('type', 'trait', 2, { name: 'Typ', about: ['Schurke'] }),
      meter('condition', 'trait', 2, { name: 'Zustand', index: 3, about: ['festgesetzt'] }),
    ).traits,
    [
      { meter: 'type', title: 'Typ', name: 'Schurke', index: 1 },
      { meter: 'condition', title: 'Zustand', name: 'festgesetzt', index: 4 },
    ],
  );
  assert.deepEqual(of(meter('strength', 'effect', 3, { name: 'Stärke', most: 3 })).effects, [
    { id: 'strength', name: 'Stärke', turns: 3 },
  ]);
  assert.deepEqual(of(meter('effect', 'effect', 2, { name: 'Effekt', about: ['Stun'] })).effects, [
    { id: 'stun', name: 'Stun', turns: 2 },
  ]);
  const usable = { name: 'Fähigkeit', about: ['Netz'] };
  assert.deepEqual(of(meter('ability', 'usable', 1, usable)).abilities.map(({ id }) => id), ['netz']);
  assert.deepEqual(of(meter('ability', 'usable', 0, usable)).abilities, []);
  assert.deepEqual(of(meter('could-be', 'could-be', 3, { name: 'kann sein', about: ['Thor', 'Ant Man'] })).couldBe, [
    { id: 'thor', name: 'Thor' },
    { id: 'ant-man', name: 'Ant Man' },
  ]);
  const plain = of(meter('mana', 'points', 5), meter('speed', 'number', 7), meter('leader', 'leader', 1));
  assert.deepEqual([plain.points[0]!.id, plain.numbers[0]!.id, plain.leader], ['mana', 'speed', true]);
  assert.equal(unitFacts(fight, 77), null);
  const stone = position(
    [token(0, 'hulk', 0, 1, 1), { ...token(15, 'mind', 0), kind: 'Gedankenstein', kind_id: 'mind-stone' }],
    [],
    [
      meter('mind', 'held', 1, { unit: 0, name: 'Gedanken', most: 1 }),
      meter('cooldown', 'cooldown', 1, { unit: 15, name: 'warten', most: 1 }),
      meter('round', 'round', 4, { name: 'Runde', most: 30 }),
    ],
  );
  assert.equal(unitFacts(stone, 0)!.abilities[0]!.held, true);
  assert.deepEqual(
    roster(stone, 0).map(({ name }) => name),
    ['Hulk'],
  );
  assert.deepEqual(tableGauges(stone.board, 'round'), [{ id: 'round', name: 'Runde', now: 4, most: 30 }]);
  const hidden = position([{ unit: 21, name: 'v0', seat: 1, place: 'board', x: 0, y: 5 }]);
  assert.deepEqual(
    roster(hidden, 1).map(({ name, hidden: masked }) => [name, masked]),
    [['Hidden piece 1', true]],
  );
  const order = { ...fight, board: { ...fight.board, active: 5, order: [0, 241] } };
  assert.deepEqual(
    turnOrder(order, ['Red', 'Blue']).map(({ name }) => name),
    ['Loki', 'Hulk', 'Blue'],
  );
  assert.equal(
    unitLabel(twins.board, 1),
    'Ninja 2',
  );
});

const twins = position([
  token(0, 'nin0', 0, 0, 0, { kind: 'Ninja' }),
  token(1, 'nin1', 0, 1, 0, { kind: 'Ninja' }),
  token(5, 'nin5', 1, 4, 0, { kind: 'Ninja' }),
  token(6, 'kni6', 1, 4, 1, { kind: 'Knight' }),
  { unit: 7, name: 'war7', seat: 1, place: 'bench' },
]);

test('a tip speaks by its figures', () => {
  const action = { verb: 1, unit: 0, ability: 0, x: 0, y: 0, other: 0, amount: 0, id: 'move', name: 'move', word: 'move' };
  const tip: Tip = { action, samples: 10, works: 10, now: [], next: [], losses: [], dealt: 0, lost: 0 };
  const told = { text: 'Dr. Strange zieht nach 3,4.', times: 10 };
  const maybe = { text: 'Loki verliert 20 Leben.', times: 6 };
  assert.equal(tipReasonWords(tip), '');
  assert.equal(tipReasonWords({ ...tip, now: [told], next: [told] }), `${told.text} Hoping for: ${told.text}`);
  assert.equal(tipReasonWords({ ...tip, now: [maybe, told] }), `${told.text} Hoping for: ${maybe.text}`);
  assert.equal(tipRiskWords(tip), 'No losses expected before your next turn.');
  assert.equal(
    tipRiskWords({ ...tip, works: 4, lost: 30, losses: [{ ...told, times: 3 }, { ...told, times: 10 }] }),
    `Works 4 out of 10 times. You may lose about 30 health before your next turn. 3 out of 10 times: ${told.text} ${told.text}`,
  );
});

test('options are said in words that differ, in both languages', () => {
  const rules = { id: 'rules', title: 'Rules 0: usual, 1: other', least: 0, most: 1, usual: 0 };
  const said = (['en', 'de'] as const).map((one) => {
    language.value = one;
    return optionWords('marvelous-mashup', rules);
  });
  language.value = 'en';
  for (const { label, values, about } of said) {
    assert.equal(new Set(values).size, 2);
    assert.doesNotMatch(`${label} ${values.join(' ')} ${about}`, /specification|customer/i);
    assert.match(about, /Stan Lee/);
  }
  assert.notDeepEqual(said[0], said[1]);
  const foreign = optionWords('chess', rules);
  assert.deepEqual([foreign.label, ...foreign.values], ['Rules', 'usual', 'other']);
});

test('a trail tells each seat what others did since it was to act', () => {
  const step = (you: 0 | 1 | null, by: 0 | 1, from: number[], at: number[]) =>
    position([], [], [], { you, awaited: [by], events: [event('moved', { from, at })] });
  const open = new RecentEvents(false);
  const first = step(0, 0, [0, 0], [1, 0]);
  open.note(step(1, 1, [0, 0], [1, 0]), first);
  assert.deepEqual(open.seen(0), []);
  assert.deepEqual(open.seen(1), [{ from: [0, 0], at: [1, 0] }]);
  open.note(step(0, 0, [5, 5], [5, 4]), step(1, 1, [0, 0], [1, 0]));
  assert.deepEqual(open.seen(1), []);
  assert.deepEqual(open.seen(0), [{ from: [5, 5], at: [5, 4] }]);
  assert.deepEqual(open.seen(null), open.seen(0));
  const hiding = new RecentEvents(true);
  hiding.note(step(0, 1, [0, 0], [1, 0]), first);
  assert.deepEqual(hiding.seen(1), [], 'nothing is learnt through the eyes of the other');
  hiding.recall([step(1, 0, [0, 0], [0, 0]), step(1, 1, [2, 2], [2, 3])]);
  assert.deepEqual(hiding.seen(1), [{ from: [2, 2], at: [2, 3] }]);
});

test('what was undone leaves the trail and the story of all who look', () => {
  const seen = (byte: number) => ({ seat: null, view: new Uint8Array([byte]), events: new Uint8Array(0) });
  const at = (number: number, byte: number, more: Partial<Position>) =>
    position([], [], [], { you: 1, awaited: [0], number, seen: seen(byte), ...more });
  const walk = (x: number) => ({ events: [event('moved', { from: [x, 0], at: [x + 1, 0] })] });
  const recent = new RecentEvents(false);
  const story = [at(1, 1, {}), at(2, 2, walk(0)), at(3, 3, walk(1)), at(4, 2, { undone: 0 }), at(5, 5, { awaited: [1] })];
  story.forEach((now, step) => recent.note(now, story[step - 1] ?? null));
  for (const eyes of [1, null] as const)
    assert.deepEqual(recent.story(eyes).map(({ number }) => number), eyes === null ? [] : [1, 2, 5], 'without the second step');
  assert.deepEqual(recent.seen(1), [{ from: [0, 0], at: [1, 0] }]);
  const all = new RecentEvents(false);
  story.slice(0, 3).forEach((now, step) => all.note(now, story[step - 1] ?? null));
  all.note(at(4, 1, { undone: 0 }), story[2] ?? null);
  assert.deepEqual([all.seen(1), all.story(1), all.story(null), all.seen(null)], [[], [], [], []], 'nothing is left of it');
});

test('undone steps leave the log; what came before one was here goes step by step', () => {
  const table = new LogTable();
  const texts = () => table.log.value.map(({ text }) => text);
  const take = (number: number, byte: number, text: string, undone?: 0 | 1) =>
    table.show(position([], [], [], {
      number,
      seen: { seat: null, view: new Uint8Array([byte]), events: new Uint8Array(0) },
      events: text === '' ? [] : [{ ...event('moved'), text }],
      ...(undone === undefined ? {} : { undone }),
    }));
  table.tellBefore(['long ago', 'lately']);
  take(1, 1, '');
  take(2, 2, 'first');
  take(3, 3, 'second');
  take(4, 4, 'third');
  take(5, 2, '', 0);
  assert.deepEqual(texts(), ['long ago', 'lately', 'first', ' took back an action.']);
  take(6, 6, 'other');
  take(7, 7, '', 0);
  assert.deepEqual(texts(), ['long ago', ' took back an action.', ' took back an action.']);
  take(8, 8, 'again');
  take(9, 7, '', 0);
  assert.deepEqual(texts().filter((text) => !text.includes('took')), ['long ago']);
});

test('why a match ended is a sentence about who lost', () => {
  const words = (reason_id: string, winner: 0 | 1 | null, why = '') =>
    (['en', 'de'] as const).map((one) => {
      language.value = one;
      return reasonSentence({ winner, reason: 0, reason_id, why }, (seat) => (seat === 0 ? 'Ann' : 'Bob'));
    });
  const said = [
    words('resigned', 0), words('left', 1), words('silent', 0), words('time-over', 0), words('disqualified', 1), words('agreed', null),
    words('illegal-actions', 0), words('invalid-messages', 1), words('operator', 0),
    words('last-standing', 0, 'every enemy is out'), words('time-over', null, 'time ran out'),
  ];
  language.value = 'en';
  assert.deepEqual(said, [
    ['Bob resigned.', 'Bob hat aufgegeben.'],
    ['Ann left the match.', 'Ann hat die Partie verlassen.'],
    ['Bob stopped responding.', 'Bob hat nicht mehr reagiert.'],
    ['Bob ran out of time.', 'Die Zeit von Bob ist abgelaufen.'],
    ['Ann was disqualified.', 'Ann wurde disqualifiziert.'],
    ['Both players agreed to a draw.', 'Beide haben sich auf ein Unentschieden geeinigt.'],
    ['Bob was disqualified: too many illegal actions.', 'Bob wurde disqualifiziert: zu viele unzulässige Aktionen.'],
    ['Ann was disqualified: invalid messages.', 'Ann wurde disqualifiziert: ungültige Nachrichten.'],
    ["Bob was disqualified by the server's operator.", 'Bob wurde vom Betreiber des Servers disqualifiziert.'],
    ['Every enemy is out.', 'Every enemy is out.'],
    ['Time ran out.', 'Time ran out.'],
  ]);
});

test('a finger sees the way to a far cell first, and goes by the second tap', async () => {
  Object.assign(globalThis, { localStorage: { getItem: () => null, setItem: () => undefined }, requestAnimationFrame: (frame: () => void) => setTimeout(frame) });
  const { MatchInput } = await import('../src/match/input/match-input');
  const done: string[][] = [];
  class TapTable extends LogTable {
    override async walk() {
      return [0, 1, 2].map((x) => ({ x, y: 0, from: Math.max(0, x - 1), steps: x, loss: 0, kinds: [], ...(x > 0 ? { word: `move thor ${x} 0` } : {}) }));
    }
    override async preview() { return null; }
    override async actAll(words: string[]) {
      done.push(words);
      return { ok: true as const };
    }
  }
  const table = new TapTable();
  table.show(position([token(0, 'thor', 0, 0, 0)], [group(1, 'move', 0, [[[1, 0], 'move thor 1 0']])]));
  const input = new MatchInput(table);
  while (!input.reach.value) await new Promise((settled) => setTimeout(settled));
  input.clickCell(2, 0, true);
  assert.deepEqual([input.tapped.value, input.why.value?.text, done], [{ x: 2, y: 0 }, '2 steps. Tap again to go.', []]);
  input.clickCell(2, 0, true);
  await new Promise((settled) => setTimeout(settled));
  input.clickCell(2, 0);
  await new Promise((settled) => setTimeout(settled));
  const way = ['move thor 1 0', 'move thor 2 0'];
  assert.deepEqual([input.tapped.value, done], [null, [way, way]]);
  input.close();
});

/** A table that shows what it is given. */
class LogTable extends BaseTable {
  readonly kind = 'local';
  protected readonly engine = null as never;
  constructor() {
    super({ sides: ['', ''] } as never);
  }
  /** Takes a position. */
  show(now: Position): void {
    this.take(now);
  }
  /** Writes what happened before one came, a line for each step. */
  tellBefore(texts: string[]): void {
    this.rewrite(texts.map((text, at) => ({ text, event: { ...event('moved'), text }, number: at - texts.length })));
  }
  protected retell(): void {}
  async file() { return null; }
  async openReplay() { return null; }
  leave(): void {}
  close(): void {}
}

const kinds = [
  'Thor',
  'Iron Man',
  'Hulk',
  'Dr Strange',
  'Captain America',
  'Black Panther',
  'Spiderman',
  'Wanda',
  'Star Lord',
  'Hawkeye',
  'Ant Man',
  'Vision',
  'Loki',
  'Loki',
  ...Array<string>(6).fill('Shield Agent'),
  'Blue Nexus',
];

function army(seat: 0 | 1): Position {
  const rows = seat === 0 ? [0, 1, 2] : [5, 6, 7];
  const cells = rows.flatMap((y) => [...Array(9).keys()].map((x) => [x, y]));
  const bench = kinds.map((kind) => ({ ...token(255, '-', seat), kind: `der ${kind}`, kind_id: slug(kind) }));
  const places = [...new Set(kinds)].flatMap((kind, at) =>
    cells.map(([x, y]): [number[], string] => [[x!, y!, 0, at], `place ${slug(kind)} ${x} ${y}`]),
  );
  return position(
    bench,
    [group(1, 'place', 0, places), group(3, 'random', 0, [[[0, 0], 'random']])],
    [],
    { you: seat, awaited: [0, 1] },
  );
}

test('every set-up of the library fits the army, on both sides, front row forward', () => {
  const library = gamePage('generals')!.layouts!;
  for (const seat of [0, 1] as const) {
    const placing = army(seat);
    const zone = layouts.zoneOf(legalActions(placing, 'generals'));
    assert.equal(zone.size, 27);
    for (const layout of library) {
      const draft = layouts.layOut(layout, placing, zone);
      assert.ok(draft, `${layout.id} for seat ${seat}`);
      assert.equal(draft.size, 21);
      const legal = new Set(legalActions(placing, 'generals').map(({ word }) => word));
      for (const word of layouts.wordsOf(draft)) assert.ok(legal.has(word), word);
    }
    const printed = layouts.layOut(library[0]!, placing, zone)!;
    assert.equal(printed.get(`4,${seat === 0 ? 0 : 7}`), 'blue-nexus');
    assert.equal(
      layouts.drawn(placing, printed).board.tokens.filter(({ place }) => place === 'board').length,
      21,
    );
  }
});

test('a draft: put, swap, lift, fill; outside the zone nothing', () => {
  const placing = army(0);
  const zone = layouts.zoneOf(legalActions(placing, 'generals'));
  const stock = layouts.stockOf(placing);
  let draft: layouts.Draft = layouts.put(new Map(), zone, stock, 'thor', 0, 0);
  assert.equal(layouts.leftOf(stock, draft, 'thor'), 0);
  assert.equal(layouts.put(draft, zone, stock, 'thor', 1, 0), draft);
  assert.equal(layouts.put(draft, zone, stock, 'hulk', 0, 5), draft);
  draft = layouts.put(draft, zone, stock, 'hulk', 1, 0);
  draft = layouts.shift(draft, zone, '0,0', '1,0');
  assert.deepEqual([...draft].sort(), [
    ['0,0', 'hulk'],
    ['1,0', 'thor'],
  ]);
  assert.equal(layouts.isComplete(stock, draft), false);
  const full = layouts.fill(draft, zone, stock, (n) => n - 1);
  assert.equal(layouts.isComplete(stock, full), true);
  assert.equal(full.get('1,0'), 'thor');
  assert.equal(layouts.lift(draft, '0,0').size, 1);
});

test('which screen: cards, placing, or play', () => {
  const draft = position(
    [token(21, 'hulk', 0), token(22, 'thor', 0, undefined, undefined, { chosen: true })],
    [group(1, 'choose', 21, [[[0, 0], 'choose hulk']])],
    [21, 22].flatMap((unit) => [
      meter('health', 'health', 9, { unit, most: 9 }),
      meter('movement', 'points', 2, { unit, most: 2 }),
    ]),
  );
  const actions = legalActions(draft, 'marvelous-mashup');
  assert.equal(isAssembling(draft, actions, null, undefined), true);
  assert.equal(isPlacing(draft, actions, undefined), false);
  assert.deepEqual(
    offersOf(draft, actions).map(({ name, taken }) => [name, taken]),
    [
      ['Hulk', false],
      ['Thor', true],
    ],
  );
  assert.deepEqual(
    takenBy(draft, 0).units.map(({ name }) => name),
    ['Thor'],
  );
  assert.equal(isPlacing(army(0), legalActions(army(0)), undefined), true);
  assert.equal(isAssembling(fight, legalActions(fight, 'marvelous-mashup'), true, undefined), false);
  const waiting = { ...draft, actions: [] };
  assert.equal(isAssembling(waiting, [], true, undefined), true);
  assert.equal(isAssembling({ ...waiting, events: [event('match-began')] }, [], true, undefined), false);
});

test('who only watches sees the right screen from the first moment on', () => {
  const watched = (phase_id: string, game: string) => {
    const empty = position([token(0, 'nin0', 0)], []);
    const now = { ...empty, you: null, board: { ...empty.board, phase_id } };
    const phases = presentationOf(game).before;
    return isAssembling(now, [], null, phases) ? (isPlacing(now, [], phases) ? 'board' : 'cards') : 'play';
  };
  assert.equal(watched('choose', 'battleground'), 'cards');
  assert.equal(watched('first-summon', 'battleground'), 'play');
  assert.equal(watched('placement', 'generals'), 'board');
  assert.equal(watched('choice', 'marvelous-mashup'), 'cards');
  assert.equal(watched('appoint', 'ultimate-war'), 'cards');
  assert.equal(watched('play', 'ultimate-war'), 'play');
});

test('cards of things take their figures from the table', () => {
  const choice = position(
    [],
    [
      group(1, 'choose', 0, [[[0, 0], 'choose zombie-f']], 5),
      group(3, 'usual team', 0, [[[0, 0], 'usual team']]),
    ],
    [
      meter('health', 'offered', 2, { index: 5, about: ['Untote'], about_ids: ['zombie-f'] }),
      meter('attack', 'offered', 4, { index: 5, about: ['Untote'], about_ids: ['zombie-f'] }),
      meter('health', 'offered', 3, { index: 6, about: ['Untoter'], about_ids: ['zombie-m'] }),
      meter('turns', 'offered', 3, { index: 0, about: ['Kraft'], about_ids: ['strength'] }),
    ],
  );
  choice.board.tokens.push(token(0, 'nin0', 0, undefined, undefined, { chosen: true }));
  const actions = legalActions(choice, 'battleground');
  const [offer, ...more] = offersOf(choice, actions);
  assert.equal(more.length, 0);
  assert.deepEqual([offer!.name, offer!.gauges.map(({ now }) => now)], ['Untote', [2, 4]]);
  assert.deepEqual(
    shortcuts(actions).map(({ word }) => word),
    ['usual team'],
  );
  assert.equal(actionTitle(shortcuts(actions)[0]!, thingNames(choice)), 'Usual team');
  /* What is chosen later can be read before; what is of the same sort and not to be had is not among it. */
  assert.deepEqual(offersAfter(choice, [offer!]).map(({ name, action }) => [name, action]), [['Kraft', null]]);
  assert.deepEqual(offersAfter(choice, []), []);
  const whole = preview({
    events: [
      event('chosen', { unit: 0, other: 0, what_id: 'zombie-f' }),
      event('chosen', { unit: 5, other: 1, what_id: 'zombie-f' }),
      event('chosen', { unit: 255, other: 0, what_id: 'strength' }),
      event('ready', { other: 0 }),
    ],
  });
  assert.deepEqual(chosenBy(choice, 0, whole).map(({ name }) => name), ['Untote', 'Kraft']);
  assert.deepEqual(chosenBy(choice, 0, null), []);
});

test('figures over time and at the end', () => {
  const at = (health: number, events = [] as ReturnType<typeof event>[]) => ({
    ...fight,
    events,
    board: {
      ...fight.board,
      meters: [meter('health', 'health', health, { unit: 5, name: 'Leben', most: 100 })],
    },
  });
  const story = [
    at(100),
    at(60, [event('hurt', { unit: 5, other: 0, amount: 40 })]),
    at(0, [event('hurt', { unit: 5, other: 0, amount: 60 }), event('died', { unit: 5, other: 0 })]),
  ];
  const charts = seriesOf(story, { health: 'h', held: 's', damage: 'd', beaten: 'b' });
  assert.deepEqual(
    charts.map(({ name }) => name),
    ['h', 'd', 'b'],
  );
  assert.deepEqual(charts[0]!.sides[1], [100, 60, 0]);
  assert.deepEqual(charts[1]!.sides[0], [0, 40, 100]);
  assert.deepEqual(charts[2]!.sides[0], [0, 0, 1]);
  const ends = [event('died', { unit: 5, other: 99 }), event('died', { unit: 5, other: 5 })];
  assert.ok(
    seriesOf([at(100, []), at(0, ends)], { health: 'h', held: 's', damage: 'd', beaten: 'b' })
      .every(({ name }) => name !== 'b'),
    'what somebody without a side did, or the enemy itself, is nobody\'s knock-out',
  );
  assert.equal(chartPath([0, 10], 10, 100, 50), 'M0.0 50.0L100.0 0.0');
  assert.equal(chartPath([], 10, 100, 50), '');
  assert.ok(chartPath(Array<number>(5000).fill(1), 1, 100, 50).split('L').length <= 241);
  const figures = [
    { side: 0 as const, id: 'steps', name: 'steps', value: 3 },
    { unit: 0, id: 'steps', name: 'steps', value: 3 },
  ];
  assert.deepEqual(sideTable(figures), [{ name: 'steps', values: [3, 0] }]);
  assert.deepEqual(unitTable(figures), { names: ['steps'], rows: [{ unit: 0, values: [3] }] });
});

test('every game says how it is played', () => {
  for (const { id } of GAMES) assert.ok((howToFor(id)?.steps.length ?? 0) >= 3, id);
  assert.equal(howToFor('chess'), null);
});

test('no hint sends to the next cell only: far cells are walked to by one click', () => {
  for (const { id, howto } of GAMES)
    for (const { hints } of Object.values(howto ?? {}))
      for (const hint of Object.values(hints ?? {})) assert.doesNotMatch(hint, /cell next to|Feld daneben/, id);
});
