// planted.mjs -- do the tests notice? Plants twelve known bugs of clusters, one at a time, in a copy of the sources and says what found
// each, after how many seconds. A bug that nothing finds within a minute fails the run.
//   node tests/cluster/planted.mjs [--sound] [PART OF A NAME...]      (--sound: first the same tests without any bug; they must pass)
//   node tests/cluster/planted.mjs --places                           only whether each still has its place in the sources, and its test
import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

const LIMIT_S = 60, tree = resolve('build/planted');
const store = (name, env = {}) => ({targets: ['build/release/tests/test_store_postgres'], words: ['build/release/tests/test_store_postgres', name], env});
const server = (name, env = {}) => ({targets: [`build/release/tests/${name}`], words: [`build/release/tests/${name}`], env});
const cluster = (faults, more = []) => ({targets: ['build/release/mashup', 'build/release/cluster_bots', 'build/release/cluster_check'],
  words: ['tests/cluster/run', '--tables', '12', '--pace', '100', '--peace', '1', ...(faults ? ['--faults', faults, '--longest', '--minutes', '0.3'] : ['--minutes', '0']), ...more]});

/** Name, [file, what stands there once, what stands there instead]..., and the test that must find it. */
const bugs = [
  ['ack before commit', [['store/postgres/groups.c', `        postgres_waits(postgres, &postgres->writer_waits_ms, true);
        if (!write_group`, `        if (group.records > 0)
            announce(postgres, &group);
        postgres_waits(postgres, &postgres->writer_waits_ms, true);
        if (!write_group`]], cluster('F3-node-without-database')],
  ['no epoch in the insert', [['store/postgres/groups.c', 'where id = $1::int4 and epoch = $2::int8 for share), "         \\', 'where id = $1::int4 and $2::int8 > 0 for share), "             \\']],
    store('the_same_number_twice_deposes_the_first')],
  ['conflicts ignored, nothing compared', [['store/postgres/groups.c', `    if (!again)
        return TRY_DONE;
    GroupResult result = compare(postgres, group, at);`, `    GroupResult result = again ? TRY_DONE : TRY_DONE;
    if (!again)
        result = compare(postgres, group, at);`]], store('different_bytes_for_one_record_are_an_error')],
  ['a request sent again counts again', [['server/arena.c', '(uint32_t)position < number       ? REFUSAL_LATE', '(uint32_t)position < number       ? REFUSAL_COUNT']], server('test_server_sim', {MASH_SIM_SEEDS: '4'})],
  ['a taker reads before it has committed', [['store/postgres/nodes.c', `        FAULT_POINT("before_take");
`, `        LinkParameters early = {.count = 0};
        link_put_int4(&early, peer->id);
        if (link_run(&postgres->keeper_link, "mine", &early, &rows) != LINK_DONE)
            return false;
        link_array_begin(numbers, LINK_INT8);
        for (int i = 0; i < PQntuples(rows); i++)
            link_array_int8(numbers, link_int8(rows, i, 0));
        PQclear(rows);
        if (!fetch(postgres, numbers, true))
            return false;
`], ['store/postgres/nodes.c', 'and m.node = $2::int4 order by', 'and $2::int4 > 0 order by'],
  ['store/postgres/nodes.c', 'if (taken > 0 && !fetch_kept(', 'if (taken < 0 && !fetch_kept(']], store('nothing_arrives_before_the_taking_is_committed')],
  ['a deposed node tells from memory', [['store/postgres/postgres.c', 'bool may = fresh && !postgres->done.deposed && !postgres->done.handed_over;', 'bool may = !postgres->handing_over || fresh;']],
    store('a_node_that_hears_nothing_tells_nothing')],
  ['two takers', [['store/postgres/nodes.c', 'order by n limit $4::int4 for update "\n                "skip locked)', 'order by n limit $4::int4) "\n                "'],
  ['store/postgres/nodes.c', 'and m.node = $2::int4 order by', 'and $2::int4 > 0 order by']],
    store('two_takers_share_and_none_has_it_twice')],
  ['a record of the journal is dropped', [['store/postgres/groups.c', `    link_array_int8(&postgres->row_numbers, match->row);
`, `    if (record->sequence % 17 == 0) {
        group->ticket = record->ticket;
        return true;
    }
    link_array_int8(&postgres->row_numbers, match->row);
`]], cluster('F14-rolling-update')],
  ['archived, and the journal keeps it', [['store/postgres/nodes.c', 'over as (delete from match using me where n = any($3::int8[])), old as (delete from "\n     "journal using me where n = any($3))',
    'over as (delete from match using me where n = any($3::int8[]) and false), old as (delete from "\n     "journal using me where n = any($3) and false)']], cluster('F14-rolling-update')],
  ['clocks are not frozen', [['store/postgres/postgres.c', '    return postgres->frozen_ms + (now_ms > since_ms ? now_ms - since_ms : 0);', '    return now_ms > since_ms ? 0 : 0;']],
    cluster('F10-primary-killed-no-manager')],
  ['the view of the other seat', [['server/arena_send.c', 'const void *view = positions_view(table, seat);', 'const void *view = positions_view(table, seat == 1 ? 0 : seat);']], cluster('')],
  ['two nodes where players wait for each other', [['store/postgres/archive.c', '"set node = excluded.node where waiting.node = excluded.node or not exists (select 1 "\n     "from node where id = waiting.node and state = \'open\') returning node"',
    '"set node = excluded.node returning node"']], store('players_wait_at_one_node')],
];

/** Runs a command in the copy; its code, and after how many seconds it said first that something is wrong, or ended. */
async function attempt({words, env}, limit) {
  const began = Date.now();
  const child = spawn(words[0], words.slice(1), {cwd: tree, stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: {...process.env, MASH_EVERY_BYTE: '1', MASH_PATIENCE_S: '20', ...env}});
  let text = '', at;
  const hear = bytes => {
    text += bytes;
    if (at === undefined && /BROKEN|FAILED/.test(text)) at = (Date.now() - began) / 1000;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const timer = setTimeout(() => { try { process.kill(-child.pid, 'SIGTERM'); } catch { /* it has ended */ } }, limit * 1000);
  const code = await new Promise(end => child.on('close', end));
  clearTimeout(timer);
  const why = /BROKEN [^\n]*/.exec(text)?.[0].slice(7) ?? /FAILED\s+\] ([a-z]\w+)/.exec(text)?.[1] ?? '';
  return {code, seconds: at ?? (Date.now() - began) / 1000, found: at !== undefined || code !== 0, why, text};
}

function make(targets) { execFileSync('make', ['-s', ...targets], {cwd: tree, stdio: ['ignore', 'inherit', 'inherit']}); }

/** Whether a bug can be planted in this text, and what it is then. */
function plant(file, text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
  return text.replace(from, () => to);
}

if (process.argv[2] === '--places') {
  const tests = readFileSync('tests/store/test_store_postgres.c', 'utf8');
  for (const [name, edits, {words: [program, test]}] of bugs) {
    for (const [file, from, to] of edits) plant(file, readFileSync(file, 'utf8'), from, to);
    if (program.endsWith('test_store_postgres') && !tests.includes(`TEST(${test})`)) throw new Error(`${name}: there is no test ${test}`);
  }
  console.log(`${bugs.length} bugs can be planted`);
  process.exit(0);
}
mkdirSync(tree, {recursive: true});
// The copy keeps the times of files and the objects, so that only what a bug touches is compiled.
execFileSync('sh', ['-c', `git ls-files -z --cached --others --exclude-standard | xargs -0 cp -a --parents -t "$0" 2>/dev/null; mkdir -p "$0/build"; cp -a build/release build/generated "$0/build/"`, tree]);
const words = process.argv.slice(2), parts = words.filter(word => !word.startsWith('--'));
const chosen = bugs.filter(([name]) => !parts.length || parts.some(part => name.includes(part)));
let failed = 0;
if (words.includes('--sound')) {
  for (const line of new Set(chosen.map(([, , {words: list}]) => list.join(' ')))) {
    const test = chosen.find(([, , {words: list}]) => list.join(' ') === line)[2];
    make(test.targets);
    const {found, seconds, why} = await attempt(test, 3 * LIMIT_S);
    console.log(`${found ? 'FAILED' : 'ok    '} ${seconds.toFixed(0).padStart(4)} s  without a bug: ${line} ${why}`);
    failed += found;
  }
}
console.log('\n| planted bug | found by | what it said | after |\n|---|---|---|---|');
for (const [name, edits, test] of chosen) {
  const before = new Map();
  for (const [file, from, to] of edits) {
    const path = join(tree, file), text = readFileSync(path, 'utf8');
    if (!before.has(path)) before.set(path, text);
    writeFileSync(path, plant(file, text, from, to));
  }
  make(test.targets);
  const {found, seconds, why, text} = await attempt(test, LIMIT_S + 30);
  const fine = found && seconds <= LIMIT_S;
  failed += !fine;
  console.log(`| ${name} | ${test.words.join(' ').replace('build/release/tests/', '')} | ${why} | ${fine ? '' : 'NOT FOUND, '}${seconds.toFixed(1)} s |`);
  if (!fine) console.log(text.slice(-2000));
  for (const [path, old] of before) writeFileSync(path, old);
}
process.exit(failed ? 1 : 0);
