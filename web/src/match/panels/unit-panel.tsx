/* unit-panel.tsx -- everything about one unit, own or enemy, for players and watchers alike. */
import type { ContentRequest } from '../../engine/calls';
import { unitLabel } from '../../names';
import type { Table } from '../../table/table';
import { described } from '../../texts/descriptions';
import { say } from '../../texts/match';
import { seatName } from './status-bar';
import type { MatchInput } from '../input/match-input';
import { unitFacts, type UnitFacts } from './facts';
import { HeldItem, Picture } from './portrait';
import { HealthBar } from './roster';

/** Where a unit is: on a cell, on the bench, or out. */
function where(facts: UnitFacts): string {
  const { token } = facts;
  if (facts.out) return say(token.place === 'gone' ? 'out' : 'knockedOut');
  if (token.place === 'bench') return say('onBench');
  return token.place === 'board' ? say('onBoard', token.x ?? 0, token.y ?? 0) : say('out');
}

/** Type, condition and values of a unit. */
function Numbers({ facts }: { facts: UnitFacts }) {
  const all = [...facts.points, ...facts.numbers];
  if (all.length + facts.traits.length === 0) return null;
  return (
    <dl class="numbers">
      {facts.traits.map((trait) => (
        <div data-trait={trait.meter}>
          <dt>{trait.title}</dt>
          <dd class="trait">{trait.name}</dd>
        </div>
      ))}
      {all.map((gauge) => (
        <div>
          <dt>{gauge.name}</dt>
          <dd class="number">
            {gauge.now}
            {gauge.most ? <small>/{gauge.most}</small> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/* What the engine tells about it, below its name. */
function Described({ words }: { words: string }) {
  return words === '' ? null : <span class="described small soft">{words}</span>;
}

/** What a unit can use, when, and what that does. */
function Powers({ facts, content }: { facts: UnitFacts; content: ContentRequest }) {
  if (facts.abilities.length === 0) return null;
  const held = facts.abilities.some((power) => power.held);
  return (
    <>
      <h3>{say(held ? 'inHand' : 'abilities')}</h3>
      <ul class="powers">
        {facts.abilities.map((power) => (
          <li class={power.wait > 0 ? 'waits' : ''}>
            {power.held && <HeldItem {...power} />}
            <span class="grow">{power.name}</span>
            {power.amount > 0 && <span class="soft small number">{power.amount}</span>}
            <span class={`chip ${power.wait > 0 ? 'warn' : 'good'}`}>
              {power.wait > 0 ? say('waits', power.wait) : say('ready')}
            </span>
            <Described words={described(content, power.held ? 'item' : 'ability', power.index ?? power.id)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The panel of the unit that is pointed at, looked at, has just acted, is chosen, or acts next. */
export function UnitPanel({ table, input }: { table: Table; input: MatchInput }) {
  const position = table.position.value;
  const shown = input.hovered.value ?? input.looked.value ?? input.doer.value;
  const unit = shown ?? input.selection.value.unit ?? position?.board.active ?? null;
  const { content } = table.about.value;
  const facts = position && unit !== null ? unitFacts(position, unit) : null;
  if (!position || !facts) {
    return (
      <section class="unit-panel empty">
        <p class="soft small">{say('nobody')}</p>
      </section>
    );
  }
  const seat = facts.token.seat;
  const words = described(content, 'kind', facts.token.kind_id);
  return (
    <section
      class={`unit-panel seat-${seat ?? 'none'}${input.looked.value !== null ? ' looked' : ''}`}
      aria-label={say('details')}
      tabIndex={0}
    >
      <header>
        <Picture kind={facts.token.kind_id} seat={seat} size={56} />
        <div class="grow">
          <h2 title={facts.token.name}>{facts.hidden ? say('unknownKind') : unitLabel(position.board, facts.unit)}</h2>
          <p class="small soft">
            {seat !== null && (
              <>
                <i class="seat-mark" aria-hidden="true" /> {seatName(table, seat)} ·{' '}
              </>
            )}
            {where(facts)}
            {facts.leader ? ` · ★ ${say('leader')}` : ''}
          </p>
        </div>
        {input.looked.value !== null && (
          <button
            type="button"
            class="button quiet small square"
            aria-label={say('close')}
            onClick={() => {
              input.looked.value = null;
            }}
          >
            ✕
          </button>
        )}
      </header>
      {words && <p class="small soft">{words}</p>}
      {facts.health && <HealthBar gauge={facts.health} name={say('health')} />}
      <Numbers facts={facts} />
      <Powers facts={facts} content={content} />
      {facts.effects.length > 0 && (
        <>
          <h3>{say('effects')}</h3>
          <ul class="powers">
            {facts.effects.map((effect) => (
              <li>
                <span class="grow">{effect.name}</span>
                <span class="chip">
                  {effect.turns === 1 ? say('turnLeft') : say('turnsLeft', effect.turns)}
                </span>
                <Described words={described(content, 'effect', effect.id)} />
              </li>
            ))}
          </ul>
        </>
      )}
      {facts.hidden && facts.couldBe.length > 0 && (
        <>
          <h3>{say('couldBe')}</h3>
          <p class="could-be">
            {facts.couldBe.map(({ id, name }) => (
              <span class="chip">
                <Picture kind={id} seat={seat} size={20} />
                {name}
              </span>
            ))}
          </p>
        </>
      )}
    </section>
  );
}
