// run.mjs -- three real nodes over a primary and a synchronous standby, bots at many tables, and a nemesis from a seed; afterwards
// everything that any bot was told is compared with what is kept. See docs/promises.md.
//   tests/cluster/run [--seed N] [--minutes M] [--tables T] [--faults F1,F5-primary] [--copies C] [--pace MS] [--keep] [--longest]
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {Bench} from './bench.mjs';
import {programs, sleep} from './databases.mjs';
import {faults, holdLongest} from './faults.mjs';

const words = process.argv.slice(2);
const option = (name, usual) => words.includes(name) ? words[words.indexOf(name) + 1] : usual;
const seed = Number(option('--seed', 1)), minutes = Number(option('--minutes', 1)), tables = Number(option('--tables', 30));
const chosen = option('--faults', '').split(',').filter(Boolean);
if (words.includes('--longest')) holdLongest();
const build = option('--build', 'build/release');

/** Numbers from 0 to below 1 that the seed determines (mulberry32). */
function sequence(state) {
  return () => {
    state = state + 0x6D2B79F5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}

/** The faults in the order of this run: each once, shuffled, then again. */
function* order(random) {
  const names = Object.keys(faults).filter(name => !chosen.length || chosen.some(begin => name === begin || name.startsWith(`${begin}-`)));
  if (!names.length) throw new Error(`no such fault; there are ${Object.keys(faults).join(', ')}`);
  for (;;) {
    const left = [...names];
    while (left.length) yield left.splice(Math.floor(random() * left.length), 1)[0];
  }
}

if (!programs()) {
  console.log('no PostgreSQL here (Debian: postgresql-15): tests/cluster is skipped');
  process.exit(0);
}
const random = sequence(seed);
const bench = new Bench({tables, seed, copies: Number(option('--copies', 1)), pace: Number(option('--pace', 250)), keep: words.includes('--keep'),
  program: option('--program', join(build, 'mashup')), bots: join(build, 'cluster_bots'), check: join(build, 'cluster_check')});
const stop = async signal => {
  await bench.close(false);
  process.exit(signal);
};
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
let fine = false;
try {
  bench.library = join(bench.folder, 'jump.so');
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', bench.library, 'tests/soak/jump.c', '-ldl']);
  await bench.open();
  await sleep(3000);
  const began = Date.now();
  for (const name of order(random)) {
    if (Date.now() - began >= minutes * 60000 || bench.problems.length) break;
    bench.mark(name);
    const at = Date.now();
    await faults[name](bench, random);
    console.log(`${((at - began) / 1000).toFixed(1).padStart(6)} s  ${name}, healed after ${((Date.now() - at) / 1000).toFixed(1)} s`);
    await sleep(2000 + random() * 4000);
  }
  bench.mark('peace');
  await sleep(bench.problems.length ? 0 : Number(option('--peace', 15)) * 1000);
  fine = await bench.settle();
} catch (error) {
  console.log(`BROKEN ${error.stack}`);
} finally {
  await bench.close(fine);
}
console.log(fine ? `ok: seed ${seed}` : `FAILED: seed ${seed}`);
process.exit(fine ? 0 : 1);
