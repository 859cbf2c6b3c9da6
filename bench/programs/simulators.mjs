// simulators.mjs -- how fast the simulator is by each of its doors: random matches to the end inside it (playouts and their actions), and actions that
// are listed, chosen and applied one by one from outside. Per second of CPU time; of the engine, per second by the clock.
// Usage: node bench/programs/simulators.mjs build/mashup [SECONDS]
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {open} from '../../sim/mashup.mjs';

const mashup = process.argv[2], seconds = Number(process.argv[3] ?? 1);
const module = await open();
const cpu = () => { const {user, system} = process.cpuUsage(); return (user + system) / 1e6; };

/** In WebAssembly. */
function byModule(game) {
  const sim = module.begin({game}, 1);
  let began = cpu(), matches = 0, actions = 0, steps = 0;
  for (; cpu() < began + seconds; matches += 20) actions += sim.playout(matches, 20)[3];
  const spent = cpu() - began;
  for (began = cpu(); cpu() < began + seconds;) {
    const match = sim.clone();
    for (; match.result() === null; steps++) {
      const list = match.actions(match.turn());
      match.apply(list[Math.floor(Math.random() * list.length)]);
    }
    match.drop();
  }
  return [matches / spent, actions / spent, steps / (cpu() - began)];
}

/** By lines of JSON. */
async function byEngine(game) {
  const child = spawn(mashup, ['engine'], {stdio: ['pipe', 'pipe', 'inherit']});
  const answers = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const ask = async request => { child.stdin.write(`${JSON.stringify(request)}\n`); return JSON.parse((await answers.next()).value); };
  await ask({type: 'begin', game, seed: 1});
  let began = performance.now(), matches = 0, actions = 0, steps = 0;
  for (; performance.now() < began + 1000 * seconds; matches += 20) actions += (await ask({type: 'playout', sim: 1, seed: matches, count: 20})).actions;
  const spent = (performance.now() - began) / 1000;
  for (began = performance.now(); performance.now() < began + 1000 * seconds;) {
    const {sim} = await ask({type: 'clone', sim: 1});
    for (let awaited = [0]; awaited.length > 0; steps++) {
      const {actions: groups, seat} = await ask({type: 'actions', sim});
      const {verb, unit, ability, cells} = groups[Math.floor(Math.random() * groups.length)];
      const [x, y, other = 0, amount = 0] = cells[Math.floor(Math.random() * cells.length)];
      ({awaited} = await ask({type: 'apply', sim, seat, verb, unit, ability, x, y, other, amount}));
    }
    await ask({type: 'drop', sim});
  }
  const rate = steps / ((performance.now() - began) / 1000);
  child.stdin.end();
  await once(child, 'close');
  return [matches / spent, actions / spent, rate];
}

const row = (name, door, numbers) => console.log(`${name.padEnd(18)} ${door.padEnd(12)} ${numbers.map(number => String(Math.round(number)).padStart(11)).join(' ')}`);
console.log('\nThe simulator by its doors, in a second:');
console.log('game               door            playouts  of actions   one by one');
for (const {id} of module.games()) {
  row(id, 'ctypes', execFileSync('python3', ['bench/programs/simulators.py', id, String(seconds)], {encoding: 'utf8'}).split(' ').map(Number));
  row(id, 'WebAssembly', byModule(id));
  row(id, 'engine', await byEngine(id));
}
