// conversations.mjs -- conversations with the server in the Marvelous Mashup standard, one for each thing that the standard lets happen,
// wrapped and bare. Usage: node tests/standard/conversations.mjs MASHUP [WORDS]   (only tests whose name has these words)
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { active, around, at, begin, Client, happened, TestServer, login, reference, stateOf, types, violations } from "./client.mjs";
import { dice, RandomPlayer } from "./player.mjs";

const mashup = process.argv[2] ?? "build/mashup";
const only = process.argv[3] ?? "";
const folder = mkdtempSync(join(tmpdir(), "mashup-talk-"));
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const tests = [];
const test = (name, options, run) => tests.push({ name, options, run });

/** A match configuration with some values of its own, as a file. */
function configured(name, values) {
    const file = join(folder, `${name}.game.json`);
    writeFileSync(file, JSON.stringify({
        maxRounds: 30, maxRoundTime: 300, maxGameTime: 0, maxAnimationTime: 0, spaceStoneCD: 1, mindStoneCD: 1, realityStoneCD: 1,
        powerStoneCD: 1, timeStoneCD: 1, soulStoneCD: 1, mindStoneDMG: 12, maxPauseTime: 60, maxResponseTime: 60, ...values,
    }));
    return file;
}

spawnSync(mashup, ["generate", "scenario", "--width", "100", "--height", "100", "--seed", "3", "--output", join(folder, "big.scenario.json")]);

/** ERROR of this type, GOODBYE_CLIENT, close. */
async function sentAway(client, type) {
    const error = await client.until("ERROR");
    assert.equal(error.type, type);
    await client.until("GOODBYE_CLIENT");
    assert.equal(await client.end(), 1008);
}
/** The end of a match: this player won, everybody is told goodbye. */
async function ends(client, won, ...before) {
    const list = await happened(client);
    assert.deepEqual(types(list), [...before, "WinEvent", "DisconnectEvent", "GamestateEvent"]);
    assert.equal(list.find((event) => event.eventType === "WinEvent").playerWon, won);
    assert.equal(stateOf(list).winCondition, true);
    await client.expect("GOODBYE_CLIENT");
    assert.equal(await client.end(), 1000);
}
/** The player whose turn it is, and the other. */
const onTurn = (one, two) => (one.state.activeCharacter.entityID === "P1" ? [one, two] : [two, one]);
const end = { requestType: "EndRoundRequest" };
const req = { requestType: "Req" };
/** A step to a free field, or to any field at all. */
function step(state, free = true) {
    const me = active(state);
    const targetField = around(state, me.position).find((field) => !at(state, field)) ?? me.position;
    return { requestType: "MoveRequest", originEntity: reference(me), originField: me.position, targetField: free ? targetField : me.position };
}
/** What one player asks and both are told. */
async function ask(asker, other, ...requests) {
    asker.request(...requests);
    const list = await happened(asker);
    asker.state = other.state = stateOf(list);
    return [list, await happened(other)];
}

// --- Login ----------------------------------------------------------------------------------------------------------------

test("login: the order of messages", [], async (server) => {
    const one = await login(server, "Ann", "PLAYER");
    const watcher = await login(server, "Will", "SPECTATOR");
    assert.ok(await one.quiet(50) && await watcher.quiet(1));
    const two = await login(server, "Ben", "KI");
    const offers = [await one.expect("GAME_ASSIGNMENT"), await two.expect("GAME_ASSIGNMENT")];
    const general = await watcher.expect("GENERAL_ASSIGNMENT");
    assert.equal(offers[0].gameID, general.gameID);
    const ids = offers.map((offer) => offer.characterSelection.map((hero) => hero.characterID));
    assert.equal(new Set([...ids[0], ...ids[1]]).size, 24);
    two.choose(0, 2, 4, 6, 8, 10);
    assert.equal((await two.expect("CONFIRM_SELECTION")).selectionComplete, true);
    one.choose(1, 3, 5, 7, 9, 11);
    const structures = [await one.expect("GAME_STRUCTURE"), await two.expect("GAME_STRUCTURE"), await watcher.expect("GAME_STRUCTURE")];
    assert.deepEqual(structures.map((s) => s.assignment), ["PlayerOne", "PlayerTwo", "Spectator"]);
    assert.deepEqual([structures[0].playerOneName, structures[0].playerTwoName], ["Ann", "Ben"]);
    assert.deepEqual(structures[2].playerOneCharacters.map((hero) => hero.characterID), [1, 3, 5, 7, 9, 11].map((i) => ids[0][i]));
    assert.deepEqual(structures[2].playerTwoCharacters, [0, 2, 4, 6, 8, 10].map((i) => offers[1].characterSelection[i]));
    const lists = [await happened(one), await happened(two), await happened(watcher)];
    assert.deepEqual(lists[0], lists[1]);
    assert.deepEqual(lists[0], lists[2]);
    const { scenario } = structures[0].scenarioconfig;
    const fields = scenario.flat();
    const spawns = lists[0].filter((event) => event.eventType === "SpawnEntityEvent").map((event) => event.entity);
    const count = (type) => spawns.filter((entity) => entity.entityType === type).length;
    assert.equal(count("Rock"), fields.filter((field) => field === "ROCK").length);
    assert.equal(count("Portal"), fields.filter((field) => field === "PORTAL").length);
    assert.equal(count("Character"), 12);
    for (const rock of spawns.filter((entity) => entity.entityType === "Rock")) assert.equal(scenario[rock.position[1]][rock.position[0]], "ROCK");
    assert.deepEqual(types(lists[0]).slice(-7),
        ["RoundSetupEvent", "TurnEvent", "SpawnEntityEvent", "DestroyedEntityEvent", "SpawnEntityEvent", "TurnEvent", "GamestateEvent"]);
    const round = lists[0].find((event) => event.eventType === "RoundSetupEvent");
    assert.equal(round.roundCount, 1);
    assert.deepEqual(round.characterOrder[0], { entityID: "NPC", ID: 0 });
    const turns = lists[0].filter((event) => event.eventType === "TurnEvent");
    assert.deepEqual(turns.map((turn) => turn.turnCount), [1, 2]);
    const state = stateOf(lists[0]);
    assert.deepEqual(state.activeCharacter, turns[1].nextCharacter);
    assert.deepEqual(state.turnOrder, round.characterOrder);
    assert.deepEqual(state.mapSize, [scenario[0].length, scenario.length]);
});

test("login: any path, any origin", [], async (server) => {
    for (const path of ["/", "/channel", "/what/ever?x=1", "/index.html"]) {
        const client = await Client.open(server.url(path), { origin: "http://elsewhere.example" });
        client.hello("Ann");
        assert.equal((await client.expect("HELLO_CLIENT")).runningGame, false);
        client.close();
    }
});

test("login: unknown keys are ignored", [], async (server) => {
    const client = await Client.open(server.url());
    client.raw('{"messageType":"HELLO_SERVER","name":"Ann","deviceID":"d","optionals":null,"x":[1,{}]}');
    await client.expect("HELLO_CLIENT");
    client.raw('{"optionals":"","messageType":"PLAYER_READY","startGame":false,"role":"PLAYER"}');
    await client.expect("GOODBYE_CLIENT");
    assert.equal(await client.end(), 1000);
});

for (const [what, frames] of Object.entries({
    "ready before hello": ['{"messageType":"PLAYER_READY","startGame":true,"role":"PLAYER"}'],
    "hello twice": ['{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}', '{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}'],
    "a choice before its time": ['{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}', '{"messageType":"CHARACTER_SELECTION","characters":[]}'],
    "requests before their time": ['{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}', '{"messageType":"REQUESTS","messages":[{"requestType":"Req"}]}'],
    "no JSON": ["{]"], "no object": ["[1]"], "an empty frame": [""], "an unknown message": ['{"messageType":"HI"}'],
    "a message of the server": ['{"messageType":"HELLO_CLIENT","runningGame":true}'],
    "a key that is missing": ['{"messageType":"HELLO_SERVER","name":"a"}'],
    "a key of a wrong kind": ['{"messageType":"HELLO_SERVER","name":"a","deviceID":7}'],
    "a role that is none": ['{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}', '{"messageType":"PLAYER_READY","startGame":true,"role":"CAT"}'],
}))
    test(`login: ${what} is an error`, [], async (server) => {
        const client = await Client.open(server.url());
        for (const frame of frames) client.raw(frame);
        await sentAway(client, 2);
    });

test("login: binary frames are not supported, and that is all", [], async (server) => {
    const client = await Client.open(server.url());
    client.socket.send(Buffer.from([1, 2, 3]));
    assert.equal((await client.expect("ERROR")).type, 1);
    client.hello("Ann");
    await client.expect("HELLO_CLIENT");
    client.close();
});

test("login: nobody to reconnect", [], async (server) => {
    const client = await Client.open(server.url());
    client.hello("Ann");
    assert.equal((await client.expect("HELLO_CLIENT")).runningGame, false);
    client.say({ messageType: "RECONNECT", reconnect: true });
    await sentAway(client, 5);
});

test("login: a third player opens the next table", [], async (server) => {
    const [one] = await begin(server);
    const three = await login(server, "Cid", "PLAYER");
    assert.ok(await three.quiet(50));
    const four = await login(server, "Dan", "PLAYER");
    assert.notEqual((await three.expect("GAME_ASSIGNMENT")).gameID, one.assignment.gameID);
    await four.expect("GAME_ASSIGNMENT");
});

test("login: with --single a third player is sent away", ["--single"], async (server) => {
    const [one, two] = await begin(server);
    await sentAway(await login(server, "Cid", "PLAYER"), 4);
    one.request({ requestType: "DisconnectRequest" });
    await ends(one, 2, "Ack");
    await ends(two, 2);
    await begin(server, { names: ["Eve", "Fay"] });
});

test("login: a named table takes two", [], async (server) => {
    await begin(server, { path: "/match/club_7" });
    await sentAway(await login(server, "Cid", "PLAYER", "/match/club_7"), 4);
    await sentAway(await login(server, "Cid", "PLAYER", "/match/not.a.name"), 4);
    await sentAway(await login(server, "Cid", "PLAYER", "/match/0000-0000-0001"), 4);
});

test("login: with --ais 1 two programs do not meet", ["--ais", "1"], async (server) => {
    const one = await login(server, "Ann", "KI"), two = await login(server, "Ben", "KI");
    assert.ok(await one.quiet(50) && await two.quiet(1));
    const three = await login(server, "Cid", "PLAYER");
    await one.expect("GAME_ASSIGNMENT");
    await three.expect("GAME_ASSIGNMENT");
    const named = await login(server, "Dan", "KI", "/match/x");
    await sentAway(await login(server, "Eve", "KI", "/match/x"), 4);
    named.close();
});

test("login: a wrong choice can be made again", [], async (server) => {
    const one = await login(server, "Ann", "PLAYER"), two = await login(server, "Ben", "PLAYER");
    await one.expect("GAME_ASSIGNMENT");
    await two.expect("GAME_ASSIGNMENT");
    for (const places of [[], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5, 6]]) {
        one.choose(...places);
        assert.equal((await one.expect("CONFIRM_SELECTION")).selectionComplete, false);
    }
    one.raw('{"messageType":"CHARACTER_SELECTION","characters":[true]}');
    assert.equal((await one.expect("CONFIRM_SELECTION")).selectionComplete, false);
    one.choose(6, 7, 8, 9, 10, 11);
    assert.equal((await one.expect("CONFIRM_SELECTION")).selectionComplete, true);
    one.choose(0, 1, 2, 3, 4, 5);
    await one.until("ERROR");
    assert.equal((await two.expect("EVENTS")).messages[0].playerWon, 2);
    await two.expect("GOODBYE_CLIENT");
});

test("login: names differ", [], async (server) => {
    const [one, two] = await begin(server, { names: ["Ann", "Ann"] });
    assert.deepEqual([one.structure.playerOneName, one.structure.playerTwoName], ["Ann", "Ann (2)"]);
    two.close();
});

test("login: a player who leaves while waiting leaves nobody behind", [], async (server) => {
    const one = await login(server, "Ann", "PLAYER");
    one.request(req);
    assert.ok(await one.quiet(50));
    one.request({ requestType: "DisconnectRequest" });
    await one.expect("GOODBYE_CLIENT");
    assert.equal(await one.end(), 1000);
    const two = await login(server, "Ben", "PLAYER");
    assert.ok(await two.quiet(50));
});

// --- Spectators and coming back --------------------------------------------------------------------------------------------

test("spectators: a late one gets structure and state", [], async (server) => {
    const [one, two] = await begin(server);
    const late = await login(server, "Will", "SPECTATOR");
    assert.equal((await late.expect("GENERAL_ASSIGNMENT")).gameID, one.assignment.gameID);
    assert.equal((await late.expect("GAME_STRUCTURE")).assignment, "Spectator");
    assert.deepEqual(await happened(late), [one.state]);
    const [asker, other] = onTurn(one, two);
    const [told, others] = await ask(asker, other, end);
    assert.deepEqual(told.slice(1), others);
    assert.deepEqual(await happened(late), others);
    late.request(req);
    assert.deepEqual(await happened(late), [one.state]);
    late.request(end);
    assert.deepEqual(types(await happened(late)), ["Nack", "GamestateEvent"]);
    late.request(end);
    await late.expect("GOODBYE_CLIENT");
    assert.equal(await late.end(), 1008);
    assert.ok(await one.quiet(20));
});

test("spectators: one that leaves", [], async (server) => {
    const [one] = await begin(server);
    const late = await login(server, "Will", "SPECTATOR");
    await late.until("EVENTS");
    late.request({ requestType: "DisconnectRequest" });
    await late.expect("GOODBYE_CLIENT");
    assert.equal(await late.end(), 1000);
    assert.ok(await one.quiet(20));
});

test("coming back: a player gets structure and state", [], async (server) => {
    const [one, two] = await begin(server);
    one.cut();
    assert.deepEqual(types(await happened(two)), ["PauseStartEvent", "GamestateEvent"]);
    two.request(end);
    assert.deepEqual(types(await happened(two)), ["Nack", "GamestateEvent"]);
    two.request({ requestType: "PauseStopRequest" });
    assert.deepEqual(types(await happened(two)), ["Nack", "GamestateEvent"]);
    const back = await Client.open(server.url("/any"));
    back.hello("Ann");
    assert.equal((await back.expect("HELLO_CLIENT")).runningGame, true);
    back.say({ messageType: "RECONNECT", reconnect: true });
    await back.expect("GENERAL_ASSIGNMENT");
    assert.equal((await back.expect("GAME_STRUCTURE")).assignment, "PlayerOne");
    assert.deepEqual(await happened(back), [one.state]);
    assert.deepEqual(types(await happened(two)), ["PauseStopEvent", "GamestateEvent"]);
    back.state = one.state;
    await ask(...onTurn(back, two), end);
});

test("coming back: while teams are chosen", [], async (server) => {
    let one = await login(server, "Ann", "PLAYER");
    const two = await login(server, "Ben", "PLAYER");
    const offer = await one.expect("GAME_ASSIGNMENT");
    await two.expect("GAME_ASSIGNMENT");
    for (const chosen of [false, true]) {
        one.cut();
        await two.expect("EVENTS");
        one = await Client.open(server.url());
        one.hello("Ann");
        assert.equal((await one.expect("HELLO_CLIENT")).runningGame, true);
        one.say({ messageType: "RECONNECT", reconnect: true });
        assert.deepEqual(await one.expect("GAME_ASSIGNMENT"), offer);
        await two.expect("EVENTS");
        if (chosen) assert.equal((await one.expect("CONFIRM_SELECTION")).selectionComplete, true);
        else one.choose(0, 1, 2, 3, 4, 5);
        if (!chosen) await one.expect("CONFIRM_SELECTION");
    }
    two.choose(0, 1, 2, 3, 4, 5);
    await one.expect("GAME_STRUCTURE");
    await two.expect("GAME_STRUCTURE");
});

test("coming back: or giving up", [], async (server) => {
    const [one, two] = await begin(server);
    one.cut();
    await happened(two);
    const back = await Client.open(server.url());
    back.hello("Ann");
    await back.expect("HELLO_CLIENT");
    back.say({ messageType: "RECONNECT", reconnect: false });
    await back.expect("GOODBYE_CLIENT");
    assert.equal(await back.end(), 1000);
    await ends(two, 2);
});

test("coming back: over a connection that seems to be there", [], async (server) => {
    const [one, two] = await begin(server);
    const back = await Client.open(server.url());
    back.hello("Ann");
    await back.expect("HELLO_CLIENT");
    back.say({ messageType: "RECONNECT", reconnect: true });
    await one.expect("GOODBYE_CLIENT");
    await back.expect("GENERAL_ASSIGNMENT");
    await back.expect("GAME_STRUCTURE");
    await happened(back);
    assert.ok(await two.quiet(50));
});

// --- Refusals --------------------------------------------------------------------------------------------------------------

test("refusals: the first is a Nack, the second costs the match", [], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    asker.request(step(asker.state, false), end);
    assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"]);
    assert.ok(await other.quiet(50));
    await ask(asker, other, step(asker.state));
    asker.request(step(asker.state, false));
    assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"]);
    asker.request(step(asker.state, false));
    assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"]);
    const won = asker.structure.assignment === "PlayerOne" ? 2 : 1;
    await ends(asker, won);
    await ends(other, won);
});

test("refusals: with --strikes 1 the first costs the match", ["--strikes", "1"], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    asker.raw('{"messageType":"REQUESTS","messages":[{"requestType":"NoSuchRequest"}]}');
    await happened(asker);
    const won = asker.structure.assignment === "PlayerOne" ? 2 : 1;
    await ends(asker, won);
    await ends(other, won);
});

for (const [what, frame] of Object.entries({ "no JSON": "{", "an unknown message": '{"messageType":"HI"}', "a login message": '{"messageType":"HELLO_SERVER","name":"a","deviceID":"b"}' }))
    test(`refusals: ${what} in a match costs it at once`, [], async (server) => {
        const [one, two] = await begin(server);
        two.raw(frame);
        assert.equal((await two.expect("ERROR")).type, 2);
        await ends(one, 1);
        await two.until("GOODBYE_CLIENT");
    });

test("refusals: what is wrong with a request", ["--strikes", "0"], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    const fine = step(asker.state), foe = other.structure.assignment === "PlayerOne" ? "P1" : "P2";
    const stone = { entityID: "InfinityStones", ID: 0 };
    const wrong = [
        { ...fine, originEntity: { entityID: foe, ID: 1 } }, { ...fine, originEntity: { entityID: "NPC", ID: 0 } },
        { ...fine, originField: [fine.originField[0], fine.originField[1] + 1] }, { ...fine, targetField: [99, 0] },
        { ...fine, requestType: "MeleeAttackRequest", targetEntity: { entityID: "Rocks", ID: 7 } },
        { ...fine, requestType: "UseInfinityStoneRequest", stoneType: stone },
        { ...fine, requestType: "ExchangeInfinityStoneRequest", targetEntity: fine.originEntity, stoneType: stone },
    ];
    for (const request of wrong) {
        asker.request(request);
        assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"], JSON.stringify(request));
    }
    for (const text of ['{"requestType":"MoveRequest"}', '{"requestType":7}', "5", '{"requestType":"MoveRequest","originEntity":3,"originField":[],"targetField":{}}']) {
        asker.raw(`{"messageType":"REQUESTS","messages":[${text}]}`);
        assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"], text);
    }
    asker.request({ requestType: "CustomRequest", teamIdentifier: "us", customContent: {} }, req);
    assert.deepEqual(types(await happened(asker)), ["GamestateEvent"]);
    assert.ok(await other.quiet(50));
});

test("refusals: a late request is answered by the state alone", [], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    const late = step(asker.state);
    await ask(asker, other, end);
    for (let i = 0; i < 3; i++) {
        asker.request(late);
        assert.deepEqual(types(await happened(asker)), ["GamestateEvent"]);
    }
});

test("requests: several in one frame, and giving up", [], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    asker.request(end, req, { requestType: "DisconnectRequest" }, end);
    assert.deepEqual(types(await happened(asker)), ["Ack", "TurnEvent", "GamestateEvent"]);
    assert.deepEqual(types(await happened(asker)), ["GamestateEvent"]);
    const won = asker.structure.assignment === "PlayerOne" ? 2 : 1;
    await ends(asker, won, "Ack");
    await happened(other);
    await ends(other, won);
});

test("requests: giving up while teams are chosen", [], async (server) => {
    const one = await login(server, "Ann", "PLAYER"), two = await login(server, "Ben", "PLAYER");
    await one.expect("GAME_ASSIGNMENT");
    await two.expect("GAME_ASSIGNMENT");
    two.request(req, { requestType: "DisconnectRequest" });
    assert.deepEqual(types((await two.expect("EVENTS")).messages), ["Ack", "WinEvent", "DisconnectEvent"]);
    assert.equal((await one.expect("EVENTS")).messages[0].playerWon, 1);
    await one.expect("GOODBYE_CLIENT");
    assert.equal(await one.end(), 1000);
});

// --- Dialects --------------------------------------------------------------------------------------------------------------

test("dialects: bare by path, by device, by the first request", [], async (server) => {
    const [one, two] = await begin(server, { paths: ["/channel", "/"] });
    assert.equal(types(one.first).at(-1), "GamestateEvent");
    assert.deepEqual(one.first, two.first);
    const [asker, other] = onTurn(one, two);
    asker.bare(end);
    const told = await happened(asker);
    const others = await happened(other);
    if (asker === one) assert.deepEqual(types(told), ["Ack", "TurnEvent", "GamestateEvent"]);
    assert.deepEqual(told.filter((event) => event.eventType !== "Ack"), others);
    const three = await Client.open(server.url());
    three.hello("Cid", "team26-7");
    await three.expect("HELLO_CLIENT");
    three.ready("SPECTATOR");
    await three.expect("GENERAL_ASSIGNMENT");
    await three.expect("GAME_STRUCTURE");
    assert.equal((await three.next()).eventType, "GamestateEvent");
    const four = await login(server, "Dan", "SPECTATOR");
    await four.until("EVENTS");
    four.bare(req);
    assert.equal((await four.next()).eventType, "GamestateEvent");
});

test("dialects: --dialect bare", ["--dialect", "bare"], async (server) => {
    const [one] = await begin(server);
    one.request(req);
    assert.equal((await one.next()).eventType, "GamestateEvent");
});

test("dialects: --dialect wrapped", ["--dialect", "wrapped"], async (server) => {
    const [one] = await begin(server, { path: "/channel" });
    one.bare(req);
    assert.equal((await one.next()).messageType, "EVENTS");
});

// --- Clients that differ, as known ones do ------------------------------------------------------------------------------------

const pauseStart = { requestType: "PauseStartRequest" }, pauseStop = { requestType: "PauseStopRequest" };
/** A frame of this client in its dialect. */
const tellAs = (client, bare, request) => (bare ? client.bare(request) : client.request(request));
/** The events of a frame. */
const eventsOf = (frame) => (frame.messageType === "EVENTS" ? frame.messages : frame.eventType ? [frame] : []);
const dialects = [["wrapped", "/"], ["bare", "/channel"]];

/** A program that acts on every state in which a character of its own is active, some time after it saw it: so it asks again and again
 *  while a match stands still, and runs as many chains of requests as it was sent states. What it was told is kept. */
class EagerPlayer {
    constructor(client, bare, ms = 200) {
        Object.assign(this, { client, bare, ms, heard: [], requests: 0, side: client.structure.assignment === "PlayerOne" ? "P1" : "P2" });
        this.see(client.state);
        this.done = this.listen();
    }
    async listen() {
        for (let frame = await this.client.next(60000); frame !== null; frame = await this.client.next(60000))
            for (const event of eventsOf(frame)) {
                this.heard.push(event);
                if (event.eventType === "GamestateEvent") this.see(event);
            }
    }
    see(state) {
        if (state.activeCharacter.entityID === this.side && !state.winCondition) setTimeout(() => this.act(state), this.ms);
    }
    act(state) {
        if (this.client.closed !== null) return;
        this.requests++;
        const me = active(state);
        const free = around(state, me.position).some((field) => !at(state, field));
        tellAs(this.client, this.bare, me.MP > 0 && free ? step(state) : end);
    }
    count(type) { return this.heard.filter((event) => event.eventType === type).length; }
    /** Waits until so many more of its own turns have ended. */
    async turns(count) {
        const mine = () => this.heard.filter((event) => event.eventType === "TurnEvent" && event.nextCharacter.entityID === this.side).length;
        for (const until = mine() + count; mine() < until;) {
            assert.equal(this.count("WinEvent"), 0, "it was disqualified");
            await sleep(20);
        }
    }
}
/** The other player: ends its turns at once, until it is told to be quiet. */
async function endsTurns(client, side, state) {
    const go = (seen) => { if (!client.silent && seen.activeCharacter.entityID === side && !seen.winCondition) client.request(end); };
    go(state);
    for (let frame = await client.next(60000); frame !== null; frame = await client.next(60000)) {
        client.state = stateOf(eventsOf(frame)) ?? client.state;
        if (stateOf(eventsOf(frame))) go(client.state);
    }
}

for (const [dialect, path] of dialects)
    for (const how of ["a pause", "a lost line"])
        test(`strangers: who acts on every state lives through ${how}, ${dialect}`, [], async (server) => {
            const [one, two] = await begin(server, { roles: ["KI", "PLAYER"], paths: [path, "/"] });
            const eager = new EagerPlayer(one, dialect === "bare");
            let other = two;
            endsTurns(other, "P2", two.state);
            for (let round = 0; round < 3; round++) {
                while (other.state.activeCharacter.entityID !== "P1") await sleep(5);
                other.silent = true;
                const from = eager.heard.length;
                if (how === "a pause") other.request(pauseStart);
                else other.cut();
                while (!eager.heard.slice(from).some(({ eventType }) => eventType === "PauseStartEvent")) await sleep(5);
                const since = () => eager.heard.slice(eager.heard.findLastIndex(({ eventType }) => eventType === "PauseStartEvent"));
                while (!since().some(({ eventType }) => eventType === "Nack")) await sleep(5);
                const told = since();
                if (dialect === "bare") assert.deepEqual(types(told).filter((type) => type !== "Nack"), ["PauseStartEvent", "GamestateEvent"]);
                if (how === "a pause") {
                    other.silent = false;
                    other.request(pauseStop);
                } else {
                    other = await Client.open(server.url());
                    other.hello("Ben");
                    await other.expect("HELLO_CLIENT");
                    other.say({ messageType: "RECONNECT", reconnect: true });
                    await other.until("GAME_STRUCTURE");
                    other.state = stateOf(await happened(other));
                    endsTurns(other, "P2", other.state);
                }
                await eager.turns(2);
            }
            assert.equal(eager.count("WinEvent"), 0);
        });

for (const [dialect, path] of dialects)
    test(`strangers: a burst that was right when it was sent is late, ${dialect}`, ["--strikes", "1"], async (server) => {
        const [one, two] = await begin(server, { paths: [path, path] });
        const bare = dialect === "bare";
        let rounds = 0;
        while (rounds < 2) {
            const [asker, other] = onTurn(one, two);
            const { state } = asker, last = JSON.stringify(state.turnOrder.at(-1)) === JSON.stringify(state.activeCharacter);
            const free = around(state, active(state).position).some((field) => !at(state, field));
            const burst = last && free ? [step(state), step(state), step(state), end, step(state), end] : [end];
            for (const request of burst) tellAs(asker, bare, request);
            const lists = [];
            for (let i = 0; i < burst.length; i++) lists.push(types(await happened(asker)));
            if (burst.length > 1) {
                rounds++;
                assert.deepEqual([lists[0][0], lists[0].at(-1), lists[1], lists[2]], ["Ack", "GamestateEvent", ["GamestateEvent"], ["GamestateEvent"]]);
                assert.ok(lists[3].includes("RoundSetupEvent"));
                assert.deepEqual(lists.slice(4), [["GamestateEvent"], ["GamestateEvent"]]);
                await happened(other);
            }
            other.state = stateOf(await happened(other));
            asker.state = other.state;
        }
        assert.ok(await one.quiet(50) && await two.quiet(1));
    });

/** A program that takes one frame out of what has come and then sleeps for 100 ms; it ends each turn of its own. When what came is noted. */
async function readsSlowly(client, bare, side, rounds) {
    const arrived = [], turns = []; // of the other's actions, turn by turn
    client.socket.on("message", (bytes) => arrived.push([Date.now(), JSON.parse(bytes)]));
    for (let round = 0; round < rounds;) {
        const frame = await client.next(60000);
        assert.notEqual(frame, null, "it was sent away");
        for (const event of eventsOf(frame)) {
            assert.notEqual(event.eventType, "WinEvent", "it has lost");
            round += event.eventType === "RoundSetupEvent";
            if (event.eventType === "GamestateEvent" && event.activeCharacter.entityID === side) tellAs(client, bare, end);
        }
        await sleep(100);
    }
    for (const [time, frame] of arrived)
        for (const { eventType } of eventsOf(frame)) {
            if (eventType === "TurnEvent") turns.push([]);
            if (eventType === "ConsumedMPEvent" || eventType === "ConsumedAPEvent") turns.at(-1)?.push(time);
        }
    return turns.filter((times) => times.length > 1);
}
for (const [dialect, path] of dialects)
    test(`strangers: our AI and a slow reader, ${dialect}`, ["--conf-match", configured("slow", { maxResponseTime: 20 })], async (server) => {
        const one = await login(server, "Slow", "KI", path);
        const ai = spawn(mashup, ["ai", server.url(), "--level", "3", "--name", "ours"], { stdio: "ignore" });
        const ended = new Promise((done) => ai.on("exit", done));
        await one.expect("GAME_ASSIGNMENT");
        one.choose(0, 1, 2, 3, 4, 5);
        await one.until("GAME_STRUCTURE");
        const turns = await readsSlowly(one, dialect === "bare", "P1", 4);
        // Clocks of a busy machine shorten one gap and lengthen another, but not by much the sum: at least half of 100 ms for each gap.
        const gaps = turns.reduce((sum, times) => sum + times.length - 1, 0), took = turns.reduce((sum, times) => sum + times.at(-1) - times[0], 0);
        assert.ok(gaps > 20 && took > gaps * 50, `${gaps} gaps of ${took / gaps} ms`);
        tellAs(one, dialect === "bare", { requestType: "DisconnectRequest" });
        assert.equal(await ended, 0);
    });

test("strangers: a bare Req first, envelopes afterwards", [], async (server) => {
    const [one, two] = await begin(server);
    for (const client of [one, two]) {
        client.bare(req);
        assert.equal((await client.next()).eventType, "GamestateEvent");
    }
    const [asker, other] = onTurn(one, two);
    asker.request(end);
    const told = await asker.expect("EVENTS");
    assert.deepEqual(types(told.messages).slice(0, 2), ["Ack", "TurnEvent"]);
    assert.equal((await other.next()).eventType, "TurnEvent"); // no other frame of it has decided yet
    await other.until("GamestateEvent");
    other.request(req);
    assert.deepEqual(types((await other.expect("EVENTS")).messages), ["GamestateEvent"]);
    for (const client of [one, two]) { // in kind, and nothing else changes by it
        client.bare(req);
        assert.equal((await client.next()).eventType, "GamestateEvent");
    }
    one.state = two.state = stateOf(told.messages);
    const [next, waiting] = onTurn(one, two);
    next.request(end);
    await next.expect("EVENTS");
    await waiting.expect("EVENTS");
    next.bare({ requestType: "DisconnectRequest" }); // a client that sends more than Req without an envelope gets answers without one
    assert.equal((await next.next()).eventType, "Ack");
    await waiting.expect("EVENTS");
});

const rocky = join(folder, "rocky.scenario.json");
writeFileSync(rocky, JSON.stringify({
    scenario: Array.from({ length: 10 }, (_, y) => Array.from({ length: 10 }, (__, x) => ((x + y) % 2 ? "ROCK" : "GRASS"))), name: "rocky", author: "us",
}));
for (const [dialect, path] of dialects)
    test(`strangers: an attack counts for its field, ${dialect}`, ["--conf-scenario", rocky, "--strikes", "0"], async (server) => {
        const [one, two] = await begin(server, { paths: [path, path] });
        const asked = async (asker, request) => {
            tellAs(asker, dialect === "bare", request);
            const list = await happened(asker);
            asker.state = stateOf(list);
            return list;
        };
        let tried = 0;
        for (let turn = 0; turn < 24 && tried < 6; turn++) {
            const [asker, other] = onTurn(one, two), me = active(asker.state);
            const rock = around(asker.state, me.position).map((field) => at(asker.state, field)).find((thing) => thing?.entityType === "Rock");
            if (rock && me.AP > 0) {
                const names = [{ entityID: "P2", ID: 1 }, { entityID: "Rocks", ID: 999 }, { entityID: "Portals", ID: 0 }];
                const hit = { requestType: "MeleeAttackRequest", originEntity: reference(me), originField: me.position, targetField: rock.position, value: 10 };
                const list = await asked(asker, { ...hit, targetEntity: names[tried++ % 3] });
                assert.deepEqual(types(list).slice(0, 2), ["Ack", "MeleeAttackEvent"]);
                assert.deepEqual(list[1].targetEntity, reference(rock));
                other.state = stateOf(await happened(other));
                const free = around(asker.state, me.position).find((field) => !at(asker.state, field));
                const friend = around(asker.state, me.position).find((field) => at(asker.state, field)?.PID === me.PID);
                for (const targetField of [free, friend].filter(Boolean))
                    assert.equal((await asked(asker, { ...hit, targetField, targetEntity: names[1] }))[0].eventType, "Nack");
            }
            const list = await asked(asker, end);
            assert.equal(list[0].eventType, "Ack");
            await happened(other);
            other.state = asker.state;
        }
        assert.equal(tried, 6);
    });

for (const [dialect, path] of dialects)
    test(`strangers: no choice is made and no round begins in a pause, ${dialect}`, [], async (server) => {
        const bare = dialect === "bare", all = [await login(server, "Ann", "PLAYER", path), await login(server, "Ben", "PLAYER", path)];
        const paused = async (type, first) => {
            for (const client of all) {
                const list = bare && client === first ? [await client.next(), await client.next()] : eventsOf(await client.next());
                assert.deepEqual(types(list), client === first ? ["Ack", type] : [type]);
            }
        };
        for (const client of all) await client.expect("GAME_ASSIGNMENT");
        tellAs(all[0], bare, pauseStart);
        await paused("PauseStartEvent", all[0]);
        all[0].choose(0, 1, 2, 3, 4, 5);
        all[1].choose(0, 1, 2, 3, 4);
        assert.equal((await all[1].expect("CONFIRM_SELECTION")).selectionComplete, false);
        all[1].choose(0, 1, 2, 3, 4, 5);
        all[1].choose(6, 7, 8, 9, 10, 11);
        assert.ok(await all[0].quiet(200) && await all[1].quiet(1));
        tellAs(all[1], bare, pauseStop);
        await paused("PauseStopEvent", all[1]);
        assert.equal((await all[0].expect("CONFIRM_SELECTION")).selectionComplete, true);
        const structure = await all[1].expect("GAME_STRUCTURE");
        assert.equal((await all[0].expect("GAME_STRUCTURE")).assignment, "PlayerOne");
        assert.equal(structure.playerTwoCharacters.length, 6);
        for (const client of all) assert.ok(types(await happened(client)).includes("RoundSetupEvent"));
    });

test("strangers: a choice while the other one's line is lost waits for it", [], async (server) => {
    const one = await login(server, "Ann", "PLAYER"), two = await login(server, "Ben", "KI");
    await one.expect("GAME_ASSIGNMENT");
    await two.expect("GAME_ASSIGNMENT");
    one.choose(0, 1, 2, 3, 4, 5);
    await one.expect("CONFIRM_SELECTION");
    one.cut();
    assert.deepEqual(types((await two.expect("EVENTS")).messages), ["PauseStartEvent"]);
    two.choose(0, 1, 2, 3, 4, 5);
    assert.ok(await two.quiet(100));
    const back = await Client.open(server.url());
    back.hello("Ann");
    await back.expect("HELLO_CLIENT");
    back.say({ messageType: "RECONNECT", reconnect: true });
    await back.expect("GAME_ASSIGNMENT");
    await back.expect("CONFIRM_SELECTION");
    await back.expect("GAME_STRUCTURE");
    assert.deepEqual(types((await two.expect("EVENTS")).messages), ["PauseStopEvent"]);
    await two.expect("GAME_STRUCTURE");
    assert.deepEqual(await happened(back), await happened(two));
});

// --- Pause and times -------------------------------------------------------------------------------------------------------

test("pause: either player may begin and end it", [], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    const start = { requestType: "PauseStartRequest" }, stop = { requestType: "PauseStopRequest" };
    for (const [first, second] of [[asker, other], [other, asker], [asker, other], [other, asker]]) {
        first.request(start);
        assert.deepEqual(types(await happened(first)), ["Ack", "PauseStartEvent", "GamestateEvent"]);
        assert.deepEqual(types(await happened(second)), ["PauseStartEvent", "GamestateEvent"]);
        for (const request of [end, start, end]) {
            asker.request(request);
            assert.deepEqual(types(await happened(asker)), ["Nack", "GamestateEvent"]);
        }
        second.request(stop);
        assert.deepEqual(types(await happened(second)), ["Ack", "PauseStopEvent", "GamestateEvent"]);
        assert.deepEqual(types(await happened(first)), ["PauseStopEvent", "GamestateEvent"]);
        first.request(stop);
        assert.deepEqual(types(await happened(first)), ["Nack", "GamestateEvent"]);
    }
    await ask(asker, other, end);
});

test("pause: not for programs", [], async (server) => {
    const [one] = await begin(server, { roles: ["KI", "PLAYER"] });
    one.request({ requestType: "PauseStartRequest" });
    assert.deepEqual(types(await happened(one)), ["Nack", "GamestateEvent"]);
});

test("pause: 0 forbids it", ["--conf-match", configured("nopause", { maxPauseTime: 0 })], async (server) => {
    const [one, two] = await begin(server);
    assert.equal(one.structure.matchconfig.maxPauseTime, 0);
    for (let i = 0; i < 3; i++) {
        one.request({ requestType: "PauseStartRequest" });
        assert.deepEqual(types(await happened(one)), ["Nack", "GamestateEvent"]);
    }
    assert.ok(await two.quiet(20));
});

test("pause: ends by itself", ["--conf-match", configured("pause", { maxPauseTime: 1 })], async (server) => {
    const [one, two] = await begin(server);
    one.request({ requestType: "PauseStartRequest" });
    await happened(one);
    await happened(two);
    assert.deepEqual(types(await happened(one)), ["PauseStopEvent", "GamestateEvent"]);
    assert.deepEqual(types(await happened(two)), ["PauseStopEvent", "GamestateEvent"]);
});

test("times: a turn runs out, three silent ones in a row cost the match", ["--conf-match", configured("turn", { maxRoundTime: 1 })], async (server) => {
    const [one, two] = await begin(server);
    let idle = [0, 0], state = one.state;
    for (;;) {
        const seat = state.activeCharacter.entityID === "P1" ? 0 : 1;
        const [late, other] = seat === 0 ? [one, two] : [two, one];
        const first = await late.expect("EVENTS");
        if (++idle[seat] === 3) {
            assert.equal(first.messages[0].eventType, "TimeoutEvent");
            await ends(late, 2 - seat);
            await ends(other, 2 - seat);
            return;
        }
        assert.deepEqual(first.messages, [{ eventType: "TurnTimeoutEvent" }]);
        const told = await happened(late);
        assert.deepEqual(await happened(other), told);
        assert.ok(types(told).includes("TurnEvent"));
        state = stateOf(told);
    }
});

test("times: silence", ["--conf-match", configured("silence", { maxResponseTime: 6 })], async (server) => {
    const [asker, other] = onTurn(...(await begin(server)));
    const warning = (await asker.expect("EVENTS")).messages;
    assert.deepEqual(types(warning), ["TimeoutWarningEvent"]);
    assert.ok(warning[0].timeLeft >= 2 && warning[0].timeLeft <= 3);
    asker.request(req);
    await happened(asker);
    assert.deepEqual(types((await asker.expect("EVENTS")).messages), ["TimeoutWarningEvent"]);
    assert.deepEqual(types((await asker.expect("EVENTS")).messages), ["TimeoutEvent"]);
    const won = asker.structure.assignment === "PlayerOne" ? 2 : 1;
    await ends(asker, won);
    await ends(other, won);
});

// --- Broken clients --------------------------------------------------------------------------------------------------------

test("broken: a message that is too long costs the match", [], async (server) => {
    const [one, two] = await begin(server);
    one.raw(JSON.stringify({ messageType: "REQUESTS", messages: [], more: "x".repeat(1 << 20) }));
    await ends(two, 2);
    assert.equal(await one.end(), 1009);
});

test("broken: a flood costs the match", ["rates"], async (server) => {
    const [one, two] = await begin(server);
    for (let i = 0; i < 6000; i++) one.raw(JSON.stringify({ requestType: "Req" }));
    await ends(two, 2);
    assert.ok([1006, 1008].includes(await one.end(15000)));
});

test("broken: deep nesting and long lists are refused", [], async (server) => {
    for (const text of ["[".repeat(100000), `{"messageType":"REQUESTS","messages":[${"1,".repeat(5000)}1]}`]) {
        const client = await Client.open(server.url());
        client.raw(text);
        await sentAway(client, 2);
    }
});

// --- Whole matches: every request is answered as the standard recommends ------------------------------------------------------

const win = "( WinEvent DisconnectEvent)?";
const harm = "TakenDamageEvent( DestroyedEntityEvent| SpawnEntityEvent)*";
const answers = {
    MoveRequest: `MoveEvent( MoveEvent| DestroyedEntityEvent| TeleportedEvent)? ConsumedMPEvent${win}`,
    MeleeAttackRequest: `MeleeAttackEvent ${harm} ConsumedAPEvent`, RangedAttackRequest: `RangedAttackEvent ${harm} ConsumedAPEvent`,
    ExchangeInfinityStoneRequest: `ExchangeInfinityStoneEvent ConsumedAPEvent${win}`,
    use0: "UseInfinityStoneEvent ConsumedAPEvent", use1: `UseInfinityStoneEvent ${harm} ConsumedAPEvent`,
    use2: "UseInfinityStoneEvent (SpawnEntityEvent|DestroyedEntityEvent) ConsumedAPEvent",
    use3: `UseInfinityStoneEvent ${harm}( TakenDamageEvent)? ConsumedAPEvent`,
    use4: "UseInfinityStoneEvent ConsumedAPEvent", use5: "UseInfinityStoneEvent HealedEvent ConsumedAPEvent",
    EndRoundRequest: ".*TurnEvent.*",
};

/** Asks, and looks at every answer. */
class CarefulPlayer extends RandomPlayer {
    ask(request) {
        this.asked = request;
        super.ask(request);
    }
    async hear(frame) {
        this.batch ??= [];
        this.batch.push(...(frame.messageType === "EVENTS" ? frame.messages : frame.eventType ? [frame] : []));
        if (this.batch.at(-1)?.eventType === "GamestateEvent") {
            this.look(this.batch);
            this.batch = [];
        }
        await super.hear(frame);
    }
    look(list) {
        const before = this.state, state = stateOf(list), words = types(list);
        this.state = state;
        if (this.asked && before && words[0] === "Ack") this.compare(this.asked, before, list, state);
        else if (this.asked && words[0] === "Nack") assert.deepEqual(state, before);
        this.asked = null;
        this.batches.push(JSON.stringify(list.filter((event) => event.eventType !== "Ack" && event.eventType !== "Nack")));
        const turn = list.filter((event) => event.eventType === "TurnEvent").at(-1);
        if (turn && !state.winCondition) assert.deepEqual(turn.nextCharacter, state.activeCharacter);
        assert.equal(words.filter((word) => word === "GamestateEvent").length, 1);
    }
    compare(request, before, list, state) {
        const key = request.requestType === "UseInfinityStoneRequest" ? `use${request.stoneType.ID}` : request.requestType;
        const words = types(list).slice(1, -1).join(" ");
        assert.match(words, new RegExp(`^${answers[key]}$`), key);
        this.kinds[key] = (this.kinds[key] ?? 0) + 1;
        const whose = (s, ref) => s.entities.find((e) => JSON.stringify(reference(e)) === JSON.stringify(ref));
        for (const event of list.filter((e) => e.eventType === "TakenDamageEvent" && e.targetEntity.entityID !== "NPC")) {
            const old = whose(before, event.targetEntity), now = whose(state, event.targetEntity);
            if (key !== "EndRoundRequest") assert.equal(old.HP - (now?.HP ?? 0), event.amount, key);
        }
        const step = list.find((e) => e.eventType === "MoveEvent" && key === "MoveRequest");
        if (step) assert.deepEqual([step.originField, step.targetField], [request.originField, request.targetField]);
        const spent = list.find((e) => e.eventType === "ConsumedMPEvent" || e.eventType === "ConsumedAPEvent");
        if (spent && key !== "EndRoundRequest") {
            const now = whose(state, request.originEntity);
            assert.deepEqual(spent.targetField, now.position);
            assert.equal(spent.amount, 1);
        }
        for (const event of list.filter((e) => e.eventType === "MeleeAttackEvent" || e.eventType === "RangedAttackEvent"))
            assert.equal(event.amount, list.find((e) => e.eventType === "TakenDamageEvent").amount);
    }
}

test("matches: every answer is in the recommended order", ["--strikes", "0", "--conf-match", configured("short", { maxRounds: 9 })], async (server) => {
    const kinds = {};
    for (let number = 0; number < 4; number++) {
        const roll = dice(number + 77), path = `/match/t${number}`;
        const people = ["KI", "KI", "SPECTATOR"].map((role, i) => {
            const player = new CarefulPlayer(server, { path, name: `n${i}-${number}`, role, roll, bare: (number + i) % 2 === 1, calm: true });
            return Object.assign(player, { kinds, batches: [] });
        });
        const watching = people[2].play();
        await people[2].readied;
        await Promise.all([people[0].play(), people[1].play(), watching]);
        const [one, two, watcher] = people.map((player) => player.batches.filter((batch) => !/^\[\{"eventType":"GamestateEvent"/.test(batch)));
        assert.deepEqual(one, watcher);
        assert.deepEqual(two, watcher);
    }
    for (const key of Object.keys(answers)) if (!key.startsWith("use5")) assert.ok(kinds[key] > 0, `${key} never happened`);
});

test("matches: the largest board, bare and wrapped", ["--conf-scenario", join(folder, "big.scenario.json")], async (server) => {
    const [one, two] = await begin(server, { paths: ["/channel", "/"] });
    assert.deepEqual(one.first, two.first);
    assert.deepEqual(one.state.mapSize, [100, 100]);
    for (let i = 0; i < 3; i++) await ask(...onTurn(one, two), end);
});

// --- Beside arena clients -------------------------------------------------------------------------------------------------------

/** An arena client that plays its first listed actions; what it was told is kept. */
async function arena(server, request, role) {
    const socket = new WebSocket(server.url("/arena"));
    const heard = [], client = { heard, events: [], result: null };
    await new Promise((done) => socket.on("open", done));
    const say = (message) => socket.send(JSON.stringify(message));
    let turn = 0;
    socket.on("message", (bytes) => {
        const message = JSON.parse(bytes);
        heard.push(message);
        if (message.type === "welcome") say(request);
        if (message.type === "table") client.code = message.code;
        if (message.type !== "position") return;
        client.events.push(...(message.events ?? []));
        client.result = message.result ?? client.result;
        if (message.you === null || !message.awaited?.includes(message.you) || message.paused || !message.actions?.length) return;
        const all = message.actions.flatMap((group) => group.cells.map(([x, y]) => ({ ...group, x, y })));
        const pick = all[(turn++ * 7) % all.length];
        say({ type: "act", position: message.number, verb: pick.verb, unit: pick.unit, ability: pick.ability, x: pick.x, y: pick.y });
    });
    say({ type: "hello", name: `arena ${role}`, role });
    client.until = async (test, ms = 60000) => {
        const until = Date.now() + ms;
        while (!heard.some(test)) {
            assert.ok(Date.now() < until, `the arena client waits in vain; it heard last ${JSON.stringify(heard.at(-1))?.slice(0, 300)}`);
            await sleep(10);
        }
        return heard.find(test);
    };
    return client;
}

test("beside arena clients: one table, spectators of both kinds", ["--strikes", "0", "--conf-match", configured("mixed", { maxRounds: 7 })], async (server) => {
    const roll = dice(5), seen = [], watched = [];
    const player = new RandomPlayer(server, { path: "/", name: "Ann", role: "KI", roll, calm: true, seen: (event) => seen.push(event) });
    const playing = player.play();
    let matches = [];
    for (; matches.length === 0; await sleep(10))
        ({ matches } = await (await fetch(server.url("/api/matches").replace("ws:", "http:"))).json());
    const [{ code }] = matches;
    const arenaWatcher = await arena(server, { type: "watch", code }, "watcher");
    await arenaWatcher.until((message) => message.type === "table");
    const watcher = new RandomPlayer(server, { path: `/match/${code}`, name: "Will", role: "SPECTATOR", roll, calm: true, seen: (event) => watched.push(event) });
    const watching = watcher.play();
    await watcher.readied;
    const other = await arena(server, { type: "join", code }, "ai");
    const [result, told] = await Promise.all([playing, watching]);
    assert.equal(result.code, 1000);
    assert.equal(told.won, result.won);
    await other.until((message) => message.type === "position" && message.result);
    await arenaWatcher.until((message) => message.type === "position" && message.result);
    const count = (events, type) => events.filter((event) => event.eventType === type).length;
    const counted = (events, ...kinds) => events.filter((event) => kinds.includes(event.kind)).length;
    for (const events of [other.events, arenaWatcher.events]) {
        const on = { seen: events === other.events ? seen : watched };
        assert.ok(count(on.seen, "RoundSetupEvent") > 0);
        assert.equal(count(on.seen, "UseInfinityStoneEvent"), counted(events, "used"));
        assert.equal(count(on.seen, "HealedEvent"), counted(events, "healed", "revived"));
        assert.equal(count(on.seen, "MeleeAttackEvent") + count(on.seen, "RangedAttackEvent"), counted(events, "attacked"));
        assert.equal(count(on.seen, "RoundSetupEvent"), counted(events, "round-began"));
        assert.equal(count(on.seen, "TurnEvent"), counted(events, "turn-began"));
        assert.equal(count(on.seen, "MoveEvent"), counted(events, "moved") + 2 * counted(events, "swapped"));
        assert.equal(count(on.seen, "TakenDamageEvent"), counted(events, "hurt", "ground-hurt"));
    }
});

test("beside arena clients: a standard client comes to a table of the arena", [], async (server) => {
    const host = await arena(server, { type: "open", game: "marvelous-mashup", seat: 1 }, "person");
    await host.until((message) => message.type === "table");
    const one = await login(server, "Ann", "PLAYER", `/match/${host.code}`);
    assert.equal((await one.expect("GAME_ASSIGNMENT")).gameID, host.code);
    one.choose(0, 1, 2, 3, 4, 5);
    await one.until("GAME_STRUCTURE");
    assert.ok(types(await happened(one)).includes("RoundSetupEvent"));
    one.cut();
    await host.until((message) => message.type === "paused");
});

// --- Start parameters ------------------------------------------------------------------------------------------------------------

const start = (words, environment = {}) => spawnSync(mashup, words, { encoding: "utf8", env: { ...process.env, ...environment }, timeout: 120000 });

test("start: configurations are checked, and all problems listed", null, async () => {
    const fine = configured("fine", {}), broken = configured("broken", { maxRounds: -1, maxRoundTime: 0, more: 1 });
    assert.equal(start(["server", "-C", "-m", fine]).status, 0);
    assert.equal(start(["serve", "--check-conf", "--conf-match", fine]).status, 0);
    const check = start(["server", "-C", "-m", broken]);
    assert.equal(check.status, 1);
    for (const word of ["maxRounds", "maxRoundTime", "more"]) assert.match(check.stderr, new RegExp(word));
    assert.equal(start(["server", "-p", "0", "-m", broken]).status, 1);
    assert.match(start(["server", "-C", "-s", fine]).stderr, /scenario\.json/);
    assert.equal(start(["server", "-C"], { MMU_CONF_MATCH: broken }).status, 1);
    assert.equal(start(["server", "-C", "-m", fine], { MMU_CONF_MATCH: broken }).status, 0);
    assert.equal(start(["server", "-C", "-c", "/nowhere/x.character.json"]).status, 1);
    assert.equal(start(["server", "-h"]).status, 0);
});

test("start: unknown options", null, async () => {
    const lenient = start(["server", "--team08-x", "3", "-q", "-C"]);
    assert.equal(lenient.status, 0);
    assert.match(lenient.stderr, /ignoring unknown option "--team08-x"/);
    assert.equal(start(["serve", "--team08-x", "3", "-C"]).status, 2);
    assert.equal(start(["serve", "--ais", "3", "-C"]).status, 2);
    assert.equal(start(["serve", "--rules", "other", "-C"]).status, 2);
    assert.equal(start(["serve", "--dialect", "latin", "-C"]).status, 2);
    assert.equal(start(["serve", "-l", "9", "-C"]).status, 2);
    for (const level of ["0", "4", "debug"]) assert.equal(start(["serve", "-l", level, "-C"]).status, 0);
});

test("start: the container ignores what it does not know", null, async () => {
    const words = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(readFileSync(new URL("../../deploy/Containerfile.server", import.meta.url), "utf8"))[1]);
    assert.equal(words[0], "mashup");
    const started = start([...words.slice(1), "--team08-x", "3", "-q", "--team26-y=4", "-C"]);
    assert.equal(started.status, 0, started.stderr);
    for (const word of ["--team08-x", "-q", "--team26-y=4"]) assert.match(started.stderr, new RegExp(`ignoring unknown option "${word}"`));
    assert.equal(start([...words.slice(1), "--port", "none", "-C"]).status, 2);
});

const replays = join(folder, "replays");
test("start: replays", ["--replay", replays], async (server) => {
    const [one, two] = await begin(server, { names: ["Ann/..", "Ben"] });
    const [asker, other] = onTurn(one, two);
    await ask(asker, other, step(asker.state));
    asker.request({ requestType: "DisconnectRequest" });
    await asker.until("GOODBYE_CLIENT");
    await other.until("GOODBYE_CLIENT");
    let files = [];
    for (; !files.some((name) => name.endsWith("_replay.json")); await sleep(10)) files = existsSync(replays) ? readdirSync(replays) : [];
    assert.equal(files.length, 2);
    const file = files.find((name) => name.endsWith("_replay.json"));
    const replay = JSON.parse(readFileSync(join(replays, file), "utf8"));
    assert.deepEqual([replay.nameP1, replay.nameP2], ["Ann/..", "Ben"]);
    assert.ok(replay.config.character.characters.length >= 24);
    assert.deepEqual(replay.config.match, one.structure.matchconfig);
    assert.deepEqual(replay.config.scenario, one.structure.scenarioconfig);
    const said = replay.events.map((event) => event.messageType ?? event.eventType);
    assert.deepEqual(said.slice(0, 2), ["GENERAL_ASSIGNMENT", "GAME_STRUCTURE"]);
    assert.deepEqual(said.slice(-7), ["MoveEvent", "ConsumedMPEvent", "GamestateEvent", "WinEvent", "DisconnectEvent", "GamestateEvent", "GOODBYE_CLIENT"]);
    for (const name of files) assert.equal(start(["show", join(replays, name)]).status, 0, name);
});

// --- All of them ------------------------------------------------------------------------------------------------------------------

let failed = 0;
const chosen = tests.filter(({ name }) => name.includes(only));
async function runOne({ name, options, run }) {
    const before = violations.length;
    let server = null;
    try {
        if (options !== null) server = await TestServer.open(mashup, ...options);
        await run(server);
        assert.deepEqual(violations.slice(before), []);
        console.log(`ok      ${name}`);
    } catch (error) {
        failed++;
        console.log(`FAILED  ${name}\n${error.stack}`);
    }
    await server?.close().catch((error) => { failed++; console.log(`FAILED  ${name}: ${error.message}`); });
}
const queue = [...chosen];
const worker = async () => { for (let next = queue.shift(); next; next = queue.shift()) await runOne(next); };
await Promise.all([worker(), worker(), worker()]);
rmSync(folder, { recursive: true, force: true });
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && chosen.length > 0 ? 0 : 1);
