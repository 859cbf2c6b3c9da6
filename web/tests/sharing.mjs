// sharing.mjs -- a match shown elsewhere: in a frame of a page of another origin, as a picture, by its link; and what may not be framed.
// Usage: node web/tests/sharing.mjs [part of a test's name]
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { axe } from './steps.mjs';
import { TestServer, check, newPerson, openBrowser, summary, test, until } from './server.mjs';

const only = process.argv[2];
const browser = await openBrowser();
const server = await new TestServer().open();

/** A page of another origin with this address in a frame. */
async function framing(path, run) {
  const other = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Elsewhere</title><iframe src="${server.url}${path}" width="800" height="720"></iframe>`);
  });
  await new Promise((done) => other.listen(0, '127.0.0.1', done));
  /* A browser that keeps nothing for frames of other origins: nothing may be written before the page opens. */
  const page = await browser.newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  try {
    await page.goto(`http://localhost:${other.address().port}/`);
    await run(page, page.frameLocator('iframe'));
  } finally {
    await page.close();
    other.close();
  }
}

/** The code of a match that two programs have played. */
async function finished(game) {
  await promisify(execFile)('build/mashup', ['bot', `127.0.0.1:${server.port}`, '--game', game, '--seats', '2', '--pairs', '--level', '1', '--name', '<i>Ann']);
  /* A match is in the archive soon after its end, not at once. */
  let matches = [];
  await until(async () => {
    ({ matches } = await (await fetch(`${server.url}/api/archive?game=${game}`)).json());
    return matches.length > 0;
  }, 'no match in the archive');
  return matches[0].code;
}

await test('a finished match in a frame is replayed', only, async () => {
  const code = await finished('zorde');
  await framing(`/embed/${code}#/settings`, async (page, frame) => {
    await frame.locator('.replay').waitFor();
    check(await frame.locator('.replay-row button', { hasText: 'Play' }).count() === 1, 'no button to play');
    const link = frame.getByRole('link', { name: 'Open in Mashup' });
    check((await link.getAttribute('href')) === `/#/table/${code}`, 'the link leads elsewhere');
    check((await link.getAttribute('target')) === '_blank', 'the link opens in the frame');
    for (const name of ['Menu', 'Share', 'Play on from here', 'Settings'])
      check(await frame.getByRole('button', { name, exact: true }).count() === 0, `${name} is in the frame`);
    check(page.errors.length === 0, page.errors.join('; '));
  });
}, { short: true });

await test('a running match in a frame is watched', only, async () => {
  const bots = [0, 1].map(() => spawn('build/mashup', ['bot', `127.0.0.1:${server.port}`, '--game', 'tablut', '--level', '1', '--pace-ms', '1000'], { stdio: 'ignore' }));
  /* Asked to end they would play their match to its end first, and call for it at a port that another server has by then. */
  const killed = () => { for (const bot of bots) bot.kill('SIGKILL'); };
  process.once('exit', killed);
  let code = '';
  await until(async () => {
    const { matches } = await (await fetch(`${server.url}/api/matches?game=tablut`)).json();
    code = matches.find(({ state }) => state === 'running')?.code ?? '';
    return code !== '';
  }, 'no match runs');
  await framing(`/embed/${code}`, async (page, frame) => {
    const match = frame.locator('main.match');
    await match.waitFor();
    check((await match.getAttribute('data-you')) === '', 'the frame has a seat');
    const before = Number(await match.getAttribute('data-number'));
    await until(async () => Number(await match.getAttribute('data-number')) > before, 'the match stands still');
    check(await frame.locator('.tab-chat').count() === 0, 'there is a chat in the frame');
    check(page.errors.length === 0, page.errors.join('; '));
  });
  let picture;
  do picture = await fetch(`${server.url}/picture/${code}.svg`); while (picture.status === 503);
  check(picture.status === 200 && picture.headers.get('cache-control') === 'no-cache', `no picture of the running match: ${picture.status}`);
  killed();
}, { short: true });

await test('nothing else may be framed', only, async () => {
  const code = await finished('zorde');
  for (const path of ['/', `/m/${code}`, `/picture/${code}.svg`, '/api/games'])
    await framing(path, async (page) => {
      const refused = () => page.errors.some((error) => error.includes("frame-ancestors 'none'"));
      await until(refused, () => `${path} is framed: ${page.errors.join('; ')}`);
    });
}, { short: true });

await test('the link leads to the match, and says what it is', only, async () => {
  const code = await finished('zorde');
  const words = await (await fetch(`${server.url}/m/${code}`)).text();
  check(/property="og:title" content="&lt;i&gt;Ann [01] \(/.test(words), words);
  check(words.includes(`property="og:url" content="${server.url}/m/${code}"`), words);
  const image = /property="og:image" content="([^"]*)"/.exec(words)?.[1];
  check((await fetch(image)).headers.get('content-type') === 'image/png', `${image} is no PNG`);
  check(words.includes('<link rel="icon" href="/icon.svg"'), 'no icon');
  const icon = await fetch(`${server.url}/favicon.ico`);
  check(icon.status === 200 && icon.headers.get('content-type') === 'image/png', `/favicon.ico: ${icon.status}`);
  const page = await newPerson(browser, null);
  await page.goto(`${server.url}/m/${code}`);
  await page.locator('.replay').waitFor();
  check(page.url() === `${server.url}/#/replay/${code}`, page.url());
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const box = page.getByRole('dialog', { name: 'Share this match' });
  check((await box.getByLabel('Link', { exact: true }).inputValue()) === `${server.url}/m/${code}`, 'another link');
  check((await box.getByLabel('Code for a web page', { exact: true }).inputValue()).startsWith(`<iframe src="${server.url}/embed/${code}"`), 'another frame');
  check(await box.locator('img').evaluate((image) => image.decode().then(() => image.naturalWidth > 100)), 'no picture');
  await page.keyboard.press('Escape');
  check(await box.count() === 0, 'Esc does not close it');
  check(page.errors.length === 0, page.errors.join('; '));
}, { short: true });

await test('notes and arrows of a replay: by keys and by the right button, in the file and in the link', only, async () => {
  const code = await finished('zorde');
  const page = await newPerson(browser, server);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${server.url}/#/replay/${code}`);
  await page.getByRole('tab', { name: 'Notes' }).click();
  const field = page.getByRole('textbox', { name: 'Note at this moment' });
  await field.fill('Look at the troll.');
  const drawn = (kind) => page.locator(`.drawn ${kind}`);
  await page.locator('.board-host .stage').focus();
  for (const key of ['Home', 'PageUp', 'ArrowDown', 'k', 'Shift+K', 'ArrowRight', 'ArrowRight', 'Shift+K']) await page.keyboard.press(key);
  await drawn('circle').waitFor({ state: 'attached' });
  await drawn('polygon').waitFor({ state: 'attached' });
  /* From the unit that is to move, beside one of the cells that it can go to: the arrow ends on that cell. */
  const box = await page.evaluate(() => {
    const cells = [...document.querySelectorAll('[role=gridcell]')].map((cell) => ({ name: cell.getAttribute('aria-label'), ...cell.getBoundingClientRect().toJSON() }));
    return { unit: cells.find(({ name }) => /Human/.test(name)), cells };
  });
  const middle = ({ x, y, width }) => [x + width / 2, y + width / 2];
  await page.mouse.move(...middle(box.unit));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(middle(box.unit)[0] - 2 * box.unit.width, middle(box.unit)[1]);
  await page.keyboard.down('Shift');
  await page.mouse.up({ button: 'right' });
  await page.keyboard.up('Shift');
  await drawn('.green polygon').waitFor({ state: 'attached' });
  const list = page.getByRole('list', { name: 'Marks and arrows' }).getByRole('listitem');
  check((await list.count()) === 3, `${await list.count()} marks`);
  await page.getByRole('button', { name: 'Next action' }).click();
  await drawn('g').first().waitFor({ state: 'detached' });
  check((await field.inputValue()) === '', 'a note is of another moment');
  await field.fill('And then?');
  await page.getByRole('button', { name: 'Action 0: Look at the troll.' }).click();
  await drawn('g').first().waitFor({ state: 'attached' });
  await list.first().getByRole('button').click();
  await page.waitForFunction(() => document.querySelectorAll('.drawn g').length === 2);
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save match with notes' }).click();
  const file = await (await saving).path();
  const { notes } = JSON.parse(readFileSync(file, 'utf8'));
  check(notes.length === 2 && notes[0].at === 0 && notes[0].text === 'Look at the troll.' && notes[0].point.length === 2 && notes[1].at === 1, JSON.stringify(notes));
  const green = /^arrow (\d) (\d) (\d) (\d) green$/.exec(notes[0].point[1]);
  check(green && Math.max(Math.abs(green[1] - green[3]), Math.abs(green[2] - green[4])) === 1, `the arrow ends where the unit cannot go: ${notes[0].point[1]}`);
  const copy = join(mkdtempSync(join(tmpdir(), 'mashup-notes-')), 'noted.match.json');
  copyFileSync(file, copy);
  await promisify(execFile)('build/mashup', ['check', copy]);
  await page.getByRole('button', { name: 'Copy link with notes' }).click();
  await page.getByText('Copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const friend = await newPerson(browser, null, { name: 'Bob' });
  await friend.goto(link);
  check((await friend.getByRole('textbox', { name: 'Note at this moment' }).inputValue()) === 'Look at the troll.', 'the link has no note');
  check((await friend.locator('.drawn g').count()) === 2, 'the link has no arrows');
  const found = await axe(friend);
  check(found.length === 0, found.join('; '));
  await friend.goto(`${server.url}/#/replays`);
  await friend.setInputFiles('input[type=file]', copy);
  await friend.getByRole('button', { name: 'Action 1: And then?' }).click();
  await friend.waitForFunction(() => document.querySelector('.replay .number').textContent.startsWith('1/'));
  for (const { errors } of [page, friend]) check(errors.length === 0, errors.join('; '));
});

await browser.close();
await server.close();
process.exit(summary());
