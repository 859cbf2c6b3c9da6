// wires.mjs -- relays of tests/cluster that cut, stall and heal connections: between nodes and databases, between the databases, and
// the one public address in front of all nodes.
import {createServer, connect} from 'node:net';
import {chmodSync} from 'node:fs';

/** Passes bytes of all connections between `listen` and a target that is chosen for each. */
export class Wire {
  constructor() {
    this.pairs = new Set();
    this.blocked = false;
    this.left = {up: Infinity, down: Infinity};
    this.cuts = 0;
  }
  async listen(where, path) {
    this.server = createServer({pauseOnConnect: true}, socket => this.accept(socket));
    await new Promise(resolve => this.server.listen(where, resolve));
    if (path) chmodSync(path, 0o777);
    return this.server.address();
  }
  /** Joins two sockets. */
  join(client, target, mark) {
    const pair = {client, target, mark};
    this.pairs.add(pair);
    for (const [from, to, way] of [[client, target, 'up'], [target, client, 'down']]) {
      from.on('data', bytes => this.pass(pair, to, way, bytes));
      from.on('error', () => {});
      from.on('close', () => this.drop(pair));
    }
    if (this.isBlocked(mark)) [client, target].forEach(socket => socket.pause());
    else client.resume();
  }
  drop(pair) {
    this.pairs.delete(pair);
    pair.client.destroy();
    pair.target.destroy();
  }
  pass(pair, to, way, bytes) {
    if (bytes.length >= this.left[way]) { // the cut: what comes before it still passes
      bytes = bytes.subarray(0, this.left[way]);
      this.left[way] = Infinity;
      this.cuts++;
      to.write(bytes, () => this.cut());
      return;
    }
    this.left[way] -= bytes.length;
    to.write(bytes);
  }
  isBlocked() { return this.blocked; }
  /** All connections end now. */
  cut(mark) {
    for (const pair of [...this.pairs]) if (mark === undefined || pair.mark === mark) this.drop(pair);
  }
  /** Once this many more bytes have passed in that direction, all connections end at that byte. */
  cutAfter(way, bytes) { this.left[way] = bytes; }
  /** Nothing passes any more and nobody is told; or it does again. */
  block(blocked) {
    this.blocked = blocked;
    for (const {client, target} of this.pairs) for (const socket of [client, target]) blocked ? socket.pause() : socket.resume();
  }
  close() {
    this.server.close();
    this.cut();
  }
}

/** A wire to the socket of a database. */
export class DatabaseWire extends Wire {
  constructor(path) {
    super();
    this.path = path;
  }
  accept(socket) {
    const target = connect(this.path);
    target.on('error', () => socket.destroy());
    this.join(socket, target);
  }
}

/** The public address: `?node=N` goes to that node, all others to one that answers. */
export class Door extends Wire {
  constructor(ports) {
    super();
    Object.assign(this, {ports, next: 0, shut: new Set()});
  }
  isBlocked(node) { return this.shut.has(node); }
  /** One node is cut off from all clients. */
  shutOff(node, shut) {
    shut ? this.shut.add(node) : this.shut.delete(node);
    if (shut) for (const pair of this.pairs) if (pair.mark === node) [pair.client, pair.target].forEach(socket => socket.pause());
    if (!shut) this.cut(node);
  }
  accept(socket) {
    socket.on('error', () => {});
    socket.once('data', head => {
      socket.pause();
      const asked = /^GET \/arena\S*[?&]node=(\d+)/.exec(head.toString('latin1'));
      const order = asked ? [Number(asked[1]) - 1] : this.ports.map((_, i) => (this.next + i) % this.ports.length);
      this.next++;
      this.reach(socket, head, order);
    });
    socket.resume();
  }
  reach(socket, head, order) {
    const [node, ...rest] = order;
    if (node === undefined || socket.destroyed) return socket.destroy();
    if (this.shut.has(node)) return rest.length ? this.reach(socket, head, rest) : undefined; // it hangs: nobody answers
    const target = connect(this.ports[node], '127.0.0.1');
    const failed = () => this.reach(socket, head, rest);
    target.once('error', failed);
    target.once('connect', () => {
      target.off('error', failed);
      this.join(socket, target, node);
      target.write(head);
    });
  }
}
