// player.mjs -- a random player of the Marvelous Mashup standard for tests: it asks for what looks allowed, and now and then
// for what is not; it pauses, loses its connection and reconnects, or resigns.
import { active, around, at, Client, distance, reference } from "./client.mjs";

/** Numbers that follow from a seed. */
export function dice(seed) {
    let state = seed >>> 0;
    return (below) => {
        state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
        return (state >>> 7) % below;
    };
}

const enterable = (thing) => !thing || thing.entityType === "InfinityStone" || thing.entityType === "Character" || thing.entityType === "Portal";

/** All that the active character might ask for; sight is not looked at. */
function requests(state, me) {
    const originEntity = reference(me), originField = me.position, list = [];
    const ask = (requestType, more) => list.push({ requestType, originEntity, originField, ...more });
    const near = around(state, me.position);
    if (me.MP > 0)
        for (const targetField of near) if (enterable(at(state, targetField))) ask("MoveRequest", { targetField });
    if (me.AP === 0) return list;
    for (const thing of state.entities) {
        const away = distance(thing.position, me.position), targetField = thing.position, targetEntity = reference(thing);
        const foe = thing.entityType === "Character" && thing.PID !== me.PID && thing.HP > 0;
        if (away === 1 && (foe || thing.entityType === "Rock")) ask("MeleeAttackRequest", { targetEntity, targetField, value: 10 });
        if (away >= 2 && away <= 6 && foe) ask("RangedAttackRequest", { targetEntity, targetField, value: 10 });
        if (away === 1 && thing.entityType === "Character" && thing.PID === me.PID && thing.HP > 0)
            for (const ID of me.stones)
                ask("ExchangeInfinityStoneRequest", { targetEntity, targetField, stoneType: { entityID: "InfinityStones", ID } });
    }
    for (const ID of me.stones.filter((stone) => state.stoneCooldowns[stone] === 0)) {
        const stoneType = { entityID: "InfinityStones", ID };
        const use = (targetField) => ask("UseInfinityStoneRequest", { targetField, stoneType });
        const foes = state.entities.filter((thing) => thing.entityType === "Character" && thing.PID !== me.PID && thing.HP > 0);
        const rocks = state.entities.filter((thing) => thing.entityType === "Rock");
        const out = state.entities.filter((thing) => thing.entityType === "Character" && thing.HP === 0);
        if (ID === 0) for (let i = 0; i < 5; i++) use([i % state.mapSize[0], (i * 2) % state.mapSize[1]]);
        if (ID === 1) for (const thing of [...foes, ...rocks]) use(thing.position);
        if (ID === 2) for (const field of near) if (!at(state, field) || at(state, field).entityType === "Rock") use(field);
        if (ID === 3) for (const thing of [...foes, ...rocks]) if (distance(thing.position, me.position) === 1) use(thing.position);
        if (ID === 4) use(me.position);
        if (ID === 5) for (const thing of out) if (distance(thing.position, me.position) === 1) use(thing.position);
    }
    return list;
}

/** Plays one match to its end; `seen` is called with every event. Returns what it learnt about the end. */
export class RandomPlayer {
    constructor(server, { path, name, role, roll, bare = false, calm = false, seen = () => {} }) {
        Object.assign(this, { server, path, name, role, roll, bare, calm, seen });
        this.device = bare ? `team26-${name}` : `device-${name}`;
        this.result = { won: null, nacks: 0, requests: 0, disconnected: false, goodbye: null, code: null };
        this.paused = false;
        this.readied = new Promise((done) => (this.isReady = done));
    }
    async play() {
        this.client = await Client.open(this.server.url(this.path));
        this.client.hello(this.name, this.device);
        await this.client.expect("HELLO_CLIENT");
        this.client.ready(this.role);
        this.isReady();
        for (;;) {
            const frame = await this.client.next(60000);
            if (frame === null) break;
            await this.hear(frame);
        }
        this.result.code = this.client.closed;
        return this.result;
    }
    async hear(frame) {
        if (frame.messageType === "GAME_ASSIGNMENT") {
            const places = Array.from({ length: 12 }, (_, i) => i).sort(() => this.roll(3) - 1).slice(0, 6);
            this.client.choose(...places);
        } else if (frame.messageType === "GAME_STRUCTURE") {
            this.side = frame.assignment === "PlayerOne" ? "P1" : frame.assignment === "PlayerTwo" ? "P2" : null;
        } else if (frame.messageType === "GOODBYE_CLIENT") {
            this.result.goodbye = frame.message;
        }
        for (const event of frame.messageType === "EVENTS" ? frame.messages : frame.eventType ? [frame] : []) await this.see(event);
    }
    async see(event) {
        this.seen(event);
        if (event.eventType === "WinEvent") this.result.won = event.playerWon;
        if (event.eventType === "DisconnectEvent") this.result.disconnected = true;
        if (event.eventType === "Nack") this.result.nacks++;
        if (event.eventType === "PauseStartEvent") this.paused = true;
        if (event.eventType === "PauseStopEvent") this.paused = false;
        if (event.eventType !== "GamestateEvent" || event.winCondition || !this.side) return;
        if (this.paused) {
            if (this.role === "PLAYER") setTimeout(() => this.ask({ requestType: "PauseStopRequest" }), 5 + this.roll(10));
        } else if (event.activeCharacter.entityID === this.side) {
            await this.act(event);
        } else if (!this.calm && this.role === "PLAYER" && this.roll(150) === 0) {
            this.ask({ requestType: "PauseStartRequest" });
        }
    }
    ask(request) {
        if (this.client.closed !== null) return;
        this.result.requests++;
        if (this.bare) this.client.bare(request);
        else this.client.request(request);
    }
    async act(state) {
        const me = active(state), list = requests(state, me);
        const luck = this.calm ? 1000 : this.roll(600);
        if (luck === 0) return await this.comeBack();
        if (luck === 1) return this.ask({ requestType: "DisconnectRequest" });
        if (luck < 6) this.ask({ requestType: "Req" });
        else if (list.length === 0 || this.roll(8) === 0) this.ask({ requestType: "EndRoundRequest" });
        else this.ask(this.best(state, list));
    }
    /** Rather takes and uses stones than walks about. */
    best(state, list) {
        const goals = list.filter((request) => request.requestType === "UseInfinityStoneRequest" || at(state, request.targetField)?.entityType === "InfinityStone");
        if (goals.length > 0 && this.roll(3) > 0) return goals[this.roll(goals.length)];
        const acts = list.filter((request) => request.requestType !== "MoveRequest");
        if (acts.length > 0 && this.roll(2) > 0) return acts[this.roll(acts.length)];
        return list[this.roll(list.length)];
    }
    /** Loses the connection and takes up the seat again. */
    async comeBack() {
        this.client.cut();
        this.client = await Client.open(this.server.url(this.path));
        this.client.hello(this.name, this.device);
        const hello = await this.client.expect("HELLO_CLIENT");
        if (!hello.runningGame) throw new Error("the server does not know a client that reconnects");
        this.client.say({ messageType: "RECONNECT", reconnect: true });
    }
}
