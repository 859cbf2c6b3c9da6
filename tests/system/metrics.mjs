// metrics.mjs -- the server's figures, the list in docs/hosting.md, the dashboard and the alert rules name the same things: node tests/system/metrics.mjs build/mashup
import {readFileSync} from 'node:fs';
import {TestServer} from '../soak/server.mjs';

const server = await new TestServer().open();
const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
await server.close();
const served = new Set([...text.matchAll(/^mashup_(\w+)/gm)].map(([, name]) => name));
const rows = readFileSync('docs/hosting.md', 'utf8').split('\n').filter(line => /^\| `[a-z_]+(`|\{)/.test(line));
const listed = new Set(rows.flatMap(row => [...row.split('|')[1].matchAll(/`([a-z_]+)/g)].map(([, name]) => name)).filter(name => !['bans', 'index', 'audit'].includes(name)));
const drawn = new Set([...readFileSync('deploy/grafana.json', 'utf8').matchAll(/mashup_(\w+)/g)].map(([, name]) => name));
const rules = readFileSync('deploy/alerts.yml', 'utf8');
const watched = new Set([...rules.matchAll(/mashup_(\w+)/g)].map(([, name]) => name));
const wrong = [
  ...[...served].filter(name => !listed.has(name)).map(name => `${name} is served and not in docs/hosting.md`),
  ...[...listed].filter(name => !served.has(name) && /_|^tables$|^watchers$|^sessions$|^thoughts$|sockets$/.test(name)).map(name => `${name} is in docs/hosting.md and not served`),
  ...[...drawn].filter(name => !served.has(name)).map(name => `${name} is in deploy/grafana.json and not served`),
  ...[...watched].filter(name => !served.has(name)).map(name => `${name} is in deploy/alerts.yml and not served`),
];
for (const sentence of wrong) console.error(sentence);
if (wrong.length) process.exit(1);
console.log(`metrics: ${served.size} figures, all documented; ${drawn.size} on the dashboard, ${watched.size} in alert rules`);
