// build.mjs -- builds the page: TypeScript and styles by esbuild into build/web, each file also as gzip and brotli, names with
// a hash of the bytes; then build/generated/page.c, which puts all of it into the program.
// Usage: node web/build.mjs   (build/mashup.wasm must be there)
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { gamesPlugin, readGames } from './games.mjs';

const OUT = 'build/web';
/** Where each script's lines come from: for tools/coverage-page, served to nobody. */
const MAPS = 'build/web-maps';
const FIRST_LOAD_MAX = 300_000;
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json', '.json': 'application/json', '.png': 'image/png',
  '.ico': 'image/png',
};
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Files of the page: path on the server -> { bytes, cache }. */
const files = new Map();
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

function add(path, bytes, cache = IMMUTABLE) {
  files.set(path, { bytes: Buffer.from(bytes), cache });
  return path;
}
const addHashed = (name, bytes) => add(`/${name.replace(/(\.\w+)$/, `-${hashOf(bytes).slice(0, 8)}$1`)}`, bytes);

/** Dark colours stand once, for those who choose them; for a system that is dark they are written a second time. */
const dark = {
  name: 'dark',
  setup: ({ onLoad }) => onLoad({ filter: /style\/base\.css$/ }, ({ path }) => ({
    loader: 'css',
    contents: readFileSync(path, 'utf8').replace(/:root\[data-theme="dark"\] (\{[^}]*\})/,
      (rule, colours) => `${rule}\n@media (prefers-color-scheme: dark) { :root:not([data-theme]) ${colours} }`),
  })),
};

/** Bundles one entry point; the path of its script. Styles and chunks that come with it are added as well. */
async function bundle(entry, define, splitting = false) {
  const result = await build({
    entryPoints: [entry], bundle: true, write: false, minify: true, format: 'esm', target: 'es2022', splitting, define,
    sourcemap: 'external', outdir: OUT, entryNames: '[name]-[hash]', chunkNames: '[name]-[hash]', assetNames: '[name]-[hash]', metafile: true,
    jsx: 'automatic', jsxImportSource: 'preact', tsconfig: 'web/tsconfig.json', legalComments: 'none', logLevel: 'warning',
    loader: { '.svg': 'text', '.md': 'text' }, plugins: [gamesPlugin(), dark],
  });
  const made = { script: '', style: '', first: new Set() };
  const outputs = result.metafile.outputs;
  for (const { path, contents } of result.outputFiles)
    if (path.endsWith('.map')) writeFileSync(join(MAPS, basename(path)), contents);
    else add(`/${basename(path)}`, contents);
  const [main] = Object.entries(outputs).find(([, output]) => output.entryPoint === entry);
  made.script = `/${basename(main)}`;
  if (outputs[main].cssBundle) made.style = `/${basename(outputs[main].cssBundle)}`;
  const walk = (name) => {
    made.first.add(`/${basename(name)}`);
    for (const { path, kind } of outputs[name].imports) if (kind === 'import-statement' && !made.first.has(`/${basename(path)}`)) walk(path);
  };
  walk(main);
  return made;
}

function compressed(path, bytes, etag) {
  if (bytes.length < 400) return {};
  const kept = (kind, make) => {
    const name = join(OUT, `${basename(path) || 'index.html'}.${etag}.${kind}`);
    if (!existsSync(name)) writeFileSync(name, make());
    return { name, bytes: readFileSync(name) };
  };
  return {
    gzip: kept('gz', () => gzipSync(bytes, { level: 9 })),
    brotli: kept('br', () => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })),
  };
}

const json = JSON.stringify;
try {
  readGames();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
mkdirSync(OUT, { recursive: true });
rmSync(MAPS, { recursive: true, force: true });
mkdirSync(MAPS, { recursive: true });
mkdirSync('build/generated', { recursive: true });

const wasm = addHashed('mashup.wasm', readFileSync('build/mashup.wasm'));
const worker = await bundle('web/src/engine/worker.ts', {});
const app = await bundle('web/src/app.tsx', { WORKER_URL: json(worker.script), WASM_URL: json(wasm) }, true);
const preloads = [...app.first].map((path) => `<link rel="modulepreload" href="${path}">`).join('\n');
const index = readFileSync('web/index.html', 'utf8').replace('PRELOADS', preloads)
  .replaceAll('APP_URL', app.script).replaceAll('STYLE_URL', app.style).replaceAll('WASM_URL', wasm);
add('/', index, 'no-cache');
add('/icon.svg', readFileSync('web/icon.svg'), 'public, max-age=86400');
add('/manifest.webmanifest', readFileSync('web/manifest.webmanifest'), 'public, max-age=86400');
const all = [...files.keys()];
/* Only who installs the page needs these: they are not among the files that are kept for playing without a network. */
for (const name of readdirSync('web/icons')) add(`/${name}`, readFileSync(join('web/icons', name)), 'public, max-age=86400');
/* Browsers ask for this one beside whatever has no <link rel="icon">: pictures, answers of the API, pages of errors. */
add('/favicon.ico', readFileSync('web/icons/icon-192.png'), 'public, max-age=86400');
const service = await build({
  entryPoints: ['web/src/service.ts'], bundle: true, write: false, minify: true, format: 'iife', target: 'es2022',
  define: { FILES: json(all), VERSION: json(hashOf([...files.values()].map(({ bytes }) => hashOf(bytes)).join())) },
});
add('/service.js', service.outputFiles[0].contents, 'no-cache');

const rows = [];
const wanted = new Set();
for (const [path, { bytes, cache }] of files) {
  const etag = hashOf(bytes);
  const name = join(OUT, basename(path) || 'index.html');
  writeFileSync(name, bytes);
  const forms = compressed(path, bytes, etag);
  for (const used of [name, forms.gzip?.name, forms.brotli?.name]) if (used) wanted.add(basename(used));
  rows.push({ path, name, type: TYPES[extname(name)] ?? 'application/octet-stream', cache, etag, plain: { name, bytes }, ...forms });
}
for (const name of readdirSync(OUT)) if (!wanted.has(name)) rmSync(join(OUT, name));

/* The C file: bytes come in by the assembler, so that it compiles at once. */
const symbol = (row, kind) => `page_${rows.indexOf(row)}_${kind}`;
const kinds = ['plain', 'gzip', 'brotli'];
const blobs = rows.flatMap((row) => kinds.filter((kind) => row[kind]).map((kind) => [symbol(row, kind), row[kind]]));
const c = `/* page.c -- made by web/build.mjs; do not edit. */
#include "cli/page.h"

/* clang-format off */
__asm__(".section .rodata\\n"
${blobs.map(([name, { name: path }]) => `        ".balign 16\\n.globl ${name}\\n${name}: .incbin \\"${path}\\"\\n"`).join('\n')}
        ".text\\n");
${blobs.map(([name]) => `extern const char ${name}[];`).join('\n')}

const NetFile page_files[] = {
${rows.map((row) => `    {${[row.path, row.type, row.cache, row.etag].map((s) => json(s)).join(', ')}, ${kinds.map((kind) =>
    row[kind] ? `{${symbol(row, kind)}, ${row[kind].bytes.length}}` : '{0, 0}').join(', ')}, 0},`).join('\n')}
};
const uint32_t page_files_count = ${rows.length};
`;
if (!existsSync('build/generated/page.c') || readFileSync('build/generated/page.c', 'utf8') !== c) writeFileSync('build/generated/page.c', c);

const first = ['/', wasm, worker.script, ...app.first, ...(app.style ? [app.style] : [])];
const sizeOf = (path) => { const row = rows.find((r) => r.path === path); return (row.brotli ?? row.plain).bytes.length; };
const gzipOf = (path) => { const row = rows.find((r) => r.path === path); return (row.gzip ?? row.plain).bytes.length; };
const sum = (size) => first.reduce((total, path) => total + size(path), 0);
writeFileSync(join(OUT, 'sizes.json'), json({ brotli: sum(sizeOf), gzip: sum(gzipOf), files: Object.fromEntries(first.map((p) => [p, sizeOf(p)])) }, null, 1));
console.log(`page: first load ${Math.round(sum(sizeOf) / 1000)} kB brotli, ${Math.round(sum(gzipOf) / 1000)} kB gzip; ${rows.length} files`);
if (sum(sizeOf) > FIRST_LOAD_MAX) {
  console.error(`page: the first load is ${sum(sizeOf)} bytes as brotli, more than ${FIRST_LOAD_MAX}`);
  process.exit(1);
}
