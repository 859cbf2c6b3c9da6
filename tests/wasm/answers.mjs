// answers.mjs -- what the exports of the engine answer, one by one: nothing where there is nothing to ask about, the whole shape of each answer,
// and answers that must agree with each other. A part of wasm.mjs, which hands over the engine and how to read and write its texts.

const FIRST_SIDE = 240; // the number of a side where a unit is expected
const [METERS, FIGURES, SIDES, LISTS] = [2, 10, 11, 13]; // lists of names, and how many there are
const EVERYBODY = 255; // no unit: all of them; no seat: a spectator

/** Questions that have no answer without a game, without content, without a match, without the view of a player. */
const OF_A_GAME = [['game_text'], ['content_load', 0], ['option_set', 0, 0], ['document_text', 0], ['generate', 0, 0, 0]];
const OF_CONTENT = [['terms_at'], ['terms_text'], ['name', SIDES, 0], ['entry_id', METERS, 0], ['describe', 0, 0], ['simulate', 1, 1, 0], ['ai_bench', 1, 1],
  ['seat_view_at'], ['seat_events_at'], ['seat_view_set', 0, 0], ['ai_answer'], ['tip_advice']];
const OF_A_MATCH = [['position'], ['step_text'], ['events_text'], ['awaited'], ['actions', 0], ['action_word', 0], ['match_rewind', 0], ['undo_left', EVERYBODY],
  ['match_length'], ['events'], ['events_at'], ['event_say', 0, EVERYBODY], ['view', 0], ['show', 0], ['unit_name', 0], ['result'], ['figure', 0, 0],
  ['seat_view_take', 0, 0], ['hidden', 0], ['match_goto', 0], ['match_save', 0, 0], ['review_begin', 1], ['review_done'], ['review_all'], ['review_text']];
const OF_A_PLAYER = [['preview', 0, 0, 1], ['foresee', 0, 0], ['foresee_word', 0], ['walk', 0], ['walk_attack', 0, 1], ['threat', EVERYBODY], ['ai_begin', 1, 0, 0],
  ['tip_begin', 1]];

/** The keys of each object, in their order; those with a question mark may be missing. */
const EVENT = ['kind', 'unit', 'other', 'from', 'at', 'amount', 'what', 'what_id?', 'text'];
const ACTION = ['verb', 'unit', 'ability', 'x', 'y', 'other', 'amount', 'name', 'id', 'word'];
const PREVIEW = ['sampled', 'outcomes', 'wins', 'loses', 'events', 'units', 'changes'];
const CHANGE = ['unit?', 'side?', 'name', 'id', 'role', 'index', 'about?', 'about_ids?', 'least', 'most'];
const ADVICE = ['action', 'samples', 'works', 'now', 'next', 'losses', 'dealt', 'lost'];
const NODE = ['x', 'y', 'from', 'steps', 'loss', 'word?', 'kinds'];
const TERMS = ['state_bytes', 'width', 'height', 'units', 'turn_ms', 'match_ms', 'pause_ms', 'silence_ms', 'animation_ms', 'hides', 'hash', 'sides', 'side_ids'];
const PROBLEM = ['document', 'line', 'column', 'path', 'reason'];

/** Does the object have these keys and no others, in this order? */
function hasShape(object, keys) {
  const wanted = keys.filter((key) => !key.endsWith('?') || key.slice(0, -1) in object).map((key) => key.replace('?', ''));
  return Object.keys(object).join() === wanted.join();
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Asks everything. `tools`: engine, check, text, bytes, write, halves of wasm.mjs. */
export function askEverything({ engine, check, text, bytes, write, halves }) {
  const json = (count) => {
    const answer = text(count);
    check('answers are one line', !answer.includes('\n'), answer);
    return JSON.parse(answer);
  };
  const told = () => text(new Uint8Array(engine.memory.buffer, engine.text_at()).indexOf(0));
  const status = (number) => text(engine.status_id(number));
  const shaped = (name, object, keys) => check(`${name} has its keys`, hasShape(object, keys), JSON.stringify(object));
  const words = (seat) => Array.from({ length: engine.actions(seat) }, (_, index) => text(engine.action_word(index)));

  /** None of these questions is answered. */
  function unanswered(when, ...lists) {
    write('');
    for (const [name, ...values] of lists.flat()) check(`${when}: no ${name}`, engine[name](...values) === 0);
  }

  function noMatch(when) {
    unanswered(when, OF_A_MATCH, OF_A_PLAYER);
    check(`${when}: no action`, status(engine.act(0, 0)) === 'match-over' && status(engine.step_begin()) === 'match-over');
    check(`${when}: no words`, status(engine.step_add(0, write('end')[0])) === 'no-such-action' && status(engine.check(0, 0)) === 'not-a-seat');
    check(`${when}: no undo`, engine.undo(0) === undefined && engine.match_length() === 0);
    check(`${when}: nobody plays on`, engine.play_on(1, 1, 1) === 2 && engine.puzzle_begin() === 0 && engine.puzzle_judge(1) === 0 && engine.tally_text() === 0);
  }

  function noContent(when) {
    noMatch(when);
    unanswered(when, OF_CONTENT);
    check(`${when}: nobody thinks`, engine.ai_step(1) === 1 && engine.tip_step(1) === 1 && engine.review_step(1) === 1);
    check(`${when}: no match begins`, status(engine.match_begin(1, 2, 3, 4)) === '' && status(engine.match_begin(1, 2, 3, 4) - 1) !== '');
    noMatch(`${when}, after one was to begin`);
  }

  /** The call name of a unit on a board: its kind, a number if its side has several of it, the side if both have one. */
  function called(board, sides, unit) {
    const token = board.tokens.find((one) => one.unit === unit);
    if (token === undefined) return undefined;
    if (token.kind === undefined) return /\d/.test(token.name) ? `Hidden piece ${Number(token.name.replace(/\D/g, '')) + 1}` : token.name;
    const alike = board.tokens.filter((one) => one.unit !== EVERYBODY && one.kind_id === token.kind_id);
    const twins = alike.filter((one) => one.seat === token.seat);
    const number = twins.length > 1 ? ` ${twins.filter((one) => one.unit < unit).length + 1}` : '';
    return `${token.kind}${number}${alike.length > twins.length && token.seat < 2 ? ` (${sides[token.seat]})` : ''}`;
  }

  /** What a preview says of an action with one outcome is what happens. */
  function foretold(id, seat, action, before, after, preview) {
    const events = preview.events.map(({ happens, ...event }) => (check(`${id} it is sure`, happens === 1000), event));
    check(`${id} foretells events`, same(events, after.events), `${JSON.stringify(events)} != ${JSON.stringify(after.events)}`);
    const key = ({ unit, side, id: meter, index, about_ids: about }) => JSON.stringify([unit, side, meter, index, about]);
    const then = new Map(after.board.meters.map((meter) => [key(meter), meter]));
    const own = before.board.meters.filter((meter) => (meter.unit === action.unit || meter.side === seat) && !(meter.about?.length > 1));
    const changes = own.flatMap((meter) => {
      const by = (then.get(key(meter)) ?? meter).now - meter.now;
      return by === 0 ? [] : [[key(meter), by, by]];
    });
    const said = preview.changes.map((change) => (shaped(`${id} change`, change, CHANGE), [key(change), change.least, change.most]));
    check(`${id} foretells changes`, same(said.filter(([one]) => changes.some(([other]) => one === other)), changes), `${JSON.stringify(said)} != ${JSON.stringify(changes)}`);
    for (const { unit, before: was, least, most, mean, dies } of preview.units) {
      const health = (position) => position.board.meters.find((meter) => meter.unit === unit && meter.role === 'health')?.now;
      check(`${id} foretells health`, was === undefined || (was === health(before) && (dies === 1000 || [least, most, mean].every((one) => one === (health(after) ?? 0)))), JSON.stringify([unit, was, least, most, mean, dies, health(before), health(after)]));
      check(`${id} foretells deaths`, dies === (after.events.some((event) => event.kind === 'died' && event.unit === unit) ? 1000 : 0) || was === undefined);
    }
  }

  /** Where a unit can go: a tree of steps whose first actions are listed. */
  function walks(id, position, listed) {
    for (const token of position.board.tokens.filter((one) => one.unit !== EVERYBODY)) {
      const count = engine.walk(token.unit);
      if (count === 0) continue;
      const nodes = json(count);
      check(`${id} walks from where it stands`, nodes[0].steps === 0 && nodes[0].x === token.x && nodes[0].y === token.y && nodes[0].kinds.length === 0);
      nodes.forEach((node, index) => {
        shaped(`${id} node`, node, NODE);
        check(`${id} walks step by step`, index === 0 ? node.word === undefined : node.from < index && node.steps === nodes[node.from].steps + 1 && node.kinds.length > 0);
        check(`${id} walks as is listed`, node.steps !== 1 || listed.includes(node.word), node.word);
      });
      for (const enemy of position.board.tokens.filter((one) => one.unit !== EVERYBODY && one.seat !== token.seat)) {
        const path = engine.walk_attack(token.unit, enemy.unit);
        if (path > 0) check(`${id} walks and hits`, listed.includes(json(path)[0]), text(path));
      }
      check(`${id} hits nobody who is not there`, engine.walk_attack(token.unit, 250) === 0);
    }
    check(`${id} walks with nobody`, engine.walk(250) === 0 && engine.walk_attack(250, 0) === 0);
  }

  /** All enemies together threaten what each of them does, or less where only the next of them counts. */
  function threats(id, terms, position) {
    const all = json(engine.threat(EVERYBODY));
    check(`${id} threatens every cell`, all.length === terms.width * terms.height && all.every((one) => one >= -1));
    const enemies = position.board.tokens.filter(({ unit, seat }) => unit !== EVERYBODY && seat === 1 - position.you).map(({ unit }) => json(engine.threat(unit)));
    check(`${id} is threatened by somebody`, all.every((most, cell) => most <= enemies.reduce((sum, one) => sum + one[cell], 0)), `${all}`);
  }

  /** What the current view says of itself, and its ids and names. */
  function looks(id, terms, position) {
    const step = engine.step_text();
    check(`${id} has its step`, position.events.length === 0 ? step === 0 : same(json(step).events, position.events), text(step));
    check(`${id} has its sentences`, same(json(engine.events_text()), position.events.map((event) => event.text)));
    for (const token of position.board.tokens)
      if (token.unit !== EVERYBODY) check(`${id} has names of units`, text(engine.unit_name(token.unit)) === token.name);
    check(`${id} has no more units`, engine.unit_name(terms.units) === 0);
    for (const event of position.events.filter(({ kind }) => kind === 'moved')) {
      const name = called(position.board, terms.sides, event.unit);
      if (name !== undefined) check(`${id} calls them so`, event.text.includes(name) && !event.text.includes(`${name} (`), `${name}: ${event.text}`);
    }
    check(`${id} hides what it hides`, engine.hidden(position.you) === (hides(position.you) ? 1 : 0));
  }

  /** Do the bytes of a seat's view differ from those of the open state? Takes the view of the seat again. */
  function hides(seat) {
    const count = engine.terms_at() === 0 ? 0 : json(engine.terms_text()).state_bytes;
    engine.seat_view_take(seat, 1);
    const open = Buffer.from(bytes(engine.seat_view_at(), count));
    engine.seat_view_take(seat, 0);
    return !open.equals(Buffer.from(bytes(engine.seat_view_at(), count)));
  }

  /** What the seat will see after an action of its own, if it can know, is what it sees then. */
  function foresees(id, seat, terms, action, word) {
    const [low, high] = halves(seat, action);
    const view = () => Buffer.from(bytes(engine.seat_view_at(), terms.state_bytes)).toString('hex');
    const before = view();
    engine.foresee_begin();
    check(`${id} forgets the events`, engine.seat_events_count() === 0);
    check(`${id} foresees no nonsense`, engine.foresee(0xffffffff, 0xffffffff) === 0 && engine.foresee_word(write('nonsense')[0]) === 0 && view() === before);
    const knows = engine.foresee(low, high);
    const seen = [view(), engine.seat_events_count()];
    if (knows === 0) check(`${id} leaves the view`, seen[0] === before && seen[1] === 0);
    engine.seat_view_take(seat, 0);
    engine.foresee_begin();
    check(`${id} foresees for the seat that looks`, engine.foresee(...halves(1 - seat, action)) === knows && same([view(), engine.seat_events_count()], seen));
    engine.seat_view_take(seat, 0);
    engine.foresee_begin();
    engine.actions(seat);
    check(`${id} has a list`, engine.action_word(0) > 0);
    check(`${id} foresees by words`, engine.foresee_word(write(word.toUpperCase())[0]) === knows && same([view(), engine.seat_events_count()], seen));
    check(`${id} has no list after words`, engine.action_word(0) === 0);
    return knows === 1 ? seen : null;
  }

  /** What each seat is shown and told, whoever was asked about before. */
  function eyes(id, terms) {
    const all = [0, 1, EVERYBODY];
    const seen = all.map((seat) => {
      engine.seat_view_take(seat, 0);
      const { board, events } = json(engine.position());
      return { seat, board, events, bytes: Buffer.from(bytes(engine.seat_view_at(), terms.state_bytes)) };
    });
    for (const { seat, board, events, bytes: wanted } of seen) {
      const sentences = Array.from({ length: engine.events() }, (_, index) => text(engine.event_say(index, seat)));
      check(`${id} tells seat ${seat} what it may know`, sentences.filter((one) => one !== '').length === events.length, `${sentences} for ${events.length}`);
      all.forEach((other) => other !== seat && engine.view(other));
      check(`${id} tells seat ${seat} the same`, sentences.every((one, index) => text(engine.event_say(index, seat)) === one), `${sentences}`);
      all.forEach((other) => other !== seat && engine.show(other));
      check(`${id} gives seat ${seat} its view`, wanted.equals(Buffer.from(bytes(engine.view(seat), terms.state_bytes))));
      all.forEach((other) => other !== seat && engine.view(other));
      const shown = new DataView(engine.memory.buffer, engine.show(seat));
      const tokens = bytes(shown.getUint32(8, true), 8 * shown.getUint32(20, true)); // MashBoard: tokens, tokens_count; MashToken: unit, kind, seat, place, x, y
      check(`${id} shows seat ${seat} its tokens`, same(board.tokens.map(({ unit }) => unit), Array.from(tokens.filter((_, at) => at % 8 === 0))) && board.meters.length === shown.getUint32(24, true));
    }
  }

  /** Some actions of a match, with all that can be asked before and after each. */
  function playAndAsk(id, terms, steps) {
    let earlier = [];
    for (let step = 0; step < steps && engine.awaited() !== 0; step++) {
      const seat = engine.awaited() & 1 ? 0 : 1;
      const listed = words(seat);
      check(`${id} has no more words`, engine.action_word(listed.length) === 0);
      const stale = earlier[listed.length];
      if (stale !== undefined && !listed.includes(stale)) {
        engine.step_begin();
        check(`${id} knows no old words`, status(engine.step_add(seat, write(stale)[0])) === 'no-such-action');
      }
      engine.actions(seat);
      const index = listed.includes('random') ? listed.indexOf('random') : (step * 7) % listed.length;
      const action = new Uint32Array(bytes(engine.actions_at() + 8 * index, 8).buffer);
      const [verb, , unit] = bytes(engine.actions_at() + 8 * index, 8);
      engine.seat_view_take(seat, 0);
      const before = json(engine.position());
      looks(id, terms, before);
      check(`${id} says who acts`, engine.verb_has_unit(verb) === (listed[index].split(' ').includes(text(engine.unit_name(unit))) ? 1 : 0), listed[index]);
      if (step % 5 === 0) {
        walks(id, before, listed);
        threats(id, terms, before);
      }
      const preview = json(engine.preview(...action, 4));
      shaped(`${id} preview`, preview, PREVIEW);
      preview.events.forEach((event) => shaped(`${id} event`, event, [...EVENT, 'happens']));
      check(`${id} samples some`, engine.preview(...action, 0) === 0 && engine.preview(...action, 65) === 0 && (step > 0 || engine.preview(...action, 64) > 0));
      check(`${id} may do it`, status(engine.check(...action)) === 'ok' && status(engine.check(0xffffffff, 0xffffffff)) !== 'ok');
      const seen = foresees(id, seat, terms, named(action), listed[index]);
      const lengthBefore = engine.match_length();
      check(`${id} does it`, status(engine.act(...action)) === 'ok' && engine.match_length() === lengthBefore + 1 && engine.action_word(0) === 0);
      check(`${id} has no more events`, engine.events() > 0 && engine.event_say(engine.events(), EVERYBODY) === 0);
      const first = text(engine.event_say(0, seat));
      check(`${id} says one event at a time`, text(engine.event_say(0, seat)) === first);
      eyes(id, terms);
      engine.seat_view_take(seat, 0);
      const after = json(engine.position());
      if (!preview.sampled && preview.outcomes === 1) foretold(id, seat, named(action), before, after, preview);
      if (seen !== null) check(`${id} foresaw it`, same(seen, [Buffer.from(bytes(engine.seat_view_at(), terms.state_bytes)).toString('hex'), engine.seat_events_count()]));
      check(`${id} has events as bytes`, Buffer.from(bytes(engine.events_at(), 16 * engine.events())).equals(Buffer.from(bytes(engine.seat_events_at(), 16 * engine.seat_events_count()))));
      earlier = listed;
    }
  }

  /** The fields of an action from its two halves. */
  function named(action) {
    const [verb, , unit, ability, x, y, other, amount] = new Uint8Array(action.buffer);
    return { verb, unit, ability, x, y, other, amount };
  }

  /** Several actions as one step, all or none, and the way back. */
  function stepsAndUndo(id) {
    const seat = engine.awaited() & 1 ? 0 : 1;
    const start = engine.match_length();
    const [first] = words(seat);
    check(`${id} begins a step`, status(engine.step_begin()) === 'ok' && status(engine.step_add(seat, write(first.toUpperCase())[0])) === 'ok' && engine.match_length() === start + 1);
    check(`${id} refuses the whole step`, status(engine.step_add(seat, write('nonsense')[0])) === 'no-such-action' && engine.match_length() === start);
    engine.step_begin();
    check(`${id} takes no word of a spectator`, status(engine.step_add(EVERYBODY, write(first)[0])) === 'no-such-action');
    engine.step_begin();
    engine.step_add(seat, write(first)[0]);
    check(`${id} undoes a step`, engine.undo_left(EVERYBODY) === start + 1 && engine.undo_left(seat) === start + 1);
    engine.undo(start + 2);
    check(`${id} undoes what there is`, engine.match_length() === start + 1 && engine.events() > 0);
    engine.undo(start + 1);
    check(`${id} undoes nothing`, engine.match_length() === start + 1 && engine.events() === 0);
    const forgets = (what, change) => check(`${id} has no list after ${what}`, engine.actions(seat) > 0 && engine.action_word(0) > 0 && (change(), engine.action_word(0)) === 0);
    engine.undo(start);
    forgets('an undo', () => engine.undo(start));
    forgets('a rewind', () => engine.match_rewind(start));
    forgets('a step', () => engine.step_begin());
    engine.step_add(seat, write(first)[0]);
    check(`${id} refuses a step whose word has no end`, status(engine.step_add(seat, write('a')[0] + 1)) === 'no-such-action' && engine.match_length() === start);
    check(`${id} is back`, engine.match_length() === start && same(words(seat)[0], first) && engine.events() === 0);
  }

  /** What each piece does that the other side does not see: it is called by the number that it has from the beginning. */
  function hiddenPieces(id) {
    const seat = engine.awaited() & 1 ? 0 : 1;
    const start = engine.match_length();
    const tried = new Set();
    engine.seat_view_take(seat, 0);
    for (const { words: listed, unit } of json(engine.position()).actions) {
      if (tried.has(unit)) continue;
      tried.add(unit);
      engine.step_begin();
      engine.step_add(seat, write(listed[0])[0]);
      engine.seat_view_take(1 - seat, 0);
      for (const event of json(engine.position()).events) {
        const number = /^Hidden piece (\d+)/.exec(event.text)?.[1];
        if (number !== undefined) check(`${id} numbers what is hidden`, Number(number) === Number(text(engine.unit_name(event.unit)).replace(/\D/g, '')) + 1, event.text);
      }
      engine.undo(start);
    }
  }

  /** What thinks and advises, in its whole shape. */
  function thoughts(id) {
    const seat = engine.awaited() & 1 ? 0 : 1;
    engine.seat_view_take(seat, 0);
    const levels = json(engine.ai_levels());
    check('levels', levels.every((level, index) => hasShape(level, ['level', 'title', 'about']) && level.level === index + 1 && level.title !== '' && level.about !== ''));
    /* Level 0 of advice is the search of the report. */
    for (const level of [0, levels.length + 1]) check(`${id} has no level ${level}`, engine.ai_begin(level, 1, 0) === 0 && engine.tip_begin(level) === (level === 0 ? 1 : 0));
    const listed = json(engine.position()).actions.flatMap((group) => group.words.map((word) => [group.id, group.name, word].join()));
    const chooses = (low, high) => Array.from({ length: 12 }, (_, at) => (engine.ai_begin(1, low + at, high), engine.ai_step(1 << 20), text(engine.ai_answer()))).join();
    const chosen = chooses(1, 0);
    if (chosen !== chooses(101, 0)) check(`${id} chooses by the whole seed`, chosen === chooses(1, 0) && chosen !== chooses(1, 0x80000000));
    check(`${id} thinks`, engine.ai_begin(levels.length, 1, 0) === 1 && engine.ai_begin(1, 1, 0) === 1);
    while (engine.ai_step(500) === 0);
    const answer = json(engine.ai_answer());
    shaped(`${id} answer`, answer, ACTION);
    check(`${id} answers what is listed`, listed.includes([answer.id, answer.name, answer.word].join()) && status(engine.act(...halves(seat, answer))) === 'ok');
    engine.undo(engine.match_length() - 1);
    engine.seat_view_take(seat, 0);
    check(`${id} advises`, engine.tip_begin(levels.length) === 1 && engine.tip_begin(1) === 1);
    while (engine.tip_step(2000) === 0);
    for (const advice of json(engine.tip_advice())) {
      shaped(`${id} advice`, advice, ADVICE);
      shaped(`${id} advised action`, advice.action, ACTION);
      check(`${id} advises what is listed`, listed.includes([advice.action.id, advice.action.name, advice.action.word].join()));
      [...advice.now, ...advice.next, ...advice.losses].forEach((event) => shaped(`${id} advised event`, event, [...EVENT, 'times']));
    }
    for (const nobody of [2, EVERYBODY]) {
      engine.seat_view_take(nobody, 0);
      unanswered(`${id} for seat ${nobody}`, OF_A_PLAYER);
      check(`${id} for seat ${nobody}: no action`, status(engine.check(0, 0)) === 'not-a-seat');
    }
  }

  /** Random play to the end: the result and the figures as numbers and in the position. */
  function ends(id, terms, game) {
    for (let step = 0; step < 3000 && engine.awaited() !== 0; step++) {
      const seat = engine.awaited() & 1 ? 0 : 1;
      const count = engine.actions(seat);
      const index = (step * 13 + 5) % count;
      engine.act(...new Uint32Array(bytes(engine.actions_at() + 8 * index, 8).buffer));
    }
    if (engine.awaited() !== 0) return;
    engine.seat_view_take(EVERYBODY, 0);
    const { result, board } = json(engine.position());
    const winner = result.winner ?? EVERYBODY;
    check(`${id} ends`, engine.result() === (1 | winner << 8 | result.reason << 16), `${engine.result()} ${JSON.stringify(result)}`);
    const figures = Array.from({ length: game.figures }, (_, number) => text(engine.entry_id(FIGURES, number)));
    for (const { unit, side, id: figure, value } of board.figures)
      check(`${id} has figures`, engine.figure(unit ?? FIRST_SIDE + side, figures.indexOf(figure)) === value);
    check(`${id} has no more figures`, engine.figure(FIRST_SIDE, game.figures) === 0 && engine.figure(FIRST_SIDE + 2, 0) === 0 && engine.figure(terms.units, 0) === 0);
    unanswered(`${id} at its end`, [['actions', 0], ['actions', 1], ['actions', 2]]);
  }

  /** What is written to the input is taken as it is meant, or not at all. */
  function inputs(id, game) {
    const left = engine.input_left();
    const [name] = write(game.presets[0].documents[0]);
    const body = text(engine.document_text(name));
    check(`${id} has the document`, body !== '' && engine.document_text(write('no.such.json')[0]) === 0);
    write('some.json', body);
    for (const [what, ask] of Object.entries({ document_text: () => engine.document_text(3), match_open: () => engine.match_open(3, 9), format: () => engine.format(3, 9) }))
      check(`${id} takes no name that goes on: ${what}`, ask() === 0 && told() === '');
    const [nameCount, count] = write(game.presets[0].documents[0], body);
    check(`${id} takes no other name`, engine.document_add(nameCount + 1, count) === 0 && engine.document_add(nameCount - 1, count) === 0);
    check(`${id} takes no more than there is room`, engine.document_add(nameCount, left - nameCount) === 0 && engine.document_add(nameCount, 0xffffffff) === 0);
    check(`${id} takes a document`, engine.input_left() === left && engine.document_add(nameCount, count) === 1 && engine.input_left() === left - nameCount - 1 - count);
    write('other.texts.json', '{');
    check(`${id} takes another`, engine.document_add(16, 1) === 1 && engine.content_load(0) === 0);
    for (const problem of JSON.parse(told())) shaped(`${id} problem`, problem, PROBLEM);
    check(`${id} says which`, JSON.parse(told()).length > 0 && JSON.parse(told()).every((problem) => problem.document === 'other.texts.json' && problem.line === 1));
    noContent(`${id} with content that was refused`);
    engine.game_choose(0);
    check(`${id} reads all of the input`, engine.format(write('a')[0], left - 2) === 0 && told() !== '' && engine.format(1, left - 1) === 0 && told() === '');
    check(`${id} has all of the input again`, engine.input_left() === left && engine.document_add(write('a')[0], left - 2) === 0 | engine.input_left() === 0);
  }

  /** A file of the match so far: through it in every direction, until something else is done; opened again it takes no more memory. */
  function files(id) {
    const length = engine.match_length();
    const file = text(engine.match_save(...write('Ann', 'Bob')));
    const open = () => engine.match_open(...write('match.json', file));
    const at = (count) => {
      check(`${id} goes to ${count}`, engine.match_goto(count) === 1 && engine.seat_view_take(EVERYBODY, 1) === 1);
      return text(engine.position());
    };
    check(`${id} opens its file`, open() === 1 && engine.match_length() === length);
    const forwards = Array.from({ length }, (_, index) => at(index + 1)).map((position) => JSON.parse(position).board);
    const back = Array.from({ length }, (_, index) => at(length - index)).map((position) => JSON.parse(position).board).reverse();
    check(`${id} is the same on the way back`, same(forwards, back));
    check(`${id} begins at its beginning`, at(0) !== '' && engine.match_goto(length + 1) === 0);
    check(`${id} goes on by two`, same(JSON.parse(at(2)).board, forwards[1]));
    engine.match_goto(length - 1);
    const seat = engine.awaited() & 1 ? 0 : 1;
    engine.actions(seat);
    check(`${id} is left`, status(engine.act(...new Uint32Array(bytes(engine.actions_at(), 8).buffer))) === 'ok' && engine.match_goto(1) === 0);
    for (const [what, leave] of [['a step', () => engine.step_begin()], ['an undo', () => engine.undo(length)], ['a new match', () => engine.match_begin(1, 2, 3, 4)]])
      check(`${id} is left by ${what}`, open() === 1 && engine.match_goto(1) === 1 && (leave(), engine.match_goto(1)) === 0);
    check(`${id} is opened`, open() === 1 && engine.match_goto(length) === 1 && text(engine.match_save(...write('Ann', 'Bob'))) === file);
    const [ann, bob] = write('Ann', 'Bob');
    check(`${id} is saved with whole names`, engine.match_save(ann, bob - 1) === 0 && engine.match_save(ann - 1, bob) === 0 && engine.match_save(ann, bob) > 0);
    const room = engine.memory.buffer.byteLength;
    for (let times = 0; times < 8; times++) check(`${id} opens its file again`, open() === 1);
    for (let times = 0; times < 40; times++) check(`${id} begins again`, engine.match_begin(1, 2, 3, 4) === 0);
    check(`${id} takes no more memory`, engine.memory.buffer.byteLength === room);
  }

  /** Random documents of the least and the most of each parameter: a document or none, and none beyond them. */
  function generators(id, game) {
    check('so many parameters', engine.parameter_set(15, 0) === 1 && engine.parameter_set(16, 0) === 0);
    game.generators.forEach(({ id: generator, parameters }, index) => {
      const usual = () => parameters.forEach(({ usual: value }, number) => engine.parameter_set(number, value));
      const generate = () => {
        const count = engine.generate(index, 3, 0);
        return count === 0 || typeof JSON.parse(text(count)) === 'object';
      };
      parameters.forEach(({ least, most }, number) => {
        usual();
        for (const value of [least, most]) check(`${id} generates ${generator}`, engine.parameter_set(number, value) === 1 && generate());
        for (const value of [least - 1, most + 1]) check(`${id} generates no other ${generator}`, engine.parameter_set(number, value) === 1 && engine.generate(index, 3, 0) === 0);
      });
      for (const end of ['least', 'most']) {
        parameters.forEach((parameter, number) => engine.parameter_set(number, parameter[end]));
        check(`${id} generates ${generator} of the ${end}`, generate());
      }
      usual();
      engine.generate(index, 3, 0);
      const first = told();
      engine.generate(index, 3, 1);
      check(`${id} generates another ${generator}`, told() !== first);
      engine.generate(index, 3, 0x80000000);
      check(`${id} generates ${generator} by the whole seed`, told() !== first);
    });
  }

  /** Documents in their layout. */
  function formats() {
    const body = '{"b":[1,2,{"c":"d"}],"a":{}}';
    engine.game_choose(0);
    engine.content_load(0);
    engine.match_begin(1, 2, 3, 4);
    engine.seat_view_take(0, 0);
    const formatted = text(engine.format(...write('some.json', body)));
    check('formats', same(JSON.parse(formatted), JSON.parse(body)) && text(engine.format(...write('some.json', formatted))) === formatted);
    noContent('after a format');
    check('formats no nonsense', engine.format(...write('some.json', '{"b":')) === 0 && JSON.parse(told())[0].document === 'some.json');
    const ones = JSON.stringify(Array(40).fill(1)); // as many values as so few bytes can have
    check('formats many values', same(JSON.parse(text(engine.format(...write('some.json', ones)))), JSON.parse(ones)));
    const large = '['.repeat(30) + Array(180000).fill('[{}]').join() + ']'.repeat(30);
    check('formats nothing that is too long for an answer', engine.format(...write('some.json', large)) === 0);
    check('formats nothing with a name that ends early', engine.format(...write('so\0me.json', '{}')) === 0);
    check('formats what is there', engine.format(99, 3) === 0);
  }

  engine.game_choose(99);
  noContent('without a game');
  unanswered('without a game', OF_A_GAME);
  formats();
  for (let number = 0; number < engine.game_count(); number++) {
    engine.game_choose(number);
    const game = json(engine.game_text());
    const { id } = game;
    shaped(`${id}`, game, ['id', 'title', 'version', 'figures', 'presets', 'options', 'generators']);
    game.presets.forEach((preset) => shaped(`${id} preset`, preset, ['id', 'title', 'documents']));
    game.generators.forEach((generator) => shaped(`${id} generator`, generator, ['id', 'title', 'parameters']));
    check(`${id} has so many presets`, engine.content_load(game.presets.length) === 0 && engine.option_set(game.options.length, 0) === 0 && engine.generate(game.generators.length, 1, 0) === 0);
    inputs(id, game);
    engine.game_choose(number);
    noContent(`${id} without content`);
    engine.content_load(0);
    noMatch(`${id} without a match`);
    unanswered(`${id} without nodes`, [['ai_bench', 1, 0]]);
    const terms = json(engine.terms_text());
    shaped(`${id} terms`, terms, TERMS);
    check(`${id} has so many lists`, engine.name(LISTS, 0) === 0 && engine.entry_id(LISTS, 0) === 0 && engine.describe(LISTS, 0) === 0);
    check(`${id} terms name both sides`, same(terms.side_ids, [0, 1].map((side) => text(engine.entry_id(SIDES, side)))) && same(terms.sides, [0, 1].map((side) => text(engine.name(SIDES, side)))));
    engine.match_begin(1, 2, 3, 4);
    engine.seat_view_take(0, 0);
    const from = bytes(engine.seat_view_at(), terms.state_bytes), seen = text(engine.position());
    engine.content_load(0);
    new Uint8Array(engine.memory.buffer).set(from, engine.seat_view_at());
    check(`${id} shows a view without a match`, engine.position() === 0 && engine.seat_view_set(0, 0) === 1 && same(json(engine.position()).board, JSON.parse(seen).board));
    check(`${id} begins`, status(engine.match_begin(0x11111111, 0x22222222, 0x33333333, 0x44444444)) === 'ok');
    check(`${id} has so many events`, engine.seat_view_set(0, 1 << 14) === 1 && engine.seat_events_count() === 1 << 14 && engine.seat_view_set(0, (1 << 14) + 1) === 0 && engine.seat_view_take(0, 0) === 1);
    check(`${id} keeps its seed`, JSON.parse(text(engine.match_save(...write('Ann', 'Bob')))).seed === '44444444333333332222222211111111');
    playAndAsk(id, terms, 40);
    if (engine.awaited() !== 0) stepsAndUndo(id);
    if (engine.awaited() !== 0 && terms.hides) hiddenPieces(id);
    if (engine.awaited() !== 0) thoughts(id);
    files(id);
    ends(id, terms, game);
    engine.game_choose(number);
    generators(id, game);
    check(`${id} loads anew`, engine.content_load(0) === 1);
    noMatch(`${id} loaded anew`);
    for (const [what, plays] of [['simulate', () => engine.simulate(1, 1, 0)], ['ai_bench', () => engine.ai_bench(1, 10)]]) {
      const first = engine.match_begin(1, 2, 3, 4) === 0 && text(plays());
      check(`${id} has no match after ${what}`, engine.awaited() === 0 && engine.match_length() === 0 && engine.seat_view_take(0, 0) === 0);
      const room = engine.memory.buffer.byteLength;
      for (let times = 0; times < 10; times++) check(`${id}: the same by ${what}`, text(plays()) === first);
      check(`${id}: no more memory by ${what}`, engine.memory.buffer.byteLength === room);
    }
    const at = (...seed) => text(engine.simulate(1, ...seed));
    check(`${id} is played by the whole seed`, new Set([at(1, 0), at(2, 0), at(1, 1), at(1, 0x80000000)]).size === 4);
    const options = () => JSON.parse(text(engine.match_save(...write('Ann', 'Bob')))).options;
    const optionsAre = (which) => game.options.every((option) => options()[option.id] === option[which]);
    game.options.forEach(({ most }, index) => engine.option_set(index, most));
    check(`${id} has its options`, status(engine.match_begin(1, 2, 3, 4)) === 'ok' && optionsAre('most'));
    const file = text(engine.match_save(...write('Ann', 'Bob')));
    check(`${id} forgets its options`, engine.game_choose(number) === 1 && engine.content_load(0) === 1 && status(engine.match_begin(1, 2, 3, 4)) === 'ok' && optionsAre('usual'));
    check(`${id} takes the options of a file`, engine.match_open(...write('match.json', file)) === 1 && optionsAre('most') && status(engine.match_begin(1, 2, 3, 4)) === 'ok' && optionsAre('most'));
    check(`${id} is chosen again`, engine.game_choose(number) === 1 && engine.content_load(0) === 1);
    // Another board; that of zorde has kinds of which a side has two.
    if (engine.content_load(2) === 1 && status(engine.match_begin(1, 2, 3, 4)) === 'ok') playAndAsk(`${id} elsewhere`, json(engine.terms_text()), 6);
  }
}
