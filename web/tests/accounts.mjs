// accounts.mjs -- accounts on the page, in Chromium against the real server: from guest to name, a rated match, profiles, other devices by
// link, words and password, logging out everywhere, deleting.
// Usage: node web/tests/accounts.mjs [part of a test's name]   (SHOTS=FOLDER: pictures of each screen)
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { TestServer, check, drawn, newPerson, openBrowser, summary, test, until } from './server.mjs';
import { acted, axe, closeHelp, resign, waitForTurn } from './steps.mjs';

const only = process.argv[2];
/* Notices may go to addresses of this machine, and the test moves the server's calendar. */
const switches = ['--webhook-insecure-local'];
const server = new TestServer();
const library = join(server.data, 'jump.so');
const clock = join(server.data, 'jump');
execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, 'tests/soak/jump.c', '-ldl']);
writeFileSync(clock, '0');
execFileSync('build/mashup', ['admin', 'push-key', '--data', server.data]);
server.env = { LD_PRELOAD: library, MASHUP_JUMP: clock };
await server.open(...switches);
const browser = await openBrowser();
const shots = process.env.SHOTS;

/** Pictures for who wants to look, and what axe-core says about the page. */
async function shoot(page, name) {
  if (!shots) return;
  for (const [width, height] of [[1440, 900], [820, 1180], [390, 844]])
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** Somebody new, who has read how the game goes. */
async function person(name, more = {}) {
  const page = await newPerson(browser, null, { name, ...more });
  await page.addInitScript(() => localStorage.setItem('mashup.lesson.zorde', '1'));
  await page.goto(server.url);
  return page;
}

/** Goes to a place of the page. */
const visit = async (page, where) => {
  await page.goto(`${server.url}/#/${where}`);
  await drawn(page);
};

/** Takes a name on the account screen. */
async function claim(page, name) {
  await visit(page, 'settings/account');
  await page.locator('input[name=claim]').fill(name);
  await page.getByRole('button', { name: /^(Create account|Konto anlegen)$/ }).click();
}

/** Somebody with an account. */
async function player(name, more = {}) {
  const page = await person(name, more);
  await claim(page, name);
  await page.getByText(new RegExp(`(Logged in as|Angemeldet als) ${name}$`)).waitFor();
  return page;
}

/** Waits for an alert that says this. */
const alerted = (page, words) => page.locator('[role=alert]', { hasText: words }).first().waitFor();

/** No errors but refused addresses, which the browser logs by itself. */
function clean(...pages) {
  for (const page of pages) {
    const errors = page.errors.filter((text) => !/status of (403|404)/.test(text));
    check(errors.length === 0, `errors on the page: ${errors.join('; ')}`);
  }
}

/** What axe-core finds on a screen is a failure. */
async function accessible(page, where) {
  const found = await axe(page);
  check(found.length === 0, `${where}: ${found.join('; ')}`);
}

/** A rated invitation of the first, which the second takes. */
async function ratedMatch(ann, bob, meanwhile) {
  await visit(ann, 'game/zorde');
  await ann.locator('input[value=invite]').check({ force: true });
  await ann.getByLabel('Rated match').check();
  await ann.getByLabel('Unlisted match').uncheck();
  await ann.locator('form button[type=submit]').click();
  const link = await ann.inputValue('input.link');
  await meanwhile();
  await bob.goto(link);
  await bob.locator('form button[type=submit]').click();
  for (const page of [ann, bob]) await page.waitForSelector('.match[data-number]');
}

/** The secret that a page keeps. */
const secretOf = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('mashup.account') ?? 'null')?.key ?? null);

await test('from guest to name, a rated match, the ratings on both end screens and on the profile; a second device; delete', only, async () => {
  const ann = await person('Ann');
  check(await secretOf(ann) === null, 'a secret is made before anybody wants one');
  await visit(ann, 'game/zorde');
  await ann.locator('input[value=invite]').check({ force: true });
  await until(() => ann.getByLabel('Rated match').isDisabled(), 'a guest can choose a rated match');
  await ann.getByText('Rated matches need an account.').waitFor();
  await claim(ann, 'Ann');
  await ann.getByText('Logged in as Ann').waitFor();
  await ann.getByText('Only this device knows your account so far.').waitFor();
  await until(async () => /^[0-9a-f]{32}$/.test(await secretOf(ann)), 'no secret is kept');
  const bob = await player('Bob');
  await ratedMatch(ann, bob, async () => {
    const eve = await person('Eve');
    await eve.locator('.waiting li', { hasText: 'Ann' }).getByRole('link', { name: 'Account needed' }).click();
    await eve.getByText('You are playing as a guest.').waitFor();
    await eve.context().close();
  });
  await until(async () => await ann.locator('.plate a', { hasText: 'Bob' }).getAttribute('href') === '#/player/Bob', 'the name at the table leads nowhere');
  await acted(await waitForTurn(ann, bob));
  await resign(bob);
  for (const page of [ann, bob]) {
    await page.locator('.rating-changes p', { hasText: /Ann: rating 1500 → 15\d\d\? \(\+\d+\)/ }).waitFor();
    await page.locator('.rating-changes p', { hasText: /Bob: rating 1500 → 14\d\d\? \(−\d+\)/ }).waitFor();
    await page.getByText('Counted 25 %').waitFor();
  }
  await shoot(ann, 'end');
  const [, now, more] = /→ (\d+)\? \(\+(\d+)\)/.exec(await ann.locator('.rating-changes').innerText());
  check(Number(now) === 1500 + Number(more), `the sum is wrong: ${now} and ${more}`);
  await ann.locator('.rating-changes a', { hasText: 'Bob' }).click();
  await ann.waitForURL(/#\/player\/Bob$/);
  await visit(bob, 'player/Ann');
  await bob.locator('.profile-table', { hasText: `rating ${now}, provisional` }).waitFor();
  await bob.getByRole('img', { name: new RegExp(`Rated matches: 1. From ${now}`) }).waitFor();
  await bob.locator('.match-row', { hasText: `rated: ${now} (+${more})` }).waitFor();
  await until(async () => await bob.locator('.match-row').count() === 1, 'not one match in the list');
  await accessible(bob, 'profile');
  await shoot(bob, 'profile');

  await visit(bob, 'replays');
  await bob.locator('.match-row a[href="#/player/Ann"]').waitFor();

  /* Another device, by a link whose secret never goes to the server in an address. */
  const asked = [];
  const tablet = await person('Guest', { viewport: { width: 820, height: 1180 } });
  tablet.on('request', (request) => asked.push(request.url()));
  await visit(ann, 'settings/account');
  await ann.getByRole('button', { name: 'Show link and QR code' }).click();
  const link = await ann.getByRole('textbox', { name: 'Login link' }).inputValue();
  await ann.getByRole('img', { name: 'QR code of the login link' }).waitFor();
  await tablet.goto(link);
  await tablet.getByText('Go on only if you made the link yourself.').waitFor();
  check(!tablet.url().includes(link.split('/').at(-1)), 'the secret is still in the address');
  await tablet.getByRole('button', { name: 'Log in', exact: true }).click();
  await tablet.getByText('Logged in as Ann').waitFor();
  check(asked.every((url) => !url.includes(link.split('/').at(-1))), 'the secret went to the server in an address');
  check(await secretOf(tablet) !== await secretOf(ann), 'two devices have one secret');
  await visit(ann, 'settings');
  await visit(ann, 'settings/account');
  await ann.getByText('Logged in on 2 devices').waitFor();
  await accessible(ann, 'account');
  await shoot(ann, 'account');
  await ann.getByRole('button', { name: 'Log out on all other devices' }).click();
  await ann.getByText('All other devices are logged out').waitFor();
  await visit(tablet, 'settings');
  await visit(tablet, 'settings/account');
  await tablet.getByText('This device was logged out. You are a guest.').waitFor();
  await until(async () => await secretOf(tablet) === null, 'the secret of a device that was logged out is kept');

  /* Deleted: nobody has the name, and opponents have played a deleted player. */
  await ann.getByText('Delete account').click();
  const last = ann.getByRole('button', { name: 'Delete my account' });
  check(await last.isDisabled(), 'an account can be deleted by one click');
  await ann.getByLabel('To confirm, type your name: Ann').fill('Ann');
  await last.click();
  await ann.getByText('Your account is deleted. You are a guest again.').waitFor();
  await until(async () => await secretOf(ann) === null, 'the secret of a deleted account is kept');
  await visit(bob, 'player/Bob');
  await bob.locator('.match-row', { hasText: 'Lost against deleted player' }).waitFor();
  await visit(bob, 'replays');
  await bob.locator('.match-row', { hasText: 'deleted player' }).waitFor();
  check(await bob.locator('.match-row', { hasText: 'Ann' }).count() === 0, 'the list has the name of a deleted account');
  check(await bob.locator('.match-row a', { hasText: 'deleted player' }).count() === 0, 'the name of a deleted account leads somewhere');
  const code = (await (await fetch(`${server.url}/api/archive`)).json()).matches[0].code;
  const file = await (await fetch(`${server.url}/api/match/${code}`)).text();
  check(file.includes('"deleted player"') && !file.includes('"Ann"'), 'the match file has the name of a deleted account');
  check(!(await (await fetch(`${server.url}/picture/${code}.svg`)).text()).includes('Ann ('), 'the picture has the name of a deleted account');
  check(!(await (await fetch(`${server.url}/m/${code}`)).text()).includes('Ann'), 'the preview has the name of a deleted account');
  await bob.locator('.match-row', { hasText: 'deleted player' }).getByRole('button').click();
  await bob.locator('.plate', { hasText: 'deleted player' }).waitFor();
  const uwe = await person('Uwe', { locale: 'de-DE' });
  await visit(uwe, 'replays');
  await uwe.locator('.match-row', { hasText: 'gelöschtes Konto' }).waitFor();
  await uwe.goto(`${server.url}/embed/${code}`);
  await uwe.getByText('gelöschtes Konto').first().waitFor();
  check(await uwe.getByText('Ann', { exact: true }).count() === 0, 'the frame has the name of a deleted account');
  const wrong = await uwe.goto(`${server.url}/m/aaaa-aaaa-aaaa`);
  check(wrong.status() === 404 && await uwe.getByText('Diese Partie gibt es nicht').count() === 1 && await uwe.getByText('There is no such match').count() === 1,
    'a wrong link does not say that there is no such match');
  await visit(bob, 'player/Ann');
  await bob.getByText('No player has this name, or the profile is private.').waitFor();
  clean(ann, bob, tablet, uwe);
}, { short: true });

await test('what is typed wrong is told in words', only, async () => {
  const cem = await player('Cem');
  const dan = await person('Dan');
  for (const [name, words] of [['C3m', null], ['Cém', 'Another player has that name or one that looks like it.'], ['admin', 'That name is reserved.'], ['x', 'A name has 2 to 20 letters'],
    ['Dаn', 'A name has 2 to 20 letters or digits of one script']]) {
    if (words === null) continue;
    await claim(dan, name);
    await alerted(dan, words);
  }
  await until(async () => await dan.locator('input[name=claim]').inputValue() === 'Dаn', 'what was typed is lost');
  await dan.getByText('I already have an account').click();
  const words = dan.getByLabel('Your 8 recovery words');
  const go = dan.getByRole('button', { name: 'Log in', exact: true });
  await words.fill('lusab babad');
  await go.first().click();
  await alerted(dan, 'There are 8 recovery words. You typed 2.');
  await words.fill('lusab babad gutih tugad lusab babad gutih tugax');
  await go.first().click();
  await alerted(dan, '“tugax” is not a recovery word.');
  await words.fill('lusab babad gutih tugad lusab babad gutih tugad');
  await go.first().click();
  await alerted(dan, 'That link, code or list of words is not valid any more.');
  await dan.getByLabel('Name', { exact: true }).last().fill('Cem');
  await dan.getByLabel('Password').fill('wrong-password');
  await go.last().click();
  await alerted(dan, 'That name or password is wrong.');
  await visit(dan, 'login/abc');
  await alerted(dan, 'This login link is not complete.');
  await visit(dan, `login/${'0'.repeat(32)}`);
  await dan.getByRole('button', { name: 'Log in', exact: true }).click();
  await alerted(dan, 'not valid any more');
  await cem.getByLabel('New password').fill('short');
  await cem.getByRole('button', { name: 'Set password' }).click();
  await alerted(cem, 'A password has at least 8 characters.');
  check(await secretOf(dan) === null || (await dan.evaluate(() => JSON.parse(localStorage.getItem('mashup.account')).name)) === '', 'Dan is logged in');
  clean(cem, dan);
}, { short: true });

await test('by words and by password on other devices, in German, by keys', only, async () => {
  const eva = await player('Eva', { locale: 'de-DE' });
  await eva.getByRole('button', { name: 'Wiederherstellungswörter erzeugen' }).press('Enter');
  await eva.locator('.recovery-words li').nth(7).waitFor();
  const words = await eva.locator('.recovery-words li').allInnerTexts();
  check(words.length === 8 && words.every((word) => /^[a-z]{5}$/.test(word)), `the words are ${words}`);
  await shoot(eva, 'words');
  const file = eva.waitForEvent('download');
  await eva.getByRole('button', { name: 'Als Datei speichern' }).click();
  check(readFileSync(await (await file).path(), 'utf8').includes(words.join(' ')), 'the file has other words');
  const two = await person('Zwei', { locale: 'de-DE', viewport: { width: 390, height: 844 } });
  await visit(two, 'settings/account');
  await accessible(two, 'account of a guest');
  await shoot(two, 'guest');
  await two.getByText('Ich habe schon ein Konto').press('Enter');
  await two.getByLabel('Deine 8 Wiederherstellungswörter').fill(`1. ${words.map((word) => word.toUpperCase()).join(',\n ')}`);
  await two.getByRole('button', { name: 'Anmelden', exact: true }).first().press('Enter');
  await two.getByText('Angemeldet als Eva').waitFor();
  await two.getByLabel('Neues Passwort').fill('acht Zeichen oder mehr');
  await two.getByRole('button', { name: 'Passwort festlegen' }).press('Enter');
  await two.getByText('Passwort gespeichert.').waitFor();
  await accessible(two, 'account');
  const three = await person('Drei', { locale: 'de-DE' });
  await visit(three, 'settings/account');
  await three.getByText('Ich habe schon ein Konto').click();
  await three.getByLabel('Name', { exact: true }).last().fill('eva');
  await three.getByLabel('Passwort').fill('acht Zeichen oder mehr');
  await three.keyboard.press('Enter');
  await three.getByText('Angemeldet als Eva').waitFor();
  await three.getByText('Auf 3 Geräten angemeldet').waitFor();
  await three.getByRole('button', { name: 'Passwort entfernen' }).click();
  await three.getByText('Passwort entfernt.').waitFor();
  const data = three.waitForEvent('download');
  await three.getByRole('button', { name: 'Meine Daten herunterladen' }).click();
  const all = JSON.parse(readFileSync(await (await data).path(), 'utf8'));
  check(all.name === 'Eva' && all.keys.length === 4 && all.password === false, `the data is ${JSON.stringify(all)}`);
  await three.getByLabel(/^Privat:/).check();
  const stranger = await person('Fremd', { locale: 'de-DE' });
  await three.getByText('Gespeichert.').waitFor();
  await visit(stranger, 'player/Eva');
  await stranger.getByText('Niemand hat diesen Namen, oder das Profil ist privat.').waitFor();
  await visit(three, 'player/Eva');
  await three.getByText('Privat: Nur du siehst dieses Profil.').waitFor();
  await visit(three, 'settings/account');
  await three.getByRole('button', { name: 'Auf diesem Gerät abmelden' }).click();
  await three.getByText('Du spielst als Gast.').waitFor();
  clean(eva, two, three, stranger);
});

await test('a name is changed once a day, and the last device is not logged out by mistake', only, async () => {
  const fay = await player('Fay');
  await fay.locator('input[name=claim]').fill('Fay Two');
  await fay.getByRole('button', { name: 'Change name' }).click();
  await fay.getByText('Logged in as Fay Two').waitFor();
  await fay.locator('input[name=claim]').fill('Fay Three');
  await fay.getByRole('button', { name: 'Change name' }).click();
  await alerted(fay, 'You can change your name once a day.');
  await fay.getByText('Bots: accounts for programs of yours').click();
  await fay.getByLabel('Name of the bot').fill('Fay Bot');
  await fay.getByRole('button', { name: 'Create bot account' }).click();
  await until(async () => /^[0-9a-f]{32}$/.test(await fay.getByLabel('Its token').inputValue()), 'no token');
  await fay.getByLabel('Name of the bot').fill('Fay Two');
  await fay.getByRole('button', { name: 'Create bot account' }).click();
  await alerted(fay, 'Another player has that name');
  await fay.getByRole('button', { name: 'Log out on this device' }).click();
  await alerted(fay, 'nobody could ever log in to this account again');
  await fay.getByRole('button', { name: 'Cancel' }).click();
  await fay.getByText('Logged in as Fay Two').waitFor();
  /* A link that is not valid costs nobody the account that the device has; a good one does, once it was used. */
  await visit(fay, `login/${'0'.repeat(32)}`);
  await fay.getByText('This device is logged in as Fay Two.').waitFor();
  await fay.getByText('nobody could ever log in').waitFor();
  await fay.getByRole('button', { name: 'Log in', exact: true }).click();
  await alerted(fay, 'not valid any more');
  await visit(fay, 'settings');
  await fay.getByText('You play as Fay Two').waitFor();
  await visit(fay, 'game/zorde');
  await until(async () => await fay.locator('input[name=name]').count() === 0, 'somebody with an account is asked for a name');
  const old = await secretOf(fay);
  const gus = await player('Gus');
  await gus.getByRole('button', { name: 'Show link and QR code' }).click();
  await fay.goto(await gus.getByRole('textbox', { name: 'Login link' }).inputValue());
  await fay.getByRole('button', { name: 'Log in', exact: true }).click();
  await fay.getByText('Logged in as Gus').waitFor();
  await fay.waitForFunction(async (key) => (await fetch('/api/v1/export', { headers: { Authorization: `Bearer ${key}` } })).status === 403, old);
  clean(fay, gus);
});

await test('without the server it says so, and the account is still there when it is back', only, async () => {
  const gil = await player('Gil');
  const hal = await person('Hal');
  await Promise.all([gil, hal].map((page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => null))));
  await server.kill();
  await visit(gil, 'settings');
  await visit(gil, 'settings/account');
  await gil.getByText('Your account is safe').waitFor();
  await visit(hal, 'settings/account');
  await hal.getByText('You can play on this device without an account').waitFor();
  await hal.getByRole('button', { name: 'Create account' }).click();
  await alerted(hal, 'Can\'t reach the server');
  await server.open(...switches);
  await gil.getByRole('button', { name: 'Try again' }).click();
  await gil.getByText('Keep my account').waitFor();
  await hal.getByRole('button', { name: 'Create account' }).click();
  await hal.getByText('Logged in as Hal').waitFor();
});

/** Something that listens for notices, as a chat room or a push service would. */
async function listener() {
  const told = [];
  const hook = createServer((request, response) => {
    const parts = [];
    request.on('data', (bytes) => parts.push(bytes));
    request.on('end', () => { told.push({ url: request.url, encoding: request.headers['content-encoding'], body: Buffer.concat(parts) }); response.statusCode = 201; response.end(); });
  });
  await new Promise((done) => hook.listen(0, '127.0.0.1', done));
  return { told, address: `http://127.0.0.1:${hook.address().port}`, close: () => hook.close() };
}

/** No push service is here: the browser's subscription is made up, with keys that are real. */
const subscribing = (page, address) => page.addInitScript((push) => {
  const base64 = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
  let now = null;
  PushManager.prototype.subscribe = async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    const keys = { p256dh: base64(await crypto.subtle.exportKey('raw', publicKey)), auth: base64(crypto.getRandomValues(new Uint8Array(16))) };
    now = { endpoint: push, toJSON: () => ({ endpoint: push, keys }), unsubscribe: async () => { now = null; return true; } };
    return now;
  };
  PushManager.prototype.getSubscription = async () => now;
}, `${address}/push`);

/** Both are told of their turns at the listener: the page is on its account screen. */
async function tellMe(page, address, who) {
  const hooked = page.getByLabel('Webhook (https address)');
  await hooked.fill(`${address}/hook/${who}`);
  await page.getByRole('button', { name: 'Save webhook' }).click();
  await page.getByRole('button', { name: 'Send a test' }).waitFor();
  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  await page.getByText('Browsers that are notified: 1').waitFor();
}

await test('a match over days: both go, the server is killed, a day passes, and whose turn it is plays on at another device; the other is told', only, async () => {
  const { told, address, close } = await listener();
  const kim = await player('Kim');
  const lea = await player('Lea');
  for (const page of [kim, lea]) {
    await subscribing(page, address);
    await page.reload();
    await visit(page, 'settings/account');
    await tellMe(page, address, page === kim ? 'kim' : 'lea');
  }
  await visit(kim, 'game/zorde');
  await kim.locator('input[value=invite]').check({ force: true });
  await kim.getByLabel('Pace').selectOption('days-3');
  await kim.locator('form button[type=submit]').click();
  await kim.getByText('You can close the page').waitFor();
  await lea.goto(await kim.inputValue('input.link'));
  await lea.getByText('3 days per turn').waitFor();
  await lea.locator('form button[type=submit]').click();
  for (const page of [kim, lea]) await page.waitForSelector('.match[data-number]');
  const code = lea.url().split('/').at(-1);
  const awaited = await waitForTurn(kim, lea);
  await acted(awaited);
  await until(async () => /2 d 23 h/.test(await awaited.locator('.plate.awaited .clock').innerText()), 'the clock does not count days');
  for (const page of [kim, lea]) await page.getByRole('link', { name: 'Mashup', exact: true }).or(page.getByRole('button', { name: 'Menu' })).first().waitFor();
  for (const page of [kim, lea]) await visit(page, 'mine');
  await kim.getByText('Matches over days').waitFor();
  await lea.getByText('Matches over days').waitFor();
  const mine = await Promise.any([kim, lea].map((page) => page.getByText('Your turn:', { exact: true }).waitFor().then(() => page)));
  const other = mine === kim ? lea : kim;
  await other.getByText('Waiting:', { exact: true }).waitFor();
  await mine.getByText('2 days left').waitFor();
  await mine.getByRole('link', { name: 'My matches 1 waiting for your turn' }).waitFor();
  await accessible(mine, 'my matches');
  await shoot(mine, 'days');
  await visit(mine, 'settings/account');
  await mine.getByRole('button', { name: 'Start vacation' }).click();
  await mine.getByText('You are on vacation. Days left: 1.').waitFor();
  await mine.getByRole('button', { name: 'End vacation' }).click();
  await mine.getByRole('button', { name: 'Start vacation' }).waitFor();
  await mine.getByRole('button', { name: 'Show link and QR code' }).click();
  const tablet = await person('Guest');
  await tablet.goto(await mine.getByRole('textbox', { name: 'Login link' }).inputValue());
  await tablet.getByRole('button', { name: 'Log in', exact: true }).click();
  await tablet.getByText('Logged in as').waitFor();
  clean(kim, lea, tablet);
  for (const page of [kim, lea]) await page.context().close();
  await server.kill();
  writeFileSync(clock, String(86400));
  told.length = 0;
  await server.open(...switches);
  await tablet.clock.setSystemTime(Date.now() + 86400_000);
  await visit(tablet, 'mine');
  await tablet.getByText('47 hours left').waitFor();
  tablet.errors.length = 0; /* while the server was gone */
  await visit(tablet, '');
  await tablet.getByRole('link', { name: /^Play: Zorde/ }).click();
  await tablet.waitForURL(new RegExp(code));
  await tablet.waitForSelector('.match[data-number]');
  /* An order takes several steps: until it is the other's turn, who is told, as nobody is there. */
  for (let step = 0; step < 9 && (await tablet.locator('.turn-words.mine').count()) > 0; step++) await acted(await waitForTurn(tablet));
  const heard = (url) => told.find((one) => one.url === url);
  const them = other === kim ? 'kim' : 'lea';
  await until(() => heard(`/hook/${them}`) && heard('/push'), () => `told ${told.map(({ url }) => url)}`);
  const plain = JSON.parse(heard(`/hook/${them}`)?.body.toString() ?? '{}');
  check(plain.event === 'turn' && plain.code === code && plain.game === 'zorde' && plain.deadline_ms > Date.now() + 3 * 86400_000, `the webhook heard ${JSON.stringify(plain)}`);
  check(Object.keys(plain).sort().join() === 'code,content,deadline_ms,event,game,opponent,text', `more than a notice may have: ${Object.keys(plain)}`);
  check(heard('/push')?.encoding === 'aes128gcm' && !heard('/push').body.includes(code), 'the push is not encrypted, or did not come');
  check(told.length === 2, `told ${told.map(({ url }) => url)}`);
  clean(tablet);
  close();
});

await test('being told of turns: a webhook and this browser, with a test of both', only, async () => {
  const { told, address, close } = await listener();
  const mia = await player('Mia');
  await subscribing(mia, address);
  await mia.reload();
  const hooked = mia.getByLabel('Webhook (https address)');
  await hooked.fill('ftp://example.org/');
  await mia.getByRole('button', { name: 'Save webhook' }).click();
  await alerted(mia, 'it must begin with https://');
  await tellMe(mia, address, 'mia');
  await accessible(mia, 'account with notices');
  await shoot(mia, 'notices');
  await mia.getByRole('button', { name: 'Send a test' }).click();
  await mia.getByText('Sent.').waitFor();
  await until(() => told.length >= 2, () => `told ${told.map(({ url }) => url)}`);
  const plain = told.find(({ url }) => url === '/hook/mia');
  const sealed = told.find(({ url }) => url === '/push');
  check(JSON.parse(plain?.body.toString() ?? '{}').event === 'test', `the webhook heard ${told.map(({ url, body }) => `${url} ${body}`)}`);
  check(sealed?.encoding === 'aes128gcm' && !sealed.body.includes('test'), 'the push is not encrypted, or did not come');
  await mia.getByRole('button', { name: 'Stop notifying this browser' }).click();
  await mia.getByText('Browsers that are notified: 0').waitFor();
  await hooked.fill('');
  await mia.getByRole('button', { name: 'Save webhook' }).click();
  await mia.getByRole('button', { name: 'Send a test' }).waitFor({ state: 'detached' });
  clean(mia);
  close();
});

/** Clicks a cell of a board of 9 by 9, which the second side sees from its own side. */
async function clickCell(page, x, y) {
  const point = await page.evaluate(([column, row]) => {
    const stage = document.querySelector('.board-host .stage');
    const box = stage.getBoundingClientRect();
    const size = Number.parseFloat(stage.style.getPropertyValue('--cell'));
    const [left, top] = stage.querySelector('.stage-world').style.transform.match(/-?[\d.]+/g).map(Number);
    const turned = stage.classList.contains('turned');
    return { x: box.left + left + ((turned ? 8 - column : column) + 0.5) * size, y: box.top + top + ((turned ? 8 - row : row) + 0.5) * size };
  }, [x, y]);
  await page.mouse.click(point.x, point.y);
}

/** Somebody without a page, who has an account and tells the newest position. */
async function program(name, key) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/arena`);
  const heard = [];
  socket.on('message', (bytes) => heard.push(JSON.parse(bytes)));
  await new Promise((done) => socket.once('open', done));
  const expect = async (type) => {
    for (;;) {
      const at = heard.findIndex((message) => message.type === type);
      if (at >= 0) return heard.splice(0, at + 1).at(-1);
      await new Promise((done) => socket.once('message', done));
    }
  };
  const send = (message) => socket.send(JSON.stringify(message));
  send({ type: 'hello', name, role: 'person' });
  send({ type: 'claim', key, name });
  await expect('account');
  return { send, expect, close: () => socket.close() };
}

await test('a turn is left with the server, with a condition and without, and is done while nobody is there', only, async () => {
  const uma = await program('Uma', '0123456789abcdef0123456789abcdef');
  uma.send({ type: 'open', game: 'tablut', seat: 0, days: 3 });
  const { code } = await uma.expect('table');
  const vic = await player('Vic');
  await vic.evaluate(() => localStorage.setItem('mashup.lesson.tablut', '1'));
  await vic.goto(`${server.url}/#/join/${code}/tablut`);
  await vic.locator('form button[type=submit]').click();
  await vic.waitForSelector('.board-host .token');
  const { board, number } = await uma.expect('position');
  const lines = (what) => vic.locator(`[data-prepared${what}]`);
  await clickCell(vic, 4, 2);
  await clickCell(vic, 5, 2);
  await vic.getByText('Leave it with the server').waitFor();
  await vic.getByRole('button', { name: 'Only if …' }).click();
  await vic.locator('.hint').getByText('Only if your opponent does what?').waitFor();
  await clickCell(vic, 0, 3);
  await vic.locator('.hint').getByText('Now select the cell').waitFor();
  await clickCell(vic, 2, 3);
  await lines('="when"').getByText('Only if Muscovite').waitFor();
  await shoot(vic, 'prepared-condition');
  await vic.getByRole('button', { name: 'Keep on the server' }).click();
  await lines('="kept-0"').getByText(/^If Muscovite.* → 2,3: Swede.* → 5,2/).waitFor();
  await clickCell(vic, 4, 2);
  await clickCell(vic, 6, 2);
  await vic.getByRole('button', { name: 'Keep on the server' }).click();
  await lines('="kept-1"').getByText(/^Otherwise: Swede.* → 6,2/).waitFor();
  await accessible(vic, 'turns at the server');
  await shoot(vic, 'prepared-kept');
  await vic.reload();
  await lines('="kept-1"').waitFor();
  await lines('="kept-1"').click();
  await lines('="kept-1"').waitFor({ state: 'detached' });
  await visit(vic, '');
  await vic.getByRole('link', { name: /^My matches/ }).first().waitFor();
  const { name } = board.tokens.find(({ x, y, place }) => place === 'board' && x === 0 && y === 3);
  uma.send({ type: 'act', position: number, word: `move ${name} 2 3` });
  for (let at = number; at < number + 2;) at = (await uma.expect('position')).number;
  await vic.goto(`${server.url}/#/table/${code}`);
  await vic.getByText('Your prepared turn was carried out.').waitFor();
  await until(async () => await lines('="kept-0"').count() === 0, 'what was done is still kept');
  uma.close();
  clean(vic);
});

await test('people: a challenge by name, following, blocking, and a report about a match', only, async () => {
  const ned = await player('Ned');
  const ola = await player('Ola');
  await visit(ned, 'player/Ola');
  await ned.getByRole('button', { name: 'Follow' }).click();
  await ned.getByRole('button', { name: 'Stop following' }).waitFor();
  await ned.getByText('Challenge Ola').click();
  await ned.getByLabel('Game').first().selectOption('zorde');
  await accessible(ned, 'profile of another player');
  await shoot(ned, 'challenge');
  await ned.getByRole('button', { name: 'Send challenge' }).click();
  await ned.getByText('Waiting for an opponent').first().waitFor();
  await visit(ola, 'mine');
  await ola.getByText('You are challenged by').waitFor();
  await accessible(ola, 'challenges');
  await visit(ola, '');
  await ola.getByText('You are challenged by').waitFor();
  await ola.getByRole('button', { name: 'Accept' }).click();
  for (const page of [ned, ola]) await page.waitForSelector('.match[data-number]');
  await acted(await waitForTurn(ned, ola));
  await resign(ola);
  await ola.locator('.rating-changes p').first().waitFor();
  await visit(ola, 'player/Ola');
  await ola.getByRole('button', { name: 'Report the match against Ned' }).click();
  await ola.getByLabel('What was wrong?').fill('A test of reports.');
  await ola.getByRole('button', { name: 'Send report' }).click();
  await ola.getByText('Reported. Thank you.').waitFor();
  await visit(ola, 'player/Ned');
  await ola.getByRole('button', { name: 'Block', exact: true }).click();
  await ola.getByText('You block this player').waitFor();
  await until(async () => await ola.getByText('Challenge Ned').count() === 0, 'somebody who is blocked can be challenged');
  await visit(ned, 'player/Ola');
  await ned.getByText('Challenge Ola').click();
  await ned.getByRole('button', { name: 'Send challenge' }).click();
  await ned.locator('.notice.bad').first().waitFor();
  await ola.getByRole('button', { name: 'Unblock' }).click();
  await ola.getByText('Challenge Ned').waitFor();
  clean(ned, ola);
});

await test('at the table: phrases only, report with one click, mute and block from the menu', only, async () => {
  const pia = await player('Pia');
  const quin = await player('Quin', { locale: 'de-DE' });
  await visit(pia, 'game/zorde');
  await pia.locator('input[value=invite]').check({ force: true });
  await pia.getByLabel('Phrases only: no free text in the chat').check();
  await shoot(pia, 'setup');
  await pia.locator('form button[type=submit]').click();
  await pia.getByText('Phrases only: no free text').waitFor();
  await quin.goto(await pia.inputValue('input.link'));
  await quin.getByText('Nur fertige Sätze').waitFor();
  await accessible(quin, 'invitation');
  await shoot(quin, 'invitation');
  await quin.locator('form button[type=submit]').click();
  for (const page of [pia, quin]) await page.waitForSelector('.match[data-number]');
  await pia.locator('.tab-chat').click();
  await until(async () => await pia.locator('#chat-line').count() === 0, 'free text where only phrases are said');
  await shoot(pia, 'phrases');
  await pia.getByLabel('Quick phrases').selectOption('hello');
  await quin.locator('.tab-chat').click();
  await quin.locator('.talk li', { hasText: 'Hallo' }).waitFor();
  await quin.getByLabel('Kurze Sätze').selectOption('hello');
  await pia.locator('.talk li', { hasText: 'Quin' }).waitFor();

  await pia.getByRole('button', { name: 'Menu' }).click();
  await pia.getByRole('button', { name: 'Report, mute or block' }).click();
  const box = pia.getByRole('dialog', { name: 'Report, mute or block' });
  await box.getByRole('button', { name: 'Block', exact: true }).waitFor();
  await accessible(pia, 'report');
  await shoot(pia, 'conduct');
  await box.getByRole('button', { name: 'Insults' }).click();
  await box.getByText('Reported. Thank you.').waitFor();
  const told = execFileSync('build/mashup', ['admin', 'reports', '--data', server.data], { encoding: 'utf8' });
  check(/insults: Quin/.test(told), `the operators read ${told}`);
  await box.getByLabel('Mute others').check();
  await box.getByRole('button', { name: 'Block', exact: true }).click();
  await box.getByText('You block this player').waitFor();
  await box.getByRole('button', { name: 'Close' }).click();
  await pia.locator('.talk li', { hasText: 'Quin' }).waitFor({ state: 'detached' });

  await quin.getByRole('button', { name: 'Menü' }).click();
  await quin.getByRole('button', { name: 'Melden, stummschalten, blockieren' }).press('Enter');
  const german = quin.getByRole('dialog', { name: 'Melden' });
  await german.getByRole('button', { name: 'Blockieren', exact: true }).waitFor();
  await shoot(quin, 'conduct-de');
  await german.getByLabel('Etwas anderes').fill('ü'.repeat(200));
  await quin.keyboard.press('Enter');
  await german.getByText('Gemeldet. Danke.').waitFor();
  clean(pia, quin);
}, { short: true });

await test('leaderboards by game and pace, people and programs apart', only, async () => {
  const ivy = await person('Ivy');
  await ivy.getByRole('link', { name: 'Leaderboard' }).first().click();
  await ivy.getByText('Nobody is listed here yet.').waitFor();
  await ivy.getByLabel('Game').selectOption('tablut');
  await ivy.getByLabel('Pace').selectOption('blitz');
  await ivy.waitForURL(/#\/leaders\/tablut\/blitz$/);
  await ivy.getByLabel('Players').selectOption('1');
  await accessible(ivy, 'leaderboard');
  await shoot(ivy, 'leaders');
  clean(ivy);
});

await test('the longest names and many ratings fit on a phone', only, async () => {
  const name = 'M'.repeat(20);
  const ivy = await person('Ivy', { viewport: { width: 390, height: 844 } });
  const answers = {
    '': { name, program: false, private: false, since_ms: 1, left: 12, ratings: ['zorde', 'generals'].map((game) => ({ game, pace: 'relaxed', rating: 1512, deviation: 60, provisional: true,
      rated: 1234, wins: 600, draws: 34, losses: 600, streak: -12, best_streak: 23 })) },
    '/matches': { matches: [{ code: 'k7qf-2m9x-w3ab', game: 'generals', pace: 'relaxed', ended_ms: 1, seat: 0, result: 'won', rated: true, weight: 100, rating: 1512, change: 12, opponent: name,
      opponent_account: true }] },
    '/openings': { openings: [{ opening: 'step h0 0 3', wins: 100, draws: 20, losses: 300 }] },
    '/ratings': { points: [[1, 1500], [2, 1512]] },
  };
  await ivy.route(`**/api/v1/players/${name}*/**`, (route) => route.fulfill({ json: answers[`/${new URL(route.request().url()).pathname.split('/').at(-1)}`] }));
  await ivy.route(`**/api/v1/players/${name}`, (route) => route.fulfill({ json: answers[''] }));
  await visit(ivy, `player/${name}`);
  await ivy.locator('.match-row a', { hasText: name }).waitFor();
  await ivy.getByText('Best streak: 23').first().waitFor();
  const over = await ivy.evaluate(() => [document.documentElement, ...[...document.querySelectorAll('.profile-table')].map((table) => table.parentElement)].map((box) => box.scrollWidth - box.clientWidth));
  check(over.every((pixels) => pixels <= 0), `too wide by ${over} pixels`);
  await shoot(ivy, 'long');
  await ivy.context().close();
});

await browser.close();
await server.close();
process.exit(summary());
