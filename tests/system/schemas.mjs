// schemas.mjs -- the JSON schemas against the loaders: node tests/system/schemas.mjs build/mashup
// What a loader accepts, its schema accepts; what it refuses, its schema refuses too, but for rules
// that need more than one look at a document. Tried on the shipped documents, on the samples of each
// game's folder with a manifest that says what is expected, on random documents that are right, and on shipped ones in
// which something was changed.
import { spawnSync } from 'node:child_process';
import {
  existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Ajv from 'ajv';
import { neighbours, randomDocument } from './schemas_documents.mjs';
import { countOtherNumbers } from './schemas_random.mjs';

const binary = process.argv[2];
const RANDOM = 300; // of each kind
const AT_ONCE = 1000; // files for one run of the binary
// Thousands of small files: in memory where that is possible.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mashup-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

let passed = 0;
let failed = 0;
function check(name, good, detail = '') {
  if (good) passed++;
  else failed++;
  if (!good) console.log(`FAILED ${name} ${detail}`);
}

// --- What there is -------------------------------------------------------------------------------

const games = readdirSync('games').filter((name) => existsSync(`games/${name}/content`));

/** "start" of "duel.start.json": what stands between the last two dots. */
const kindOf = (path) => basename(path).split('.').at(-2);

const schemas = new Map(); // "zorde/start" -> {schema, validate}
const shipped = []; // {kind: "zorde/start", path}
for (const game of games) {
  for (const file of readdirSync(`games/${game}/content`)) {
    const path = `games/${game}/content/${file}`;
    if (!file.endsWith('.schema.json')) {
      shipped.push({ kind: `${game}/${kindOf(file)}`, path });
      continue;
    }
    const schema = JSON.parse(readFileSync(path, 'utf8'));
    const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false });
    const draft = schema.$schema === 'http://json-schema.org/draft-07/schema#';
    check(`${path} is a schema of draft 7`, draft && ajv.validateSchema(schema), ajv.errorsText());
    check(`${path} has a title`, typeof schema.title === 'string');
    const validate = ajv.compile(schema);
    schemas.set(`${game}/${file.replace('.schema.json', '')}`, { schema, validate });
  }
}
const kinds = [...new Set(shipped.map(({ kind }) => kind))].sort();
for (const kind of kinds) check(`${kind} has a schema`, schemas.has(kind));
check('no schema is without documents', schemas.size === kinds.length);

// --- Both verdicts -------------------------------------------------------------------------------

/** What `mashup check` says about each file: accepts, alone (right, but not with the usual
 *  documents), refuses, unknown; and its sentences. */
function loaderVerdicts(paths, flags = []) {
  const options = { encoding: 'utf8', maxBuffer: 1 << 28 };
  const run = spawnSync(binary, ['check', ...flags, ...paths], options);
  const verdicts = new Map(paths.map((path) => [path, { verdict: 'unknown', words: [] }]));
  for (const line of run.stderr.split('\n').filter((one) => !/and \d+ more problems$/.test(one)))
    verdicts.get(line.replace(/:.*/, ''))?.words.push(line);
  for (const line of run.stdout.trimEnd().split('\n')) {
    const [, path, words] = /^(.*?): (.*)$/.exec(line) ?? [];
    if (verdicts.has(path))
      verdicts.get(path).verdict =
        /^ok \(/.test(words) ? 'accepts' : /^ok on its own/.test(words) ? 'alone' : 'refuses';
  }
  const all = [...verdicts.values()].map(({ verdict }) => verdict);
  const code = all.includes('unknown') ? 2 : all.every((one) => one === 'accepts') ? 0 : 1;
  check(`exit code for ${paths[0]} ...`, run.status === code, `${run.status}, not ${code}`);
  return verdicts;
}

function schemaVerdict(kind, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return 'no JSON';
  }
  return schemas.get(kind).validate(value) ? 'accepts' : 'refuses';
}

const schemaWords = (kind) => JSON.stringify(schemas.get(kind).validate.errors?.[0] ?? '');

// --- Shipped documents and samples ---------------------------------------------------------------

const verdicts = loaderVerdicts(shipped.map(({ path }) => path));
for (const { kind, path } of shipped) {
  const { verdict, words } = verdicts.get(path);
  check(`${path} is accepted`, verdict === 'accepts', words.join('\n'));
  const fits = schemaVerdict(kind, readFileSync(path, 'utf8')) === 'accepts';
  check(`${path} fits its schema`, fits, schemaWords(kind));
}

/** Rules that no schema can state, by kind: sentences of the loader that stand for them. */
const beyond = new Map();
/** What the game's folder has for random documents: makers and words for its own generators. */
const makers = new Map();
const generated = new Map();
const samples = [];
for (const game of games.filter((name) => existsSync(`games/${name}/samples/manifest.json`))) {
  const folder = `games/${game}/samples`;
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'));
  for (const [kind, rules] of Object.entries(manifest.beyond))
    beyond.set(`${game}/${kind}`, rules.map((rule) => new RegExp(rule)));
  const own = existsSync(`${folder}/documents.mjs`) ? await import(`../../${folder}/documents.mjs`) : {};
  for (const [kind, make] of Object.entries(own.makers ?? {})) makers.set(`${game}/${kind}`, make);
  for (const [kind, make] of Object.entries(own.generated ?? {})) generated.set(`${game}/${kind}`, make);
  const found = readdirSync(folder).filter((name) => name !== 'manifest.json' && name !== 'documents.mjs');
  const listed = manifest.samples.map(({ file }) => file);
  check(`${folder}/manifest.json has every sample once`, `${found.sort()}` === `${listed.sort()}`);
  samples.push(...manifest.samples.map((sample) => ({ game, ...sample })));
}
for (const { game, file, loader, schema, says } of samples) {
  const path = `games/${game}/samples/${file}`;
  const kind = `${game}/${kindOf(file)}`;
  const { verdict, words } = loaderVerdicts([path]).get(path);
  check(`${file}: the loader ${loader}`, verdict === loader, `it ${verdict}: ${words.join('\n')}`);
  const fine = loader === 'accepts';
  const said = fine ? words.length === 0 : words.some((line) => line.includes(says));
  check(`${file}: it says "${fine ? '' : says}"`, said, words.join('\n'));
  const placed = loader !== 'refuses' || words.every((line) => /^[^:]*:\d+:\d+: /.test(line));
  check(`${file}: it says where`, placed, words.join('\n'));
  const seen = schemas.has(kind) ? schemaVerdict(kind, readFileSync(path, 'utf8')) : 'none';
  check(`${file}: the schema ${schema}`, seen === schema, `it ${seen}`);
}

// --- Many documents ------------------------------------------------------------------------------

/** Do all sentences of the loader stand for rules that no schema can state? */
const isBeyond = (kind, words) =>
  words.every((line) => (beyond.get(kind) ?? []).some((rule) => rule.test(line)));

/** Compares both verdicts on documents; how many the loader accepted. */
function compare(kind, texts) {
  const [game, ending] = kind.split('/');
  const place = join(folder, game);
  mkdirSync(place, { recursive: true });
  const named = (number) => join(place, `${number}.${ending}.json`);
  const files = new Map(texts.map((text, number) => [named(number), text]));
  for (const [path, text] of files) writeFileSync(path, text);
  let accepted = 0;
  for (const [path, { verdict, words }] of loaderVerdicts([...files.keys()], ['--game', game])) {
    const text = files.get(path);
    const fits = schemaVerdict(kind, text) === 'accepts';
    const loads = verdict !== 'refuses';
    const told = words.slice(0, 10).join('\n');
    const detail = `${text.slice(0, 4000)}\n${told}\n${schemaWords(kind)}`;
    accepted += loads;
    if (loads) check(`${kind}: the schema refuses what the loader accepts`, fits, detail);
    else check(`${kind}: the schema accepts too much`, !fits || isBeyond(kind, words), detail);
  }
  rmSync(place, { recursive: true });
  return accepted;
}

/** So many of them. A shell starts the binary, since that is much cheaper for it than for Node. */
function generate(parameters, count) {
  const flags = (seed) => [...parameters(), '--seed', seed].join(' ');
  const words = Array.from({ length: count }, (_, seed) => flags(seed));
  const loop = 'while read -r words; do "$0" generate $words || exit 1; printf "\\036"; done';
  const options = { encoding: 'utf8', input: `${words.join('\n')}\n`, maxBuffer: 1 << 28 };
  const run = spawnSync('sh', ['-c', loop, binary], options);
  check(`generate ${words[0]} ...`, run.status === 0, run.stderr);
  return run.stdout.split('\x1e').slice(0, -1);
}

for (const kind of kinds) {
  const { schema } = schemas.get(kind);
  const documents = shipped.filter((one) => one.kind === kind);
  const texts = documents.map(({ path }) => readFileSync(path, 'utf8'));
  texts.sort((a, b) => a.length - b.length);
  const random = generated.has(kind) ? generate(generated.get(kind), RANDOM)
    : Array.from({ length: RANDOM }, () => randomDocument(kind, texts[0], schema, makers.get(kind)));
  check(`${kind}: random documents are accepted`, compare(kind, random) === RANDOM);
  const different = new Set(random).size;
  // A kind with one or two numbers has few right documents, and half of its numbers stay as they are.
  const others = generated.has(kind) || makers.has(kind) || kind.endsWith('/texts') ? 1 : countOtherNumbers(JSON.parse(texts[0]), schema);
  const wanted = others > 1 && others < 10 * RANDOM ? Math.min(others, RANDOM) * 0.3 : RANDOM * 0.9;
  check(`${kind}: random documents differ`, different > wanted,
    `${different} of ${RANDOM} are different; makers of others belong in games/${kind.split('/')[0]}/samples/documents.mjs`);

  // Of the smallest document: what is repeated a thousand times teaches nothing more.
  const changed = [...new Set(neighbours(texts[0], schema, RANDOM))];
  let accepted = 0;
  for (let first = 0; first < changed.length; first += AT_ONCE)
    accepted += compare(kind, changed.slice(first, first + AT_ONCE));
  const some = accepted > 0 && accepted < changed.length * 0.6;
  check(`${kind}: some changes are accepted, others refused`, some);
  console.log(`${kind}: ${RANDOM} random, ${changed.length} changed, of these ${accepted} right`);
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
