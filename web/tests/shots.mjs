// shots.mjs -- pictures of the screens around a match, at the size of a desk and of a phone: node web/tests/shots.mjs FOLDER
import { mkdirSync } from 'node:fs';
import { TestServer, newPerson, openBrowser } from './server.mjs';

const folder = process.argv[2] ?? 'build/shots';
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
mkdirSync(folder, { recursive: true });
const server = await new TestServer().open();
const browser = await openBrowser();
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await newPerson(browser, server, { viewport, deviceScaleFactor: 1 });
    const shot = (name) => page.screenshot({ path: `${folder}/${name}-${size}.png` });
    await page.waitForSelector('.games li');
    await shot('start');
    for (const [name, hash, wait] of [['setup', '#/game/marvelous-mashup', 'form'], ['settings', '#/settings', 'select'], ['about', '#/about', 'h2'],
      ['watch', '#/watch', 'form'], ['replays', '#/replays', '.drop'], ['join', '#/join/abcd-efgh-jkmn', 'form']]) {
      await page.goto(`${server.url}/${hash}`);
      await page.waitForSelector(wait);
      await page.waitForTimeout(200);
      await shot(name);
    }
    await page.goto(`${server.url}/#/game/zorde`);
    await page.check('input[value=invite]', { force: true });
    await page.click('button[type=submit]');
    await page.waitForSelector('.qr');
    await shot('waiting');
    await page.evaluate(() => { localStorage.setItem('mashup.theme', '"dark"'); });
    await page.goto(`${server.url}/#/`);
    await page.reload();
    await page.waitForSelector('.games li');
    await shot('start-dark');
    await page.goto(`${server.url}/#/game/zorde`);
    await page.waitForSelector('form');
    await page.waitForTimeout(200);
    await shot('setup-dark');
    if (page.errors.length) console.log(size, page.errors);
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
}
