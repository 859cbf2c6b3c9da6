// page.mjs -- how long it takes from an input to the first frame that shows it, in each game on its usual board against the computer: half
// of the inputs, and 95 of 100. The clock is the page's own: from the input event's time stamp until the first frame in which the match is
// another has been painted. A button is down for 50 ms, which is quick for a hand.
// Usage: node bench/programs/page.mjs [GAME...]   (build/mashup must be there; INPUTS=100: so many of each game)
import { readGames } from '../../web/games.mjs';
import { playByMouse, startMatch } from '../../web/tests/player.mjs';
import { TestServer, newPerson, openBrowser } from '../../web/tests/server.mjs';

const wanted = Number(process.env.INPUTS ?? 100);
const games = readGames().filter(({ id }) => process.argv.length < 3 || process.argv.includes(id));
const server = await new TestServer().open();
const browser = await openBrowser();

/** Notes in the page how long each own input takes to be shown: another position, or the first move of its animation. */
function watch() {
  const spent = (globalThis.spent = []);
  const look = () => `${document.querySelector('.match')?.dataset.number} ${[...document.querySelectorAll('.board-host .token')].map((one) => one.className + one.style.transform).join()}`;
  let waiting = null;
  /* A message that is sent before a frame is painted comes when that is done. */
  const painted = new MessageChannel();
  painted.port1.onmessage = ({ data }) => spent.push(performance.now() - data);
  addEventListener('pointerup', (event) => {
    waiting = document.querySelector('.turn-words.mine') && document.querySelector('.board-host') ? { at: event.timeStamp, before: look() } : null;
  }, true);
  const frame = () => {
    if (waiting && look() !== waiting.before) {
      painted.port2.postMessage(waiting.at);
      waiting = null;
    }
    requestAnimationFrame(frame);
  };
  frame();
}

console.log('| game | inputs | half | 95 % |\n|---|---|---|---|');
for (const { id, page: { tests = {} } } of games) {
  const all = [];
  for (let seed = 1; all.length < wanted && seed < 40; seed++) {
    const page = await newPerson(browser, server, { reducedMotion: 'no-preference' });
    await startMatch(page, server, id, { mode: 'ai', seat: 0 });
    await page.evaluate(watch);
    const count = () => page.evaluate(() => globalThis.spent.length);
    await playByMouse(page, { seed, haste: tests.haste, press: 50, after: async () => all.length + (await count()) < wanted });
    all.push(...(await page.evaluate(() => globalThis.spent)));
    await page.context().close();
  }
  all.sort((one, two) => one - two);
  const part = (share) => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(0);
  console.log(`| ${id} | ${all.length} | ${part(0.5)} ms | ${part(0.95)} ms |`);
}
await browser.close();
await server.close();
