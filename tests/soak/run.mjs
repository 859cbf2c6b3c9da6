// run.mjs -- load, soak and faults as programs: node tests/soak/run.mjs [--short] [SCENARIO...]
// Each scenario is a real server that something bad happens to, and fails if what must hold does not. --short takes seconds and is
// part of `make test`; without it the numbers are those of docs/performance.md. Disk-full wants root, for a small disk of its own.
import * as archive from './archive.mjs';
import * as faults from './faults.mjs';
import * as load from './load.mjs';
import * as siege from './siege.mjs';

const words = process.argv.slice(2);
const short = words.includes('--short');
const all = {...load.scenarios, ...faults.scenarios, ...archive.scenarios, ...siege.scenarios};
const chosen = words.filter(word => !word.startsWith('--'));
let failed = 0;
for (const name of chosen.length ? chosen : Object.keys(all)) {
  if (!all[name]) {
    console.error(`soak: there is no scenario ${name}; there are ${Object.keys(all).join(', ')}`);
    process.exit(2);
  }
  const began = Date.now();
  try {
    const told = await all[name](short);
    console.log(`ok     ${name.padEnd(16)} ${((Date.now() - began) / 1000).toFixed(1)} s  ${told}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name.padEnd(16)} ${((Date.now() - began) / 1000).toFixed(1)} s  ${error.message}`);
  }
}
process.exit(failed ? 1 : 0);
