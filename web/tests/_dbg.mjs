import { House, newPerson, openBrowser } from './house.mjs';
import { playByMouse, playByKeys, startMatch } from './player.mjs';
const [game, preset, seconds, haste, how] = process.argv.slice(2);
const house = await new House().open(); const browser = await openBrowser();
const page = await newPerson(browser, house);
await startMatch(page, house, game, { preset });
const t0 = Date.now();
try { const n = await (how === 'keys' ? playByKeys : playByMouse)(page, { seed: 7, haste: +haste, seconds: +seconds }); console.log('done', n, (Date.now() - t0) / 1000); } catch (e) { console.log(e.message.slice(0, 300)); }
await page.waitForTimeout(600);
await page.screenshot({ path: `/tmp/pm/shots/dbg-${game}.png` });
console.log((await page.locator('.log').innerText().catch(() => '')).split('\n').slice(-12).join('\n'));
console.log(page.errors.slice(0, 3));
await browser.close(); await house.close();
