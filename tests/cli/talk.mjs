// talk.mjs -- for transcripts of the command line: one client of the arena protocol whose script is the standard input.
// Usage: node tests/cli/talk.mjs PORT <SCRIPT
// A line {...} is sent; "until WORDS" waits for a message that has these words; "save KEY FILE" writes the last value of that key to the file;
// "print KEY..." prints the last values of keys; anything else is for the shell, which is waited for.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import WebSocket from 'ws';

const socket = new WebSocket(`ws://127.0.0.1:${process.argv[2]}/arena`);
const heard = [];
let wake = () => {};
socket.on('message', (message) => { heard.push(String(message)); wake(); });
socket.on('close', () => process.exit(1));
await new Promise((resolve) => socket.on('open', resolve));
const last = (key) => JSON.parse(new RegExp(`.*"${key}":("[^"]*"|[-\\w]+)`, 's').exec(heard.join('\n'))[1]);
let from = 0; // what is waited for comes after what was waited for before
for (const line of readFileSync(0, 'utf8').split('\n').filter((one) => one !== '')) {
  const [word, ...rest] = line.split(' ');
  if (line.startsWith('{')) socket.send(line);
  else if (word === 'save') writeFileSync(rest[1], String(last(rest[0])));
  else if (word === 'print') console.log(rest.map((key) => `${key} ${last(key)}`).join(', '));
  else if (word === 'until') {
    while (!heard.slice(from).some((message) => message.includes(rest.join(' ')))) await new Promise((resolve) => { wake = resolve; });
    from += heard.slice(from).findIndex((message) => message.includes(rest.join(' '))) + 1;
  } else process.stdout.write(spawnSync('sh', ['-c', line], {encoding: 'utf8'}).stdout);
}
process.exit(0);
