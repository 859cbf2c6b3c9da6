// simulators.mjs -- mashup.py, mashup.mjs and `mashup engine` play the same matches with the same seeds: bytes, positions and errors are
// the same. Usage: node tests/sim/simulators.mjs MASHUP [FOLDER_OF_MASHUP.PY_AND_MASHUP.MJS]
import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

const folder = resolve(process.argv[3] ?? 'sim');
const {action, open} = await import(pathToFileURL(`${folder}/mashup.mjs`));
const mashup = await open();
const hash = bytes => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const lines = [], requests = [], wanted = [];
const must = (holds, what) => { if (!holds) { console.error(what); process.exit(1); } };

for (const {id} of mashup.games()) {
  for (let seed = 0; seed < 2; seed++) {
    const sim = mashup.begin({game: id}, seed);
    let number = 12345n + BigInt(seed);
    requests.push({type: 'begin', game: id, seed});
    for (let ply = 0; ply < 120 && sim.result() === null; ply++) {
      const seat = sim.turn();
      const actions = sim.actions(seat);
      number = (number * 1103515245n + 12345n) % 2n ** 31n;
      const chosen = actions[Number(number % BigInt(actions.length))];
      const told = sim.describe(chosen);
      must(action(told) === chosen && sim.find(seat, told.word) === chosen, `${id}: ${told.word}`);
      const before = hash(sim.bytes());
      sim.apply(chosen);
      sim.undo();
      must(hash(sim.bytes()) === before, `${id}: undo`);
      sim.apply(chosen);
      requests.push({type: 'apply', sim: 1, seat, word: told.word});
    }
    requests.push({type: 'bytes', sim: 1, seat: 254}, {type: 'drop', sim: 1});
    wanted.push(hash(sim.bytes()));
    const other = mashup.begin({game: id}, 99);
    other.load(0, sim.bytes(0));
    other.guess(3);
    must(hash(other.bytes(0)) === hash(sim.bytes(0)), `${id}: what seat 0 sees of a guess`);
    lines.push([id, seed, hash(sim.bytes()), hash(other.bytes()), ...sim.playout(seed, 3), hash(JSON.stringify(sim.position(1)))].join(' '));
    sim.clone().drop();
    other.drop();
    sim.drop();
  }
}
for (const wrong of [{game: 'chess'}, {game: 'zorde', preset: 'none'}, []]) {
  try {
    mashup.begin(wrong);
    must(false, `${JSON.stringify(wrong)} was accepted`);
  } catch (error) {
    lines.push(error.message);
  }
}
// Wrong calls say what is wrong instead of ending the process.
const lost = mashup.begin({game: 'zorde'}, 1);
const chosen = lost.actions()[0];
must(lost.actions(lost.turn()).join() === lost.actions().join(), 'actions() are not those of the seat to move');
for (const [call, sentence] of [
  [() => lost.apply('step d0 1 4'), 'an action is a BigInt of actions() or find(), not "step d0 1 4"'], [() => lost.describe(5), 'not 5'],
  [() => lost.preview(), 'not undefined'], [() => lost.load(0, '***'), 'view is not base64'], [() => lost.actions(7), 'seat 7: only 0 or 1'],
  [() => lost.drop(), ''], [() => lost.actions(0), 'this sim was dropped'], [() => lost.apply(chosen), 'this sim was dropped'],
  [() => lost.evaluate(0), 'this sim was dropped'], [() => lost.clone(), 'this sim was dropped'], [() => lost.drop(), '']]) {
  let said = '';
  try { call(); } catch (error) { said = error.message; }
  must(sentence === '' ? said === '' : said.includes(sentence), `${call}: "${said}"`);
}
const python = execFileSync('python3', ['tests/sim/trace.py', folder], {encoding: 'utf8'}).trim().split('\n');
must(python.length === lines.length, `${python.length} lines of Python, ${lines.length} of JavaScript`);
for (const [i, line] of lines.entries()) must(line === python[i], `JavaScript: ${line}\nPython:     ${python[i]}`);
const engine = spawnSync(process.argv[2], ['engine'], {input: requests.map(request => JSON.stringify(request)).join('\n'), encoding: 'utf8', maxBuffer: 1 << 28});
const answers = engine.stdout.trim().split('\n').map(line => JSON.parse(line));
must(engine.status === 0 && answers.length === requests.length, `engine: code ${engine.status}, ${answers.length} answers to ${requests.length} requests`);
for (const [i, answer] of answers.entries()) must(answer.type === requests[i].type, `engine: ${JSON.stringify(requests[i])}: ${JSON.stringify(answer)}`);
const views = answers.filter(answer => answer.type === 'bytes').map(answer => hash(Buffer.from(answer.view, 'base64')));
must(views.join() === wanted.join(), `engine: ${views}\nJavaScript: ${wanted}`);
console.log(`simulators: ${lines.length} lines are the same in Python and JavaScript, ${answers.length} answers of the engine agree, version ${mashup.version()}`);
