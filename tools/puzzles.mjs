// puzzles.mjs -- makes a file of puzzles from lines that `mashup puzzles` printed: the shortest of each kind and level in turn, no two of a match.
// Usage: node tools/puzzles.mjs GAME COUNT [GAP] < LINES > games/GAME/puzzles.json
// GAP: what --gap was, if it was given.
import { readFileSync } from 'node:fs';

const [game, count, gap] = process.argv.slice(2);
const all = readFileSync(0, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const seen = new Set();
const groups = new Map();
for (const puzzle of all.sort((a, b) => a.actions.length - b.actions.length)) {
  const key = `${puzzle.preset} ${puzzle.seed}`;
  if (seen.has(key)) continue;
  seen.add(key);
  const group = `${puzzle.kind} ${puzzle.level}`;
  groups.set(group, [...(groups.get(group) ?? []), puzzle]);
}
const chosen = [];
for (let at = 0; chosen.length < Number(count) && [...groups.values()].some((group) => group.length > at); at++)
  for (const group of groups.values()) if (group[at] && chosen.length < Number(count)) chosen.push(group[at]);
/* The easy ones first: 0 is what no level solves. */
chosen.sort((a, b) => (a.level || 9) - (b.level || 9));
const gapPart = gap ? `, "gap": ${Number(gap) * 100}` : '';
console.log(`{"mashup-puzzles": 1, "game": ${JSON.stringify(game)}${gapPart}, "puzzles": [\n${chosen.map((one) => JSON.stringify(one)).join(',\n')}\n]}`);
