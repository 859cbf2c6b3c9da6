// foreign_servers.mjs -- our clients at servers of the network standard that differ and err as known ones do:
// node tests/standard/foreign_servers.mjs build/mashup [NAME...]
// Each scenario starts a server of standard_server.mjs and `mashup ai`; afterwards the match must have gone on to its end, every
// frame of ours must fit the schema, and what the scenario asks for must have happened.
import { spawn } from 'node:child_process';
import { StandardServer } from './server.mjs';

const [binary, ...only] = process.argv.slice(2);
const PATIENCE_MS = 180000;
let failed = 0;

const requestsOf = (server) => server.frames.flatMap((frame) => frame.messages ?? (frame.requestType ? [frame] : []));
const typesOf = (server) => requestsOf(server).map(({ requestType }) => requestType);
const count = (server, type) => typesOf(server).filter((one) => one === type).length;

/** Runs `mashup` to its end. */
function run(words, input = '') {
  return new Promise((resolve) => {
    const child = spawn(binary, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.stdout.on('data', (data) => { out += data; });
    child.stderr.on('data', (data) => { out += data; });
    child.stdin.end(input);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, out });
    });
  });
}

/** One scenario: options of the server, and what must be true at the end (a sentence for each thing that is not). */
async function scenario(name, options, check = () => [], flags = []) {
  if (only.length > 0 && !only.includes(name)) return;
  const server = new StandardServer(options);
  await server.ready();
  const url = `ws://127.0.0.1:${server.port}/`;
  const began = Date.now();
  const { code, out } = await run(['ai', url, '--name', 'ours', '--level', options.level ?? '4', '--patience', '5', '--pace', options.pace ?? '0', ...flags]);
  const wrong = [...server.problems, ...check(server, out)];
  if (server.role !== undefined && server.role !== 'KI') wrong.push(`it logged in as ${server.role}, not as KI`);
  if (code !== (options.exit ?? 0)) wrong.push(`exit code ${code}`);
  console.log(`${wrong.length ? 'FAILED' : 'ok    '} ${name} (${Date.now() - began} ms)`);
  for (const line of wrong.slice(0, 5)) console.log(`    ${line}`);
  if (wrong.length) console.log(out, JSON.stringify(server.frames.slice(-5)));
  failed += wrong.length > 0;
  server.close();
}

/** Calls the first time that a request other than Req comes; then never again. */
function once(act, only = () => true) {
  let done = false;
  return (server, what, data) => {
    if (done || what !== 'request' || data.requestType === 'Req' || !only(data)) return false;
    done = true;
    return act(server, data);
  };
}

const played = (server, out) =>
  (server.acts > server.turns && /^won, \d+ requests, 0 refused/.test(out) ? [] : [`acts ${server.acts}, ${out}`]);

await scenario('wrapped', { turns: 8 }, played);
await scenario('bare', { bare: true, turns: 8 }, played);

// Tie breaks differ from decision to decision: a random player moves in most of the eight directions.
await scenario('whims', { level: '1', turns: 30 }, (server, out) => {
  const moves = requestsOf(server).filter(({ requestType }) => requestType === 'MoveRequest');
  const ways = new Set(moves.map(({ originField: [x, y], targetField: [toX, toY] }) => `${toX - x},${toY - y}`));
  return ways.size >= 6 ? [] : [`${moves.length} moves, only ${[...ways].join(' ')}`, out];
});

// One known server numbers characters by their place, says more than it should, counts rounds from 0 and stays after the end.
await scenario('indexes', {
  turns: 8, quirks: { indexes: true, envelope: { customContentType: '' }, stays: true, goodbye: 'GOODBYE_ClIENT' },
}, played);
await scenario('odd goodbye', { quirks: { goodbye: 'GOODBYE_ClIENT' } }, played);

// A winner that is not a player: the match is decided, but no winner is announced.
await scenario('no such winner', { quirks: { winner: 3 } }, (server, out) => (/^decided/.test(out) ? [] : [out]));

// Another says to everybody that a match runs, sends constants as cooldowns, shows its NPCs, and unknown things.
await scenario('strange', {
  bare: true, turns: 6,
  quirks: {
    alwaysRunning: true, cooldowns: [2, 1, 3, 1, 5, 5],
    entities: [
      { entityType: 'NPC', ID: 0, MP: 0, stones: [0, 1, 2, 3, 4, 5], position: [0, 0] },
      { entityType: 'Cloud', ID: 1, position: [7, 7] }, { entityType: 'InfinityStone', ID: 4, position: [5, 0] },
      { entityType: 'Rock', ID: 9, HP: 100, position: [70, 7] },
    ],
  },
  on(server, what) {
    if (what === 'start') {
      server.socket.send(Buffer.from([1, 2, 3]));
      server.socket.send('{"eventType":"Gamesta');
      server.socket.send('[1,2]');
      server.send({ messageType: 'NEWS', text: 'unknown' });
      server.send({ eventType: 'CustomEvent', teamIdentifier: 'x', customContent: {} });
      server.send({ eventType: 'TurnEvent', turnCount: 'many', nextCharacter: 7 });
    }
    return false;
  },
}, played);

// A refusal in the middle of a turn: it goes on, and what was refused is not asked for again; with and without a state behind the Nack.
// A second one in the same turn ends it.
const end = '{"requestType":"EndRoundRequest"}';
const wordsOf = (server) => requestsOf(server).filter(({ requestType }) => requestType !== 'Req').map((one) => JSON.stringify(one));
for (const bare of [false, true])
  for (const refusals of [1, 2]) {
    const turns = []; // in which something was refused: its number, and where the refused ones stand among all requests
    await scenario(`refused ${refusals === 1 ? 'once' : 'twice'}, ${bare ? 'bare' : 'wrapped'}`, {
      bare, turns: 30, quirks: { row: 2 }, // somebody to hit stands near
      on(server, what, data) {
        if (what !== 'request' || ['Req', 'EndRoundRequest'].includes(data.requestType)) return false;
        const near = server.heroes.some(({ side, HP, at }) => side === 1 && HP > 0 && Math.max(...at.map((z, i) => Math.abs(z - server.active.at[i]))) === 1);
        let turn = turns.find(({ number }) => number === server.ended);
        if (!turn && !(data.requestType === 'MoveRequest' && server.active.AP > 0 && near)) return false;
        if (!turn) turns.push(turn = { number: server.ended, places: [] });
        if (turn.places.length >= refusals) return false;
        turn.places.push(wordsOf(server).length - 1);
        if (bare) server.tell({ eventType: 'Nack' });
        else server.tell({ eventType: 'Nack' }, server.state());
        return true;
      },
    }, (server, out) => {
      const words = wordsOf(server), restOf = ({ places }) => words.slice(places[0] + 1, words.indexOf(end, places[0]));
      const again = turns.filter((turn) => restOf(turn).includes(words[turn.places[0]])), on = turns.filter((turn) => restOf(turn).length > 0);
      const late = turns.filter(({ places }) => places.length === 2 && words[places[1] + 1] !== end);
      return [
        ...(again.length === 0 ? [] : [`${again.length} were asked for again: ${words[again[0].places[0]]}`]),
        ...(on.length * 2 > turns.length ? [] : [`only ${on.length} of ${turns.length} turns went on`]), // some have nothing more to do
        ...(late.length === 0 ? [] : [`after a second refusal came ${words[late[0].places[1] + 1]}`]),
        ...(refusals === 1 || turns.some(({ places }) => places.length === 2) ? [] : ['nothing was refused twice']),
        ...(turns.length > 2 && /^won/.test(out) ? [] : [`${turns.length} turns: ${out}`]),
      ];
    });
  }

// The match is decided at once, and the winner is told when the turn ends.
for (const bare of [false, true])
  await scenario(`the winner comes late, ${bare ? 'bare' : 'wrapped'}`, {
    bare, turns: 2, quirks: { winner: 2 },
    on(server, what, data) {
      if (what !== 'request' || server.ended === 0 || data.requestType === 'Req') return false;
      if (data.requestType === 'EndRoundRequest') {
        server.ends = (server.ends ?? 0) + 1;
        setTimeout(() => server.win([{ eventType: 'Ack' }]), 2500);
      } else {
        server.tell({ eventType: 'Ack' }, server.state(true));
      }
      return true;
    },
  }, (server, out) => (/^lost/.test(out) && server.ends === 1 ? [] : [`${server.ends} ends`, out]));

// Requests are apart, for those who read slowly: this one handles a frame in 100 ms. Clocks of a busy machine shorten one gap and lengthen another.
for (const bare of [false, true]) {
  let first = 0, last = 0, acts = 0;
  await scenario(`a slow reader, ${bare ? 'bare' : 'wrapped'}`, {
    bare, turns: 6, pace: '100',
    on(server, what, data) {
      if (what !== 'request' || data.requestType === 'Req') return false;
      first ||= Date.now();
      last = Date.now();
      acts++;
      return false;
    },
  }, (server, out) => [...played(server, out), ...(last - first >= (acts - 1) * 50 ? [] : [`${acts} requests in ${last - first} ms`])]);
}
// But never beyond half of a turn's time in all.
await scenario('pace and time', { turns: 3, pace: '10000', config: { maxRoundTime: 2 } }, played);

// No answer at all: Req after some seconds, then the end of the turn, once.
await scenario('deaf', {
  turns: 4, on: once(() => true, ({ requestType }) => requestType !== 'EndRoundRequest'),
}, (server) => {
  const types = typesOf(server);
  const first = types.findIndex((type) => type !== 'EndRoundRequest');
  return first >= 0 && types[first] !== 'Req' && types[first + 1] === 'Req' && types[first + 2] === 'EndRoundRequest'
    ? [] : [types.join(' ')];
});

// Lost in the match: the same identity comes back, reconnects and asks for the state.
await scenario('lost', {
  turns: 8,
  on: once((server) => {
    server.socket.terminate();
    return true;
  }),
}, (server, out) => {
  const types = server.frames.map(({ messageType }) => messageType);
  const back = types.lastIndexOf('HELLO_SERVER');
  return [
    ...(server.connections === 2 && types[back + 1] === 'RECONNECT' && count(server, 'Req') > 0 ? [] : [types.join(' ')]),
    ...(/^won/.test(out) ? [] : [out]),
  ];
});

// Back in a new process at a bare server, which says nothing unasked and does not hear what is wrapped.
await scenario('back from elsewhere', {
  bare: true, turns: 4, quirks: { deaf: true },
  on(server, what, data) {
    if (what === 'frame' && data.messageType === 'HELLO_SERVER') server.begin();
    return false;
  },
}, (server, out) => (/^won/.test(out) && server.frames[1].messageType === 'RECONNECT' ? [] : [out]), ['--device', 'mine']);

// Gone for good in the match, as a server that ends its process with it.
await scenario('gone', {
  on: once((server) => {
    server.socket.close(1001);
    server.server.close();
    return true;
  }),
}, (server, out) => (/^over, .* 1 connections lost/.test(out) ? [] : [out]));

// A server that is gone while one hand has all six stones: that decides who has won, and nobody reconnects.
for (const bare of [false, true])
  for (const [side, result] of [[0, 'won'], [1, 'lost']])
    await scenario(`gone with six stones, ${bare ? 'bare' : 'wrapped'}, ${result}`, {
      bare,
      on: once((server) => {
        server.heroes[side * 6].stones = [0, 1, 2, 3, 4, 5];
        server.tell({ eventType: 'Ack' }, server.state());
        server.on = () => true; // what is on its way meanwhile is not looked at
        server.socket.close(1001);
        return true;
      }),
    }, (server, out) => (new RegExp(`^${result}, \\d+ requests, 0 refused, 0 connections lost`).test(out) && server.connections === 1 ? [] : [out]));

// Each loss counts once, however often it takes to come back.
await scenario('losses', {
  turns: 8,
  on: once((server) => {
    const { port } = server;
    server.socket.terminate();
    server.server.close();
    setTimeout(() => server.listen(port), 1500);
    return true;
  }),
}, (server, out) => (/^won, .* 1 connections lost/.test(out) ? [] : [out]));

// A pause: nothing but Req in it.
await scenario('pause', {
  turns: 5,
  on: once((server) => {
    server.tell({ eventType: 'Ack' }, { eventType: 'PauseStartEvent' }, server.state());
    const before = requestsOf(server).length;
    setTimeout(() => {
      const said = typesOf(server).slice(before).filter((type) => type !== 'Req');
      if (said.length) server.problems.push(`said in a pause: ${said}`);
      server.tell({ eventType: 'PauseStopEvent' }, server.state());
    }, 1500);
    return true;
  }, ({ requestType }) => requestType !== 'EndRoundRequest'),
}, (server, out) => (/^won/.test(out) && !/Pause/.test(typesOf(server).join()) ? [] : [out]));

// A request that crosses the beginning of a pause is refused for that alone: it is asked for again afterwards.
await scenario('crossed a pause', {
  turns: 5,
  on: once((server, data) => {
    server.crossed = JSON.stringify(data);
    server.tell({ eventType: 'PauseStartEvent' }, server.state());
    server.tell({ eventType: 'Nack' }, server.state());
    setTimeout(() => server.tell({ eventType: 'PauseStopEvent' }, server.state()), 500);
    return true;
  }, ({ requestType }) => requestType !== 'EndRoundRequest'),
}, (server, out) => {
  const next = requestsOf(server).filter(({ requestType }) => requestType !== 'Req').map((one) => JSON.stringify(one));
  return next[next.indexOf(server.crossed) + 1] === server.crossed && / 0 refused/.test(out) ? [] : [next.slice(0, 3).join(), out];
});

// Signs of life, and an answer to each warning.
await scenario('slow opponent', {
  turns: 2, config: { maxResponseTime: 3 },
  on(server, what, data) {
    if (what !== 'request' || data.requestType !== 'EndRoundRequest' || server.waited) return false;
    server.waited = true;
    const other = server.heroes.at(-1);
    const mine = server.active;
    server.active = other;
    server.tell({ eventType: 'Ack' }, { eventType: 'TurnEvent', turnCount: 1, nextCharacter: server.reference(other) }, server.state());
    const before = count(server, 'Req');
    setTimeout(() => server.tell({ eventType: 'TimeoutWarningEvent', message: 'silent', timeLeft: 3 }), 500);
    const go = () => {
      const heard = count(server, 'Req') - before;
      if (heard < 2) return setTimeout(go, 50); // a busy machine is waited for
      if (heard > 6) server.problems.push(`${heard} signs of life in 4 s`);
      server.active = mine;
      server.tell({ eventType: 'TurnEvent', turnCount: 1, nextCharacter: server.reference(mine) }, server.state());
    };
    setTimeout(go, 4000);
    return true;
  },
}, (server, out) => (/^won/.test(out) ? [] : [out]));

// A choice that is refused is made again, and differently.
await scenario('choose again', {
  on(server, what, data) {
    if (what !== 'frame' || data.messageType !== 'CHARACTER_SELECTION' || server.first) return false;
    server.first = data.characters;
    server.send({ messageType: 'CONFIRM_SELECTION', selectionComplete: false });
    return true;
  },
}, (server) => {
  const six = server.choice.filter(Boolean).length === 6 && server.first.filter(Boolean).length === 6;
  return six && `${server.first}` !== `${server.choice}` ? [] : [`${server.first} / ${server.choice}`];
});

// The end without words: winCondition, and the line stays open.
// The AI may have ended its turn by choice just before; what counts is the one request after the end.
let endedBefore = 0;
await scenario('silent end', {
  on: once((server) => {
    endedBefore = count(server, 'EndRoundRequest');
    server.tell({ eventType: 'Ack' }, server.state(true));
    server.on = () => true;
    return true;
  }),
}, (server, out) => (/^decided/.test(out) && count(server, 'EndRoundRequest') === endedBefore + 1 ? [] : [out]));

// The end by a DisconnectEvent alone, after an ERROR that meant nothing.
await scenario('short end', {
  on: once((server) => {
    server.send({ messageType: 'ERROR', message: 'never mind', type: 1 });
    server.tell({ eventType: 'Ack' }, { eventType: 'DisconnectEvent' }, server.state());
    server.socket.close(1000);
    return true;
  }),
}, (server, out) => (/^over.*the match is over/.test(out) && server.connections === 1 ? [] : [out]));

// A refused client: a sentence and exit code 1.
await scenario('full', {
  exit: 1,
  on(server, what, data) {
    if (what !== 'frame' || data.messageType !== 'PLAYER_READY') return false;
    server.send({ messageType: 'ERROR', message: 'the table is full', type: 4 });
    server.send({ messageType: 'GOODBYE_CLIENT', message: 'bye' });
    server.socket.close(1000);
    return true;
  },
}, (server, out) => (/the table is full/.test(out) ? [] : [out]));

// A board that the rules do not allow: we only end our turns.
await scenario('impossible board', { turns: 4, scenario: [['GRASS', 'PORTAL']] }, (server, out) => {
  const others = typesOf(server).filter((type) => type !== 'Req' && type !== 'EndRoundRequest');
  return /^won/.test(out) && others.length === 0 ? [] : [out, others.join()];
});

// --- A person in the terminal --------------------------------------------------------------------

/** Runs `mashup join` with somebody at the keyboard: `type(out, write)` is called whenever something was printed. */
function sit(words, type) {
  return new Promise((resolve) => {
    const child = spawn(binary, words, { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    const write = (line) => child.stdin.write(`${line}\n`);
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const hear = (data) => {
      out += data;
      type(out, write);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.stdin.on('error', () => {});
    child.on('close', (code) => {
      clearTimeout(timer);
      child.stdin.end();
      resolve({ code, out });
    });
  });
}

async function person(name, options, role, type, wanted) {
  if (only.length > 0 && !only.includes(name)) return;
  const server = new StandardServer(options);
  await server.ready();
  const words = ['join', `127.0.0.1:${server.port}`, '--protocol', 'standard', '--name', 'somebody', '--role', role];
  const { code, out } = await sit(words, (text, write) => type(server, text, write));
  const wrong = [...server.problems, ...wanted.filter((one) => !out.includes(one)).map((one) => `"${one}" was not said`)];
  if (code !== 0) wrong.push(`exit code ${code}`);
  console.log(`${wrong.length ? 'FAILED' : 'ok    '} ${name}`);
  if (wrong.length) console.log(wrong.join('\n'), out);
  failed += wrong.length > 0;
  server.close();
}

for (const bare of [false, true]) {
  let steps = 0;
  await person(`a person plays, ${bare ? 'bare' : 'wrapped'}`, { bare, turns: 3 }, 'PLAYER', (server, out, write) => {
    if (steps === 0 && out.includes('Choose six heroes')) {
      steps++;
      for (const line of ['help', 'nonsense', '1', '1', '1', '1', '1', '1']) write(line);
    } else if (server.started && server.acts + 1 === steps && out.includes('against two')) {
      steps++;
      for (const line of ['units', 'board all', 'log', 'state', '0']) write(line);
      setTimeout(() => write('end'), 200);
    }
  }, ['Choose six heroes', 'No action matches "nonsense"', 'one against two', 'has won']);
}
await person('a person watches', {
  on(server, what) {
    if (what === 'start') setTimeout(() => server.win(), 500);
    return false;
  },
}, 'SPECTATOR', () => {}, ['one against two', 'has won']);

// A reason that would favour the loser is not given: the other side has all stones, or Thanos has and the loser did more damage.
for (const [what, entities] of [['six stones', []], ['damage', [{ entityType: 'NPC', ID: 2, MP: 1, stones: [0, 1, 2, 3, 4, 5], position: [7, 7] }]]])
  await person(`no invented reason, ${what}`, {
    quirks: { winner: 2, entities },
    on(server, what_) {
      if (what_ !== 'start') return false;
      const [attacker] = server.heroes, target = server.heroes.at(-1);
      if (entities.length === 0) attacker.stones = [0, 1, 2, 3, 4, 5];
      const refs = { originEntity: server.reference(attacker), originField: attacker.at, targetEntity: server.reference(target), targetField: target.at };
      target.HP -= 10;
      setTimeout(() => {
        server.tell({ eventType: 'RangedAttackEvent', ...refs, amount: 10 },
          { eventType: 'TakenDamageEvent', targetEntity: refs.targetEntity, targetField: target.at, amount: 10 }, server.state());
        server.win();
      }, 300);
      return false;
    },
  }, 'SPECTATOR', () => {}, ['(two) has won.\n']);
// The server goes away while one hero has all stones: the winner is announced at once.
await person('gone with six stones', {
  on(server, what) {
    if (what !== 'start') return false;
    server.heroes[6].stones = [0, 1, 2, 3, 4, 5];
    setTimeout(() => server.socket.close(1001), 300);
    return false;
  },
}, 'SPECTATOR', () => {}, ['(two) has won', 'Disconnected: the match is over']);
// A server that sends spectators no structure.
for (const bare of [false, true])
  await person(`no structure, ${bare ? 'bare' : 'wrapped'}`, {
    bare,
    on(server, what, data) {
      if (what !== 'frame' || data.messageType !== 'PLAYER_READY') return false;
      server.send({ messageType: 'GENERAL_ASSIGNMENT', gameID: 'm1' });
      server.begin();
      server.tell(server.state());
      setTimeout(() => server.win(), 300);
      return true;
    },
  }, 'SPECTATOR', () => {}, ['sent no GAME_STRUCTURE', 'Player 1 has won.']);

console.log(failed === 0 ? 'all clients behave' : `${failed} scenarios failed`);
process.exit(failed === 0 ? 0 : 1);
