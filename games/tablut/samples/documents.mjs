// documents.mjs -- random boards that are right, for tests/system/schemas.mjs: a drawing has no numbers to vary.
import { below, between, many, oneOf, shuffled } from '../../../tests/system/schemas_random.mjs';

/** A right document of each kind. */
export const makers = {
  board: () => {
    const side = between(5, 11);
    const rows = many(side, () => many(side, () => '.'));
    const inner = shuffled(many(side * side, (cell) => [cell % side, Math.floor(cell / side)])
      .filter(([x, y]) => x > 0 && y > 0 && x < side - 1 && y < side - 1));
    const put = (letter) => { const [x, y] = inner.pop(); rows[y][x] = letter; };
    if (below(2) === 0) put('K');
    else ['k', '+'].forEach(put);
    // One who begins and can move, on the edge, where nobody else stands; the others anywhere inside.
    rows[0][between(1, side - 2)] = 'M';
    for (let left = between(0, Math.min(46, inner.length)); left > 0; left--) put(oneOf('MS'));
    return { escape: oneOf(['edge', 'corners']), king: oneOf(['weak', 'strong']), rows: rows.map((row) => row.join('')) };
  },
};
