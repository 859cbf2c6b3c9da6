// schemas_documents.mjs -- documents for schemas.mjs: random ones that are right, and ones in which
// something of a right one was changed. What a game's own kinds need for that is in its folder
// (games/<id>/samples/documents.mjs).
import { between, many, oneOf, otherNumbers, places } from './schemas_random.mjs';

// --- Right ones ----------------------------------------------------------------------------------

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

/** The text of a random document of this kind, made from a shipped one, that its loader accepts; by
 *  `make` of the game's folder, if there is one. */
export function randomDocument(kind, text, schema, make) {
  const document = JSON.parse(text);
  make ??= kind.endsWith('/texts') ? otherTexts : otherNumbers;
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
