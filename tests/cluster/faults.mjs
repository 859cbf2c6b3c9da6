// faults.mjs -- what the nemesis of tests/cluster does: each fault by its number in docs/promises.md. It begins, waits and heals; when
// it returns, all nodes and both databases are there again. `random` draws from the seed.
import {writeFileSync} from 'node:fs';
import {NODES} from './bench.mjs';
import {sleep} from './databases.mjs';

let longest = false;
/** From now on every fault lasts as long as it ever does. */
export function holdLongest() { longest = true; }
const between = (random, least, most) => Math.round(least + random() * (most - least));
/** How long something lasts. */
const span = (random, least, most) => longest ? most : between(random, least, most);
/** Mostly the node that has the most matches, otherwise any. */
async function anyNode(bench, random) {
  const any = bench.nodes[between(random, 0, NODES - 1)];
  if (random() < 0.3) return any;
  return bench.nodes[Number(await bench.pair.primary.ask('select node from match group by node order by count(*) desc limit 1')) - 1] ?? any;
}

/** A manager finds the primary gone and promotes the standby after so long; then the lost one comes back as standby. */
async function failOver(bench, afterMs) {
  await sleep(afterMs);
  await bench.pair.promote();
  await sleep(1500);
  if (!await bench.pair.rejoin()) bench.problem('the old primary did not come back as standby');
}

/** A database that was stopped or killed is there again, and both are in step. */
async function startAgain(bench, database) {
  if (!database.runs && !await database.start()) bench.problem(`database ${database.name} does not start again`);
  if (!await bench.pair.inStep()) bench.problem('the standby does not follow any more');
}

export const faults = {
  /** Killed, and started again at any time: before others have its matches, or when they do. */
  async 'F1-node-killed'(bench, random) {
    const node = await anyNode(bench, random);
    await node.end();
    await sleep(span(random, 0, 9000));
    await node.start();
  },
  async 'F2-node-stands-still'(bench, random) {
    const node = await anyNode(bench, random);
    node.stop(true);
    await sleep(span(random, 1000, 9000));
    node.stop(false);
    await sleep(1500);
  },
  /** Its wires to the databases are dead: half open, or ended. Clients lose their connections to it as well. */
  async 'F3-node-without-database'(bench, random) {
    const node = await anyNode(bench, random), wires = bench.databases.map(database => bench.wire(node.number, database));
    const ends = random() < 0.5;
    for (const wire of wires) wire.block(true);
    await sleep(span(random, 1000, 6500));
    for (let i = 0; i < 2; i++) { // its clients reconnect, some of them to it, when others have its matches
      bench.door.cut(node.number - 1);
      await sleep(span(random, 200, 2000));
    }
    for (const wire of wires) {
      if (ends) wire.cut();
      wire.block(false);
    }
    await sleep(1500);
  },
  async 'F4-node-without-clients'(bench, random) {
    const node = await anyNode(bench, random);
    bench.door.shutOff(node.number - 1, true);
    await sleep(span(random, 1000, 7000));
    bench.door.shutOff(node.number - 1, false);
  },
  async 'F5-primary-killed'(bench, random) {
    await bench.pair.primary.kill();
    await failOver(bench, span(random, 500, 3000));
  },
  /** It hangs half open, and nobody is promoted. */
  async 'F5-primary-stands-still'(bench, random) {
    const {primary} = bench.pair;
    primary.freeze(true);
    await sleep(span(random, 500, 6000));
    primary.freeze(false);
    await startAgain(bench, primary);
  },
  /** The manager lets commits go on without it, and later with it again. */
  async 'F6-standby-killed'(bench, random) {
    const {standby} = bench.pair;
    await standby.kill();
    await sleep(span(random, 300, 2000));
    await bench.pair.keepTwo(false);
    await sleep(span(random, 500, 2000));
    await standby.start();
    await bench.pair.keepTwo(true);
    await startAgain(bench, standby);
  },
  async 'F7-primary-and-node-killed'(bench, random) {
    const node = await anyNode(bench, random);
    await Promise.all([bench.pair.primary.kill(), node.end()]);
    await failOver(bench, span(random, 500, 3000));
    await node.start();
  },
  /** Nothing can be committed meanwhile. */
  async 'F8-databases-cut-apart'(bench, random) {
    const wire = bench.wire(0, bench.pair.primary);
    wire.block(true);
    await sleep(span(random, 1000, 8000));
    wire.cut();
    wire.block(false);
    await startAgain(bench, bench.pair.standby);
  },
  /** The standby is promoted while the old primary lives on: one node sees only the old one, the others only the new one. */
  async 'F8b-two-primaries'(bench, random) {
    const {primary, standby} = bench.pair, alone = await anyNode(bench, random);
    const dead = bench.nodes.map(node => bench.wire(node.number, node === alone ? standby : primary));
    dead.push(bench.wire(0, primary));
    for (const wire of dead) wire.block(true);
    await standby.promote();
    await sleep(span(random, 2000, 9000));
    [bench.pair.primary, bench.pair.standby] = [standby, primary];
    await primary.kill();
    for (const wire of dead) {
      wire.cut();
      wire.block(false);
    }
    if (!await bench.pair.rejoin()) bench.problem('the old primary did not come back as standby');
  },
  /** It is started again as the primary that it was, beside the new one, before it is made a standby. */
  async 'F9-old-primary-comes-back'(bench, random) {
    const old = bench.pair.primary;
    await old.kill();
    await sleep(500);
    await bench.pair.promote();
    await sleep(span(random, 0, 2000));
    await old.start();
    await sleep(span(random, 500, 5000));
    if (!await bench.pair.rejoin()) bench.problem('the old primary did not come back as standby');
  },
  /** Nobody promotes: all stands still until the primary itself is there again. */
  async 'F10-primary-killed-no-manager'(bench, random) {
    const {primary} = bench.pair;
    await primary.kill();
    await sleep(span(random, 1000, 9000));
    await startAgain(bench, primary);
  },
  /** At any byte of what a node sends or is answered. */
  async 'F11-cut-after-bytes'(bench, random) {
    for (let i = 0; i < 6; i++) {
      const node = await anyNode(bench, random), wire = bench.wire(node.number, bench.pair.primary);
      wire.cutAfter(random() < 0.5 ? 'up' : 'down', between(random, 1, 3000));
      await sleep(span(random, 100, 600));
    }
  },
  async 'F12-disk-of-primary-full'(bench, random) {
    const {primary} = bench.pair;
    if (!primary.disk) return; // needs root
    primary.fill(true);
    await sleep(span(random, 1000, 6000));
    primary.fill(false);
    for (let i = 0; i < 50 && primary.runs && await primary.ask('select 1') !== '1'; i++) await sleep(200);
    await startAgain(bench, primary);
  },
  async 'F13-calendar-jumps'(bench, random) {
    const {jump} = bench.nodes[NODES - 1];
    for (const seconds of [3600, -3600, 86400 * 400, 0]) {
      writeFileSync(jump, String(seconds));
      await sleep(span(random, 300, 1500));
    }
  },
  async 'F14-rolling-update'(bench) {
    for (const node of bench.nodes) {
      const code = await node.end('SIGTERM');
      if (code !== 0 && code !== 3) bench.problem(`node ${node.number} left with ${code}`);
      await node.start();
      await sleep(500);
    }
  },
  /** The second is killed when it is about to take the first one's matches, or does. */
  async 'F16-taker-killed'(bench, random) {
    const [one, other] = [...bench.nodes].sort(() => random() - 0.5);
    await one.end();
    await sleep(span(random, 4800, 5800));
    await other.end();
    await sleep(span(random, 0, 3000));
    await Promise.all([one.start(), other.start()]);
  },
  async 'F19-all-killed'(bench, random) {
    await Promise.all([...bench.nodes.map(node => node.end()), bench.pair.primary.kill(), bench.pair.standby.kill()]);
    await sleep(span(random, 0, 2000));
    await bench.pair.primary.start();
    await startAgain(bench, bench.pair.standby);
    await Promise.all(bench.nodes.map(node => node.start()));
  },
  /** Nodes lose the database one after the other, and have it again in another order. */
  async 'F3-swizzle'(bench, random) {
    const shuffled = () => [...bench.nodes].sort(() => random() - 0.5);
    for (const [blocked, nodes] of [[true, shuffled()], [false, shuffled()]])
      for (const node of nodes) {
        for (const database of bench.databases) bench.wire(node.number, database).block(blocked);
        await sleep(span(random, 200, 1500));
      }
    await sleep(1500);
  },
};
