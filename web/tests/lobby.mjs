// lobby.mjs -- finding a match: who waits on the start page, boards of running matches, invitations in words, the computer meanwhile.
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';
import { closeHelp, resign, startMatch } from './steps.mjs';

const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();

/** Begins to wait: a quick match, or a table of one's own that is listed. */
async function wait(page, game, { quick = false, pace = null } = {}) {
  await page.goto(`${server.url}/#/game/${game}`);
  await page.check(`input[value=${quick ? 'quick' : 'invite'}]`, { force: true });
  if (!quick) await page.getByLabel('Unlisted match').uncheck();
  if (pace) await page.getByLabel('Pace').selectOption(pace);
  await page.click('button[type=submit]');
  await page.waitForSelector('h1:has-text("Waiting for an opponent")');
}

/** No errors, and the person goes. */
async function part(...pages) {
  for (const page of pages) {
    check(page.errors.length === 0, `errors on the page: ${page.errors.join('; ')}`);
    await page.context().close();
  }
}

await test('the start page shows who waits, without moving the games, and one click joins', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  await ann.waitForSelector('.games li');
  await ann.waitForSelector('text=Nobody right now');
  const place = () => ann.locator('.games').evaluate((list) => list.getBoundingClientRect().top);
  const before = await place();
  const bob = await newPerson(browser, server, { name: 'Bob' });
  const cem = await newPerson(browser, server, { name: 'Cem' });
  await wait(bob, 'zorde', { pace: 'blitz' });
  await wait(cem, 'ultimate-war', { quick: true });
  const rows = ann.locator('.waiting li');
  await rows.nth(1).waitFor();
  const words = await rows.allInnerTexts();
  check(words.some((text) => /Bob: Zorde vs Calliance[^]*3 min each \+ 5 s per turn[^]*6x6/.test(text)), `Bob is shown as ${words}`);
  check(words.some((text) => /Cem: Ultimate War[^]*15 min each \+ 10 s per turn/.test(text)), `Cem is shown as ${words}`);
  check(await place() === before, 'the games moved');
  await ann.getByRole('button', { name: 'Join Cem' }).click();
  await Promise.all([ann, cem].map((page) => page.waitForSelector('.match')));
  const dan = await newPerson(browser, server, { name: 'Dan' });
  await dan.getByRole('button', { name: 'Join Bob' }).click();
  await Promise.all([dan, bob].map((page) => page.waitForSelector('.match')));
  await part(ann, bob, cem, dan);
}, { short: true });

await test('Watch has a small board for each match, which follows it', only, async () => {
  const [ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'tablut');
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  await eve.goto(`${server.url}/#/watch`);
  const row = eve.locator('.running li', { hasText: 'Tablut' });
  await row.locator('.thumbnail').waitFor();
  check(await row.locator('.thumbnail circle').count() === 16 && await row.locator('.thumbnail rect.thumb-1').count() === 9, 'the board is another');
  check(/Spectators: 0/.test(await row.innerText()), 'spectators are not told');
  await row.getByRole('button', { name: /^Watch / }).click();
  await eve.waitForSelector('.match');
  await part(ann, bob, eve);
}, { short: true });

await test('an invitation says what it is to, and why nobody can join', only, async () => {
  const [ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'zorde', { pace: 'relaxed' });
  const link = (await ann.locator('input.link').inputValue()).replace(/^[^#]*/, '');
  await bob.goto(`${server.url}/${link}`);
  await bob.waitForSelector('text=Ann wants to play Zorde vs Calliance with you.');
  check(/5 min per turn, 2 h in total[^]*6x6/.test(await bob.locator('main').innerText()), 'board and times are not told');
  await bob.getByRole('button', { name: 'Join match' }).click();
  await bob.waitForSelector('.match');
  await eve.goto(`${server.url}/${link}`);
  await eve.waitForSelector('text=/This table is full: (Ann – Bob|Bob – Ann) are playing\\./');
  check(await eve.getByRole('button', { name: 'Join match' }).count() === 0, 'a full table can be joined');
  await bob.evaluate(() => { location.hash = '#/'; });
  await eve.goto(`${server.url}/#/join/2222-2222-2222`);
  await eve.waitForSelector('text=There is no table with this code.');
  eve.errors.length = 0; // the browser itself remarks the 404
  await part(ann, bob, eve);
});

await test('who waits plays the computer meanwhile, and is called back to the table when somebody comes', only, async () => {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'zorde', { quick: true });
  await ann.getByRole('button', { name: 'Play the computer meanwhile' }).click();
  await ann.waitForSelector('.match');
  check(/#\/match/.test(ann.url()), `the match is at ${ann.url()}`);
  await ann.waitForSelector('.still-waiting:has-text("Zorde vs Calliance")');
  await bob.goto(`${server.url}/#/`);
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await bob.waitForSelector('.match');
  await ann.waitForFunction(() => location.hash.startsWith('#/table/'));
  check(await ann.locator('.still-waiting').count() === 0, 'it still says that she waits');
  await ann.goto(`${server.url}/#/`);
  await ann.waitForSelector('text=Unfinished Zorde vs Calliance match on this device.');
  await part(ann, bob);
}, { short: true });

await test('who stops waiting is no longer in the list', only, async () => {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'battleground', { quick: true });
  await bob.waitForSelector('.waiting li:has-text("Battleground")');
  await ann.getByRole('button', { name: 'Play the computer meanwhile' }).click();
  await ann.waitForSelector('.match');
  await closeHelp(ann);
  await ann.locator('.still-waiting').getByRole('button', { name: 'Cancel' }).click();
  await bob.waitForFunction(() => ![...document.querySelectorAll('.waiting li')].some((row) => row.textContent.includes('Battleground')));
  check(/#\/match/.test(ann.url()), 'the match with the computer is gone');
  await part(ann, bob);
});

await test('My matches: what was played here, with its board, result, replay and file; watchers keep nothing', only, async () => {
  const [ann, bob, eve] = await Promise.all(['Ann', 'Bob', 'Eve'].map((name) => newPerson(browser, server, { name })));
  await startMatch(ann, server, 'zorde', 'ai');
  await ann.waitForSelector('.match');
  await closeHelp(ann);
  await resign(ann);
  await ann.waitForSelector('dialog.wide');
  await wait(ann, 'tablut');
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  await eve.goto(ann.url());
  await eve.waitForSelector('.match');
  for (const page of [ann, bob]) await closeHelp(page);
  await resign(bob);
  for (const page of [ann, bob, eve]) await page.waitForSelector('dialog.wide');
  const rows = ann.locator('.match-row');
  await ann.goto(`${server.url}/#/mine`);
  await rows.nth(1).waitFor();
  const words = await rows.allInnerTexts();
  check(/^You won\s+Tablut: (Ann – Bob|Bob – Ann)\s[^]*online/.test(words[0]), words[0]);
  check(/^You lost\s+Zorde vs Calliance: [^]*on this device/.test(words[1]), words[1]);
  check(await rows.first().locator('.thumbnail circle').count() === 16, 'the board of the end is another');
  const [file] = await Promise.all([ann.waitForEvent('download'), rows.first().getByRole('button', { name: 'Save file' }).click()]);
  check(/^tablut-\d{12}\.match\.json$/.test(file.suggestedFilename()), `the file is ${file.suggestedFilename()}`);
  await rows.first().getByRole('button', { name: /^Replay / }).click();
  await ann.waitForSelector('.match');
  await ann.goBack();
  await rows.nth(1).getByRole('button', { name: 'Delete' }).click();
  await ann.waitForFunction(() => document.querySelectorAll('.match-row').length === 1);
  await ann.reload();
  await rows.first().waitFor();
  check(await rows.count() === 1, 'what was deleted is back');
  await bob.goto(`${server.url}/#/mine`);
  await bob.waitForSelector('text=You lost');
  await eve.goto(`${server.url}/#/mine`);
  await eve.waitForSelector('text=No finished matches on this device yet.');
  await part(ann, bob, eve);
}, { short: true });

await browser.close();
await server.close();
process.exit(summary());
