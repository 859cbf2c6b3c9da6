// leavers.mjs -- the other player does not come back: the one who waits wins, has a draw, plays on against the computer, or waits on; who
// comes back too late is told so and watches.
// Usage: node web/tests/leavers.mjs [part of a test's name]
import { TestServer, check, newPerson, openBrowser, summary, test } from './server.mjs';

const only = process.argv[2];
const browser = await openBrowser();
const server = await new TestServer().open('--grace-seconds', '2');

/** Ann and Bob at a table, and Bob goes. */
async function left(more = {}) {
  const people = [];
  for (const name of ['Ann', 'Bob']) {
    const page = await newPerson(browser, null, { name, ...more });
    await page.addInitScript(() => localStorage.setItem('mashup.lesson.zorde', '1'));
    people.push(page);
  }
  const [ann, bob] = people;
  await ann.goto(`${server.url}/#/game/zorde`);
  await ann.locator('input[value=invite]').check({ force: true });
  await ann.locator('form button[type=submit]').click();
  await bob.goto(await ann.inputValue('input.link'));
  await bob.locator('form button[type=submit]').click();
  for (const page of people) await page.waitForSelector('.match[data-number]');
  const table = bob.url();
  await bob.goto(`${server.url}/icon.svg`);
  const box = ann.getByRole('dialog', { name: /Bob (has not come back|ist nicht zurückgekommen)/ });
  await box.waitFor();
  return { ann, bob, box, table };
}

for (const [name, button, words] of [['win', 'Take the win', /Victory|You won/], ['draw', 'Call it a draw', /draw/i]])
  await test(`the one who waits may have a ${name}`, only, async () => {
    const { ann, box } = await left();
    await box.getByRole('button', { name: button }).click();
    await ann.getByRole('dialog', { name: words }).waitFor();
    check(ann.errors.length === 0, ann.errors.join('; '));
  }, { short: name === 'draw' });

await test('by keys: waits on, then plays on against the computer; who comes back watches', only, async () => {
  const { ann, bob, box, table } = await left();
  await ann.keyboard.press('Escape');
  check(await box.count() === 0, 'Esc does not close the box');
  await ann.locator('[data-notice=leaver]').getByRole('button').press('Enter');
  const on = box.getByRole('button', { name: 'Play on against the computer (level 5)' });
  await on.focus();
  await ann.keyboard.press('Enter');
  await ann.locator('.plate.seat-1, .plate.seat-0', { hasText: 'Computer 5' }).waitFor();
  check(await box.count() === 0, 'the box is still there');
  await bob.goto(table);
  await bob.locator('.match[data-you=""]').waitFor();
  await bob.getByText('an AI player has taken your seat').waitFor();
  check(ann.errors.length + bob.errors.length === 0, [...ann.errors, ...bob.errors].join('; '));
}, { short: true });

await test('who comes back in time takes the choice away', only, async () => {
  const { ann, bob, box, table } = await left({ locale: 'de-DE', colorScheme: 'dark', viewport: { width: 390, height: 844 } });
  if (process.env.SHOTS) await ann.screenshot({ path: `${process.env.SHOTS}/leaver-phone.png` });
  check(await box.getByRole('button', { name: 'Weiter warten' }).count() === 1, 'no German words');
  await bob.goto(table);
  await bob.locator('.match[data-you="1"], .match[data-you="0"]').waitFor();
  await box.waitFor({ state: 'detached' });
}, { short: true });

await browser.close();
await server.close();
process.exit(summary());
