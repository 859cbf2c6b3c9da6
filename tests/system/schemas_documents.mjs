// schemas_documents.mjs -- documents for schemas.mjs: random ones that are right, and ones in which
// something of a right one was changed. The same in every run.

let stream = 1;

/** A whole number from 0 to count - 1. */
function below(count) {
  stream = (Math.imul(stream, 1664525) + 1013904223) >>> 0;
  return Math.floor((stream / 2 ** 32) * count);
}

/** A whole number from least to most. */
export const between = (least, most) => least + below(most - least + 1);

const oneOf = (list) => list[below(list.length)];
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

function shuffled(list) {
  const out = [...list];
  for (let left = out.length; left > 1; left--) {
    const drawn = below(left);
    [out[left - 1], out[drawn]] = [out[drawn], out[left - 1]];
  }
  return out;
}

// --- A document and its schema side by side ------------------------------------------------------

/** The part of a schema that speaks of a member or element, references followed. */
function schemaAt(schema, root, step) {
  const here = schema?.$ref ? root.definitions[schema.$ref.split('/').at(-1)] : schema;
  if (step === undefined) return here;
  if (typeof step === 'number') return schemaAt(here?.items, root);
  return schemaAt(here?.properties?.[step] ?? here?.additionalProperties, root);
}

/** Every value of a document with its holder and key, its part of the schema, and its path without
 *  numbers. */
function* places(value, schema, root = schema, holder = undefined, key = undefined, path = '$') {
  yield { value, schema, holder, key, path };
  if (value === null || typeof value !== 'object') return;
  for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const name = typeof step === 'number' ? '[]' : `.${step}`;
    yield* places(value[step], schemaAt(schema, root, step), root, value, step, path + name);
  }
}

// --- Right ones ----------------------------------------------------------------------------------

/** Half of all numbers become others within their limits. */
function otherNumbers(document, schema) {
  for (const { value, schema: part, holder, key } of places(document, schema))
    if (typeof value === 'number' && below(2) === 0)
      holder[key] = between(part.minimum, part.maximum);
  return document;
}

const fields = ['unit', 'other', 'what', 'side', 'amount', 'from', 'to', 'amount|turn|turns',
  'amount||s'];
const words = ['goes', 'to', ' ', ',', '|', 'größer', '攻撃', '"', '\\', '.', "'s"];
const pieces = [() => oneOf(words), () => `{${oneOf(fields)}}`,
  () => `[${oneOf(words)}{${oneOf(fields)}}${oneOf(words)}]`];
const sentence = () => many(between(1, 5), () => oneOf(pieces)()).join('');

function otherTexts(document) {
  for (const event of Object.keys(document.events)) document.events[event] = sentence();
  for (const list of Object.values(document.names))
    for (const id of Object.keys(list)) list[id] = many(between(1, 4), () => oneOf(words)).join('');
  document.language = oneOf(['de', 'en-GB', 'ja', 'français'.slice(0, between(1, 6))]);
  return document;
}

/** Different ids of up to `longest` letters. */
function ids(count, longest) {
  const found = new Set();
  while (found.size < count) {
    const more = many(between(0, longest - 1), () => oneOf('abcxyz0189'));
    found.add([oneOf('abcdefgh'), ...more].join(''));
  }
  return [...found];
}

/** So many different cells of a board. */
function cells(count, width, height) {
  const found = new Set();
  while (found.size < count) found.add(below(width * height));
  return [...found].map((cell) => ({ x: cell % width, y: Math.floor(cell / width) }));
}

/** Members of these names with numbers within their limits. */
const within = ({ properties }, names) => Object.fromEntries(
  names.map((name) => [name, between(properties[name].minimum, properties[name].maximum)]));

/** An army of up to 15 kinds that fits its zone, and a layout of it. */
function army(id, width, rows, names) {
  let left = Math.min(21, width * rows) - 1;
  const kinds = [{ id: names.pop(), class: 'nexus', count: 1 }];
  do {
    const count = between(1, oneOf([1, left]));
    const kind = { id: names.pop(), class: oneOf(['ranked', 'infiltrator', 'agent']), count };
    if (kind.class === 'ranked') kind.power = between(1, 99);
    if (below(2) === 0) kind.ability = oneOf(['none', 'second-step', 'snap', 'strike', 'web']);
    kinds.push(kind);
    left -= count;
  } while (left > 0 && kinds.length < 15 && below(8) > 0);
  const all = kinds.flatMap((kind) => many(kind.count, () => kind.id));
  const zone = shuffled([...all, ...many(width * rows - all.length, () => '-')]);
  return { id, pieces: shuffled(kinds), layout: many(rows, () => zone.splice(0, width)) };
}

/** Right documents of the kinds that numbers alone do not vary enough or make wrong. */
const makers = {
  'zorde/units': () => {
    const letters = shuffled('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const points = () => between(1, 9999);
    return { kinds: ids(between(1, 12), 19).map((id) => ({
      id, letter: letters.pop(), side: oneOf(['calliance', 'zorde']), health: points(),
      attack: points(), steps: between(1, 20), attacks: oneOf(['last-step', 'each-step']),
      ...(below(2) === 0 && { healing: points() }),
      ...(below(2) === 0 && { ranged: { attack: points(), range: between(1, 10) } }),
    })) };
  },
  'zorde/start': () => {
    const [width, height] = [between(2, 100), between(2, 100)];
    const kinds = ['human', 'elf', 'dwarf', 'ork', 'troll', 'goblin'];
    const ten = (kind) => many(10, (digit) => ({ kind, id: kind[0].toUpperCase() + digit }));
    const others = kinds.flatMap(ten).filter(({ id }) => id !== 'H0' && id !== 'T0');
    const all = [{ kind: 'human', id: 'H0' }, { kind: 'troll', id: 'T0' }, ...shuffled(others)];
    const standing = cells(between(2, Math.min(60, width * height)), width, height);
    return { width, height, units: standing.map((cell, number) => ({ ...all[number], ...cell })) };
  },
  'battleground/field': () => {
    const [width, height] = [between(1, 100), between(1, 100)];
    const row = (walls) => many(width, () => (below(10) < walls ? '#' : '.')).join('');
    const rows = width * height < 40 ? ['.'.repeat(10)] : many(height, () => row(0));
    return { rows: rows.map((plain, y) => (y > 0 && width > 10 ? row(between(0, 9)) : plain)) };
  },
  'battleground/warriors': (document, { definitions }) => {
    const [count, doses] = [between(1, 16), between(1, 8)];
    const team = { warriors: between(1, 5), potions: between(0, 5) };
    const [names, potionNames, shorts] = [ids(count, 19), ids(doses, 19), ids(count, 3)];
    const warriors = names.map((id, number) => ({ id, short: shorts[number],
      ...within(definitions.warrior, ['health', 'attack']),
      walk: team.potions > 0 ? between(0, 11) : between(0, 31),
      ...(number > 0 && { optional: below(2) === 0 }) }));
    const potions = potionNames.map((id) => ({ id, ...oneOf([
      { stat: 'health', amount: between(1, 99), turns: 0 },
      { stat: 'attack', amount: oneOf([-9, -1, 1, 9]), turns: between(1, 99) },
      { stat: 'walk', amount: oneOf([-9, -1, 1, 2]), turns: between(1, 99) }]) }));
    const usual = { warriors: many(team.warriors, () => warriors[0].id),
      potions: many(team.potions, () => oneOf(potionNames)) };
    return { team, quiet_turns: between(2, 200), warriors, potions, usual };
  },
  'generals/pieces': (document, schema) => {
    const [width, height] = [between(3, 9), between(4, 8)];
    const rows = between(1, Math.floor(height / 2));
    const names = ids(30, 23);
    const { limits } = schema.properties;
    return { board: { width, height, zone_rows: rows },
      limits: within(limits, limits.required),
      armies: [army('left', width, rows, names), army('right', width, rows, names)] };
  },
  'ultimate-war/champions': (document, schema) => {
    const count = between(6, 64);
    const [names, shorts] = [ids(count, 31), ids(count, 4)];
    document.champions = names.map((id, number) => ({
      ...structuredClone(oneOf(document.champions)), id, short: shorts[number], name: id,
    }));
    for (const { abilities } of document.champions)
      for (const ability of abilities)
        if (ability.effect && ability.area !== 'self')
          ability.effect = oneOf(schema.definitions.ability.properties.effect.enum);
    return otherNumbers(document, schema);
  },
};

/** The text of a random document of this kind, made from a shipped one, that its loader accepts. */
export function randomDocument(kind, text, schema) {
  const document = JSON.parse(text);
  const make = makers[kind] ?? (kind.endsWith('/texts') ? otherTexts : otherNumbers);
  return JSON.stringify(make(document, schema));
}

// --- Changed ones --------------------------------------------------------------------------------

const otherThings = [null, true, 0, -1, 7.5, '', 'x', [], {}];

/** Values near the limits of a number. */
function numbers(value, { minimum = -5, maximum = 50 } = {}) {
  return [minimum - 1, minimum, minimum + 1, maximum - 1, maximum, maximum + 1, value + 0.5, -value,
    1e9, 1e30, String(value)];
}

/** Strings near the limits, badly spelt ones, templates that are right and wrong. */
function strings(value, schema = {}) {
  const { maxLength = 3 } = schema;
  const longest = (value[0] ?? 'a').repeat(maxLength);
  return [longest, `${longest}a`, `${value}-`, `${value}--a`, value.toUpperCase(), `${value} `,
    `${value}\u0007`, `${value}\u0085`, `${value}é`, '{unit}', '{unit', 'unit}',
    '{amount|one|two}', '{amount|one}', '{unit|a|b}', '[{unit}]', '[a]', '[[{unit}]]', ']',
    ...(schema.enum ?? []), ...(schema.examples ?? [])];
}

/** What else an array might be. */
function lists(value, { minItems = 0, maxItems = value.length + 1 } = {}) {
  const nth = (index) => value[index % Math.max(1, value.length)] ?? 0;
  const of = (count) => many(Math.max(0, count), nth);
  return [value.slice(1), value.slice(0, -1), [...value, ...value.slice(-1)], [...value].reverse(),
    [...value, 0], of(minItems), of(minItems - 1), of(maxItems), of(maxItems + 1)];
}

/** What else an object might be: without each key, with one more, with one renamed. */
function objects(value, schema = {}) {
  const entries = Object.entries(value);
  const less = (key) => Object.fromEntries(entries.filter(([other]) => other !== key));
  const added = Object.keys(schema.properties ?? {}).filter((key) => !(key in value));
  const more = added.flatMap((key) =>
    [1, 3, 'none', 'web', 'text', true].map((one) => ({ ...value, [key]: one })));
  const renamed = entries.map(([key, one], index) => [index === 0 ? `${key}s` : key, one]);
  return [...entries.map(([key]) => less(key)), ...more, { ...value, another: 1 },
    { ...value, another: 'text' }, Object.fromEntries(renamed)];
}

function changes({ value, schema }) {
  if (value === null) return otherThings;
  const alike = Array.isArray(value) ? lists
    : { number: numbers, string: strings, boolean: () => [!value], object: objects }[typeof value];
  return [...alike(value, schema), ...otherThings];
}

/** Places by path, without the whole; of those to which the same part of the schema applies (a
 *  hundred names), a few paths are enough. */
function sorts(document, schema) {
  const found = new Map();
  const seen = new Map();
  for (const place of [...places(document, schema)].slice(1)) {
    if (!found.has(place.path)) {
      seen.set(place.schema, (seen.get(place.schema) ?? 0) + 1);
      if (place.schema !== undefined && seen.get(place.schema) > 6) continue;
      found.set(place.path, []);
    }
    found.get(place.path).push(place);
  }
  return found.values();
}

/** Texts of the document in which something was changed: each change once at one place of each
 *  sort, then `count` with one or two changes anywhere. */
export function* neighbours(text, schema, count) {
  const document = JSON.parse(text);
  for (const other of changes({ value: document, schema })) yield JSON.stringify(other);
  for (const alike of sorts(document, schema)) {
    const { holder, key, value, schema: part } = oneOf(alike);
    for (const other of changes({ value, schema: part })) {
      holder[key] = other;
      yield JSON.stringify(document);
    }
    holder[key] = value;
  }
  for (let made = 0; made < count; made++) {
    const copy = JSON.parse(text);
    for (let change = between(1, 2); change > 0; change--) {
      const place = oneOf([...places(copy, schema)].slice(1));
      if (place !== undefined) place.holder[place.key] = oneOf(changes(place));
    }
    yield JSON.stringify(copy);
  }
}
