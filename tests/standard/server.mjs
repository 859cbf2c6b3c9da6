// server.mjs -- a small server of the Marvelous Mashup network standard for tests of clients. It shares no code with
// ours: one client plays side one against nobody, on a meadow with some rocks. What it gets wrong is asked for by quirks, as
// known servers get it wrong. Every frame of the client is kept and checked against the schema.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { WebSocketServer } from 'ws';

const schema = JSON.parse(readFileSync('docs/standard.schema.json', 'utf8'));
const ajv = new Ajv({ strict: false });
ajv.addSchema(schema, 'standard');
const validClient = ajv.getSchema('standard#/$defs/client');

const names = 'ABCDEFGHIJKLMNOPQRSTUVWX'.split('').map((letter) => `Hero ${letter}`);
/** Characters as a server knows them; IDs on the wire may be others. */
const characters = names.map((name, i) => ({
  characterID: i + 1, name, HP: 100, MP: 2 + (i % 4), AP: 1 + (i % 2), meleeDamage: 10 + i,
  rangeCombatDamage: 20, rangeCombatReach: 4,
}));
const SIZE = 8;
const rocks = [[3, 3], [4, 4], [3, 5]];
const key = ([x, y]) => `${x},${y}`;
const near = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));

const meadow = Array.from({ length: SIZE }, (_, y) =>
  Array.from({ length: SIZE }, (__, x) => (rocks.some((r) => key(r) === key([x, y])) ? 'ROCK' : 'GRASS')));
const matchconfig = {
  maxRounds: 30, maxRoundTime: 20, maxGameTime: 0, maxAnimationTime: 0, spaceStoneCD: 2, mindStoneCD: 1, realityStoneCD: 3,
  powerStoneCD: 1, timeStoneCD: 5, soulStoneCD: 5, mindStoneDMG: 12, maxPauseTime: 30, maxResponseTime: 20,
};

/** A server for one client. Options: bare; turns (own turns until the match is won); quirks, see the scenarios in
 *  standard_guests.mjs; on(server, what, data) is called for everything and may act first (true: that was all). */
export class StandardServer {
  constructor(options = {}) {
    Object.assign(this, { bare: false, turns: 3, on: () => false, config: {}, quirks: {}, scenario: meadow }, options);
    this.frames = []; // what the client said
    this.problems = [];
    this.connections = 0;
    this.acts = 0; // requests that were done
    this.ended = 0; // turns of the client
    this.round = 0;
    this.started = false;
    this.heroes = [];
    this.listen(0);
  }

  /** Listens, perhaps again. */
  listen(port) {
    this.server = new WebSocketServer({ port, host: '127.0.0.1' });
    this.server.on('connection', (socket) => this.#welcome(socket));
  }

  /** Listens when this is through. */
  ready() { return new Promise((resolve) => { this.server.on('listening', resolve); }); }

  get port() { return this.server.address().port; }

  close() {
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
  }

  #welcome(socket) {
    this.connections++;
    this.socket = socket;
    socket.on('message', (data) => this.#hear(String(data)));
    socket.on('error', () => {});
  }

  /** One message of the login. */
  send(message) { this.socket.send(JSON.stringify(message)); }

  /** Events, in this server's form. */
  tell(...events) {
    if (!this.bare) this.send({ messageType: 'EVENTS', messages: events, ...this.quirks.envelope });
    else for (const event of events) this.send(event);
  }

  #hear(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.problems.push(`no JSON: ${text}`);
      return;
    }
    this.frames.push(message);
    if (!validClient(message)) this.problems.push(`${text}: ${ajv.errorsText(validClient.errors)}`);
    if (this.on(this, 'frame', message)) return;
    if (message.messageType === 'REQUESTS') {
      if (this.bare && this.quirks.deaf) return;
      if (this.bare && this.started) this.problems.push('a wrapped request to a bare server');
      for (const request of message.messages) this.#request(request);
    } else if (message.requestType) {
      if (!this.bare) this.problems.push('a bare request to a server that wraps');
      this.#request(message);
    } else {
      this.#login(message);
    }
  }

  #login(message) {
    switch (message.messageType) {
      case 'HELLO_SERVER':
        this.identity ??= `${message.name} ${message.deviceID}`;
        if (this.identity !== `${message.name} ${message.deviceID}`) this.problems.push('another identity came back');
        this.send({ messageType: 'HELLO_CLIENT', runningGame: this.quirks.alwaysRunning ?? this.started, optionals: '' });
        break;
      case 'RECONNECT':
        if (!this.started) {
          this.send({ messageType: 'ERROR', message: 'recovering failed', type: 5 });
          this.send({ messageType: 'GOODBYE_CLIENT', message: 'bye' });
          this.socket.close(1000);
          break;
        }
        this.send({ messageType: 'GENERAL_ASSIGNMENT', gameID: 'm1' });
        this.send(this.structure());
        break;
      case 'PLAYER_READY':
        if (message.role === 'SPECTATOR') {
          this.send({ messageType: 'GENERAL_ASSIGNMENT', gameID: 'm1' });
          this.start();
        } else {
          this.send({ messageType: 'GAME_ASSIGNMENT', gameID: 'm1', characterSelection: characters.slice(0, 12), optionals: '' });
        }
        this.role = message.role;
        break;
      case 'CHARACTER_SELECTION':
        this.choice = message.characters;
        this.send({ messageType: 'CONFIRM_SELECTION', selectionComplete: true });
        this.start();
        break;
      default:
        this.problems.push(`unexpected ${JSON.stringify(message)}`);
    }
  }

  // --- The match -------------------------------------------------------------------------------

  structure() {
    const chosen = this.choice ?? characters.slice(0, 12).map((_, i) => i < 6);
    this.teams = [characters.slice(0, 12).filter((_, i) => chosen[i]), characters.slice(12, 18)];
    return {
      messageType: 'GAME_STRUCTURE', assignment: this.role === 'SPECTATOR' ? 'Spectator' : 'PlayerOne',
      playerOneName: 'one', playerTwoName: 'two',
      playerOneCharacters: this.teams[0], playerTwoCharacters: this.teams[1],
      scenarioconfig: { scenario: this.scenario, name: 'meadow', author: 'nobody' }, matchconfig: { ...matchconfig, ...this.config },
    };
  }

  start() {
    this.send(this.structure());
    this.begin();
    if (this.on(this, 'start')) return;
    this.#round([]);
  }

  /** The match runs, but nobody is told yet. */
  begin() {
    this.structure();
    this.heroes = this.teams.flatMap((team, side) => team.map((kind, i) => ({
      kind, side, ID: this.quirks.indexes ? i : kind.characterID,
      HP: kind.HP, MP: kind.MP, AP: kind.AP, at: [1 + i, side === 0 ? 1 : this.quirks.row ?? 6], stones: [],
    })));
    this.started = true;
    this.active = this.heroes[0];
    this.queue = [];
  }

  entity(hero) {
    const { kind, side, ID, HP, MP, AP, at, stones } = hero;
    return { entityType: 'Character', name: kind.name, PID: side + 1, ID, HP, MP, AP, stones, position: at };
  }

  reference(hero) { return { entityID: `P${hero.side + 1}`, ID: hero.ID }; }

  state(over = false) {
    return {
      eventType: 'GamestateEvent',
      entities: [
        ...rocks.map((position, ID) => ({ entityType: 'Rock', ID, HP: 100, position })),
        ...this.heroes.map((hero) => this.entity(hero)),
        ...(this.quirks.entities ?? []),
      ],
      mapSize: [SIZE, SIZE], turnOrder: this.heroes.map((hero) => this.reference(hero)),
      activeCharacter: this.reference(this.active ?? this.heroes[0]),
      stoneCooldowns: this.quirks.cooldowns ?? [0, 0, 0, 0, 0, 0], winCondition: over,
    };
  }

  #round(events) {
    this.round++;
    this.queue = this.heroes.filter((hero) => hero.side === 0 && hero.HP > 0);
    const spawns = this.round > 1 ? [] : this.heroes.map((hero) => ({ eventType: 'SpawnEntityEvent', entity: this.entity(hero) }));
    this.#turn([...events, ...spawns, {
      eventType: 'RoundSetupEvent', roundCount: this.round, characterOrder: this.heroes.map((hero) => this.reference(hero)),
    }]);
  }

  #turn(events) {
    this.active = this.queue.shift();
    if (!this.active) {
      this.#round(events);
      return;
    }
    Object.assign(this.active, { MP: this.active.kind.MP, AP: this.active.kind.AP });
    this.tell(...events, { eventType: 'TurnEvent', turnCount: 1, nextCharacter: this.reference(this.active) }, this.state());
  }

  /** The end as the standard wants it; `quiet` keeps the line open. */
  win(events = [], quiet = false) {
    this.tell(...events, { eventType: 'WinEvent', playerWon: this.quirks.winner ?? 1 }, { eventType: 'DisconnectEvent' }, this.state(true));
    if (quiet) return;
    this.send({ messageType: this.quirks.goodbye ?? 'GOODBYE_CLIENT', message: 'match over' });
    this.socket.close(1000);
  }

  #request(request) {
    if (this.on(this, 'request', request)) return;
    if (request.requestType === 'Req') {
      this.tell(this.state());
      return;
    }
    const why = this.#wrong(request);
    if (why) {
      this.problems.push(`${why}: ${JSON.stringify(request)}`);
      this.tell({ eventType: 'Nack' }, this.state());
      return;
    }
    this.acts++;
    if (request.requestType !== 'EndRoundRequest') {
      this.tell({ eventType: 'Ack' }, ...this.#act(request), this.state());
      return;
    }
    this.ended++;
    if (this.ended >= this.turns) this.win([{ eventType: 'Ack' }], this.quirks.stays);
    else this.#turn([{ eventType: 'Ack' }]);
  }

  /** What is wrong with a request, in words. */
  #wrong({ requestType, originEntity, originField, targetField }) {
    if (requestType === 'EndRoundRequest') return null;
    const { active } = this;
    if (originEntity?.ID !== active.ID || originEntity?.entityID !== 'P1') return 'not the one whose turn it is';
    if (key(originField) !== key(active.at)) return 'not where it stands';
    if (requestType === 'MoveRequest') {
      if (active.MP === 0) return 'no points';
      if (near(originField, targetField) !== 1) return 'not a step';
      return rocks.some((rock) => key(rock) === key(targetField)) ? 'onto a rock' : null;
    }
    if (active.AP === 0) return 'no points';
    const target = this.heroes.find((hero) => key(hero.at) === key(targetField));
    if (requestType === 'MeleeAttackRequest') return near(originField, targetField) === 1 ? null : 'too far';
    if (requestType === 'RangedAttackRequest') {
      const far = near(originField, targetField);
      if (far < 2 || far > 4) return 'not in reach';
      return !target || target.HP > 0 ? null : 'knocked out';
    }
    return `${requestType} without a stone`;
  }

  #act({ requestType, originEntity, originField, targetField, targetEntity }) {
    const { active } = this;
    const other = this.heroes.find((hero) => key(hero.at) === key(targetField));
    if (requestType === 'MoveRequest') {
      if (other) other.at = originField;
      active.at = targetField;
      active.MP--;
      return [{ eventType: 'MoveEvent', originEntity, originField, targetField },
        { eventType: 'ConsumedMPEvent', targetEntity: originEntity, targetField, amount: 1 }];
    }
    const amount = Math.min(other?.HP ?? 0, requestType === 'MeleeAttackRequest' ? active.kind.meleeDamage : 20);
    active.AP--;
    if (other) other.HP -= amount;
    return [{ eventType: requestType.replace('Request', 'Event'), originEntity, targetEntity, originField, targetField, amount },
      { eventType: 'TakenDamageEvent', targetEntity, targetField, amount },
      { eventType: 'ConsumedAPEvent', targetEntity: originEntity, targetField: originField, amount: 1 }];
  }
}
