// tls.mjs -- join, ai and bot reach a server through TLS with a certificate that is trusted, and refuse all others with the reason: expired, for
// another name, self-signed, of an unknown authority, and what is not TLS at all. The server's webhooks do the same. The certificates are made here by openssl.
// Usage: node tests/system/tls.mjs build/mashup
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import tls from 'node:tls';
import {WebSocket} from 'ws';

const mashup = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), 'mashup-tls-'));
const at = name => join(folder, name);
let failed = 0, checks = 0;

function demand(truth, sentence) {
  checks++;
  if (truth) return;
  failed++;
  console.error(`FAILED: ${sentence}`);
}

/** Runs a command to its end, which is that of its input once it says `last`: exit code and all it said. */
async function run(words, environment = {}, last = null) {
  const child = spawn(mashup, words, {env: {...process.env, ...environment}});
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', bytes => {
    text += bytes;
    if (last !== null && text.includes(last)) child.stdin.end();
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 60000);
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return {code, text};
}

// --- Certificates ---------------------------------------------------------------------------------------------------------------
const openssl = (...words) => execFileSync('openssl', words, {stdio: ['ignore', 'ignore', 'pipe'], cwd: folder});
const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
for (const authority of ['course', 'stranger']) openssl('req', '-x509', ...key, '-days', '2', '-subj', `/CN=${authority}`, '-keyout', `${authority}.key`, '-out', `${authority}.pem`);
/** A certificate for these names, signed by an authority or by itself, from `from` to `to` (YYYYMMDDhhmmssZ). */
function certificate(name, authority, names, from, to) {
  openssl('req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
  writeFileSync(at('ca.conf'), `[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nnew_certs_dir=.\nserial=serial\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n[v3]\nsubjectAltName=${names}\n`);
  writeFileSync(at('index.txt'), '');
  writeFileSync(at('serial'), '01');
  const signer = authority === null ? ['-selfsign', '-keyfile', `${name}.key`] : ['-cert', `${authority}.pem`, '-keyfile', `${authority}.key`];
  openssl('ca', '-batch', '-config', 'ca.conf', '-extensions', 'v3', ...signer, '-startdate', from, '-enddate', to, '-in', `${name}.csr`, '-out', `${name}.pem`, '-notext');
}
const local = 'DNS:localhost,IP:127.0.0.1';
certificate('good', 'course', local, '20200101000000Z', '20490101000000Z');
certificate('expired', 'course', local, '20200101000000Z', '20210101000000Z');
certificate('early', 'course', local, '20480101000000Z', '20490101000000Z');
certificate('elsewhere', 'course', 'DNS:elsewhere.example,IP:192.0.2.1', '20200101000000Z', '20490101000000Z');
certificate('foreign', 'stranger', local, '20200101000000Z', '20490101000000Z');
certificate('alone', null, local, '20200101000000Z', '20490101000000Z');

// --- A server, and TLS in front of it -----------------------------------------------------------------------------------------------
const server = spawn(mashup, ['serve', '--port', '0', '--address', '127.0.0.1', '--data', at('data'), '--fast', '--no-rates', '--log-level', 'error'], {stdio: ['ignore', 'pipe', 'inherit']});
const [ready] = await once(server.stdout, 'data');
const port = Number(/:(\d+)\n/.exec(String(ready))[1]);
/** Terminates TLS with a certificate and passes all bytes on, as they come or in pieces; the port. */
async function front(name, piece = 0) {
  const listener = tls.createServer({key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`))}, socket => {
    const inner = net.connect(port, '127.0.0.1');
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
    socket.pipe(inner);
    inner.on('data', bytes => { for (let i = 0; i < bytes.length; i += piece || bytes.length) socket.write(bytes.subarray(i, i + (piece || bytes.length))); });
    inner.on('end', () => socket.end());
  });
  listener.on('tlsClientError', () => {});
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return listener.address().port;
}
const good = await front('good'), chopped = await front('good', 1500);
const course = ['--cafile', at('course.pem')];

// --- Trusted: whole matches -----------------------------------------------------------------------------------------------------------
for (const [place, more, environment] of [[`wss://localhost:${good}`, course], [`https://127.0.0.1:${good}/`, course], [`wss://localhost:${chopped}/arena`, course],
  [`wss://localhost:${good}`, [], {SSL_CERT_FILE: at('course.pem')}]]) {
  const {code, text} = await run(['bot', place, '--game', 'battleground', '--pairs', '--seconds', '50', ...more], environment);
  demand(code === 0 && text.startsWith('2 matches'), `bot ${place}: ${code} ${text}`);
}
const played = await Promise.all([run(['ai', `wss://localhost:${good}/arena`, '--protocol', 'arena', '--game', 'zorde', '--level', '1', ...course]),
  run(['bot', `wss://localhost:${good}`, '--game', 'zorde', '--seconds', '50', ...course])]);
demand(played.every(({code}) => code === 0), `ai against bot: ${JSON.stringify(played)}`);
const watched = await run(['join', `wss://localhost:${good}`, '--watch', 'k7qf-2m9x-w3ab', ...course], {}, 'no table with that code');
demand(watched.code === 0 && watched.text.includes('no table with that code'), `join: ${watched.code} ${watched.text}`);

// --- Refused in words -------------------------------------------------------------------------------------------------------------------
const refused = [
  ['expired', course, 'it has expired'],
  ['early', course, 'it is not valid yet'],
  ['elsewhere', course, 'it is for another name than localhost'],
  ['foreign', course, 'nobody whom this machine trusts has signed it'],
  ['good', [], 'nobody whom this machine trusts has signed it'],
  ['alone', course, 'it is self-signed'],
];
const commands = place => [['join', place], ['bot', place, '--game', 'zorde'], ['ai', place, '--protocol', 'arena', '--game', 'zorde'], ['ai', place]];
for (const [name, more, reason] of refused) {
  const place = `wss://localhost:${await front(name)}`;
  for (const words of commands(place)) {
    const {code, text} = await run([...words, ...more]);
    demand(code === 1 && text.includes(`the server's certificate is not accepted: ${reason}`), `${words[0]} at ${name}: ${code} ${text}`);
  }
}
const byAddress = await run(['bot', `wss://127.0.0.1:${await front('elsewhere')}`, '--game', 'zorde', ...course]);
demand(byAddress.code === 1 && byAddress.text.includes('another name than 127.0.0.1'), byAddress.text);
// The self-signed one is trusted if it is the file itself; a server without TLS does not work with it.
const alone = await run(['bot', `wss://localhost:${await front('alone')}`, '--game', 'battleground', '--pairs', '--seconds', '50', '--cafile', at('alone.pem')]);
demand(alone.code === 0, `a self-signed one that is trusted: ${alone.text}`);
const plain = await run(['bot', `wss://localhost:${port}`, '--game', 'zorde', ...course]);
demand(plain.code === 1 && plain.text.includes('does not speak TLS'), plain.text);
for (const words of commands(`wss://localhost:${good}`)) {
  const {code, text} = await run([...words, '--cafile', at('good.key')]);
  demand(code !== 0 && text.includes('is no file of certificates'), `${words[0]}: ${code} ${text}`);
}

// --- Webhooks: the server as a client ------------------------------------------------------------------------------------------------
/** A server that listens for notices with a certificate; what it was sent. */
async function hook(name) {
  const told = [];
  const listener = https.createServer({key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`))}, (request, response) => {
    let text = '';
    request.on('data', bytes => { text += bytes; });
    request.on('end', () => { told.push(`${request.method} ${request.url} ${text}`); response.end('ok'); });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {told, url: `https://localhost:${listener.address().port}/${name}`};
}
const teller = spawn(mashup, ['serve', '--port', '0', '--address', '127.0.0.1', '--data', at('told'), '--fast', '--no-rates', '--webhook-insecure-local', '--log-level', 'error'],
  {stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, SSL_CERT_FILE: at('course.pem')}});
const [open] = await once(teller.stdout, 'data');
const socket = new WebSocket(`ws://127.0.0.1:${Number(/:(\d+)\n/.exec(String(open))[1])}/arena`);
const heard = [];
socket.on('message', bytes => heard.push(JSON.parse(bytes)));
await once(socket, 'open');
/** Sends a message and waits for its answer. */
async function ask(message) {
  socket.send(JSON.stringify(message));
  while (heard.length === 0) await once(socket, 'message');
  return heard.shift();
}
await ask({type: 'hello', name: 'Tess', role: 'person'});
await ask({type: 'claim', key: '00112233445566778899aabbccddeeff', name: 'Tess'});
for (const [name, expected] of [['good', 'sent'], ['expired', 'has expired'], ['elsewhere', 'another name'], ['foreign', 'nobody whom this machine trusts'], ['alone', 'self-signed']]) {
  const {told, url} = await hook(name);
  const {test} = await ask({type: 'notices', webhook: url, test: true});
  demand(test?.includes(expected), `a webhook at ${name}: ${test}`);
  demand(told.length === (name === 'good' ? 1 : 0), `${name} heard ${told}`);
  if (name === 'good') demand(told[0]?.startsWith('POST /good {"event":"test"'), told[0]);
}
socket.close();
teller.kill('SIGTERM');
await once(teller, 'close');

server.kill('SIGTERM');
await once(server, 'close');
rmSync(folder, {recursive: true});
if (failed) process.exit(1);
console.log(`tls: ${checks} checks`);
process.exit(0);
