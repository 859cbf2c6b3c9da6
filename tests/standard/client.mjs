// client.mjs -- a client of the Marvelous Mashup standard for tests. It shares no code with the server: frames go
// through the npm package ws, and every frame in both directions is checked against docs/standard.schema.json.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import WebSocket from "ws";

const schema = JSON.parse(readFileSync(new URL("../../docs/standard.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: true });
ajv.addSchema(schema, "standard");
const fromServer = ajv.compile({ $ref: "standard#/$defs/server" });
const fromClient = ajv.compile({ $ref: "standard#/$defs/client" });

/** Frames that broke the schema, in either direction: a test fails if there are any. */
export const violations = [];
/** Called with every frame of the server, before it is looked at. */
export const listeners = [];

function checkServer(frame, text) {
    for (const listener of listeners) listener(frame, text);
    if (!fromServer(frame)) violations.push(`${ajv.errorsText(fromServer.errors).slice(0, 200)}: ${text.slice(0, 300)}`);
}

/** A server of its own on a free port. */
export class TestServer {
    static async open(mashup, ...options) {
        const server = new TestServer();
        server.folder = mkdtempSync(join(tmpdir(), "mashup-standard-"));
        const words = ["serve", "--port", "0", "--address", "127.0.0.1", "--data", join(server.folder, "data"), ...(process.env.STANDARD_SAFE ? [] : ["--fast"]),
            ...(options.includes("rates") ? [] : ["--no-rates"]), "--log-level", "warning", ...options.filter((word) => word !== "rates")];
        server.process = spawn(mashup, words, { stdio: ["ignore", "pipe", "pipe"] });
        server.log = "";
        server.process.stderr.on("data", (bytes) => (server.log += bytes));
        server.ended = new Promise((done) => server.process.on("exit", (code, signal) => done(code ?? signal)));
        server.port = await new Promise((done, fail) => {
            let said = "";
            server.process.stdout.on("data", (bytes) => {
                said += bytes;
                const port = /ready at http:\/\/[^:]+:(\d+)/.exec(said);
                if (port) done(Number(port[1]));
            });
            server.ended.then((code) => fail(new Error(`the server did not open: ${code} ${server.log}`)));
        });
        return server;
    }
    url(path = "/") { return `ws://127.0.0.1:${this.port}${path}`; }
    async close() {
        this.process.kill("SIGTERM");
        const code = await this.ended;
        rmSync(this.folder, { recursive: true, force: true });
        if (code !== 0) throw new Error(`the server ended with ${code}: ${this.log}`);
    }
}

/** One connection. Frames wait in a queue until they are asked for. */
export class Client {
    static async open(url, options) {
        const client = new Client();
        client.queue = [];
        client.waiting = null;
        client.closed = null;
        client.socket = new WebSocket(url, options);
        client.socket.on("message", (bytes, binary) => {
            const text = bytes.toString();
            if (binary) violations.push("a binary frame came");
            const frame = JSON.parse(text);
            checkServer(frame, text);
            client.queue.push(frame);
            client.wake();
        });
        client.socket.on("close", (code) => { client.closed = code; client.wake(); });
        client.socket.on("error", () => {});
        await new Promise((done, fail) => { client.socket.on("open", done); client.socket.on("error", fail); });
        return client;
    }
    wake() { const wake = this.waiting; this.waiting = null; wake?.(); }
    /** Sends what the schema must allow. */
    say(frame) {
        if (!fromClient(frame)) violations.push(`sent: ${JSON.stringify(frame).slice(0, 200)}`);
        this.raw(JSON.stringify(frame));
    }
    raw(text) { this.socket.send(text); }
    /** The next frame, or null when the connection is closed; an error after a while. */
    async next(ms = 60000) {
        const until = Date.now() + ms;
        while (this.queue.length === 0) {
            if (this.closed !== null) return null;
            const left = until - Date.now();
            if (left <= 0) throw new Error(`nothing came from the server in ${ms} ms`);
            await new Promise((done) => { this.waiting = done; setTimeout(done, left).unref(); });
        }
        return this.queue.shift();
    }
    /** The next frame, which must be of this type. */
    async expect(type, ms) {
        const frame = await this.next(ms);
        const found = frame === null ? `closed ${this.closed}` : frame.messageType ?? frame.eventType;
        if (found !== type) throw new Error(`expected ${type}, got ${found}: ${JSON.stringify(frame)?.slice(0, 300)}`);
        return frame;
    }
    /** Reads on to the next frame of this type; what came before is dropped. */
    async until(type, ms) {
        for (;;) {
            const frame = await this.next(ms);
            if (frame === null) throw new Error(`closed ${this.closed} while waiting for ${type}`);
            if ((frame.messageType ?? frame.eventType) === type) return frame;
        }
    }
    /** The close code; frames that still come are dropped. */
    async end(ms) { while ((await this.next(ms)) !== null); return this.closed; }
    /** True if nothing comes for a while. */
    async quiet(ms) {
        await new Promise((done) => setTimeout(done, ms));
        return this.queue.length === 0;
    }
    hello(name, deviceID = `device of ${name}`) { this.say({ messageType: "HELLO_SERVER", name, deviceID }); }
    ready(role, startGame = true) { this.say({ messageType: "PLAYER_READY", startGame, role }); }
    choose(...places) {
        const characters = Array.from({ length: 12 }, (_, i) => places.includes(i));
        this.say({ messageType: "CHARACTER_SELECTION", characters });
    }
    request(...messages) { this.say({ messageType: "REQUESTS", messages }); }
    bare(message) { this.say(message); }
    close(code = 1000) { this.socket.close(code); }
    cut() { this.socket.terminate(); }
}

/** Logs in and waits to be ready. */
export async function login(server, name, role, path = "/", deviceID) {
    const client = await Client.open(server.url(path));
    client.name = name;
    client.hello(name, deviceID);
    await client.expect("HELLO_CLIENT");
    client.ready(role);
    return client;
}

/** Two players at a table whose match runs; both have read everything up to the first state. */
export async function begin(server, options = {}) {
    const path = options.path ?? "/";
    const one = await login(server, options.names?.[0] ?? "Ann", options.roles?.[0] ?? "PLAYER", options.paths?.[0] ?? path);
    await new Promise((done) => setTimeout(done, 20));
    const two = await login(server, options.names?.[1] ?? "Ben", options.roles?.[1] ?? "PLAYER", options.paths?.[1] ?? path);
    for (const client of [one, two]) client.assignment = await client.expect("GAME_ASSIGNMENT");
    one.choose(0, 1, 2, 3, 4, 5);
    await one.expect("CONFIRM_SELECTION");
    two.choose(0, 1, 2, 3, 4, 5);
    for (const client of [one, two]) {
        client.structure = await client.expect("GAME_STRUCTURE");
        client.first = await happened(client);
        client.state = stateOf(client.first);
    }
    return [one, two];
}

/** One frame of events, or bare ones up to the closing state, as a list. */
export async function happened(client, ms) {
    const list = [];
    for (;;) {
        const frame = await client.next(ms);
        if (frame === null) throw new Error(`closed ${client.closed} while waiting for events`);
        if (frame.messageType === "EVENTS") return frame.messages;
        if (frame.messageType) throw new Error(`expected events, got ${JSON.stringify(frame).slice(0, 200)}`);
        list.push(frame);
        if (frame.eventType === "GamestateEvent") return list;
    }
}

/** The last state of a list of events. */
export const stateOf = (list) => list.filter((event) => event.eventType === "GamestateEvent").at(-1);
/** The types of events, in order. */
export const types = (list) => list.map((event) => event.eventType);

/** The active character of a state as an entity. */
export function active(state) {
    const { entityID, ID } = state.activeCharacter;
    return state.entities.find((entity) => entity.entityType === "Character" && `P${entity.PID}` === entityID && entity.ID === ID);
}
/** The reference of an entity. */
export function reference(entity) {
    const groups = { Rock: "Rocks", InfinityStone: "InfinityStones", NPC: "NPC", Portal: "Portals" };
    return { entityID: groups[entity.entityType] ?? `P${entity.PID}`, ID: entity.ID };
}
export const distance = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));
export const same = (a, b) => a[0] === b[0] && a[1] === b[1];
/** What is on a field. */
export const at = (state, field) => state.entities.find((entity) => same(entity.position, field));
/** All fields around one that are on the board. */
export function around(state, [x, y]) {
    const fields = [];
    for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++)
            if ((dx || dy) && x + dx >= 0 && y + dy >= 0 && x + dx < state.mapSize[0] && y + dy < state.mapSize[1])
                fields.push([x + dx, y + dy]);
    return fields;
}
