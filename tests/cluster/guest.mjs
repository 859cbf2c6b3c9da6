// guest.mjs -- somebody at the public address of tests/cluster who goes where `moved` says and asks again.
import {WebSocket} from 'ws';
import {sleep} from './databases.mjs';

export class Guest {
  /** `before(send, request)` says what a connection must have said before a request. */
  constructor(bench, name, before) { Object.assign(this, {bench, name, before, heard: []}); }
  async connect(node) {
    this.leave();
    this.socket = new WebSocket(`ws://127.0.0.1:${this.bench.port}/arena${node ? `?node=${node}` : ''}`);
    this.heard = [];
    this.socket.on('message', data => this.heard.push(JSON.parse(data)));
    this.socket.on('error', () => {});
    for (let i = 0; i < 200 && this.socket.readyState === WebSocket.CONNECTING; i++) await sleep(10);
    this.send({type: 'hello', name: this.name, role: 'person'});
  }
  get isConnected() { return this.socket?.readyState === WebSocket.OPEN; }
  send(message) { if (this.isConnected) this.socket.send(JSON.stringify(message)); }
  leave() { this.socket?.terminate(); }
  /** The last message of a type that was heard since the last request, once there is one. */
  async hear(type) {
    for (let i = 0; i < 200 && this.isConnected; i++, await sleep(10)) {
      const answer = this.heard.findLast(message => message.type === type);
      if (answer) return answer;
    }
  }
  /** Sends a request until it is answered by a message of the type. */
  async ask(request, type) {
    for (let tries = 0; tries < 60; tries++) {
      if (!this.isConnected) await this.connect();
      await this.before?.(message => this.send(message), request);
      await sleep(100);
      this.heard.length = 0;
      this.send(request);
      for (let i = 0; i < 200 && this.isConnected; i++) {
        await sleep(10);
        const answer = this.heard.find(message => message.type === type), moved = this.heard.find(message => message.type === 'moved');
        if (answer) return answer;
        if (moved) {
          if (moved.node) await this.connect(moved.node);
          else await sleep(500);
          break;
        }
      }
    }
    throw new Error(`${request.type} was never answered: ${JSON.stringify(this.heard)}`);
  }
}
