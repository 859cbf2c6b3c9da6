// shots.mjs -- pictures of the main screens at the sizes of a desk, a tablet and a phone, for README.md and docs/page.md, as WebP.
// Luck is the same each time, so that only what was changed looks different.
// Usage: node web/tests/shots.mjs [FOLDER]   (left out: docs/pictures; build/mashup must be there)
import { mkdirSync, writeFileSync } from 'node:fs';
import { playByMouse, startMatch } from './player.mjs';
import { TestServer, newPerson, openBrowser } from './server.mjs';
import { quiet } from './steps.mjs';

const folder = process.argv[2] ?? 'docs/pictures';
const SIZES = { desk: { width: 1440, height: 900 }, tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } };
const QUALITY = 0.8;
mkdirSync(folder, { recursive: true });
const server = await new TestServer().open();
const browser = await openBrowser();
/** A page beside the others, in which pictures are written as WebP. */
const studio = await newPerson(browser, null);

/** Takes a picture of what is seen. */
async function shot(page, name) {
  await quiet(page);
  const png = (await page.screenshot()).toString('base64');
  const url = await studio.evaluate(async ([data, quality]) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', quality);
  }, [png, QUALITY]);
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(url.split(',')[1], 'base64'));
}

/** Goes to an address and waits for something. */
async function go(page, hash, wanted) {
  await page.goto(`${server.url}/#/${hash}`);
  await page.waitForSelector(wanted);
}

try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const page = await newPerson(browser, server, { viewport, deviceScaleFactor: 1 });
    await page.addInitScript(() => {
      crypto.getRandomValues = (list) => list.fill(7);
    });
    await page.reload();
    await page.waitForSelector('.games li');
    await shot(page, `start-${size}`);
    await go(page, 'game/marvelous-mashup', 'form fieldset.modes');
    await shot(page, `setup-${size}`);
    await go(page, 'rules/zorde', '.kinds li');
    await page.locator('.guide-figure').nth(1).scrollIntoViewIfNeeded();
    await page.locator('.guide-figure').nth(1).locator('.token').first().waitFor({ state: 'attached' });
    await shot(page, `rules-${size}`);
    await go(page, 'learn/tablut', '.coach');
    await shot(page, `lesson-${size}`);
    await go(page, 'editor', '[data-kind=scenario]');
    await page.locator('[data-kind=scenario]').click();
    await page.locator('.problems.good[aria-busy="false"]').waitFor();
    await shot(page, `editor-${size}`);
    await startMatch(page, server, 'marvelous-mashup', { mode: 'ai', seat: 0, level: 3 }, '.offer');
    await shot(page, `draft-${size}`);
    await playByMouse(page, { lines: 24 });
    await page.waitForSelector('.turn-words.mine');
    await shot(page, `match-${size}`);
    if (page.errors.length) console.log(size, page.errors);
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.close();
}
