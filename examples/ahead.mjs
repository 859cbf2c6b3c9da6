// ahead.mjs -- ahead.py in JavaScript: mashup bot HOST --game battleground --exec "node examples/ahead.mjs [MILLISECONDS]"
// Tries turns in guesses of what is hidden: a first action, then always the best one at once, then the same for the opponent; and does the turn that is
// worth most after that reply. Knows no rule of any game: value() is where yours may become clever.
import {createInterface} from 'node:readline';
import {existsSync} from 'node:fs';

const folder = ['../sim/', '/usr/share/mashup/', '/usr/local/share/mashup/'].find(path => existsSync(new URL(`${path}mashup.mjs`, import.meta.url)));
const {open} = await import(new URL(`${folder}mashup.mjs`, import.meta.url));
const mashup = await open();
const limit = Number(process.argv[2] ?? 300);

/** What the built-in players know; put your own knowledge here. */
const value = (sim, seat) => sim.evaluate(seat);

/** The legal actions, the best one at once first. */
function ranked(sim, seat) {
  const worths = [...sim.actions(seat)].map(action => {
    sim.apply(action);
    const worth = value(sim, seat);
    sim.undo();
    return {action, worth};
  });
  return worths.sort((one, other) => other.worth - one.worth).map(({action}) => action);
}

/** Plays a turn, always the best action at once; which they were. */
function turn(sim, seat, first = null) {
  const done = [];
  while (sim.awaited().includes(seat) && done.length < 40) {
    done.push(first !== null && done.length === 0 ? first : ranked(sim, seat)[0]);
    sim.apply(done.at(-1));
  }
  return done;
}

/** The best turn found in time. */
function look(sim, seat, view) {
  const until = performance.now() + limit;
  let best = null, most = 0, tried = 0;
  sim.guess(0);
  for (const first of ranked(sim, seat)) {
    if (best && performance.now() > until) break;
    sim.load(seat, view);
    sim.guess(++tried);
    const done = turn(sim, seat, first);
    turn(sim, 1 - seat);
    const worth = value(sim, seat);
    if (best === null || worth > most) [best, most] = [done, worth];
  }
  sim.load(seat, view);
  return best;
}

let sim = null, seat = 0, plan = [];
for await (const line of createInterface({input: process.stdin})) {
  const message = JSON.parse(line);
  if (message.type === 'table') {
    sim?.drop();
    [sim, seat, plan] = [mashup.begin(message), message.you, []];
  } else if (message.actions?.length) {
    sim.load(seat, message.view);
    if (plan.length === 0 || !sim.actions(seat).includes(plan[0])) plan = look(sim, seat, message.view);
    console.log(sim.describe(plan.shift()).word);
  }
}
