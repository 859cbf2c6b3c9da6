// page.mjs -- how long it takes from an input to the first frame that shows it, in each game on its usual board against the computer: half
// of the inputs, and 95 of 100; and until all of the new position is told, with log and panels. The clock is the page's own: from the input
// event's time stamp until the first frame has been painted in which the board is another: the unit that acts is lifted or moves. A button
// is down for 50 ms, which is quick for a hand. With WORK=1 instead of the clock the time of a processor that the page's own thread takes
// for it, which other programs on the machine hardly change.
// Usage: node bench/programs/page.mjs [GAME...]   (build/mashup must be there; INPUTS=100: so many of each game)
import { readGames } from '../../web/games.mjs';
import { playByMouse, startMatch } from '../../web/tests/player.mjs';
import { TestServer, newPerson, openBrowser } from '../../web/tests/server.mjs';

const wanted = Number(process.env.INPUTS ?? 100);
const games = readGames().filter(({ id }) => process.argv.length < 3 || process.argv.includes(id));
const server = await new TestServer().open();
const browser = await openBrowser();

/** Notes in the page how long each own input takes to be shown (another board, or the first move of its animation), and to be told whole. */
function watch() {
  const spent = (globalThis.spent = []);
  const whole = (globalThis.whole = []);
  const number = () => document.querySelector('.match')?.dataset.number;
  const look = () => `${number()} ${[...document.querySelectorAll('.board-host .token')].map((one) => one.className + one.style.transform).join()}`;
  let waiting = null;
  let telling = null;
  /* A message that is sent before a frame is painted comes when that is done. */
  const painted = new MessageChannel();
  painted.port1.onmessage = ({ data: { list, at } }) => {
    (list === 'spent' ? spent : whole).push(performance.now() - at);
    if (list === 'spent') performance.mark('bench-painted');
  };
  addEventListener('pointerup', (event) => {
    performance.mark('bench-input');
    waiting = document.querySelector('.turn-words.mine') && document.querySelector('.board-host') ? { at: event.timeStamp, before: look(), number: number() } : null;
    telling = waiting;
  }, true);
  const frame = () => {
    if (waiting && look() !== waiting.before) {
      painted.port2.postMessage({ list: 'spent', at: waiting.at });
      waiting = null;
    }
    if (telling && number() !== telling.number) {
      painted.port2.postMessage({ list: 'whole', at: telling.at });
      telling = null;
    }
    requestAnimationFrame(frame);
  };
  frame();
}

/** Traces what the page's thread does; gives a function that ends it and says how long it worked for each input, in ms. */
async function traceWork(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['blink.user_timing', 'toplevel'] } });
  return async () => {
    const done = new Promise((resolve) => { session.once('Tracing.tracingComplete', resolve); });
    await session.send('Tracing.end');
    await done;
    const marks = events.filter(({ name }) => /^bench-/.test(name)).sort((one, two) => one.ts - two.ts);
    const tasks = events.filter(({ ph, name, tid, pid, tdur }) => ph === 'X' && name.endsWith('::RunTask') && tid === marks[0]?.tid && pid === marks[0]?.pid && tdur);
    return marks.flatMap(({ name, ts }, at) => {
      const before = marks[at - 1];
      if (name !== 'bench-painted' || before?.name !== 'bench-input') return [];
      const during = tasks.filter((task) => task.ts + task.dur > before.ts && task.ts < ts);
      return [during.reduce((sum, { tdur }) => sum + tdur, 0) / 1000];
    });
  };
}

/** Half of these and 95 of 100 of them. */
function shares(list) {
  list.sort((one, two) => one - two);
  const part = (share) => list[Math.min(list.length - 1, Math.floor(list.length * share))]?.toFixed(0);
  return `${part(0.5)} ms | ${part(0.95)} ms`;
}

console.log(`| game | inputs | half | 95 % |${process.env.WORK ? '\n|---|---|---|---|' : ' told whole: half | 95 % |\n|---|---|---|---|---|---|'}`);
for (const { id, page: { tests = {} } } of games) {
  const all = [];
  const told = [];
  for (let seed = 1; all.length < wanted && seed < 40; seed++) {
    const page = await newPerson(browser, server, { reducedMotion: 'no-preference' });
    await startMatch(page, server, id, { mode: 'ai', seat: 0 });
    await page.evaluate(watch);
    const worked = process.env.WORK ? await traceWork(page) : null;
    const count = () => page.evaluate(() => globalThis.spent.length);
    await playByMouse(page, { seed, haste: tests.haste, press: 50, after: async () => all.length + (await count()) < wanted });
    all.push(...(worked ? await worked() : await page.evaluate(() => globalThis.spent)));
    if (!worked) told.push(...(await page.evaluate(() => globalThis.whole)));
    await page.context().close();
  }
  console.log(`| ${id} | ${all.length} | ${shares(all)} |${told.length > 0 ? ` ${shares(told)} |` : ''}`);
}
await browser.close();
await server.close();
