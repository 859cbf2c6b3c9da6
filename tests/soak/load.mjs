// load.mjs -- scenarios of load: a full server, fan-out to spectators, everybody reconnecting at once, a long run.
import {WebSocket} from 'ws';
import {readGames} from '../../web/games.mjs';
import {TestServer, demand, match, run, sleep, until, wellEnded} from './server.mjs';

/** Every place is taken: the next one is told so, those inside play on, and a place that is left is free again. */
async function fullServer(short) {
  const seats = short ? 100 : 1000;
  const server = await new TestServer(undefined, ['--sockets-max', String(seats), '--no-rates', '--fast']).open();
  const bots = server.bots(seats, short ? 1 : 3, ['--pace-ms', '10', '--seconds', '120']);
  await until(async () => (await server.figures()).websockets >= seats || bots.code !== undefined, 'the server is full', 60000);
  const late = await server.guest('Late');
  demand(/503/.test(String(late.error)), `a guest at a full server: ${late.error ?? 'was let in'}`);
  await wellEnded(bots, 'a full server');
  const guest = await server.guest('Next');
  await until(() => guest.heard.some(told => told.type === 'welcome'), 'a free place');
  guest.socket.close();
  const figures = await server.figures();
  demand(figures.refused_full_total >= 1 && figures.matches_begun_total === figures.matches_over_total, 'a match did not end');
  const memory = server.memory();
  await server.close();
  return `${seats} at once, ${figures.matches_over_total} matches, ${figures.actions_total} actions, one more refused with 503, ${memory.toFixed(0)} MB`;
}

/** One match and many spectators: all receive the same, and none waits long for it. */
async function fanOut(short) {
  const watchers = short ? 100 : 2000, actions = short ? 10 : 50;
  const server = await new TestServer(undefined, ['--no-rates', '--fast']).open();
  const game = await match(server);
  const heard = new Array(watchers).fill(0), sockets = [];
  for (let i = 0; i < watchers; i++) {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/arena`, {perMessageDeflate: false});
    sockets.push(socket);
    socket.on('message', data => { heard[i] += data.includes('"type":"position"'); });
    socket.on('open', () => {
      socket.send('{"type":"hello","name":"Watcher","role":"watcher"}');
      socket.send(JSON.stringify({type: 'watch', code: game.code}));
    });
    if (i % 50 === 49) await until(() => sockets.every(one => one.readyState === WebSocket.OPEN), 'watchers come');
  }
  await until(() => heard.every(count => count === 1), 'all watchers have the first position');
  const times = [];
  for (let i = 1; i <= actions && !game.over(); i++) {
    const began = performance.now();
    await game.act();
    await until(() => heard.every(count => count === i + 1), 'all watchers have the position');
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  for (const socket of sockets) socket.terminate();
  await until(async () => (await server.figures()).watchers === 0, 'the watchers are gone');
  await server.close();
  return `${watchers} watchers, ${times.length} actions; all had it after ${times[times.length >> 1].toFixed(0)} ms (half), ${times.at(-1).toFixed(0)} ms (worst)`;
}

/** The server restarts during all matches: everybody reconnects at once, every match continues and ends. */
async function reconnectStorm(short) {
  const seats = short ? 60 : 1000;
  const server = await new TestServer(undefined, ['--no-rates']).open();
  const bots = server.bots(seats, short ? 1 : 3, ['--pace-ms', '20', '--grace-ms', '60000']);
  await until(async () => (await server.figures())['tables{state="running"}'] >= seats / 2, 'all matches are on', 60000);
  await sleep(300);
  const times = [];
  for (const signal of short ? ['SIGKILL'] : ['SIGTERM', 'SIGKILL', 'SIGKILL']) {
    await server.close(signal);
    const began = Date.now();
    await server.open();
    await until(async () => bots.code !== undefined || (await server.figures()).sessions >= seats * 0.95, 'all are back', 60000);
    times.push(Date.now() - began);
    await sleep(300);
  }
  await wellEnded(bots, 'after the storm');
  await until(async () => {
    const figures = await server.figures();
    return figures['tables{state="running"}'] === 0 && figures.store_matches === 0;
  }, 'every match is in the archive');
  await server.close();
  return `${seats} came back ${times.length} times, 95 % of them within ${Math.max(...times)} ms of the restart; every match ended`;
}

const games = readGames().map(({id}) => id);

/** A bit of everything that clients do: all games, AI players, tables that are left, lost connections, the archive, the standard. */
export async function medley(server) {
  for (const game of games) {
    await wellEnded(server.bots(10, 2, ['--game', game]), `a medley of ${game}`);
    const guests = [];
    for (let level = 1; level <= 3; level++) {
      guests.push(await server.guest(`Guest ${level}`, 'person', {type: 'open', game, opponent: 'ai', level, seat: 0}));
      guests.push(await server.guest('Alone', 'person', {type: 'open', game}));
    }
    const told = await Promise.all(guests.map(guest => until(() => guest.heard.find(one => one.type === 'table'), `a table of ${game}`)));
    guests.push(await server.guest('Watcher', 'watcher', {type: 'watch', code: told[0].code}));
    await sleep(300);
    guests[2].socket.terminate();
    guests[2] = await server.guest('Guest 2', 'person', {type: 'return', token: told[2].token});
    for (const [i, guest] of guests.entries()) guest.say({type: i % 4 === 0 ? 'resign' : 'leave'});
    for (const guest of [guests[0], guests[4]]) await until(() => guest.heard.at(-1).result, 'the end is told');
    for (const guest of guests) guest.socket.close();
    const {matches} = await server.get(`/api/archive?game=${game}`);
    for (const one of matches.slice(0, 5)) await server.get(`/api/match/${one.code}`);
  }
  const ais = [1, 2].map(i => run(['ai', `ws://127.0.0.1:${server.port}`, '--level', '1', '--name', `Program ${i}`]));
  for (const ai of ais) await wellEnded(ai, 'the standard');
  await until(async () => {
    const figures = await server.figures();
    return figures.store_matches === 0 && figures.sessions === 0 && !figures['tables{state="running"}'] && !figures['tables{state="over"}'];
  }, 'the medley ends');
}

/** Months in short: matches one after the other (SOAK_ROUNDS thousands of them), then a medley again and again; neither memory nor files grow. */
async function longRun(short) {
  const server = await new TestServer(undefined, ['--no-rates', '--fast']).open();
  await wellEnded(server.bots(100, short ? 2 : 10), 'warming up');
  if (!short) await medley(server);
  await sleep(500);
  const memory = server.memory(), files = server.files(), rounds = short ? 1 : Number(process.env.SOAK_ROUNDS ?? 4), between = [];
  for (let i = 0; i < rounds; i++) {
    await wellEnded(server.bots(100, short ? 4 : 20), 'the long run');
    between.push(server.memory().toFixed(1));
  }
  for (let i = 0; i < (short ? 0 : 4); i++) await medley(server);
  await sleep(500);
  const figures = await server.figures();
  const after = server.memory();
  demand(after < memory + 6, `memory grew from ${memory.toFixed(1)} to ${after.toFixed(1)} MB`);
  demand(server.files() <= files + 2, `open files grew from ${files} to ${server.files()}`);
  demand(figures.store_matches === 0 && figures.sessions === 0, 'something is left over');
  await server.close();
  return `${figures.matches_over_total} matches, ${figures.actions_total} actions; memory ${memory.toFixed(1)}, ${between.join(', ')}, ${after.toFixed(1)} MB, files ${files}`;
}

export const scenarios = {'full-server': fullServer, 'fan-out': fanOut, 'reconnect-storm': reconnectStorm, 'long-run': longRun};
