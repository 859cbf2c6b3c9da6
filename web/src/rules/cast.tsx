/* cast.tsx -- who takes part in a game, with figures, types and abilities, as the first position of a match shows them. */
import { avatar } from '../art/avatar';
import { traitIndex } from '../match/panels/facts';
import type { Meter, Position } from '../model';
import { described, describedThing } from '../texts/descriptions';
import { t } from '../texts/texts';

/** What is told about one who takes part. */
interface CastValues {
  kind: string;
  values: { id: string; name: string; now: number }[];
  /** Values that are words, and abilities, by their numbers in the engine. */
  traits: { name: string; index: number }[];
  powers: { name: string; index: number }[];
}

/** By the id of a kind, what is told about it first. */
export type Cast = Map<string, CastValues>;

/** Who is to be seen in a position: units, and what is on offer while teams are chosen. */
export function castOf({ board }: Position): Cast {
  const cast: Cast = new Map();
  for (const { role, about = [], about_ids = [], id, name, now } of board.meters) {
    const [kind, of] = [about[0], about_ids[0]];
    if (role !== 'offered' || kind === undefined || of === undefined) continue;
    const known = cast.get(of) ?? { kind, values: [], traits: [], powers: [] };
    if (!known.values.some((value) => value.id === id))
      cast.set(of, { ...known, values: [...known.values, { id, name, now }] });
  }
  for (const { kind, kind_id, unit } of board.tokens) {
    if (!kind || !kind_id || cast.has(kind_id)) continue;
    const meters = board.meters.filter((meter) => unit !== 255 && meter.unit === unit);
    const named = (meter: Meter, index: number) => ({ name: meter.about?.[0] ?? '', index });
    cast.set(kind_id, {
      kind,
      values: meters.filter((meter) => !meter.about).slice(0, 6).map(({ id, name, now, most }) => ({ id, name, now: most ?? now })),
      traits: meters.filter(({ id }) => id === 'type').map((meter) => named(meter, traitIndex(meter))),
      powers: meters.filter(({ role, about }) => role === 'cooldown' && about).map((meter) => named(meter, meter.index)),
    });
  }
  return cast;
}

/** Everybody who takes part, with types and abilities in words where the game has any. */
export function Kinds({ game, cast }: { game: string; cast: Cast }) {
  const types = new Map([...cast.values()].flatMap(({ traits }) => traits).map((trait) => [trait.index, trait]));
  return (
    <section class="stack panel" aria-labelledby="rule-kinds">
      <h2 id="rule-kinds">{t('rules.kinds')}</h2>
      {[...types.keys()].sort((a, b) => a - b).map((index) => <p>{described({ game }, 'trait', index)}</p>)}
      <ul class="kinds plain">
        {[...cast].map(([id, { kind, values, traits, powers }]) => (
          <li class="seat-none">
            <span class="avatar" aria-hidden="true" dangerouslySetInnerHTML={{ __html: avatar(id, undefined) }} />
            <span>
              <strong>{kind}</strong>{traits.map(({ name }) => <span class="chip trait">{name}</span>)}<br />
              <span class="soft small">{(traits.length === 0 && describedThing({ game }, id)) || values.map(({ name, now }) => `${name} ${now}`).join(', ')}</span>
              {powers.map(({ name, index }) => (
                <span class="kind-power small"><b>{name}</b> <span class="soft">{described({ game }, 'ability', index)}</span></span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
