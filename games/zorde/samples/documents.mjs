// documents.mjs -- random armies and start boards that are right, for tests/system/schemas.mjs: numbers alone do not vary them enough.
import { below, between, cells, ids, many, oneOf, shuffled } from '../../../tests/system/schemas_random.mjs';

/** A right document of each kind, out of a shipped one and its schema. */
export const makers = {
  units: () => {
    const letters = shuffled('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    const points = () => between(1, 9999);
    return { kinds: ids(between(1, 12), 19).map((id) => ({
      id, letter: letters.pop(), side: oneOf(['calliance', 'zorde']), health: points(),
      attack: points(), steps: between(1, 20), attacks: oneOf(['last-step', 'each-step']),
      ...(below(2) === 0 && { healing: points() }),
      ...(below(2) === 0 && { ranged: { attack: points(), range: between(1, 10) } }),
    })) };
  },
  start: () => {
    const [width, height] = [between(2, 100), between(2, 100)];
    const kinds = ['human', 'elf', 'dwarf', 'ork', 'troll', 'goblin'];
    const ten = (kind) => many(10, (digit) => ({ kind, id: kind[0].toUpperCase() + digit }));
    const others = kinds.flatMap(ten).filter(({ id }) => id !== 'H0' && id !== 'T0');
    const all = [{ kind: 'human', id: 'H0' }, { kind: 'troll', id: 'T0' }, ...shuffled(others)];
    const standing = cells(between(2, Math.min(60, width * height)), width, height);
    return { width, height, units: standing.map((cell, number) => ({ ...all[number], ...cell })) };
  },
};
