// units.mjs -- runs the tests of the page's pure parts: every web/tests/*.test.ts, bundled by esbuild, under node's test runner.
// Usage: node web/tests/units.mjs
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { gamesPlugin } from '../games.mjs';

const names = readdirSync('web/tests').filter((name) => name.endsWith('.test.ts'));
const outdir = 'build/web-tests';
mkdirSync(outdir, { recursive: true });
await build({
  entryPoints: names.map((name) => `web/tests/${name}`), bundle: true, outdir, platform: 'node', format: 'esm', target: 'node18',
  jsx: 'automatic', jsxImportSource: 'preact', outExtension: { '.js': '.mjs' }, sourcemap: 'linked', logLevel: 'warning', loader: { '.md': 'text' }, plugins: [gamesPlugin()],
});
const files = names.map((name) => `${outdir}/${name.replace(/\.ts$/, '.mjs')}`);
process.exit(spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...files], { stdio: 'inherit' }).status ?? 1);
