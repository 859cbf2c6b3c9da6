/* value.ts -- JSON values that never change: a change makes a new value that shares all the rest. */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** An object. */
export type JsonObject = { [key: string]: Json };
/** The way from the whole to a part: ['characters', 3, 'HP']. */
export type Path = readonly (string | number)[];

/** Is it an object, and not an array? */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What lies there; undefined: nothing does. */
export function at(value: Json | undefined, path: Path): Json | undefined {
  let here = value;
  for (const step of path) {
    if (Array.isArray(here) && typeof step === 'number') here = here[step];
    else if (isObject(here) && typeof step === 'string') here = here[step];
    else return undefined;
  }
  return here;
}

/** The value with another part there; undefined takes the part away. */
export function withAt(value: Json | undefined, path: Path, part: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return part ?? null;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? value.slice() : [];
    if (rest.length === 0 && part === undefined) list.splice(step, 1);
    else list[step] = withAt(list[step], rest, part);
    return list;
  }
  const object = isObject(value) ? value : {};
  if (rest.length === 0 && part === undefined) {
    const { [step]: _, ...others } = object;
    return others;
  }
  return { ...object, [step]: withAt(object[step], rest, part) };
}

/** The way as the checks spell it: $.characters[3].HP. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$');
}

/** The way that such a text means. */
export function pathOf(text: string): Path {
  return [...text.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)].map(([, key, index]) => (key !== undefined ? key : Number(index)));
}

/** Are they the same, whatever the order of keys? */
export function same(one: Json | undefined, two: Json | undefined): boolean {
  if (one === two) return true;
  if (Array.isArray(one) && Array.isArray(two)) return one.length === two.length && one.every((item, i) => same(item, two[i]));
  if (!isObject(one) || !isObject(two)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(two).length && keys.every((key) => key in two && same(one[key], two[key]));
}
