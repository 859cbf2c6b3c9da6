// documents.mjs -- random fields and teams that are right, for tests/system/schemas.mjs: numbers alone do not vary them enough.
import { below, between, ids, many, oneOf, within } from '../../../tests/system/schemas_random.mjs';

/** A right document of each kind, out of a shipped one and its schema. */
export const makers = {
  field: () => {
    const [width, height] = [between(1, 100), between(1, 100)];
    const row = (walls) => many(width, () => (below(10) < walls ? '#' : '.')).join('');
    const rows = width * height < 40 ? ['.'.repeat(10)] : many(height, () => row(0));
    return { rows: rows.map((plain, y) => (y > 0 && width > 10 ? row(between(0, 9)) : plain)) };
  },
  warriors: (document, { properties }) => {
    const [count, doses] = [between(1, 16), between(1, 8)];
    const team = { warriors: between(1, 5), potions: between(0, 5) };
    const [names, potionNames, shorts] = [ids(count, 19), ids(doses, 19), ids(count, 3)];
    const warriors = names.map((id, number) => ({ id, short: shorts[number],
      ...within(properties.warriors.items, ['health', 'attack']),
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
};
