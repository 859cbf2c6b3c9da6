/* roster.tsx -- both sides at a glance: everyone with health, points, things in hand, effects; and
 * the strip that shows who acts next. */
import { tokenOf, type Position, type Seat } from '../../model';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { seatName, sharesDevice } from './status-bar';
import type { MatchInput } from '../input/match-input';
import { roster, sideGauges, turnOrder, type Gauge, type UnitFacts } from './facts';
import { HeldItem, Picture } from './portrait';
import { presentationOf } from './presentation';

/** A bar with numbers. `low` from a third down. */
export function HealthBar({ gauge, name }: { gauge: Gauge; name: string }) {
  const part = gauge.most > 0 ? Math.max(0, Math.min(1, gauge.now / gauge.most)) : 1;
  return (
    <span
      class={`meter health${part <= 0.34 ? ' low' : ''}`}
      style={{ '--part': part }}
      role="img"
      aria-label={`${name} ${gauge.now}/${gauge.most}`}
    >
      <span aria-hidden="true">
        {gauge.now}
        <small>/{gauge.most}</small>
      </span>
    </span>
  );
}

/* "walking distance" takes too much room on a card. */
function short(name: string): string {
  return name.split(' ')[0] ?? name;
}

/** What a unit is doing, in a word; '' = nothing to tell. */
function state(facts: UnitFacts, position: Position): string {
  if (facts.out) return say(facts.token.place === 'gone' ? 'out' : 'knockedOut');
  if (position.board.active === facts.unit) return say('acting');
  if (facts.token.place === 'bench') return say('onBench');
  if (facts.token.done) return say('done');
  return '';
}

/** What makes a button of a unit choose it, and says whether it can act, is chosen or out. */
function choosing(facts: UnitFacts, input: MatchInput, look: string) {
  const chosen = input.selection.value.unit === facts.unit || input.looked.value === facts.unit;
  const able = input.able.value.includes(facts.unit);
  return {
    class: [look, able && 'able', chosen && 'chosen', facts.out && 'out'].filter(Boolean).join(' '),
    'aria-pressed': chosen,
    'data-unit': facts.unit,
    onClick: () => input.select(facts.unit),
  };
}

/** A unit with health, values, things and effects. */
function Card({
  facts,
  input,
  position,
  game,
  roomy,
}: {
  facts: UnitFacts;
  input: MatchInput;
  position: Position;
  game: string;
  roomy: boolean;
}) {
  const wanted = presentationOf(game).brief;
  const all = [...facts.points, ...facts.numbers];
  const values = wanted.flatMap((id) => all.filter((gauge) => gauge.id === id));
  const brief = (
    <small class="number brief">
      {values
        .map(
          (gauge) =>
            `${short(gauge.name)} ${gauge.now}${gauge.most ? `/${gauge.most}` : ''}`,
        )
        .join(roomy ? ' · ' : '  ')}
    </small>
  );
  const told = state(facts, position);
  return (
    <button type="button" {...choosing(facts, input, position.board.active === facts.unit ? 'unit-card active' : 'unit-card')}>
      <Picture kind={facts.token.kind_id} seat={facts.token.seat} size={38} />
      <span class="unit-lines">
        <span class="unit-name">
          <b>
            {facts.leader ? '★ ' : ''}
            {facts.name}
          </b>
          {!roomy && brief}
        </span>
        {/* What comes and goes lies over the end of the bar: the card keeps its height. */}
        <span class="unit-state">
          {facts.health && <HealthBar gauge={facts.health} name={say('health')} />}
          <span class="unit-notes">
            {told && <span class="told">{told}</span>}
            {facts.abilities
              .filter((power) => power.held)
              .map((power) => (
                <HeldItem {...power} />
              ))}
            {facts.effects.map((effect) => (
              <span class="effect">
                {effect.name} {effect.turns}
              </span>
            ))}
          </span>
        </span>
        {roomy && <span class="unit-brief">{brief}</span>}
      </span>
    </button>
  );
}

/** A unit as a small picture, for armies. */
function Tile({ facts, input, position }: { facts: UnitFacts; input: MatchInput; position: Position }) {
  const power = facts.numbers[0];
  const told = [facts.name, power ? `${power.name} ${power.now}` : '', state(facts, position)]
    .filter(Boolean)
    .join(', ');
  return (
    <button type="button" {...choosing(facts, input, 'unit-tile')} aria-label={told} title={told}>
      <Picture kind={facts.token.kind_id} seat={facts.token.seat} size={34} />
      <small aria-hidden="true">{power ? power.now : facts.hidden ? facts.name.replace(/\D/g, '') : ''}</small>
    </button>
  );
}

/** One side: its name, its values, everyone in it. */
export function Side({ table, input, seat }: { table: Table; input: MatchInput; seat: Seat }) {
  const position = table.position.value;
  if (!position) return null;
  const { game } = table.about.value;
  const units = roster(position, seat).filter((facts) => facts.token.seat === seat);
  const small = units.length > 8;
  const gauges = sideGauges(position.board, seat).filter(
    (gauge) => gauge.most > 0 || gauge.now > 0,
  );
  return (
    <section class={`side seat-${seat}`} aria-label={seatName(table, seat)}>
      <h2 class="side-title">
        <i class="seat-mark" aria-hidden="true" />
        {table.you.value === seat && !sharesDevice(table) ? say('yourTeam') : seatName(table, seat)}
      </h2>
      {gauges.length > 0 && (
        <p class="side-gauges small">
          {gauges.map((gauge) => (
            <span class="number">
              {gauge.name}{' '}
              <b>
                {gauge.now}
                {gauge.most ? `/${gauge.most}` : ''}
              </b>
            </span>
          ))}
        </p>
      )}
      <div class={small ? 'unit-tiles' : 'unit-cards'}>
        {units.map((facts) =>
          small ? (
            <Tile key={facts.unit} facts={facts} input={input} position={position} />
          ) : (
            <Card
              key={facts.unit}
              facts={facts}
              input={input}
              position={position}
              game={game}
              roomy={units.length < 5}
            />
          ),
        )}
      </div>
    </section>
  );
}

/** Who acts now and next. */
export function OrderStrip({ table, input }: { table: Table; input: MatchInput }) {
  const position = table.position.value;
  if (!position) return null;
  const entries = turnOrder(position, table.about.value.sides);
  if (entries.every((entry) => entry.unit === null)) return null;
  return (
    <nav class="order" aria-label={say('order')}>
      <ol>
        {entries.map((entry, at) => (
          <li key={`${entry.unit ?? entry.name} ${entries.slice(0, at).filter(({ unit }) => unit === entry.unit).length}`} class={`seat-${entry.seat ?? 'none'}${at === 0 ? ' now' : ''}`}>
            <button
              type="button"
              disabled={entry.unit === null}
              title={entry.name}
              onClick={() => entry.unit !== null && input.select(entry.unit)}
            >
              {entry.unit !== null && (
                <Picture
                  kind={tokenOf(position.board, entry.unit)?.kind_id}
                  seat={entry.seat}
                  size={34}
                />
              )}
              {(at === 0 || entry.unit === null) && (
                <span class="order-name">
                  {at === 0 && <small>{say('orderNow')}</small>}
                  {entry.name}
                </span>
              )}
              {at > 0 && entry.unit !== null && <span class="visually-hidden">{entry.name}</span>}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}
