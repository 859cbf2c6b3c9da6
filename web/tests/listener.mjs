// listener.mjs -- somebody who neither sees nor points, for tests: knows things by their roles and names, presses keys, and hears what the live
// regions say. No class and no selector of styles is used.
import { check, newPerson, slow } from './server.mjs';
import { axe } from './steps.mjs';

/** What the walks go through, by the test that does it; docs/page.md has a table of it. */
export const WALKED = {
  blind: ['lobby', 'assemble', 'board', 'questions', 'turns', 'prepare', 'chat', 'resign', 'rematch', 'replay'],
  rooms: ['lists', 'settings', 'accounts', 'rules', 'lesson', 'puzzle', 'report', 'notes', 'editor', 'tournament'],
};

/** Somebody at a keyboard, who hears. */
export class Person {
  constructor(page) {
    this.page = page;
  }

  static async come(browser, url, name, game) {
    const page = await newPerson(browser, null, { name });
    await page.addInitScript((id) => {
      localStorage.setItem(`mashup.lesson.${id}`, '1');
      watchFocus();
      /* Notes every element that is taken away, or that can no longer have the keyboard, while it has it; of boxes that are closed and of
       * another screen that is gone to it is expected. */
      function watchFocus() {
        globalThis.lostFocus = [];
        let held = null;
        document.addEventListener('focusin', ({ target }) => { held = target; }, true);
        document.addEventListener('focusout', ({ target, relatedTarget }) => { if (relatedTarget && target.isConnected) held = null; }, true);
        new MutationObserver(() => {
          if (!held || held.closest('dialog')) return;
          if (!held.isConnected || held.disabled) globalThis.lostFocus.push(held.getAttribute('aria-label') ?? held.textContent);
          if (!held.isConnected || held.disabled) held = null;
        }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
      }
    }, game);
    await page.goto(url);
    return new Person(page);
  }

  /** What has a role and a name; it must be reached with Tab, too. */
  async find(role, name, more = {}) {
    const found = this.page.getByRole(role, { name, ...more }).first();
    await found.waitFor();
    check(await found.evaluate((element) => element.tabIndex >= 0), `${role} ${name} is not reached by Tab`);
    return found;
  }

  /** Goes there and presses a key. */
  async use(role, name, key = 'Enter', more = {}) {
    await (await this.find(role, name, more)).press(key);
  }

  async has(role, name) {
    return (await this.page.getByRole(role, { name }).count()) > 0;
  }

  /** Goes to the first of these buttons that is there and can be pressed; its name, null: none is. */
  async firstOf(names) {
    for (const name of names) {
      const found = this.page.getByRole('button', { name, disabled: false }).first();
      if (!(await found.count())) continue;
      const focused = await found.focus({ timeout: 1000 * slow }).then(() => true, () => false);
      if (focused) return String(name);
    }
    return null;
  }

  /** What was said last; urgent: by the urgent region. */
  async heard(urgent = false) {
    const region = this.page.getByRole('status', { name: urgent ? 'Urgent announcements' : 'Announcements', exact: true });
    return (await region.textContent()).trim();
  }

  /** Waits until something like this is said. */
  async hears(like, urgent = false) {
    const region = this.page.getByRole('status', { name: urgent ? 'Urgent announcements' : 'Announcements', exact: true });
    await region.filter({ hasText: like }).waitFor({ state: 'attached' });
    return this.heard(urgent);
  }

  /** Does something and waits until the polite region says something new that is like this; null: it does not. */
  async told(like, act) {
    const region = await this.page.getByRole('status', { name: 'Announcements', exact: true }).elementHandle();
    const before = await region.textContent();
    await act();
    const said = ([element, was, source, flags]) => element.textContent !== was && new RegExp(source, flags).test(element.textContent.trim());
    return this.page.waitForFunction(said, [region, before, like.source, like.flags], { timeout: 3000 * slow }).then(() => this.heard(), () => null);
  }

  /** Waits until any region that is read out by itself says something like this; it. */
  async announced(like) {
    const region = this.page.getByRole('status').or(this.page.getByRole('alert')).filter({ hasText: like }).first();
    await region.waitFor({ state: 'attached' });
    return (await region.textContent()).trim();
  }

  /** Chooses in a list by the arrow keys. */
  async choose(name, option) {
    const field = await this.find('combobox', name);
    const now = () => field.evaluate((list) => list.selectedOptions[0].textContent);
    const wanted = (await field.getByRole('option').allTextContents()).indexOf(option);
    check(wanted >= 0, `${name} has no ${option}`);
    await field.press('Home');
    for (let at = 0; at < wanted; at++) await field.press('ArrowDown');
    check((await now()) === option, `${name} is ${await now()} and not ${option}`);
  }

  /** Puts a text in the place of what is in a field. */
  async write(name, text) {
    const field = await this.find('textbox', name);
    await field.press('Control+A');
    await field.pressSequentially(text);
  }

  /** A screen with this headline. */
  async at(name) {
    await this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  /** Asks with a key; the answer is like this. What happens meanwhile may be said over it: then it is asked again. */
  async asks(key, like) {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.told(like, () => this.page.keyboard.press(key));
      if (answer !== null) return answer;
    }
    throw new Error(`the key ${key} says “${await this.heard()}” and not ${like}; the keyboard is on “${(await this.focused()).slice(0, 80)}”`);
  }

  /** Types a question; the answer if it is like this. */
  answer(line, like) {
    return this.told(like, async () => {
      await this.page.keyboard.press('/');
      const field = this.page.getByRole('textbox', { name: 'Type an action' });
      await field.fill(line);
      await field.press('Enter');
      await field.press('Escape');
    });
  }

  /** Types a question; the answer is like this. */
  async types(line, like) {
    for (let tries = 0; tries < 5; tries++) if ((await this.answer(line, like)) !== null) return;
    throw new Error(`“${line}” is answered “${await this.heard()}” and not ${like}`);
  }

  /** The name of what has the keyboard. */
  focused() {
    return this.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  }

  /** Is it their turn? */
  async mine() {
    return /^(Your turn|Match over)/.test(await this.asks('t', /turn|over/i));
  }

  /** Nothing was taken from under the keyboard. */
  async kept(where) {
    const lost = await this.page.evaluate(() => globalThis.lostFocus.splice(0));
    check(lost.length === 0, `${where}: the keyboard was on what is gone now: ${lost.join('; ')}`);
  }

  /** The keyboard is on something, after all that went away. */
  async somewhere(where) {
    await this.page.waitForFunction(() => document.activeElement !== document.body).catch(() => {
      throw new Error(`${where}: the keyboard is nowhere`);
    });
    await this.page.evaluate(() => globalThis.lostFocus.splice(0));
  }

  /** Nothing that axe knows is wrong; the short form looks at the match alone. */
  async clean(where) {
    if (process.env.SHORT && where !== 'the match') return;
    const found = await axe(this.page);
    check(found.length === 0, `${where}: ${found.join('\n')}`);
  }
}
