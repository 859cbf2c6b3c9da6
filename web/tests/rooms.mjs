// rooms.mjs -- somebody who neither sees nor points (listener.mjs) goes through the rooms beside the match: lists, settings, account, rules, a lesson,
// a puzzle, a report, notes, an editor, a tournament; with axe on each. blind.mjs plays the matches.
// Usage: node web/tests/rooms.mjs [part of a test's name]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Person, WALKED } from './listener.mjs';
import { TestServer, check, openBrowser, summary, test, until } from './server.mjs';

const GAME = 'zorde';
const only = process.argv[2];
const server = await new TestServer().open();
const browser = await openBrowser();
const { puzzles } = JSON.parse(readFileSync(`games/${GAME}/puzzles.json`, 'utf8'));

/** Somebody at this address. */
const come = (address = '', name = 'Ann') => Person.come(browser, `${server.url}/${address}`, name, GAME);

/** Opens a file as the system's own box would give it. */
async function openFile(person, label, file) {
  const [chooser] = await Promise.all([person.page.waitForEvent('filechooser'), person.page.getByLabel(label).press('Enter')]);
  await chooser.setFiles(file);
}

/** The file of a match between two programs. */
function playedMatch() {
  const folder = mkdtempSync(join(tmpdir(), 'mashup-rooms-'));
  execFileSync('build/mashup', ['league', GAME, '--players', 'level2,level4', '--pairs', '1', '--save', folder], { stdio: 'ignore' });
  const buffer = readFileSync(join(folder, readdirSync(folder).sort()[0]));
  rmSync(folder, { recursive: true });
  return { name: `${GAME}.match.json`, mimeType: 'application/json', buffer };
}

/** A replay of such a match. */
async function replaying() {
  const person = await come('#/replays');
  await person.at('Replays');
  await openFile(person, 'Choose a file', playedMatch());
  await person.find('slider', /^Action 0 of \d+/);
  return person;
}

/** Is the keyboard on a cell of the board? */
const onBoard = (person) => until(async () => /^\d+,\d+: /.test(await person.focused()), async () => `the board says “${await person.focused()}”`);

/** Every step of WALKED.rooms. */
const rooms = {
  async lists() {
    execFileSync('build/mashup', ['bot', `127.0.0.1:${server.port}`, '--game', GAME, '--seats', '2', '--pairs', '--level', '1', '--name', 'Bot']);
    const ann = await come();
    for (const [link, title] of [['Watch', /./], ['My matches', 'My matches'], ['Leaderboard', /./], ['Replays', 'Replays']]) {
      await ann.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link }).press('Enter');
      await ann.at(title);
      await ann.clean(link);
    }
    await ann.use('button', /^Watch: Bot/);
    await ann.find('slider', /^Action 0 of \d+/);
    return ann;
  },

  async settings() {
    const ann = await come('#/settings');
    await ann.at('Settings');
    await ann.clean('the settings');
    await ann.choose('Read out by screen readers', 'everything');
    const tips = await ann.find('checkbox', 'Tips during matches');
    const before = await tips.isChecked();
    await tips.press('Space');
    await ann.page.reload();
    await ann.at('Settings');
    check((await (await ann.find('checkbox', 'Tips during matches')).isChecked()) !== before, 'the switch was not kept');
    check((await (await ann.find('combobox', 'Read out by screen readers')).inputValue()) === 'all', 'the list was not kept');
    await ann.use('combobox', 'Language', 'ArrowDown');
    await ann.at('Einstellungen');
    return ann;
  },

  async accounts() {
    const ann = await come('#/settings/account');
    await ann.at('Account');
    await ann.clean('a guest');
    await ann.write(/^Name/, 'Ann Listens');
    await ann.use('button', 'Create account');
    await ann.page.getByRole('heading', { name: 'Keep my account' }).waitFor();
    await ann.clean('the account');
    await ann.use('button', 'Make recovery words');
    await ann.announced(/Write these 8 words down/);
    check((await ann.page.getByRole('region', { name: 'Recovery words' }).getByRole('listitem').count()) === 8, 'eight words are read out');
    await ann.use('link', 'My profile');
    await ann.at(/Ann Listens/);
    await ann.clean('the profile');
    return ann;
  },

  async rules() {
    const ann = await come(`#/game/${GAME}`);
    await ann.use('link', 'Rules');
    await ann.at(/^Rules/);
    await ann.page.getByRole('img', { name: /\w+.*\d+,\d+/ }).first().waitFor({ state: 'attached' });
    await ann.clean('the rules');
    await ann.use('link', 'Complete rules');
    await ann.page.getByText('[1.1]').or(ann.page.getByText('1.1')).first().waitFor();
    return ann;
  },

  /** The text of each step says which keys do what it asks for. */
  async lesson() {
    const ann = await come(`#/learn/${GAME}`);
    const said = () => ann.page.getByRole('status').filter({ hasText: /^\d*\/?\d*Step \d+ of \d+|Step \d+ of \d+/ }).first().textContent();
    await ann.announced(/Step 1 of/);
    await ann.clean('a lesson');
    for (let tries = 0; !(await ann.has('button', /^Play a real match/)); tries++) {
      check(tries < 120, `the lesson has no end: ${await said()}`);
      const keys = /(?:Keys): (.*)\.\s*$/.exec(await said())?.[1]?.split(', ') ?? [];
      if (await ann.has('button', 'Next')) await ann.use('button', 'Next');
      else for (const key of keys) await ann.page.keyboard.press(key.length === 1 ? key.toLowerCase() : key);
      await ann.page.waitForTimeout(50);
    }
    await ann.use('button', /^Play a real match/);
    await ann.find('textbox', 'Type an action');
    return ann;
  },

  async puzzle() {
    const ann = await come();
    await ann.use('link', /^All puzzles|^Puzzles$/);
    await ann.at('Puzzles');
    await ann.clean('the puzzles');
    const list = ann.page.getByRole('list', { name: /Zorde/i });
    await list.getByRole('link', { name: /^Puzzle 1, / }).press('Enter');
    await ann.announced(/^\s*You play/);
    await ann.clean('a puzzle');
    await ann.page.keyboard.press('ArrowDown');
    await onBoard(ann);
    for (const word of puzzles[0].solutions[0]) {
      const line = await ann.find('textbox', 'Type an action');
      await line.fill(word);
      await line.press('Enter');
      await until(async () => (await line.inputValue()) === '', `${word} is not taken`);
    }
    await ann.announced(/Right!/);
    await ann.use('button', 'Next puzzle');
    await ann.use('button', 'Hint');
    await ann.announced(/It begins with/);
    await ann.use('button', 'Show the solution');
    await ann.announced(/The board shows the solution/);
    return ann;
  },

  async report() {
    const ann = await replaying();
    await ann.use('tab', 'Report');
    await ann.hears(/^The report is ready/);
    await ann.page.getByRole('img', { name: /^Winning chances of/ }).waitFor();
    for (const row of ['Accuracy', 'Play', 'Luck']) await ann.page.getByRole('row', { name: new RegExp(`^${row} .*\\d`) }).waitFor();
    await ann.clean('the report');
    await ann.page.getByText('All turns').press('Enter');
    const turn = ann.page.getByRole('button', { name: /^Turn \d+ .*lost/ }).last();
    await turn.press('Enter');
    await ann.page.getByRole('heading', { name: /^Turn \d+, .*: lost/ }).waitFor();
    await until(async () => (await ann.page.getByRole('img', { name: /^The board after it: / }).count()) === 2, 'both turns are told in words');
    await ann.use('button', 'Why?');
    await until(async () => /\w/.test(await ann.page.getByRole('tabpanel').or(ann.page.getByRole('region', { name: 'Winning chances' })).getByRole('status').last().textContent()), 'no reason is told');
    await ann.use('button', 'Play it on the board');
    await ann.page.keyboard.press('ArrowDown');
    await onBoard(ann);
    await ann.use('button', 'Back to the match');
    await ann.clean('a turn of the report');
    return ann;
  },

  async notes() {
    const ann = await replaying();
    await ann.use('tab', 'Notes');
    await ann.find('textbox', 'Note at this moment');
    await ann.clean('the notes');
    await (await ann.find('textbox', 'Note at this moment')).pressSequentially('It begins.');
    await ann.page.keyboard.press('Escape');
    await (await ann.find('button', 'Next action')).focus();
    await ann.page.keyboard.press('ArrowDown');
    await onBoard(ann);
    for (const key of ['Home', 'PageUp']) await ann.page.keyboard.press(key);
    await ann.told(/0,0/, () => ann.page.keyboard.press('k'));
    check(/0,0/.test(await ann.heard()), `the mark is told: ${await ann.heard()}`);
    await ann.told(/0,0/, () => ann.page.keyboard.press('Shift+K'));
    for (const key of ['ArrowRight', 'ArrowRight']) await ann.page.keyboard.press(key);
    await ann.told(/0,0 → 2,0/, () => ann.page.keyboard.press('Shift+K'));
    check(/0,0 → 2,0/.test(await ann.heard()), `the arrow is told: ${await ann.heard()}`);
    const marks = ann.page.getByRole('list', { name: 'Marks and arrows' }).getByRole('button');
    await until(async () => (await marks.count()) === 2, async () => `${await marks.count()} marks`);
    await ann.use('button', 'Remove cell 0,0');
    await until(async () => (await marks.count()) === 1, 'a mark is removed');
    await ann.use('button', 'Next action');
    await ann.find('slider', /^Action 1 of /);
    await ann.use('button', 'Action 0: It begins.');
    await ann.find('slider', /^Action 0 of /);
    const [file] = await Promise.all([ann.page.waitForEvent('download'), ann.use('button', 'Save match with notes')]);
    const { notes } = JSON.parse(readFileSync(await file.path(), 'utf8'));
    check(notes.length === 1 && notes[0].text === 'It begins.' && notes[0].point.join() === 'arrow 0 0 2 0', JSON.stringify(notes));
    return ann;
  },

  async editor() {
    const ann = await come();
    await ann.use('link', 'Editor');
    await ann.at('Editor');
    await ann.clean('the editors');
    await ann.use('button', 'New copy: Scenario');
    await ann.announced(/No problems found/);
    await ann.clean('an editor');
    const board = await ann.find('application', /^Board, /);
    await board.press('ArrowRight');
    await ann.announced(/^Column 2, row 1: /);
    await board.press('2');
    await board.press('Space');
    await ann.announced(/^Column 2, row 1 is now /);
    await ann.find('button', 'Undo', { disabled: false });
    const rows = await ann.find('spinbutton', /^Rows/);
    const before = await rows.inputValue();
    await rows.press('Control+A');
    await rows.pressSequentially('0');
    await rows.press('Tab');
    await ann.announced(/Enter a whole number/);
    await rows.press('Control+A');
    await rows.pressSequentially(before);
    await rows.press('Tab');
    await ann.announced(/No problems found/);
    const [file] = await Promise.all([ann.page.waitForEvent('download'), ann.use('button', 'Export')]);
    JSON.parse(readFileSync(await file.path(), 'utf8'));
    await ann.use('button', 'Play now', 'Enter', { disabled: false });
    await ann.page.getByRole('dialog', { name: 'Play now' }).waitFor();
    await ann.clean('playing it');
    await ann.use('button', 'Play 200 matches');
    await ann.announced(/ of 200 matches/);
    await until(async () => (await ann.page.getByText(/, the first side, wins \d+/).count()) > 0, 'no match is counted');
    await ann.use('button', 'Cancel');
    await ann.use('button', 'Two players, one device');
    await ann.use('button', 'I’m Ann: show the board');
    await ann.find('button', /^(Choose and confirm for me|Suggest one|Pick )/);
    return ann;
  },

  async tournament() {
    const ann = await come();
    await ann.use('link', 'Tournaments');
    await ann.at('Tournaments');
    await ann.clean('the tournaments');
    await ann.page.getByText('Create a tournament').press('Enter');
    await ann.write('Title', 'Evening');
    await ann.choose('Kind', 'Knock-out');
    await ann.choose('Game', 'Zorde vs Calliance');
    await ann.clean('a new tournament');
    await ann.use('button', 'Create', 'Enter', { exact: true });
    await ann.at('Evening');
    await ann.use('button', 'Join', 'Enter', { exact: true });
    await ann.page.getByText(/You will be paired soon/).waitFor();
    const bob = await come(new URL(ann.page.url()).hash, 'Bob');
    await bob.use('button', 'Join', 'Enter', { exact: true });
    await ann.page.getByRole('row', { name: /Bob/ }).waitFor();
    await ann.clean('a tournament');
    await ann.use('button', 'Start now');
    for (const person of [ann, bob]) await person.find('textbox', 'Type an action');
    await bob.use('button', 'Menu');
    await bob.use('button', 'Resign');
    await bob.page.getByRole('dialog', { name: 'Resign this match?' }).waitFor();
    await bob.use('button', 'Resign');
    await ann.page.getByRole('dialog', { name: /You won/ }).waitFor();
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('dialog').waitFor({ state: 'detached' });
    await ann.use('link', 'To the tournament');
    await ann.page.getByText('Ann wins the tournament!').waitFor();
    await ann.page.getByRole('row', { name: /^1 Ann \(you\) 1 1 1/ }).waitFor();
    await ann.clean('the end of a tournament');
    check(bob.page.errors.length === 0, bob.page.errors.join('; '));
    return ann;
  },
};

/** In the short form these stand for all: they are short, too. */
const SHORT = ['notes'];
for (const room of WALKED.rooms)
  await test(`without eyes or mouse: ${room}`, only, async () => {
    const { page } = await rooms[room]();
    check(page.errors.length === 0, page.errors.join('; '));
  }, { short: SHORT.includes(room) });
await browser.close();
await server.close();
process.exit(summary());
