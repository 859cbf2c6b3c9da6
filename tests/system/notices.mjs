// notices.mjs -- webhooks at a host that accepts connections and says nothing keep each other waiting, and nobody else: node tests/system/notices.mjs build/mashup
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {createServer} from 'node:net';
import {TestServer, demand, mashup, until} from '../soak/server.mjs';

const PLAYERS = 30;

/** A port that says this to each request; undefined: nothing, for ever. */
async function listen(answer) {
  const port = createServer(line => {
    port.lines.push(line);
    line.on('error', () => {});
    line.on('data', () => { if (answer) line.end(answer); });
  });
  port.lines = [];
  port.listen(0, '127.0.0.1');
  await once(port, 'listening');
  return port;
}

const silent = await listen();
const quick = await listen('HTTP/1.1 204 No Content\r\n\r\n');
const server = await new TestServer(undefined, ['--webhook-insecure-local']).open();
execFileSync(mashup, ['admin', 'limits', 'address-logins', '100000', '--data', server.data]);

const heard = (guest, ...types) => guest.heard.find(({type}) => types.includes(type));

/** Somebody with an account and a webhook, who asks for a notice and has not been answered yet. */
async function asking(number, url) {
  const guest = await server.guest(`Guest ${number}`);
  guest.say({type: 'claim', name: `Player ${'abcdefghklmnopqrstuvwxyz'[number % 24]}${Math.floor(number / 24) + 2}`, key: String(number).padStart(32, '7')});
  demand((await until(() => heard(guest, 'account', 'refused'), 'an account')).type === 'account', 'no account');
  guest.say({type: 'notices', webhook: url});
  await until(() => heard(guest, 'notices', 'refused'), 'a webhook is set');
  guest.heard.length = 0;
  guest.say({type: 'notices', test: true});
  return guest;
}

const waiting = [];
for (let number = 0; number < PLAYERS; number++) waiting.push(await asking(number, `http://127.0.0.1:${silent.address().port}/`));
const one = await asking(PLAYERS, `http://localhost:${quick.address().port}/`);
const told = await until(() => heard(one, 'notices', 'refused'), 'the notice at the host that answers', 120000);
const still = waiting.filter(guest => !heard(guest, 'notices', 'refused')).length;
demand(told.test === 'sent', `it was not told: ${JSON.stringify(told)}`);
demand(still >= PLAYERS / 2, `only ${still} of ${PLAYERS} still wait for the host that is silent`);
const first = await until(() => waiting.map(guest => heard(guest, 'notices')).find(Boolean), 'the first of them is answered', 60000);
demand(first.test === 'it did not answer in time', `the silent host: ${JSON.stringify(first)}`);
await server.close();
for (const port of [silent, quick]) { for (const line of port.lines) line.destroy(); port.close(); }
console.log(`notices: told at once, while ${still} of ${PLAYERS} wait for a host that is silent`);
process.exit(0);
