// schemas.mjs -- whole random matches over the wire: every frame of the server is valid against the project's own schema and, if
// the papers of the standard are there (../shared/protocol), against the extended schema, and against the committee's once the
// additions are taken out that all programs send. Usage: node tests/standard/schemas.mjs MASHUP [MATCHES]
import { existsSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv";
import { TestServer, listeners, violations } from "./client.mjs";
import { dice, RandomPlayer } from "./player.mjs";

const mashup = process.argv[2] ?? "build/mashup";
const matches = Number(process.argv[3] ?? 8);
const papers = new URL("../../../shared/protocol/", import.meta.url);
const ajv = new Ajv({ strict: false });
const paper = (name) => {
    const file = new URL(name, papers);
    return existsSync(file) ? ajv.compile(JSON.parse(readFileSync(file, "utf8"))) : null;
};
const extended = paper("schema-extended.json");
const committee = paper("schema-committee.json");
const counts = {};
const wrong = [];

/** What the committee's schema file does not know: NPCs and portals as entities, teleports, one spelling. */
function strip(frame) {
    if (frame.messageType === "GOODBYE_CLIENT") return { ...frame, messageType: "GOODBYE_ClIENT" };
    if (frame.messageType !== "EVENTS") return frame;
    const foreign = (entity) => entity?.entityType === "NPC" || entity?.entityType === "Portal";
    const messages = frame.messages
        .filter((event) => event.eventType !== "TeleportedEvent" && !foreign(event.entity) && event.targetEntity?.entityID !== "Portals")
        .map((event) => (event.entities ? { ...event, entities: event.entities.filter((entity) => !foreign(entity)) } : event));
    return { ...frame, messages };
}

listeners.push((frame, text) => {
    const events = frame.messageType === "EVENTS" ? frame.messages : frame.eventType ? [frame] : [];
    for (const event of events) counts[event.eventType] = (counts[event.eventType] ?? 0) + 1;
    if (frame.messageType) counts[frame.messageType] = (counts[frame.messageType] ?? 0) + 1;
    if (frame.messageType === "EVENTS" && !["GamestateEvent", "TurnTimeoutEvent", "TimeoutWarningEvent", "TimeoutEvent"].includes(events.at(-1)?.eventType))
        wrong.push(`no state closes ${text.slice(0, 200)}`);
    for (let i = 0; i + 1 < events.length; i++)
        if (events[i].eventType === "SpawnEntityEvent" && events[i + 1].eventType === "GamestateEvent")
            wrong.push(`a state right behind a spawn: ${text.slice(0, 200)}`);
    const wrapped = frame.eventType ? { messageType: "EVENTS", messages: [frame] } : frame;
    if (extended && !extended(wrapped)) wrong.push(`extended: ${ajv.errorsText(extended.errors).slice(0, 200)}: ${text.slice(0, 200)}`);
    if (committee && !committee(strip(wrapped))) wrong.push(`committee: ${ajv.errorsText(committee.errors).slice(0, 200)}: ${text.slice(0, 200)}`);
});

/** One match at a table of its own, with a spectator; all must agree on the end. */
async function playMatch(server, number) {
    const roll = dice(number * 7919 + 1);
    const path = `/match/m${number}`;
    const roles = [["PLAYER", "PLAYER"], ["PLAYER", "KI"], ["KI", "KI"]][number % 3];
    const people = roles.map((role, i) => new RandomPlayer(server, { path, name: `p${i}-${number}`, role, roll, bare: (number >> i) % 2 === 1 }));
    const watcher = new RandomPlayer(server, { path, name: `w-${number}`, role: "SPECTATOR", roll, bare: number % 4 === 3 });
    const results = await Promise.all([people[0].play(), people[1].play(), watcher.play()]);
    for (const result of results)
        if (result.won !== results[0].won || !result.won || !result.disconnected || result.goodbye === null || result.code !== 1000)
            wrong.push(`match ${number}: ${JSON.stringify(results)}`);
    return results;
}

const folder = mkdtempSync(join(tmpdir(), "mashup-conf-"));
const conf = join(folder, "short.game.json");
writeFileSync(conf, JSON.stringify({
    maxRounds: 8, maxRoundTime: 300, maxGameTime: 0, maxAnimationTime: 0, spaceStoneCD: 1, mindStoneCD: 1, realityStoneCD: 1, powerStoneCD: 1,
    timeStoneCD: 1, soulStoneCD: 1, mindStoneDMG: 12, maxPauseTime: 60, maxResponseTime: 60,
}));
const began = Date.now();
let done = 0, requests = 0, nacks = 0;
try {
    for (const rules of ["spec", "customer"]) {
        const server = await TestServer.open(mashup, "--strikes", "0", "--rules", rules, "--conf-match", conf);
        const queue = Array.from({ length: Math.ceil(matches / 2) }, (_, i) => i + (rules === "spec" ? 0 : 1000));
        const worker = async () => {
            for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
                const results = await playMatch(server, number);
                done++;
                for (const result of results) { requests += result.requests; nacks += result.nacks; }
            }
        };
        await Promise.all([worker(), worker(), worker(), worker()]);
        await server.close();
        if (server.log.includes("error")) wrong.push(server.log);
    }
} finally {
    rmSync(folder, { recursive: true, force: true });
}
const problems = [...wrong, ...violations];
for (const problem of problems.slice(0, 10)) console.error(problem);
console.log(Object.entries(counts).map(([type, count]) => `${type} ${count}`).join(", "));
console.log(`${done} matches, ${requests} requests, ${nacks} refused, ${Math.round((Date.now() - began) / 1000)} s; ` +
    `own schema${extended ? ", extended schema" : ""}${committee ? ", committee's schema" : " (papers of the standard not there: skipped)"}: ` +
    `${problems.length} problems`);
process.exit(problems.length === 0 && done >= matches ? 0 : 1);
