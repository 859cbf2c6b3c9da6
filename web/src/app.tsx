/* app.tsx -- the page: top bar, the screen that the address names, and the service worker. */
import { embedded } from './embedded';
import '../style/index.css';
import icon from '../icon.svg';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { accountName, loggedOut } from './account';
import { listenForTheWord } from './art/easter-egg';
import { keepKeyboard } from './keyboard';
import { lazy } from './lazy';
import { href, route } from './router';
import { current, leaveForNow, leftRunning, replayed, stopWaiting, waitingAt } from './session';
import { settings } from './settings';
import { polite, urgent } from './speech';
import { AboutScreen, SettingsScreen } from './screens/settings';
import { ReplayByCode, ReplaysScreen, WatchScreen } from './screens/lists';
import { Screen } from './screens/parts';
import { EmbedScreen } from './screens/embed';
import { SetupScreen } from './screens/setup';
import { StartScreen } from './screens/start';
import { JoinScreen, LocalScreen, TableHost, TableScreen } from './screens/tables';
import { language } from './texts/language';
import { t } from './texts/texts';
import { followTurns, turnsWaiting } from './turns';

const EditorScreen = lazy(async () => (await import('./edit/list')).default);
const MineScreen = lazy(async () => (await import('./screens/mine')).MineScreen);
const LessonScreen = lazy(async () => (await import('./screens/lesson')).LessonScreen);
const StatsScreen = lazy(async () => (await import('./stats/screen')).StatsScreen);
const PuzzlesScreen = lazy(async () => (await import('./puzzles/screen')).PuzzlesScreen);
const PuzzleScreen = lazy(async () => (await import('./puzzles/screen')).PuzzleScreen);
const TournamentsScreen = lazy(async () => (await import('./tournament/list')).TournamentsScreen);
const TournamentScreen = lazy(async () => (await import('./tournament/screen')).TournamentScreen);
const TournamentBar = lazy(async () => (await import('./tournament/bar')).TournamentBar);
const RulesScreen = lazy(async () => (await import('./rules/screen')).RulesScreen);
const BookScreen = lazy(async () => (await import('./rules/book')).BookScreen);
const AccountScreen = lazy(async () => (await import('./players/account-screen')).AccountScreen);
const LoginScreen = lazy(async () => (await import('./players/login-forms')).LoginScreen);
const ProfileScreen = lazy(async () => (await import('./players/profile')).ProfileScreen);
const LeadersScreen = lazy(async () => (await import('./players/leaderboard')).LeadersScreen);

/** Addresses at which a match is shown: no top bar unless an opponent is waited for, and leaving them leaves the table. */
const AT_TABLE = ['table', 'match', 'replay', 'learn', 'puzzle'];

/** The bar above all screens but those of a table: where one is, and the ways to elsewhere. */
function TopBar() {
  const [here, what] = route.value;
  const name = accountName();
  const waiting = turnsWaiting();
  const link = (to: string, text: string) => <a href={href(to)} aria-current={here === to ? 'page' : undefined}>{text}</a>;
  return (
    <header class="bar">
      <a class="brand display" href="#/" aria-label="Mashup">
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: icon }} />
        <span>Mashup</span>
      </a>
      <nav class="row" aria-label={t('nav.label')}>
        {link('watch', t('nav.watch'))}
        {link('tournaments', t('nav.tournaments'))}
        <span class="not-on-phones">{link('leaders', t('nav.leaders'))}</span>
        <a href={href('mine')} aria-current={here === 'mine' ? 'page' : undefined}>
          {t('nav.mine')}{waiting > 0 && <>{' '}<span class="badge">{waiting}</span><span class="visually-hidden"> {t('days.badge')}</span></>}
        </a>
        {link('replays', t('nav.replays'))}
        {link('editor', t('nav.editor'))}
        {link('settings', t('nav.settings'))}
        <span class="wide-only">{link('about', t('nav.about'))}</span>
        {name && <a href={href('player', name)} aria-current={here === 'player' && what === name ? 'page' : undefined}>{name}</a>}
      </nav>
    </header>
  );
}

/** The screen that the address names; an unknown address says so. */
function Place() {
  const [where = '', what = '', more = ''] = route.value;
  const table = current.value;
  switch (where) {
    case '': return <StartScreen />;
    case 'game': return <SetupScreen key={what} id={what} />;
    case 'join': return <JoinScreen code={what} />;
    case 'rules': return more === 'complete' ? <BookScreen key={what} id={what} /> : <RulesScreen key={what} id={what} />;
    case 'learn': return <LessonScreen key={what} game={what} />;
    case 'stats': return <StatsScreen game={what} />;
    case 'puzzles': return <PuzzlesScreen />;
    case 'puzzle': return <PuzzleScreen key={`${what}/${more}`} game={what} number={more} />;
    case 'table': return <TableScreen code={what} />;
    case 'match': return <LocalScreen />;
    case 'replay':
      if (table?.kind === 'replay' && replayed.value === what) return <TableHost table={table} />;
      return what ? <ReplayByCode code={what} notes={more} /> : <ReplaysScreen />;
    case 'watch': return <WatchScreen />;
    case 'replays': return <ReplaysScreen />;
    case 'mine': return <MineScreen />;
    case 'tournaments': return <TournamentsScreen />;
    case 'tournament': return <TournamentScreen key={what} code={what} how={more} />;
    case 'editor': return <EditorScreen what={what} more={more} />;
    case 'settings': return what === 'account' ? <AccountScreen /> : <SettingsScreen />;
    case 'login': return <LoginScreen code={what} />;
    case 'player': return <ProfileScreen key={what} name={what} />;
    case 'leaders': return <LeadersScreen game={what} pace={more} />;
    case 'about': return <AboutScreen />;
    default: return <Screen title={t('app.nothing')}><p><a class="button" href="#/">{t('app.home')}</a></p></Screen>;
  }
}

/** Says that an opponent is still waited for, wherever one is meanwhile. */
function StillWaiting() {
  const table = waitingAt.value;
  if (!table) return null;
  return (
    <div class="still-waiting notice row" role="status">
      <span>{t('wait.still', { game: table.about.value.title })}</span>
      <a class="button small" href={href('table', table.about.value.code)}>{t('wait.back')}</a>
      <button class="button small" onClick={stopWaiting}>{t('wait.cancel')}</button>
    </div>
  );
}

/** Says that a match goes on that was left for this screen; the start page lists all of them. */
function StillPlaying() {
  if (!leftRunning.value) return null;
  const { code, title } = leftRunning.value;
  return (
    <div class="still-waiting notice row" role="status">
      <span>{t('start.return', { game: title })}</span>
      <a class="button small" href={href('table', code)}>{t('start.return.do')}</a>
    </div>
  );
}

/** Says that this device was logged out elsewhere, or that its account is gone, until that was read. */
function LoggedOut() {
  if (!loggedOut.value) return null;
  return (
    <div class="still-waiting notice warn row" role="alert">
      <span>{t('account.gone')}</span>
      <a class="button small" href={href('settings', 'account')} onClick={() => { loggedOut.value = false; }}>{t('account.title')}</a>
      <button class="button small" onClick={() => { loggedOut.value = false; }}>{t('start.ended.close')}</button>
    </div>
  );
}

/** What is said to whoever hears the page; there before anything is said, on every screen. */
function Speech() {
  return (
    <div class="visually-hidden">
      <p role="status" aria-live="polite" aria-label={t('speech.polite')}>{polite.value}</p>
      <p role="status" aria-live="assertive" aria-label={t('speech.urgent')}>{urgent.value}</p>
    </div>
  );
}

/** Has this browser a part in a tournament, so that a match of it may be ready? */
function holdsTournament(): boolean {
  return localStorage.getItem('mashup.tournaments') !== null;
}

/** Moves the focus to the content, so that keys and screen readers begin there; what the content itself has put it on keeps it. */
function focusContent(): void {
  const content = document.getElementById('content');
  if (!content?.contains(document.activeElement)) content?.focus({ preventScroll: true });
}

/** The whole page: a way past the bar for keys, the bar unless one is at a table, and the screen of the address. */
function App() {
  const [where = ''] = route.value;
  const atTable = AT_TABLE.includes(where);
  /* With the screen itself, not a moment later: the focus is not taken from who has begun to type. */
  useLayoutEffect(() => {
    if (!atTable && current.value) leaveForNow();
    focusContent();
    scrollTo(0, 0);
  }, [route.value.join('/')]);
  return (
    <div class="shell">
      <a class="skip button" href="#content" onClick={(event) => { event.preventDefault(); focusContent(); }}>{t('app.skip')}</a>
      {(!atTable || current.value?.state.value === 'waiting') && <TopBar />}
      <Place />
      <StillWaiting />
      {!atTable && where !== '' && where !== 'join' && <StillPlaying />}
      <LoggedOut />
      {holdsTournament() && where !== 'tournament' && <TournamentBar />}
      <Speech />
    </div>
  );
}

effect(() => {
  const { theme } = settings;
  if (theme.value === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
effect(() => { document.documentElement.lang = language.value; });

listenForTheWord();
keepKeyboard();
if (embedded === null) followTurns();
render(embedded === null ? <App /> : <EmbedScreen code={embedded} />, document.getElementById('app')!);
if (embedded === null && 'serviceWorker' in navigator && isSecureContext) void navigator.serviceWorker.register('/service.js').catch(() => {});
