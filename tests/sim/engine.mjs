// engine.mjs -- `mashup engine` answers every line with one line, whatever the line is, and never ends before its input does.
// Usage: node tests/sim/engine.mjs MASHUP
import {spawnSync} from 'node:child_process';

const mashup = process.argv[2];
let checks = 0;
const must = (holds, what) => { checks++; if (!holds) { console.error(`engine: ${what}`); process.exit(1); } };

/** Sends lines as they are and returns the answers, one for each. */
function talk(lines, end = '\n') {
  const {status, stdout} = spawnSync(mashup, ['engine'], {input: lines.join('\n') + end, encoding: 'utf8', maxBuffer: 1 << 28});
  must(status === 0, `ended with ${status} after ${lines.length} lines`);
  const answers = stdout.split('\n');
  must(answers.pop() === '', 'the last answer has no end of line');
  must(answers.length === lines.length, `${answers.length} answers to ${lines.length} lines`);
  return answers.map(line => JSON.parse(line));
}
const say = (...requests) => talk(requests.map(request => JSON.stringify(request)));

// Malformed lines: each names what and where, and what follows is answered.
const broken = [
  ['', null], ['{', 'column 2'], ['nonsense', 'column 1'], ['[]', 'object'], ['"a"', 'object'], ['{}', '"type" is missing'], ['{"type":7}', '$.type'],
  ['{"type":"dance"}', 'dance'], ['{"type":"apply"}', '"sim" is missing'], ['{"type":"apply","sim":1}', 'there is no sim 1'],
  ['{"type":"begin"}', '"game" is missing'], ['{"type":"begin","game":"chess"}', 'chess'], ['{"type":"begin","game":"zorde","seed":-1}', '$.seed'],
  ['{"type":"games","game":"zorde"}', 'unknown key "game"'], ['{"type":"version","type":"games"}', 'column'], ['{"type":"version"} x', 'column 20'],
  ['{"type":"version","id":"a\u0001"}', 'column'], ['\ufffd', 'column 1'], [`{"type":"begin","game":"${'x'.repeat(5000)}"}`, '$.game'],
].filter(([line]) => line !== '');
for (const [i, answer] of talk(broken.map(([line]) => line)).entries())
  must(answer.type === 'refused' && answer.reason.includes(broken[i][1]), `${broken[i][0].slice(0, 80)}: ${JSON.stringify(answer)}`);
// A line that is too long, one without an end, one with a carriage return.
const [long, fine] = talk([`{"type":"version","x":"${'x'.repeat(6 << 20)}"}`, '{"type":"version","id":3}'], '');
must(long.type === 'refused' && /longer than 4 MiB/.test(long.reason), JSON.stringify(long));
must(fine.type === 'version' && fine.id === 3, JSON.stringify(fine));
must(talk(['{"type":"version"}\r'])[0].type === 'version', 'a carriage return is no white space');

// A match: whatever is refused changes nothing, and has the engine's own code.
const [begun, list, refused, wrong, described, applied, undone, again, cloned, dropped, gone, played, position] = say(
  {type: 'begin', game: 'zorde', seed: 7}, {type: 'actions', sim: 1}, {type: 'apply', sim: 1, verb: 1, unit: 0, x: 99}, {type: 'apply', sim: 1, word: 'fly'},
  {type: 'describe', sim: 1, word: 'step d0 1 4'}, {type: 'apply', sim: 1, word: 'STEP d0 1 4'}, {type: 'undo', sim: 1},
  {type: 'apply', sim: 1, verb: 1, unit: 0, x: 1, y: 4}, {type: 'clone', sim: 1}, {type: 'drop', sim: 1}, {type: 'undo', sim: 1},
  {type: 'playout', sim: 2, count: 10}, {type: 'position', sim: 2, seat: 1});
must(begun.sim === 1 && begun.awaited.join() === '0', JSON.stringify(begun));
must(list.actions[0].words.includes('step d0 1 4'), JSON.stringify(list.actions[0]));
must(refused.type === 'refused' && refused.code === 'off-board', JSON.stringify(refused));
must(wrong.type === 'refused' && wrong.reason.includes('fly'), JSON.stringify(wrong));
must(described.action.x === 1 && described.action.y === 4 && described.action.verb === 1, JSON.stringify(described));
must(applied.events.some(event => event.kind === 'moved'), JSON.stringify(applied));
must(undone.type === 'undo' && again.type === 'apply' && JSON.stringify(again) === JSON.stringify(applied), JSON.stringify(again));
must(cloned.sim === 2 && dropped.type === 'drop' && gone.code === 'malformed', JSON.stringify([cloned, dropped, gone]));
must(played.wins[0] + played.wins[1] + played.draws === 10, JSON.stringify(played));
must(position.position.type === 'position' && position.position.you === 1, JSON.stringify(position).slice(0, 200));
const [, looked, thought, valued] = say({type: 'begin', game: 'battleground', seed: 1}, {type: 'preview', sim: 1, verb: 3}, {type: 'think', sim: 1, level: 1, seat: 1}, {type: 'evaluate', sim: 1, seat: 1});
must(looked.type === 'preview' && looked.preview.wins === 0, JSON.stringify(looked));
must(valued.type === 'evaluate' && Number.isInteger(valued.value), JSON.stringify(valued));
must(thought.type === 'think' && thought.action.seat === 1, JSON.stringify(thought));

// What a seat sees of another match is loaded, guessed and played on; before that it cannot be.
const games = talk(['{"type":"games"}'])[0].games.map(({id}) => id);
for (const game of games) {
  const [, view] = say({type: 'begin', game, seed: 3}, {type: 'bytes', sim: 1, seat: 0});
  const [, loaded, guessed, over] = say({type: 'begin', game, seed: 9}, {type: 'load', sim: 1, seat: 0, view: view.view}, {type: 'guess', sim: 1, seed: 4},
    {type: 'playout', sim: 1, count: 2});
  must(loaded.type === 'load' && guessed.type === 'guess' && over.type === 'playout', JSON.stringify([loaded, guessed, over]));
  // Bytes that no server sends may end the process that works, never the engine: the last line is answered as if nothing had been.
  for (let seed = 1; seed <= 4; seed++) {
    const bytes = Buffer.from(view.view, 'base64');
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 167 + seed * 59) % 256;
    const answers = say({type: 'begin', game, seed: 9}, {type: 'load', sim: 1, seat: 0, view: bytes.toString('base64')}, {type: 'guess', sim: 1}, {type: 'actions', sim: 1},
      {type: 'position', sim: 1}, {type: 'bytes', sim: 1, seat: 255}, {type: 'version', id: seed});
    must(answers.at(-1).type === 'version' && answers.at(-1).id === seed, `${game}: after wrong bytes ${JSON.stringify(answers.at(-1))}`);
  }
}
console.log(`engine: ${checks} checks`);
