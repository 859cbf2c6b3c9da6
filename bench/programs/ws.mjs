// ws.mjs -- what a server written with Node's usual WebSocket library does per CPU-second, to put beside `mashup bench server`:
// echo of 64 bytes on 100 sockets, and one message fanned out to 2,000 watchers, each for some seconds. node bench/programs/ws.mjs [SECONDS]
// The server is a process of its own that counts its own CPU; clients are this one.
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {WebSocket, WebSocketServer} from 'ws';

const settings = {perMessageDeflate: false, skipUTF8Validation: false};

function serve() {
  const server = new WebSocketServer({port: 0, host: '127.0.0.1', ...settings}, () => process.send({port: server.address().port}));
  let messages = 0;
  server.on('connection', socket => {
    socket.on('message', (data, binary) => {
      if (data[0] === 0x77) return; // "w...": a watcher
      if (data[0] === 0x66) { // "f...": to everybody
        for (const other of server.clients) { other.send(data, {binary}); messages++; }
        return;
      }
      socket.send(data, {binary});
      messages++;
    });
  });
  process.on('message', () => { process.send({messages, cpu: process.cpuUsage(), memory: process.memoryUsage().rss}); });
}

async function ask(child) {
  child.send('figures');
  return (await once(child, 'message'))[0];
}

async function open(port, count, heard) {
  const sockets = [];
  for (let i = 0; i < count; i += 50)
    await Promise.all(Array.from({length: Math.min(50, count - i)}, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`, settings);
      socket.on('message', data => heard(socket, data));
      await once(socket, 'open');
      sockets.push(socket);
    }));
  return sockets;
}

const perSecond = (before, after) => (after.messages - before.messages) /
  ((after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / 1e6);

async function measure(seconds) {
  const child = fork(process.argv[1], ['--serve']);
  const [{port}] = await once(child, 'message');
  let over = false;
  const text = 'e'.repeat(64);
  const idle = await ask(child);
  const sockets = await open(port, 100, socket => { if (!over) socket.send(text); });
  const before = await ask(child);
  for (const socket of sockets) socket.send(text);
  await new Promise(resolve => setTimeout(resolve, seconds * 1000));
  const after = await ask(child);
  over = true;
  for (const socket of sockets) socket.terminate();
  console.log(`echo       ${Math.round(perSecond(before, after))} messages per CPU-second of the server, ${Math.round((after.messages - before.messages) / seconds)} a second`);
  let left = 0, next = () => {};
  const crowd = await open(port, 2000, () => { if (--left === 0) next(); });
  const full = await ask(child);
  const first = full;
  const frame = 'f'.repeat(2000);
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    left = crowd.length;
    const all = new Promise(resolve => { next = resolve; });
    crowd[0].send(frame);
    await all;
  }
  const last = await ask(child);
  console.log(`fan-out    ${Math.round(perSecond(first, last))} messages of 2 kB per CPU-second of the server, 2000 watchers`);
  console.log(`memory     ${Math.round((full.memory - idle.memory) / 2000)} bytes for an idle connection`);
  child.kill();
  process.exit(0);
}

if (process.argv.includes('--serve')) serve();
else await measure(Number(process.argv[2] ?? 5));
