// documents.mjs -- random armies with their layouts that are right, for tests/system/schemas.mjs: numbers alone do not vary them enough.
import { below, between, ids, many, oneOf, shuffled, within } from '../../../tests/system/schemas_random.mjs';

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

/** A right document of each kind, out of a shipped one and its schema. */
export const makers = {
  pieces: (document, schema) => {
    const [width, height] = [between(3, 9), between(4, 8)];
    const rows = between(1, Math.floor(height / 2));
    const names = ids(30, 23);
    const { limits } = schema.properties;
    return { board: { width, height, zone_rows: rows },
      limits: within(limits, limits.required),
      armies: [army('left', width, rows, names), army('right', width, rows, names)] };
  },
};
