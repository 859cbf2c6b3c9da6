/* draft.tsx -- choosing before the play, from cards: a team, a leader, potions. What the cards
 * are and what can be done with them follows from the actions that the engine lists. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ContentRequest } from '../../engine/calls';
import type { Position, Seat } from '../../model';
import { otherSeat } from '../../model';
import type { Table } from '../../table/table';
import { language } from '../../texts/language';
import { howToFor } from '../../texts/howto';
import { described, describedThing } from '../../texts/descriptions';
import { say } from '../../texts/match';
import { seatName, sharesDevice, turnWords } from '../panels/status-bar';
import type { Keys } from '../input/keys';
import type { MatchInput } from '../input/match-input';
import { UndoButton } from '../panels/undo-button';
import { chosenBy, offersAfter, offersOf, shortcuts, takenBy, takingVerb, type Offer } from './draft-offers';
import type { Gauge } from '../panels/facts';
import { Picture } from '../panels/portrait';
import { presentationOf } from '../panels/presentation';
import { thingNames, actionTitle, type LegalAction } from '../input/legal-actions';

/** What the engine tells about an ability, below its name. */
function Described({ words }: { words: string }) {
  return words === '' ? null : <small class="described soft">{words}</small>;
}

/* What the types of those on offer mean, once for each. */
function Types({ offers, content }: { offers: Offer[]; content: ContentRequest }) {
  const types = new Map(offers.flatMap((offer) => offer.traits).map((trait) => [trait.index, trait]));
  const told = [...types.values()].filter((trait) => described(content, 'trait', trait.index) !== '');
  if (told.length === 0) return null;
  return (
    <details class="types small" open={innerWidth > 640}>
      <summary>{say('types')}</summary>
      {told.sort((a, b) => a.index - b.index).map((trait) => (
        <p>{described(content, 'trait', trait.index)}</p>
      ))}
    </details>
  );
}

/** A card: picture, type, values, abilities. */
function OfferCard({
  offer,
  seat,
  chosen,
  disabled,
  tops,
  content,
  leading,
  onPress,
}: {
  offer: Offer;
  seat: Seat | null;
  /** How often it is chosen. */
  chosen: number;
  disabled: boolean;
  tops: Map<string, number>;
  content: ContentRequest;
  /** A leader is chosen: what the card's type means is told on it. */
  leading: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      class={`card offer${chosen > 0 ? ' chosen' : ''}`}
      aria-pressed={chosen > 0}
      disabled={disabled}
      data-offer={offer.action?.word ?? offer.key}
      onClick={onPress}
    >
      <span class="offer-head">
        <Picture kind={offer.kind} seat={seat} size={64} />
        <span class="grow">
          <b class="offer-name">{offer.name}</b>
          {offer.traits.map((trait) => (
            <span class="chip trait" data-trait={trait.meter} title={described(content, 'trait', trait.index)}>
              {trait.name}
            </span>
          ))}
        </span>
        {chosen > 0 && (
          <span class="badge offer-tick" aria-hidden={chosen === 1}>
            {chosen > 1 ? `${chosen}×` : '✓'}
          </span>
        )}
      </span>
      <span class="offer-numbers">
        {/* A thing that gives nothing of a sort, or lasts for no turn, does not tell so. */}
        {offer.gauges.filter((gauge) => offer.unit !== null || gauge.now !== 0).map((gauge) => (
          <span style={{ '--part': gauge.now / (tops.get(gauge.id) || 1) }}>
            <span>{gauge.name}</span> <b class="number">{gauge.now}</b>
          </span>
        ))}
      </span>
      {leading &&
        offer.traits.map((trait) => (
          <span class="described small">{described(content, 'trait', trait.index)}</span>
        ))}
      {offer.unit === null && <Described words={describedThing(content, offer.kind)} />}
      {offer.powers.length > 0 && (
        <span class="offer-powers">
          {offer.powers.map((power) => (
            <span>
              <span>{power.name}</span>
              {power.amount > 0 && <b class="number">{power.amount}</b>}
              <Described words={described(content, 'ability', power.index)} />
            </span>
          ))}
        </span>
      )}
    </button>
  );
}

/** Who a side has chosen so far. */
function Team({
  table,
  position,
  seat,
  staged,
}: {
  table: Table;
  position: Position;
  seat: Seat;
  staged?: Offer[];
}) {
  const { game } = table.about.value;
  const taken = takenBy(position, seat);
  const { later, early } = presentationOf(game);
  const things = taken.things.filter(
    (gauge) => (gauge.most > 0 || gauge.now > 0) && !later.includes(gauge.id),
  );
  const called = ({ id, name }: Gauge) => early[id]?.[language.value] ?? name;
  const units = [...taken.units, ...(staged ?? [])];
  const secret = seat !== table.you.value && position.awaited.length > 1 && units.length === 0;
  return (
    <section class={`team seat-${seat}`} aria-label={seatName(table, seat)}>
      <h2>
        <i class="seat-mark" aria-hidden="true" />{' '}
        {table.you.value === seat && !sharesDevice(table) ? say('yourTeam') : seatName(table, seat)}
      </h2>
      <div class="team-row">
        {units.length === 0 && (
          <span class="soft small">{say(secret ? 'secret' : 'nothingYet')}</span>
        )}
        {units.map((offer) => (
          <span class="team-one">
            <Picture kind={offer.kind} seat={seat} size={40} />
            <small>
              {offer.leader ? '★ ' : ''}
              {offer.name}
            </small>
          </span>
        ))}
      </div>
      {things.length > 0 && !staged?.length && (
        <p class="small soft">
          {things
            .map((gauge) => `${called(gauge)} ${gauge.now}${gauge.most ? `/${gauge.most}` : ''}`)
            .join(' · ')}
        </p>
      )}
    </section>
  );
}

/* The names of the button and of the heading for a way of taking. */
function pressText(verb: string, offer: Offer | undefined): string {
  if (!offer) return say('cardsOne');
  if (verb === 'appoint') return say('appoint', offer.name);
  return say('takeOne', offer.name);
}

/** The button that has appeared has the keyboard: the one that was pressed is gone. */
function focused(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Cards to choose from. */
export function AssembleScreen({ table, input, keys }: { table: Table; input: MatchInput; keys: Keys }) {
  const position = table.position.value as Position;
  const { game, content } = table.about.value;
  const actions = input.actions.value;
  const verb = takingVerb(actions);
  const offers = offersOf(position, actions);
  const together = presentationOf(game).together[verb] ?? 0;
  const sent = offers.filter((offer) => offer.taken).length;
  const [picked, setPicked] = useState<string[]>([]);
  const [sending, setSending] = useState(false);
  /* A whole team that one action would choose; it is shown, and waits for its button. */
  const [tried, setTried] = useState<{ action: LegalAction; team: Offer[] } | null>(null);
  const whole = actions.some(({ word }) => word === tried?.action.word) ? tried : null;
  /* Before anything can be pressed: a card that is chosen at once stays chosen. */
  useLayoutEffect(() => setPicked([]), [verb, table]);
  const you = table.you.value;
  useLayoutEffect(() => setTried(null), [you, table]);
  const most = together - sent;
  const single = together === 0 && offers.some((offer) => offer.unit !== null);
  const press = (offer: Offer) => {
    if (!offer.action) return;
    const { word } = offer.action;
    if (together === 0 && offer.unit === null) return void input.perform(offer.action);
    if (single) return setPicked(picked[0] === word ? [] : [word]);
    if (picked.includes(word)) return setPicked(picked.filter((one) => one !== word));
    if (picked.length < most) setPicked([...picked, word]);
  };
  const takeWhole = async (action: LegalAction) => {
    setSending(true);
    const team = you === null ? [] : chosenBy(position, you, await table.preview(action.sent).catch(() => null));
    if (team.length > 0) setTried({ action, team });
    else await input.perform(action);
    setSending(false);
  };
  const send = async (words: string[]) => {
    setSending(true);
    await input.performAll(words);
    setPicked([]);
    setTried(null);
    setSending(false);
  };
  /* One card is suggested and waits for its button; of a whole team each choice follows from those before, so it is sent at once. */
  const suggest = async () => {
    setSending(true);
    const tip = await table.tip().catch(() => null);
    const word = (offers.find(({ action }) => action?.word === tip?.action.word) ?? offers.find(({ action }) => action))?.action?.word;
    setPicked(word === undefined ? [] : [word]);
    setSending(false);
  };
  const forMe = async () => {
    setSending(true);
    for (let count = 0; count < 40; count++) {
      const now = takingVerb(input.actions.value);
      if (now === '') break;
      const tip = await table.tip().catch(() => null);
      const action =
        input.actions.value.find((one) => one.word === tip?.action.word) ??
        input.actions.value.find((one) => takingVerb([one]) !== '');
      if (!action || !(await input.perform(action))) break;
    }
    setSending(false);
  };
  const after = offersAfter(position, offers);
  const tops = new Map<string, number>();
  for (const gauge of [...offers, ...after].flatMap((offer) => offer.gauges))
    tops.set(gauge.id, Math.max(gauge.now, tops.get(gauge.id) ?? 0));
  const hint = howToFor(game)?.hints?.[position.board.phase_id];
  const full = together > 0 && picked.length === most;
  const selected = offers.find((offer) => offer.action?.word === picked[0]);
  const title =
    verb === ''
      ? you === null
        ? position.board.phase
        : say('waitTitle')
      : together > 0
        ? say('chooseSix', together)
        : position.board.phase;
  const card = (offer: Offer) => {
    const ticked = offer.taken || picked.includes(offer.action?.word ?? '-');
    return (
      <OfferCard
        key={offer.key}
        offer={offer}
        seat={you}
        chosen={whole ? whole.team.filter(({ kind }) => kind === offer.kind).length : Number(ticked)}
        tops={tops}
        content={content}
        leading={verb === 'appoint'}
        disabled={sending || whole !== null || !offer.action}
        onPress={() => press(offer)}
      />
    );
  };
  return (
    <div class="assemble">
      <header class="assemble-head">
        <div class="grow">
          <h1>{title}</h1>
          {hint && verb !== '' && <p class="soft">{hint}</p>}
          {verb === '' && (
            <p class="soft">{you === null ? turnWords(table, position) : say('waitFor', seatName(table, otherSeat(you)))}</p>
          )}
          {input.message.value && (
            <p class="notice bad" role="alert">
              {input.message.value}
            </p>
          )}
        </div>
        <UndoButton table={table} input={input} keys={keys} worded />
        {verb !== '' && (
          <div class="row">
            {whole && (
              <>
                <button type="button" class="button" disabled={sending} onClick={() => setTried(null)}>
                  {say('chooseMyself')}
                </button>
                <button ref={focused} type="button" class="button primary" disabled={sending} onClick={() => void send([whole.action.word])}>
                  {say('go')}
                </button>
              </>
            )}
            {!whole && shortcuts(actions).map((action) => (
              <button
                type="button"
                class="button"
                data-action={action.word}
                disabled={sending}
                onClick={() => void takeWhole(action)}
              >
                {actionTitle(action, thingNames(position))}
              </button>
            ))}
            {!whole && table.tipsOn.value && (
              <button
                type="button"
                class="button"
                data-suggest={single || undefined}
                disabled={sending}
                title={say(single ? 'suggestText' : 'chooseForMeText')}
                onClick={() => void (single ? suggest() : forMe())}
              >
                {say(single ? 'suggest' : 'chooseForMe')}
              </button>
            )}
            {together > 0 && (
              <button
                type="button"
                class="button primary"
                disabled={!full || sending}
                onClick={() => void send(picked)}
              >
                {full ? say('go') : say('chosenOf', picked.length + sent, together)}
              </button>
            )}
            {single && (
              <button
                type="button"
                class="button primary"
                disabled={!selected || sending}
                onClick={() => void send(picked)}
              >
                {pressText(verb, selected)}
              </button>
            )}
          </div>
        )}
      </header>
      <div class="teams">
        {you !== null && (
          <Team
            table={table}
            position={position}
            seat={you}
            staged={
              whole?.team ?? (together > 0 ? offers.filter((offer) => picked.includes(offer.action?.word ?? '-')) : [])
            }
          />
        )}
        {you !== null ? (
          <Team table={table} position={position} seat={otherSeat(you)} />
        ) : (
          ([0, 1] as const).map((seat) => <Team table={table} position={position} seat={seat} />)
        )}
      </div>
      {verb !== 'appoint' && <Types offers={offers} content={content} />}
      <div class="offers">{offers.map(card)}</div>
      {after.length > 0 && (
        <>
          <h2 class="offers-after">{say('chosenAfter')}</h2>
          <div class="offers">{after.map(card)}</div>
        </>
      )}
    </div>
  );
}
