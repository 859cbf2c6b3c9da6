// schemas_random.mjs -- what random documents are made of, the same in every run: draws, ids, cells, numbers within limits.

let stream = 1;

/** A whole number from 0 to count - 1. */
export function below(count) {
  stream = (Math.imul(stream, 1664525) + 1013904223) >>> 0;
  return Math.floor((stream / 2 ** 32) * count);
}

/** A whole number from least to most. */
export const between = (least, most) => least + below(most - least + 1);

/** One of them. */
export const oneOf = (list) => list[below(list.length)];
/** So many, each made from its number. */
export const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** The same in another order. */
export function shuffled(list) {
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
export function* places(value, schema, root = schema, holder = undefined, key = undefined, path = '$') {
  yield { value, schema, holder, key, path };
  if (value === null || typeof value !== 'object') return;
  for (const step of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const name = typeof step === 'number' ? '[]' : `.${step}`;
    yield* places(value[step], schemaAt(schema, root, step), root, value, step, path + name);
  }
}

// --- Right ones ----------------------------------------------------------------------------------

/** Half of all numbers become others within their limits. */
export function otherNumbers(document, schema) {
  for (const { value, schema: part, holder, key } of places(document, schema))
    if (typeof value === 'number' && below(2) === 0)
      holder[key] = between(part.minimum, part.maximum);
  return document;
}

/** How many documents otherNumbers() can make of this one. */
export function countOtherNumbers(document, schema) {
  let count = 1;
  for (const { value, schema: part } of places(document, schema))
    if (typeof value === 'number') count *= part.maximum - part.minimum + 1;
  return count;
}

/** Different ids of up to `longest` letters. */
export function ids(count, longest) {
  const found = new Set();
  while (found.size < count) {
    const more = many(between(0, longest - 1), () => oneOf('abcxyz0189'));
    found.add([oneOf('abcdefgh'), ...more].join(''));
  }
  return [...found];
}

/** So many different cells of a board. */
export function cells(count, width, height) {
  const found = new Set();
  while (found.size < count) found.add(below(width * height));
  return [...found].map((cell) => ({ x: cell % width, y: Math.floor(cell / width) }));
}

/** Members of these names with numbers within their limits. */
export const within = ({ properties }, names) => Object.fromEntries(
  names.map((name) => [name, between(properties[name].minimum, properties[name].maximum)]));
