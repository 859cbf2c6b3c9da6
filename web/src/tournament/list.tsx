/* list.tsx -- the tournaments of the server, and a form to create one from a template. */
import { useState } from 'preact/hooks';
import { listTournaments } from '../arena/lists';
import type { TournamentEntry, TournamentHead, TournamentKind } from '../arena/messages';
import { allGames } from '../engine/engine';
import type { Game } from '../model';
import { go, href } from '../router';
import { Choice, NameField, Screen, Switch, Trouble, useDoing, usePromise } from '../screens/parts';
import { GamePicture } from '../screens/pictures';
import { useRefreshed } from '../screens/lobby';
import { PACES, paceChoice, paceWords } from '../screens/times';
import { language } from '../texts/language';
import { tell, type TournamentText } from '../texts/tournament';
import { t } from '../texts/texts';
import { presetWords } from '../texts/wording';
import { create } from './follow';

/** What a tournament is created from. */
interface Template {
  id: string;
  kind: TournamentKind;
  words(): string;
  rest: { minutes?: number; rounds?: number; free?: boolean };
}

/** The templates to choose from. */
const TEMPLATES: Template[] = [
  ...[15, 30, 60, 120].map((minutes): Template => ({ id: `arena-${minutes}`, kind: 'arena', words: () => tell('tArena', minutes), rest: { minutes } })),
  ...[3, 5, 7, 9].map((rounds): Template => ({ id: `swiss-${rounds}`, kind: 'swiss', words: () => tell('tSwiss', rounds), rest: { rounds } })),
  { id: 'round-robin', kind: 'round-robin', words: () => tell('tRobin'), rest: {} },
  ...[3, 7, 30].map((days): Template => ({ id: `free-${days}`, kind: 'round-robin', words: () => tell('tFree', days), rest: { free: true, minutes: days * 1440 } })),
  { id: 'knock-out', kind: 'knock-out', words: () => tell('tKnock'), rest: {} },
];
const STARTS_MIN = [5, 15, 30, 60];

/** How many have joined. */
export function playersWords(count: number): string {
  return count === 1 ? tell('onePlayer') : tell('players', count);
}

/** What a tournament is, in one line. */
export function headWords(row: TournamentHead, game: Game | undefined): string {
  const preset = game?.presets.find(({ id }) => id === row.preset);
  return [tell(row.kind), game?.title ?? row.game, preset && game ? presetWords(game.id, preset) : '', paceWords(row), playersWords(row.players)]
    .filter(Boolean).join(' · ');
}

/** A tournament in the list. */
function Row({ row, game }: { row: TournamentHead; game: Game | undefined }) {
  return (
    <li class="panel row match-row">
      <GamePicture game={row.game} />
      <span class="stack tight grow">
        <strong>{row.title}</strong>
        <small class="soft">{tell(row.state)} · {headWords(row, game)}</small>
      </span>
      <a class="button small" href={href('tournament', row.code)} aria-label={`${tell('open')}: ${row.title}`}>{tell('open')}</a>
    </li>
  );
}

/** The form for a new tournament. */
function Create({ games }: { games: Game[] }) {
  const [title, setTitle] = useState('');
  const [game, setGame] = useState(games[0]!.id);
  const [preset, setPreset] = useState('');
  const [template, setTemplate] = useState('swiss-5');
  const [pace, setPace] = useState<string>('rapid');
  const [start, setStart] = useState(0);
  const [secret, setSecret] = useState(false);
  const [pair, setPair] = useState(false);
  const doing = useDoing();
  const chosen = games.find(({ id }) => id === game)!;
  const made = TEMPLATES.find(({ id }) => id === template)!;
  const submit = async () => {
    const { id: _, ...times } = PACES.find(({ id }) => id === pace)!;
    const entry: TournamentEntry = {
      type: 'tournament-create', title: title.trim() || `${chosen.title}: ${tell(made.kind)}`, kind: made.kind, ...made.rest, game,
      ...(preset ? { preset } : {}), ...times, pause_ms: 0, tips: false, ...(start ? { start_in: start * 60 } : {}), ...(secret ? { secret } : {}),
      ...(pair && made.kind !== 'arena' && !made.rest.free ? { pair } : {}),
    };
    go('tournament', await create(entry));
  };
  return (
    <details class="panel create-tournament">
      <summary>{tell('create')}</summary>
      <form class="stack" onSubmit={(event) => { event.preventDefault(); doing.run(submit); }}>
        <div class="fields">
          <label class="field">
            <span>{tell('name')}</span>
            <input name="title" maxLength={40} value={title} placeholder={`${chosen.title}: ${tell(made.kind)}`} onInput={(event) => setTitle(event.currentTarget.value)} />
          </label>
          <Choice label={tell('template')} value={template} all={TEMPLATES.map((one): [string, string] => [one.id, one.words()])} onChoose={(id) => setTemplate(id)} />
          <Choice label={tell('game')} value={game} all={games.map((one) => [one.id, one.title])} onChoose={(id) => { setGame(id); setPreset(''); }} />
          <Choice label={tell('board')} value={preset || chosen.presets[0]!.id} all={chosen.presets.map((one): [string, string] => [one.id, presetWords(game, one)])} onChoose={(id) => setPreset(id)} />
          <Choice label={tell('pace')} value={pace} all={PACES.filter(({ id }) => id !== 'unlimited').map((one): [string, string] => [one.id, paceChoice(one)])} onChoose={(id) => setPace(id)} />
          <Choice label={tell('start')} value={start} all={[[0, tell('startByHand')], ...STARTS_MIN.map((n): [number, string] => [n, tell('startIn', n)])]} onChoose={(n) => setStart(n)} />
          <NameField />
        </div>
        <p class="soft small">{tell(`${made.kind}.about` as TournamentText)}</p>
        <Switch label={tell('secret')} value={secret} onChange={setSecret} />
        {made.kind !== 'arena' && !made.rest.free && <Switch label={tell('twoLegs')} value={pair} onChange={setPair} />}
        <Trouble error={doing.error} />
        <button class="button primary" type="submit" disabled={doing.busy}>{tell('doCreate')}</button>
      </form>
    </details>
  );
}

/** All tournaments. */
export function TournamentsScreen() {
  const games = usePromise(allGames, [language.value]).value ?? [];
  const list = useRefreshed(listTournaments, []);
  const [code, setCode] = useState('');
  return (
    <Screen title={tell('title')}>
      {games.length > 0 && <Create games={games} />}
      <Trouble error={list.value ? null : list.error} />
      {list.value?.length === 0 && <p>{tell('none')}</p>}
      <ul class="stack plain">
        {list.value?.map((row) => <Row key={row.code} row={row} game={games.find(({ id }) => id === row.game)} />)}
      </ul>
      <form class="row code-form" onSubmit={(event) => { event.preventDefault(); if (code.trim()) go('tournament', code.trim()); }}>
        <label class="field grow">
          <span>{tell('byCode')}</span>
          <input name="code" autocomplete="off" autocapitalize="none" spellcheck={false} placeholder="abcd-efgh-jkmn" value={code}
            onInput={(event) => setCode(event.currentTarget.value)} />
        </label>
        <button class="button" type="submit">{t('watch.go')}</button>
      </form>
    </Screen>
  );
}
