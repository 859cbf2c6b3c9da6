// nets.mjs -- nets in WebAssembly: plain code and SIMD find what native programs find (tests/support/net_vectors.h).
// Usage: node tests/wasm/nets.mjs build/net-vectors.wasm
import { readFileSync } from 'node:fs';

const VECTORS = 100000;
const WAYS = { plain: 0, vector: 1, fastest: 4 };
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));
const expected = new DataView(exports.memory.buffer).getBigUint64(exports.net_vectors_expected.value, true);
let failed = 0;
for (const [name, way] of Object.entries(WAYS)) {
  const found = BigInt.asUintN(64, exports.net_vectors(way, VECTORS));
  if (found !== expected) {
    failed++;
    console.log(`FAILED ${name}: ${found.toString(16)} in place of ${expected.toString(16)}`);
  }
}
console.log(`nets: ${Object.keys(WAYS).length - failed} ways are one`);
process.exit(failed > 0 ? 1 : 0);
