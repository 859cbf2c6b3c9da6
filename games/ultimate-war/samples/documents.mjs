// documents.mjs -- random champions that are right, for tests/system/schemas.mjs: numbers alone do not vary them enough.
import { between, ids, oneOf, otherNumbers } from '../../../tests/system/schemas_random.mjs';

/** A right document of each kind, out of a shipped one and its schema. */
export const makers = {
  champions: (document, schema) => {
    const count = between(6, 64);
    const [names, shorts] = [ids(count, 31), ids(count, 4)];
    document.champions = names.map((id, number) => ({
      ...structuredClone(oneOf(document.champions)), id, short: shorts[number], name: id,
    }));
    for (const { abilities } of document.champions)
      for (const ability of abilities)
        if (ability.effect && ability.area !== 'self')
          ability.effect = oneOf(schema.properties.champions.items.properties.abilities.items.properties.effect.enum);
    return otherNumbers(document, schema);
  },
};
