// lobby.mjs -- finding a match: who waits on the start page, boards of running matches, invitations in words, the computer meanwhile.
import { TestServer, check, newPerson, openBrowser, pageTime, summary, test, until } from './server.mjs';
import { acted, closeHelp, resign, startMatch, waitForTurn } from './steps.mjs';

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
  const words = () => rows.allInnerTexts();
  for (const like of [/Bob: Zorde vs Calliance[^]*3 min each \+ 5 s per turn[^]*6 × 6/, /Cem: Ultimate War[^]*15 min each \+ 10 s per turn/])
    await until(async () => (await words()).some((text) => like.test(text)), async () => `${like} is shown as ${await words()}`);
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
  await until(async () => await row.locator('.thumbnail circle').count() === 16 && await row.locator('.thumbnail rect.seat-1').count() === 9, 'the board is another');
  await until(async () => /Spectators: 0/.test(await row.innerText()), 'spectators are not told');
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
  await until(async () => /5 min per turn, 2 h in total[^]*6 × 6/.test(await bob.locator('main').innerText()), 'board and times are not told');
  await bob.getByRole('button', { name: 'Join match' }).click();
  await bob.waitForSelector('.match');
  await eve.goto(`${server.url}/${link}`);
  await eve.waitForSelector('text=/This table is full: (Ann – Bob|Bob – Ann) are playing\\./');
  await until(async () => await eve.getByRole('button', { name: 'Join match' }).count() === 0, 'a full table can be joined');
  await bob.evaluate(() => { location.hash = '#/'; });
  await eve.goto(`${server.url}/#/join/2222-2222-2222`);
  await eve.waitForSelector('text=There is no table with this code.');
  await eve.goto(`${server.url}/#/table/zzz`);
  await eve.waitForSelector('text=This code isn’t complete.');
  eve.errors.length = 0; // the browser itself remarks the 404
  await part(ann, bob, eve);
});

await test('who was invited learns the game before the clock runs, and never loses the seat by going back', only, async () => {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'zorde');
  await until(async () => /Goal:/.test(await ann.locator('main').innerText()), 'who waits is not told what the game is about');
  await until(async () => await ann.getByLabel('Spectators see hidden pieces').count() === 0, 'nothing is hidden in this game');
  const link = (await ann.locator('input.link').inputValue()).replace(/^[^#]*/, '');
  await bob.goto(`${server.url}/#/about`);
  await bob.evaluate((to) => { location.hash = to; }, link);
  await bob.waitForSelector('text=/Your side: (Zorde|Calliance)/');
  await until(async () => /Goal:/.test(await bob.locator('main').innerText()), 'the game is not explained');
  await until(async () => await bob.getByRole('link', { name: 'Learn by playing (3 minutes): Zorde vs Calliance' }).count() === 1, 'there is no way to the lesson');
  await bob.getByRole('button', { name: 'Join match' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  for (const page of [ann, bob]) check(await page.locator('dialog').count() === 0, 'it is explained again while the clock runs');
  const table = bob.url();
  await bob.goBack();
  await bob.waitForFunction(() => location.hash === '#/about');
  await bob.locator('.still-waiting', { hasText: 'You have a Zorde vs Calliance match in progress.' }).getByRole('link', { name: 'Continue' }).click();
  await bob.locator('.plate', { hasText: /you/i }).waitFor();
  await bob.locator('.still-waiting').waitFor({ state: 'detached' });
  await bob.goBack();
  await bob.waitForFunction(() => location.hash === '#/about');
  await bob.evaluate((to) => { location.hash = to; }, link);
  await bob.waitForSelector('text=You have a Zorde vs Calliance match in progress.');
  await until(async () => await bob.getByRole('button', { name: 'Just watch' }).count() === 0, 'who plays is asked to watch');
  await bob.getByRole('link', { name: 'Continue' }).click();
  await bob.waitForSelector('.match');
  check(bob.url() === table, `Bob is at ${bob.url()}, not at ${table}`);
  await bob.locator('.plate', { hasText: /you/i }).waitFor();
  await part(ann, bob);
}, { short: true });

await test('who waits plays the computer meanwhile, and is called back to the table when somebody comes', only, async () => {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'zorde', { quick: true });
  const room = ann.url();
  /* She may go elsewhere, and come back to the same table. */
  await ann.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await ann.waitForSelector('h1:has-text("Settings")');
  await ann.getByRole('link', { name: 'Mashup' }).click();
  await ann.waitForSelector('.games li');
  await until(async () => await ann.locator('.unfinished').count() === 0, 'a table that waits is no match in progress');
  await ann.locator('.still-waiting').getByRole('link', { name: 'Show' }).click();
  await ann.waitForSelector('h1:has-text("Waiting for an opponent")');
  await until(async () => ann.url() === room && await ann.locator('.still-waiting').count() === 0, () => `back at ${ann.url()}, from ${room}`);
  await ann.getByRole('button', { name: 'Play the computer meanwhile' }).click();
  await ann.waitForSelector('.match');
  check(/#\/match/.test(ann.url()), `the match is at ${ann.url()}`);
  await ann.waitForSelector('.still-waiting:has-text("Zorde vs Calliance")');
  await bob.goto(`${server.url}/#/`);
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await bob.waitForSelector('.match');
  await ann.waitForFunction(() => location.hash.startsWith('#/table/'));
  await until(async () => await ann.locator('.still-waiting').count() === 0, 'it still says that she waits');
  await ann.goto(`${server.url}/#/`);
  await ann.waitForSelector('text=You have a Zorde vs Calliance match in progress.');
  await until(async () => await ann.locator('text=Unfinished Zorde vs Calliance match on this device.').count() === 0, 'a match in which she did nothing is kept');
  await part(ann, bob);
}, { short: true });

await test('a match on this device is kept for later once something was done in it, before that for a reload only', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann' });
  const unfinished = ann.locator('text=Unfinished Zorde vs Calliance match on this device.');
  await startMatch(ann, server, 'zorde', 'ai');
  await ann.waitForSelector('.match');
  await closeHelp(ann);
  await ann.waitForFunction(() => sessionStorage.getItem('mashup.local') !== null);
  await ann.reload();
  await waitForTurn(ann);
  await acted(ann);
  await ann.waitForFunction(() => localStorage.getItem('mashup.local') !== null);
  await ann.goto(`${server.url}/#/`);
  await unfinished.waitFor();
  await startMatch(ann, server, 'tablut', 'ai');
  await ann.waitForSelector('.match');
  await ann.waitForFunction(() => sessionStorage.getItem('mashup.local') !== null);
  await ann.goto(`${server.url}/#/`);
  await unfinished.waitFor();
  await ann.getByRole('button', { name: 'Discard' }).click();
  await unfinished.waitFor({ state: 'detached' });
  await part(ann);
});

await test('an opponent who comes before the computer is there has the person at the table', only, async () => {
  const ann = await newPerson(browser, server, { name: 'Ann', serviceWorkers: 'block' });
  const bob = await newPerson(browser, server, { name: 'Bob' });
  await wait(ann, 'zorde', { quick: true });
  let go;
  const held = new Promise((done) => { go = done; });
  await ann.route('**/worker-*.js', async (route) => { await held; await route.continue(); });
  await ann.getByRole('button', { name: 'Play the computer meanwhile' }).click();
  await bob.goto(`${server.url}/#/`);
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  const table = ann.url();
  check(table.includes('#/table/'), `Ann is at ${table}`);
  const loaded = ann.waitForResponse(/\/worker-[^/]*\.js/);
  go();
  await loaded;
  await pageTime(ann, 1500);
  check(ann.url() === table && (await ann.locator('.still-waiting').count()) === 0, `Ann was taken away to ${ann.url()}`);
  await part(ann, bob);
});

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
  await until(async () => await rows.first().locator('.thumbnail circle').count() === 16, 'the board of the end is another');
  const [file] = await Promise.all([ann.waitForEvent('download'), rows.first().getByRole('button', { name: 'Save file' }).click()]);
  check(/^tablut-\d{12}\.match\.json$/.test(file.suggestedFilename()), `the file is ${file.suggestedFilename()}`);
  await rows.first().getByRole('button', { name: /^Replay / }).click();
  await ann.waitForSelector('.match');
  await ann.goBack();
  await rows.nth(1).getByRole('button', { name: 'Delete' }).click();
  await ann.waitForFunction(() => document.querySelectorAll('.match-row').length === 1);
  await ann.reload();
  await rows.first().waitFor();
  await until(async () => await rows.count() === 1, 'what was deleted is back');
  await bob.goto(`${server.url}/#/mine`);
  await bob.waitForSelector('text=You lost');
  await eve.goto(`${server.url}/#/mine`);
  await eve.waitForSelector('text=No finished matches on this device yet.');
  await part(ann, bob, eve);
}, { short: true });

/** Ann and Bob play Tablut; nobody has done anything yet. */
async function playing() {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await wait(ann, 'tablut');
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  for (const page of [ann, bob]) await page.waitForSelector('.match').then(() => closeHelp(page));
  return [ann, bob];
}

/** My matches has this one match, lost or won. */
async function keptAs(page, words) {
  await page.goto(`${server.url}/#/mine`);
  await page.waitForSelector(`.match-row:has-text("${words}")`);
  const rows = await page.locator('.match-row').allInnerTexts();
  check(rows.length === 1 && /Tablut: (Ann – Bob|Bob – Ann)/.test(rows[0]), `kept is ${rows.join('; ')}`);
}

await test('who gives a match up on the start page is asked, loses it at once, and finds it in My matches', only, async () => {
  const [ann, bob] = await playing();
  await ann.goto(`${server.url}/#/`);
  const row = ann.locator('.unfinished li');
  await row.getByRole('button', { name: 'Resign' }).dblclick();
  await until(async () => /^You have a Tablut match in progress/.test(await row.innerText()), async () => `two clicks lead to: ${await row.innerText()}`);
  await row.getByRole('button', { name: 'Resign' }).click();
  await ann.waitForSelector('text=Resign this match? You lose your Tablut match.');
  await row.getByRole('button', { name: 'Resign' }).click();
  await bob.waitForSelector('dialog.wide:has-text("You won")');
  await row.waitFor({ state: 'detached' });
  await keptAs(ann, 'You lost');
  await keptAs(bob, 'You won');
  await part(ann, bob);
}, { short: true });

await test('a match that was lost by leaving is in My matches', only, async () => {
  const [ann, bob] = await playing();
  await ann.getByRole('button', { name: 'Menu' }).click();
  await ann.getByRole('button', { name: 'Leave' }).click();
  await ann.getByRole('button', { name: 'Leave' }).click();
  await ann.waitForSelector('.games');
  await bob.waitForSelector('dialog.wide');
  await keptAs(ann, 'You lost');
  await part(ann, bob);
});

await test('a match that ended while one was away is not in progress any more: the start page says so and shows how', only, async () => {
  const [ann, bob] = await playing();
  await ann.goto(`${server.url}/#/`);
  await ann.waitForSelector('text=You have a Tablut match in progress.');
  await resign(bob);
  const row = ann.locator('.unfinished li');
  await ann.waitForSelector('text=Your Tablut match ended while you were away.');
  await until(async () => await row.count() === 1, async () => `${await row.count()} rows`);
  await row.getByRole('button', { name: 'See how it ended' }).click();
  await ann.waitForSelector('.match');
  await keptAs(ann, 'You won');
  await until(async () => await row.count() === 0, 'what was seen is said again');
  await part(ann, bob);
});

await test('who waits hears the story meanwhile: others see the table at once, and the match ends the story', only, async () => {
  const [ann, bob] = await Promise.all(['Ann', 'Bob'].map((name) => newPerson(browser, server, { name })));
  await ann.evaluate(() => localStorage.setItem('mashup.intro', 'true'));
  await ann.reload();
  await startMatch(ann, server, 'marvelous-mashup', 'quick');
  const story = ann.locator('dialog.story');
  await story.waitFor();
  await bob.getByRole('button', { name: 'Join Ann' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('.match')));
  await story.waitFor({ state: 'detached' });
  await part(ann, bob);
});

await browser.close();
await server.close();
process.exit(summary());
