// faults.mjs -- scenarios of things that go wrong: strangers who misbehave, disks, journals, calendars, file handles.
import {execFileSync, spawnSync} from 'node:child_process';
import {closeSync, cpSync, openSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync, writeSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import {TestServer, demand, folder, match, sleep, until, wellEnded} from './server.mjs';

/** A raw line to the server. */
function line(server, text = '') {
  const socket = connect(server.port, '127.0.0.1', () => text && socket.write(text));
  socket.on('error', () => {});
  return socket;
}

const handshake = 'GET /arena HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** Clients that never read, send garbage, flood or dawdle are cut off; an honest match beside them goes on, and memory does not grow. */
async function abuse(short) {
  const each = short ? 10 : 100;
  const server = await new TestServer(undefined, ['--fast', '--no-rates']).open();
  const limited = await new TestServer(undefined, ['--fast']).open();
  const game = await match(server), other = await match(limited);
  const before = server.memory(), sockets = [];
  for (let i = 0; i < each; i++) {
    const deaf = line(server, handshake); // never reads, and asks for much
    deaf.once('data', () => {
      deaf.pause();
      const ask = text => { const data = Buffer.from(text); return Buffer.concat([Buffer.from([0x81, 0x80 | data.length, 0, 0, 0, 0]), data]); };
      deaf.write(ask('{"type":"hello","name":"Deaf","role":"watcher"}'));
      for (let j = 0; j < 4000; j++) deaf.write(ask('{"type":"games"}'));
    });
    sockets.push(deaf, line(server, '\x16\x03\x01\x02\x00' + 'garbage'.repeat(200)), line(server, 'GET /'), line(server, Buffer.from(handshake + '\x81\x05hello', 'latin1')));
    const rude = new WebSocket(`ws://127.0.0.1:${server.port}/arena`, {perMessageDeflate: false});
    rude.on('error', () => {});
    rude.on('open', () => rude.send(i % 3 === 0 ? 'this is no JSON' : i % 3 === 1 ? Buffer.alloc(100) : 'x'.repeat(300000)));
    sockets.push(rude);
  }
  const flood = new WebSocket(`ws://127.0.0.1:${limited.port}/arena`, {perMessageDeflate: false});
  let floodCode;
  flood.on('close', code => { floodCode = code; });
  flood.on('error', () => {});
  flood.on('open', () => { for (let i = 0; i < 20000; i++) flood.send('{"type":"here"}'); });
  const times = [];
  for (let i = 0; i < (short ? 10 : 50) && !game.over(); i++) times.push(await game.act());
  for (let i = 0; i < 5; i++) await other.act();
  await until(() => floodCode !== undefined, 'the flood is cut off');
  demand(floodCode === 1008, `the flood ended with ${floodCode}`);
  const grown = server.memory() - before;
  await until(async () => (await server.figures()).cut_broken_total >= each, 'the rude are cut off');
  await until(async () => (await server.figures()).cut_slow_total >= each, 'the deaf are cut off');
  demand(grown < 16 + each * 3, `memory grew by ${grown.toFixed(0)} MB`);
  for (const socket of sockets) (socket.destroy ?? socket.terminate).call(socket);
  await until(async () => (await server.figures()).websockets === 2, 'the strangers are gone');
  await game.act();
  await server.close();
  await limited.close();
  times.sort((a, b) => a - b);
  return `${sockets.length} strangers; honest actions took ${times[times.length >> 1].toFixed(0)} ms (half), ${times.at(-1).toFixed(0)} ms (worst); ` +
    `memory +${grown.toFixed(0)} MB; the flood was cut off with 1008`;
}

/** Runs a scenario again where it may mount a small disk of its own; what came of it, or undefined if we are there already. */
function onSmallDisk(name) {
  if (process.getuid() !== 0) return 'left out: a small disk of its own wants root';
  if (process.env.MASHUP_DISK) return undefined;
  const inside = spawnSync('unshare', ['--mount', process.execPath, 'tests/soak/run.mjs', name], {env: {...process.env, MASHUP_DISK: folder()}, encoding: 'utf8'});
  if (inside.error || /unshare failed|Operation not permitted|permission denied/.test(inside.stderr)) return `left out: ${inside.error ?? inside.stderr.trim()}`;
  demand(inside.status === 0, inside.stdout + inside.stderr);
  return inside.stdout.replace(/^.* s  /s, '').trim();
}

/** The disk is nearly full: no match begins, the one that runs goes on and ends, and with room again everything is as before. */
async function diskLow() {
  const told = onSmallDisk('disk-low');
  if (told) return told;
  const disk = process.env.MASHUP_DISK, filler = join(disk, 'filler');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'none', disk]);
  const server = await new TestServer(join(disk, 'data'), ['--no-rates', '--disk-reserve', '8M']).open();
  const game = await match(server), late = await server.guest('Late');
  writeFileSync(filler, Buffer.alloc(10 << 20));
  await until(async () => (await server.figures()).store_low === 1, 'the disk is seen to be low');
  late.say({type: 'open', game: 'zorde', opponent: 'ai'});
  const refused = await until(() => late.heard.find(message => message.type === 'refused'), 'a match is refused');
  demand(refused.code === 'full' && /low on disk space; matches in progress continue/.test(refused.reason), JSON.stringify(refused));
  demand((await fetch(`http://127.0.0.1:${server.port}/readyz`)).status === 503, '/readyz says that it is ready');
  let actions = 0;
  for (; actions < 40 && !game.over(); actions++) await game.act();
  game.one.say({type: 'leave'});
  await until(async () => (await server.figures()).store_finished_total === 1, 'the match is archived');
  rmSync(filler);
  await until(async () => (await server.figures()).store_low === 0, 'there is room again');
  late.say({type: 'open', game: 'zorde', opponent: 'ai'});
  await until(() => late.heard.find(message => message.type === 'table'), 'a match begins');
  demand(/low on space/.test(server.process.text) && /has room again/.test(server.process.text), 'the log does not say it');
  await server.close();
  return `a new match was refused, ${actions} actions of the one that ran were told and it was archived; with room again a match began`;
}

/** The disk is full and nothing was kept free: the server tells nothing that is not safe and closes with one line; with room again every match goes on. */
async function diskFull(short) {
  const told = onSmallDisk('disk-full');
  if (told) return told;
  const disk = process.env.MASHUP_DISK;
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'none', disk]);
  const server = await new TestServer(join(disk, 'data'), ['--no-rates', '--disk-reserve', '0']).open();
  const bots = server.bots(20, 100, ['--grace-ms', '60000']);
  const code = await server.process.ended;
  demand(code === 1, `the server ended with ${code}: ${server.process.text.slice(-500)}`);
  demand(/No space left on device|disk is full/.test(server.process.text), `it did not say why: ${server.process.text.slice(-500)}`);
  execFileSync('mount', ['-o', 'remount,size=64m', disk]);
  await server.open();
  const recovered = (await server.figures()).matches_recovered_total;
  demand(recovered > 0, 'no match was taken up');
  bots.child.kill('SIGTERM'); // plays those under way to their end
  await wellEnded(bots, 'after the disk was full');
  const figures = await server.figures();
  demand(figures['tables{state="running"}'] === 0, 'a match is left over');
  await server.close();
  return `exit code 1 and one line; with room again ${recovered} matches went on and ended`;
}

/** Copies a folder without its socket. */
const copyTo = (from, to) => cpSync(from, to, {recursive: true, filter: name => !name.endsWith('.sock')});

/** The newest segment of a journal. */
function newest(data) {
  const names = readdirSync(join(data, 'journal')).filter(name => name.endsWith('.journal')).sort();
  return join(data, 'journal', names.at(-1));
}

/** A server killed in the middle of matches, and a copy of its folder for each damage. */
async function killed(short) {
  const server = await new TestServer(undefined, ['--no-rates']).open();
  const bots = server.bots(20, 50, ['--pace-ms', '3']);
  await sleep(short ? 800 : 3000);
  await server.close('SIGKILL');
  bots.child.kill('SIGKILL');
  await bots.ended;
  return server.data;
}

/** Opens a damaged folder: the server opens, plays on, and says what it found. */
async function opens(data, what) {
  const server = await new TestServer(data, ['--no-rates']).open();
  const {matches_recovered_total: recovered} = await server.figures();
  const archive = (await server.get('/api/archive')).matches.length;
  await wellEnded(server.bots(4, 1), what);
  const said = /journal|damaged|given up|store/i.test(server.process.text);
  await server.close();
  await (await new TestServer(data).open()).close(); // once more: nothing is worse than before
  return {recovered, archive, said};
}

/** The journal ends in the middle of a record: at most its last record is lost, all matches go on. */
async function journalCut(short) {
  const data = await killed(short);
  const whole = folder();
  copyTo(data, join(whole, 'data'));
  const {recovered, archive} = await opens(join(whole, 'data'), 'a whole journal');
  demand(recovered > 0, 'no match was on');
  for (const bytes of [1, 7, 100]) {
    const copy = join(folder(), 'data');
    copyTo(data, copy);
    const file = newest(copy);
    truncateSync(file, Math.max(0, statSync(file).size - bytes));
    const answer = await opens(copy, `a journal without its last ${bytes} bytes`);
    demand(answer.recovered >= recovered - 1 && answer.archive === archive, `${bytes} bytes cut: ${JSON.stringify(answer)}, whole: ${recovered}`);
  }
  return `${recovered} matches went on with 1, 7 and 100 bytes cut off; ${archive} finished ones untouched`;
}

/** Bits of the journal are flipped: only the matches they belong to are ended, with a line in the log; the damaged file is kept. */
async function journalFlipped(short) {
  const data = await killed(short);
  const total = (await (async () => {
    const copy = join(folder(), 'data');
    copyTo(data, copy);
    return opens(copy, 'a whole journal');
  })()).recovered;
  const told = [];
  for (const part of short ? [0.5] : [0.1, 0.5, 0.9]) {
    const copy = join(folder(), 'data');
    copyTo(data, copy);
    const file = newest(copy), bytes = readFileSync(file), at = Math.floor(bytes.length * part);
    bytes[at] ^= 0x10;
    const handle = openSync(file, 'r+');
    writeSync(handle, bytes.subarray(at, at + 1), 0, 1, at);
    closeSync(handle);
    const answer = await opens(copy, `a bit flipped at ${part}`);
    demand(answer.said, 'nothing was said about the damage');
    demand(answer.recovered >= total - 2, `one bit cost ${total - answer.recovered} of ${total} matches`);
    demand(readdirSync(join(copy, 'journal')).some(name => name.includes('damaged')), 'the damaged file was not kept');
    told.push(total - answer.recovered);
  }
  return `${total} matches; one flipped bit cost ${told.join(', ')} of them, the damaged file was kept`;
}

/** The date jumps by years, forward and back, during a match: no clock of a match is affected, everything is archived. */
async function clockJumps() {
  const place = folder(), library = join(place, 'jump.so'), file = join(place, 'jump');
  execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', library, 'tests/soak/jump.c', '-ldl']);
  writeFileSync(file, '0');
  const server = await new TestServer(undefined, ['--turn-seconds', '30', '--no-rates'], {env: {LD_PRELOAD: library, MASHUP_JUMP: file}}).open();
  const game = await match(server);
  const year = 365 * 86400;
  let worst = 0;
  for (const jump of [year, -year, 10 * year, -20 * year, 3600, -3600, 0]) {
    writeFileSync(file, String(jump));
    for (let i = 0; i < 3 && !game.over(); i++) worst = Math.max(worst, await game.act());
    const {clocks} = game.one.heard.findLast(told => told.type === 'position');
    const [left] = clocks.turn.filter(time => time !== null);
    demand(game.over() || (left > 20000 && left <= 30000), `a turn of 30 s has ${left} ms left after a jump of ${jump} s`);
  }
  const bots = server.bots(4, 2);
  writeFileSync(file, String(-year));
  await wellEnded(bots, 'a calendar that jumps');
  game.one.say({type: 'resign'});
  const {matches} = await until(async () => {
    const told = await server.get('/api/archive');
    return told.matches.length === 5 && told;
  }, 'all matches are in the archive');
  demand(matches.every(one => one.actions > 0), 'a match without actions');
  await server.close();
  return `seven jumps of up to twenty years; the slowest action took ${worst.toFixed(0)} ms, no clock moved, all 5 matches archived`;
}

/** More connections than there are file handles: matches continue, end and are archived, the machine stays quiet, and clients that ask for something are let in. */
async function outOfHandles(short) {
  const [limit, lines] = short ? [128, 200] : [1024, 1084];
  const server = await new TestServer(undefined, ['--no-rates'], {shell: `ulimit -n ${limit}`}).open();
  demand(/too few open files for \d+ sockets: there will be \d+/.test(server.process.text), `it did not say how many sockets there will be: ${server.process.text}`);
  const game = await match(server);
  const crowd = Array.from({length: lines}, () => line(server, 'GET / HTTP/1.1\r\n'));
  await sleep(1500);
  const cpu = server.cpu(), began = Date.now();
  for (let i = 0; i < 10; i++) await game.act();
  await sleep(1000);
  const busy = (server.cpu() - cpu) * 1000 / (Date.now() - began);
  demand(busy < 0.5, `the server is busy ${(busy * 100).toFixed(0)} % of the time`);
  demand(server.files() <= limit - 32, `${server.files()} files of ${limit}`);
  game.one.say({type: 'resign'});
  await until(async () => (await server.get('/api/archive')).matches.length === 1, 'the match is archived');
  const guest = await server.guest('Next');
  await until(() => guest.heard.some(told => told.type === 'welcome'), 'who asks for something is let in');
  const {accept_failures_total: failures, shed_total: shed} = await server.figures();
  demand(failures === 0, 'the handles ran out');
  demand(shed > 0, 'nobody gave way');
  for (const one of crowd) one.destroy();
  await server.close();
  return `${lines} lines at ${limit} handles: a match went on, ended and was archived, the server was busy ${(busy * 100).toFixed(0)} %, ${shed} idle lines gave way`;
}

export const scenarios = {abuse, 'disk-low': diskLow, 'disk-full': diskFull, 'journal-cut': journalCut, 'journal-flipped': journalFlipped, 'clock-jumps': clockJumps,
  'out-of-handles': outOfHandles};
