/* setup.tsx -- before a match: against whom, on which board, by which rules and times. */
import { useRef, useState } from 'preact/hooks';
import { accountName } from '../account';
import { presetOf } from '../arena/lists';
import type { MatchRequest } from '../arena/messages';
import { allGames } from '../engine/engine';
import { taglineOf } from '../games';
import type { Game, Option, Seat } from '../model';
import { href } from '../router';
import { playLocal, playOnline } from '../session';
import { kept, level, ownName, THINKING } from '../settings';
import type { SeatPlayer } from '../table/local';
import { language } from '../texts/language';
import { t, type TextKey } from '../texts/texts';
import { levelWords, optionWords, presetWords } from '../texts/wording';
import { GamePicture } from './pictures';
import { DAYS, paceChoice, PACES, paceWords, timeWords, type Times } from './times';
import { Choice, LearnLink, NameField, Screen, Switch, Trouble, Unloaded, useDoing, usePromise } from './parts';

/** Against whom, and where. */
type Mode = 'quick' | 'ai' | 'hot' | 'invite';
const MODES: Mode[] = ['quick', 'ai', 'hot', 'invite'];
const TURNS_S = [15, 30, 60, 120, 300, 600];
const MATCHES_S = [300, 600, 1200, 1800, 3600, 7200];
/** A pace of one's own, with both times to choose. */
const OWN_PACE = 'own';

const mode = kept<Mode>('mode', 'ai');
const second = kept('second', '');
/** Whether those who have an account want rated matches. Friends need not have one. */
const wantsRated = kept('rated', { quick: true, invite: false });

/** What was chosen on this screen. */
interface Chosen {
  preset: string;
  options: Record<string, number>;
  pace: string;
  turn_ms: number;
  match_ms: number;
  bank_ms: number;
  increment_ms: number;
  seat: Seat | null;
  secret: boolean;
  glass: boolean;
  phrases: boolean;
  tips: boolean;
  pair: boolean;
}

/** A part of the screen: what was chosen, and how to change it. */
interface Part {
  chosen: Chosen;
  set(part: Partial<Chosen>): void;
}

/** The times to choose from, and none. A server may have a most, which no limit becomes. */
function timeChoices(all: number[]): [number, string][] {
  return [...all.map((s): [number, string] => [s * 1000, timeWords(s * 1000)]), [0, t('setup.none')]];
}

/** A rule variant: a list, a switch or a number. */
function OptionField({ game, option, value, onChange }: { game: string; option: Option; value: number; onChange(value: number): void }) {
  const { label, values, about } = optionWords(game, option);
  if (values.length > 0)
    return (
      <div class="field">
        <Choice label={label} value={value} all={values.map((text, at) => [option.least + at, text])} onChoose={onChange} />
        {about && <small class="soft">{about}</small>}
      </div>
    );
  if (option.least === 0 && option.most === 1)
    return <Switch label={label} value={value === 1} onChange={(on) => onChange(on ? 1 : 0)} />;
  return (
    <label class="field">
      <span>{label}</span>
      <input type="number" min={option.least} max={option.most} value={value} onChange={(event) => {
        const wanted = Math.round(Number(event.currentTarget.value));
        onChange(Math.max(option.least, Math.min(option.most, Number.isFinite(wanted) ? wanted : option.usual)));
      }} />
      <small class="soft">{option.least} – {option.most}</small>
    </label>
  );
}

/** How fast the match is: a pace with a name, or times of one's own. */
function TimeChoice({ chosen, set }: Part) {
  const choose = (id: string) => set({ pace: id, ...times(PACES.find((pace) => pace.id === id) ?? { turn_ms: 60_000, match_ms: 1_800_000 }) });
  const days = accountName() ? DAYS.map((n): [string, string] => [`days-${n}`, t('times.days.choice', { time: paceWords({ turn_ms: 0, match_ms: 0, days: n }) })]) : [];
  return (
    <div class="field">
      <Choice label={t('times.label')} value={chosen.pace} onChoose={choose}
        all={[...PACES.map((pace): [string, string] => [pace.id, paceChoice(pace)]), ...days, [OWN_PACE, t('times.own')]]} />
      {daysOf(chosen) !== undefined && <small class="soft">{t('times.days.about')}</small>}
      {chosen.pace === OWN_PACE && (
        <div class="fields">
          <Choice label={t('setup.turn')} value={chosen.turn_ms} all={timeChoices(TURNS_S)} onChoose={(turn_ms) => set({ turn_ms })} />
          <Choice label={t('setup.match')} value={chosen.match_ms} all={timeChoices(MATCHES_S)} onChoose={(match_ms) => set({ match_ms })} />
        </div>
      )}
    </div>
  );
}

/** The days for a turn that were chosen; undefined: other times. */
function daysOf({ pace }: Chosen): number | undefined {
  return accountName() ? DAYS.find((n) => pace === `days-${n}`) : undefined;
}

/** Only the times. */
function times({ turn_ms, match_ms, bank_ms = 0, increment_ms = 0 }: Times): Required<Omit<Times, 'days'>> {
  return { turn_ms, match_ms, bank_ms, increment_ms };
}

/** Board and rules, folded away. */
function Details({ game, chosen, set }: Part & { game: Game }) {
  const preset = presetOf(chosen, game);
  return (
    <details class="panel">
      <summary>{t('setup.options')}: {presetWords(game.id, preset)}</summary>
      <div class="stack">
        <Choice label={t('setup.preset')} value={chosen.preset} onChoose={(id) => set({ preset: id })}
          all={game.presets.map((one) => [one.id, presetWords(game.id, one)])} />
        <p class="soft small">{t('setup.size', { width: preset.width, height: preset.height })}</p>
        {game.options.map((option) => (
          <OptionField key={option.id} game={game.id} option={option} value={chosen.options[option.id] ?? option.usual}
            onChange={(value) => set({ options: { ...chosen.options, [option.id]: value } })} />
        ))}
        <Switch label={t('setup.pair')} value={chosen.pair} onChange={(pair) => set({ pair })} />
      </div>
    </details>
  );
}

/** Will it count? Only a match against a person on the server, of somebody with an account. */
function isRated(): boolean {
  const wanted = mode.value === 'quick' || mode.value === 'invite' ? wantsRated.value[mode.value] : false;
  return wanted && accountName() !== '';
}

/** Whether the match counts for ratings, and why not. */
function RatedSwitch() {
  const may = accountName() !== '';
  const rated = isRated();
  return (
    <div class="field rated-choice">
      <Switch label={t('rated.label')} value={rated} disabled={!may} onChange={(on) => { wantsRated.value = { ...wantsRated.value, [mode.value]: on }; }} />
      {may ? rated && <small class="soft">{t('rated.about')}</small>
        : <small class="soft">{t('rated.needs')} <a href={href('settings', 'account')}>{t('account.open')}</a></small>}
    </div>
  );
}

/** The level that was chosen last, or the highest one of a game that does not have it. */
function levelIn(game: Game): number {
  return Math.min(level.value, game.levels.length);
}

/** Who sits on which seat of a match on this device. */
function sitters(chosen: Chosen, strength: number): [SeatPlayer, SeatPlayer] {
  const me: SeatPlayer = { name: ownName() || t('name.person', { n: 1 }) };
  if (mode.value === 'hot') return [me, { name: second.value || t('name.person', { n: 2 }) }];
  const program: SeatPlayer = { name: t('name.program', { n: strength }), level: strength };
  const seat = chosen.seat ?? (crypto.getRandomValues(new Uint8Array(1))[0]! & 1);
  return seat === 0 ? [me, program] : [program, me];
}

/** Starts what was chosen: on this device, a quick match, or a table with an invitation. */
function begin(game: Game, chosen: Chosen): Promise<void> {
  const { preset, options } = chosen;
  const days = daysOf(chosen);
  const config: MatchRequest = { game: game.id, preset, options, ...(days === undefined ? times(chosen) : { days }) };
  if (chosen.pair && days === undefined) config.pair = true;
  const rated = isRated();
  if (!chosen.tips && !rated) config.tips = false;
  if (rated) config.rated = true;
  if (mode.value === 'quick') return playOnline({ type: 'seek', ...config });
  if (mode.value === 'invite') {
    const { seat, secret, glass, phrases } = chosen;
    return playOnline({ type: 'open', ...config, opponent: 'guest', secret, ...(phrases ? { phrases } : {}), ...(rated ? {} : { seat, glass }) });
  }
  return playLocal({ game: game.id, title: game.title, preset, options, sitters: sitters(chosen, levelIn(game)), ...(chosen.pair ? { leg: 1 as const } : {}) });
}

/** The level of the program, with what it does. */
function Levels({ game }: { game: Game }) {
  const levels = game.levels.map(levelWords), now = levelIn(game), timed = THINKING[now];
  return (
    <div class="field">
      <Choice label={t('setup.level')} value={now} onChoose={(n) => { level.value = n; }}
        all={levels.map((row) => [row.level, `${t('setup.level.n', { n: row.level })}: ${row.title}`])} />
      <small class="soft">{levels[now - 1]!.about}</small>
      {timed && (
        <Choice label={t('setup.thinking')} value={timed.chosen.value} onChoose={(n) => { timed.chosen.value = n; }}
          all={timed.seconds.map((n) => [n, t('setup.seconds', { n: n.toLocaleString(language.value) })])} />
      )}
    </div>
  );
}

/** The form before a match. */
function Setup({ game }: { game: Game }) {
  const [chosen, change] = useState<Chosen>({
    preset: game.presets[0]!.id, options: {}, pace: PACES[1]!.id, ...times(PACES[1]!), seat: null, secret: true, glass: false, phrases: false, tips: true, pair: false,
  });
  const set = (part: Partial<Chosen>) => change((before) => ({ ...before, ...part }));
  const doing = useDoing();
  const online = mode.value === 'quick' || mode.value === 'invite';
  const rated = isRated();
  return (
    <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(() => begin(game, chosen)); }}>
      <fieldset class="modes">
        <legend>{t('setup.how')}</legend>
        {MODES.map((id) => (
          <label key={id} class={`card mode${mode.value === id ? ' chosen' : ''}`}>
            <input class="visually-hidden" type="radio" name="mode" value={id} checked={mode.value === id}
              onChange={() => { mode.value = id; }} />
            <strong>{t(`setup.${id}` as TextKey)}</strong>
            <small class="soft">{t(`setup.${id}.about` as TextKey, { n: game.levels.length })}</small>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        <NameField />
        {mode.value === 'hot' && (
          <label class="field">
            <span>{t('name.second')}</span>
            <input maxLength={24} value={second.value} placeholder={t('name.person', { n: 2 })}
              onInput={(event) => { second.value = event.currentTarget.value; }} />
          </label>
        )}
        {mode.value === 'ai' && <Levels game={game} />}
        {(mode.value === 'ai' || (mode.value === 'invite' && !rated)) &&
          <SeatChoice sides={presetOf(chosen, game).sides} chosen={chosen} set={set} />}
      </div>
      {online && <RatedSwitch />}
      {mode.value === 'invite' && <Openness hides={presetOf(chosen, game).hides && !rated} chosen={chosen} set={set} />}
      {online && !rated && <Switch label={t('setup.tips')} value={chosen.tips} onChange={(tips) => set({ tips })} />}
      {online && <TimeChoice chosen={chosen} set={set} />}
      <Details game={game} chosen={chosen} set={set} />
      <Trouble error={doing.error} />
      <div class="row">
        <button class="button primary big" type="submit" disabled={doing.busy}>{t('setup.start')}</button>
        <a class="button quiet" href={href('rules', game.id)}>{t('start.rules')}</a>
      </div>
    </form>
  );
}

/** Who may see the table, and how much. */
function Openness({ hides, chosen, set }: Part & { hides: boolean }) {
  return (
    <>
      <Switch label={t('setup.secret')} value={chosen.secret} onChange={(secret) => set({ secret })} />
      {hides && <Switch label={t('setup.glass')} value={chosen.glass} onChange={(glass) => set({ glass })} />}
      <Switch label={t('setup.phrases')} value={chosen.phrases} onChange={(phrases) => set({ phrases })} />
    </>
  );
}

/** Which side one plays. */
function SeatChoice({ sides, chosen, set }: Part & { sides: [string, string] }) {
  return (
    <Choice label={t('setup.seat')} value={chosen.seat ?? -1} onChoose={(n) => set({ seat: n === -1 ? null : (n as Seat) })}
      all={[[-1, t('setup.seat.any')], [0, sides[0]], [1, sides[1]]]} />
  );
}

/** The screen of one game. */
export function SetupScreen({ id }: { id: string }) {
  const { value, error } = usePromise(allGames, [language.value]);
  const shown = useRef<Game[] | undefined>(undefined);
  const games = (shown.current = value ?? shown.current); // what was chosen stays while another language is loaded
  const game = games?.find((one) => one.id === id);
  if (!game && error) return <Unloaded error={error} />;
  if (!game) return <Screen title={games ? t('app.nothing') : t('app.loading')}>{null}</Screen>;
  return (
    <Screen title={game.title}>
      <div class="row setup-head"><GamePicture game={game.id} /><p class="lead grow">{taglineOf(game.id)}</p></div>
      <LearnLink game={game.id} title={game.title} />
      <Setup game={game} />
    </Screen>
  );
}
