/* match.tsx -- the match screen: board, both sides, what can be done, the log; before it the
 * assembling, behind it the end; for players, watchers and replays alike.
 *
 * It knows no rule. Everything is read off the table's position; what can be sent is always an
 * entry of the list that the engine gave. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { embedded } from '../../embedded';
import { isNew, markKnown } from '../../lesson/known';
import { controlsOf } from '../../lesson/script';
import { otherSeat, type Seat } from '../../model';
import { go } from '../../router';
import { openTable, closeTable } from '../../session';
import { Trouble, usePromise } from '../../screens/parts';
import { playSound } from '../../sound';
import type { ReplayControls, Table } from '../../table/table';
import { howToFor } from '../../texts/howto';
import { say } from '../../texts/match';
import { useAttention } from './attention';
import { AssembleScreen } from './draft';
import { Notices, StandingNotes, awaySeat } from '../panels/notices';
import { ClockVoice, MatchBar, UnreadBadge, seatName } from '../panels/status-bar';
import { BoardView, type StageHolder } from '../input/board-view';
import { MatchInput } from '../input/match-input';
import { Dialog, HowTo, KeysDialog, MenuDialog, Sure, type MenuChoice } from '../panels/dialog';
import { Dock, TipCard } from '../panels/action-bar';
import { EndScreen } from './end';
import { LeaverChoices } from './leaver';
import { useHotkeys } from '../input/hotkeys';
import { keyLabel, loadKeys, saveKeys, type Keys } from '../input/keys';
import { isAssembling, isPlacing } from './draft-offers';
import { PlacementScreen } from './placement';
import { usePresence } from './presence';
import { useUnreadChat } from './unread-chat';
import { presentationOf, redFirst } from '../panels/presentation';
import { ReplayBar } from '../panels/replay-bar';
import { OrderStrip, Side } from '../panels/roster';
import { ChatPanel, CommandLine, LogPanel } from '../panels/log-panel';
import { PastBar, TurnStrip } from '../panels/turn-strip';
import { UndoButton } from '../panels/undo-button';
import { UnitPanel } from '../panels/unit-panel';
import { Voice } from '../speech/voice';
import { ReportTab, reportWanted } from '../../report/tab';

const numbers = new WeakMap<Table, number>();
let tables = 0;

/* A number for each table, so that another table begins with a fresh screen. */
function numberOf(table: Table): number {
  const number = numbers.get(table) ?? ++tables;
  numbers.set(table, number);
  return number;
}

/** Draws a table and takes the actions of the person here. */
export function MatchScreen({ table }: { table: Table }) {
  const input = useMemo(() => new MatchInput(table), [table]);
  useEffect(() => () => input.close(), [input]);
  return <MatchAt key={numberOf(table)} table={table} input={input} />;
}

/** What the right column shows below the unit. */
type Panel = 'log' | 'chat' | 'teams' | 'report' | 'notes';

/* A replay that was opened for its report shows it first, one with notes its notes. */
function firstPanel(table: Table): Panel {
  const wanted = table.kind === 'replay' && reportWanted.value;
  if (wanted) reportWanted.value = false;
  return wanted ? 'report' : (table.replay?.notes.value.length ?? 0) > 0 && embedded === null ? 'notes' : 'log';
}

/** Which dialog is open; null: none. */
type Box = 'menu' | 'keys' | 'how' | 'chat' | 'conduct' | 'resign' | 'leave' | 'end' | null;

/* How to play is shown by itself before the first match of each game, to those who play. */
function firstMatch(table: Table): boolean {
  const { game } = table.about.value;
  return howToFor(game) !== null && table.you.value !== null && table.kind !== 'replay' && !table.lesson && !table.puzzle && isNew(game);
}

/** The screen of one table, with its dialogs and keys. */
function MatchAt({ table, input }: { table: Table; input: MatchInput }) {
  const [box, setBox] = useState<Box>(() => (firstMatch(table) ? 'how' : null));
  const [keys, setKeys] = useState<Keys>(() => loadKeys(localStorage));
  const [panel, setPanel] = useState<Panel>(() => firstPanel(table));
  const holder = useRef(null) as StageHolder;
  const settled = useSignal(-1);
  const preparing = useRef<boolean | null>(null);
  const position = table.position.value;
  const over = useComputed(
    () => table.result.value !== null && settled.value >= (table.position.value?.number ?? 0),
  );
  const ended = over.value && table.kind !== 'replay' && !table.lesson && !table.puzzle && embedded === null;
  useEffect(() => {
    if (ended) setBox('end');
  }, [ended]);
  const close = () => {
    if (box === 'how') markKnown(table.about.value.game);
    setBox(null);
  };
  const leave = () => {
    closeTable(true);
    go();
  };
  const choose = (selection: MenuChoice) => {
    if (selection === 'pause') void table.pause(!table.paused.value);
    if (selection === 'draw') void table.draw('offer');
    const playing =
      table.state.value === 'running' && table.you.value !== null && table.kind !== 'replay' && !table.lesson && !table.puzzle &&
      table.about.value.days === undefined;
    if (selection === 'leave' && !playing) return leave();
    setBox(selection === 'pause' || selection === 'draw' ? null : selection);
  };
  const talks = table.kind === 'online' && embedded === null;
  usePresence(table);
  useAttention(table);
  const unread = useUnreadChat(table, box === 'chat' || (panel === 'chat' && preparing.current === false));
  useHotkeys(keys, input, holder, {
    help: () => setBox('keys'),
    read: () => {
      if (!table.lesson?.reading.value) return false;
      table.lesson.next();
      return true;
    },
    pause: () => {
      if (table.about.value.pause_ms > 0) void table.pause(!table.paused.value);
    },
    show: (wanted) => {
      if (preparing.current) return wanted === 'chat' && talks ? setBox('chat') : undefined;
      setPanel(wanted);
      if (wanted === 'chat') setTimeout(() => document.getElementById('chat-line')?.focus());
    },
  });
  const curtain = table.curtain.value;
  if (curtain !== null) return <Curtain table={table} seat={curtain} />;
  const actions = input.actions.value;
  const phases = presentationOf(table.about.value.game).before;
  const assembling =
    position !== null &&
    table.kind !== 'replay' &&
    isAssembling(position, actions, preparing.current, phases);
  preparing.current = position ? assembling : null;
  return (
    <main
      id="content"
      tabIndex={-1}
      class={`match${assembling ? ' assembling' : ''}${table.lesson || table.puzzle ? ' lesson' : ''}${redFirst(table.about.value.game)}`}
      data-game={table.about.value.game}
      data-number={position?.number}
      data-you={table.you.value ?? ''}
      data-point={controlsOf(table.lesson?.point.value ?? []).join(' ') || undefined}
      style={{ '--rows-a-column': position ? position.board.height / position.board.width : 1 }}
    >
      <MatchBar table={table} onMenu={() => setBox('menu')} chat={assembling && talks ? { unread, open: () => setBox('chat') } : null} />
      <Notices table={table} onEnd={ended ? () => setBox('end') : null} />
      <LeaverChoices table={table} />
      <Voice table={table} />
      <ClockVoice table={table} />
      {assembling && <StandingNotes table={table} />}
      {!position ? (
        <p class="page lead">{say('waitingGuest', table.about.value.code)}</p>
      ) : assembling ? (
        isPlacing(position, actions, phases) ? (
          <PlacementScreen table={table} input={input} keys={keys} />
        ) : (
          <AssembleScreen table={table} input={input} keys={keys} />
        )
      ) : (
        <Playing
          table={table}
          input={input}
          holder={holder}
          keys={keys}
          panel={panel}
          setPanel={setPanel}
          unread={unread}
          onSettled={(number) => {
            settled.value = number;
          }}
        />
      )}
      {box === 'menu' && <MenuDialog table={table} onChoose={choose} onClose={close} />}
      {box === 'how' && (
        <HowTo game={table.about.value.game} title={table.about.value.title} onClose={close} />
      )}
      {box === 'keys' && (
        <KeysDialog
          keys={keys}
          onClose={close}
          onHow={() => setBox('how')}
          onChange={(changed) => {
            saveKeys(localStorage, changed);
            setKeys(changed);
          }}
        />
      )}
      {box === 'chat' && (
        <Dialog title={say('chat')} onClose={close}>
          <ChatPanel table={table} />
        </Dialog>
      )}
      {box === 'conduct' && <Conduct table={table} onClose={close} />}
      {box === 'resign' && (
        <Sure
          title={say('resignAsk')}
          text={say('resignText')}
          yes={say('resignYes')}
          no={say('resignNo')}
          onClose={close}
          onYes={() => {
            void table.resign();
            close();
          }}
        />
      )}
      {box === 'leave' && (
        <Sure
          title={say('leaveAsk')}
          text={say(table.kind === 'local' ? 'leaveLocal' : 'leaveText')}
          yes={say('leaveYes')}
          no={say('resignNo')}
          onClose={close}
          onYes={leave}
        />
      )}
      {box === 'end' && (
        <EndScreen table={table} onClose={close} onShow={openTable} onLeave={leave} />
      )}
    </main>
  );
}

/** Report, mute and block; comes with a later load. */
function Conduct(props: { table: Table; onClose: () => void }) {
  const { value, error } = usePromise(async () => ({ Box: (await import('../../players/conduct')).ConductDialog }), []);
  if (value) return <value.Box {...props} />;
  if (error === undefined) return null;
  return (
    <Dialog title={say('conduct')} onClose={props.onClose}>
      <Trouble error={error} />
    </Dialog>
  );
}

/** The notes of a replay; they come with a later load. */
function NotesTab(props: { table: Table; controls: ReplayControls }) {
  const { value, error } = usePromise(() => import('../notes/panel'), []);
  return value ? <value.NotesPanel {...props} /> : <div class="talk"><Trouble error={error} /></div>;
}

/** The board with everything around it. */
function Playing({
  table,
  input,
  holder,
  keys,
  panel,
  setPanel,
  unread,
  onSettled,
}: {
  table: Table;
  input: MatchInput;
  holder: StageHolder;
  keys: Keys;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  unread: number;
  onSettled: (number: number) => void;
}) {
  const near: Seat = table.you.value ?? 0;
  /* Who scrolled through cards of a team begins at the board again. */
  useLayoutEffect(() => scrollTo(0, 0), []);
  const more: Panel[] = embedded !== null ? [] : table.kind === 'online' ? ['chat'] : table.replay?.canPlayOn ? ['report', 'notes'] : [];
  const talk: Panel[] = ['log', ...more];
  return (
    <div class={`arena show-${panel}`}>
      <h1 class="visually-hidden">{table.about.value.title}</h1>
      <aside class="sides" aria-label={say('teams')}>
        <Side table={table} input={input} seat={near} />
        <Side table={table} input={input} seat={otherSeat(near)} />
      </aside>
      <div class="middle">
        <div class="strip">
          {input.history.past.value === null ? (
            <>
              <OrderStrip table={table} input={input} />
              <StandingNotes table={table} />
            </>
          ) : (
            <PastBar input={input} keys={keys} />
          )}
          {awaySeat(table) === null && <TurnStrip table={table} input={input} />}
          <div class="strip-buttons">
            {table.kind !== 'replay' && (
              <button
                type="button"
                class="button small square"
                aria-label={say('key-repeat')}
                title={`${say('key-repeat')} (${keyLabel(keys.repeat)})`}
                disabled={input.recent.story(table.you.value).length < 2}
                onClick={() => input.history.player?.repeat()}
              >
                ↻
              </button>
            )}
            <UndoButton table={table} input={input} keys={keys} />
            <button
              type="button"
              class="button small square"
              aria-label={say('key-turn-board')}
              aria-pressed={input.turned.value}
              title={`${say('key-turn-board')} (${keyLabel(keys['turn-board'])})`}
              onClick={() => input.turnBoard()}
            >
              ⇅
            </button>
            {table.you.value !== null && table.kind !== 'replay' && (
              <button
                type="button"
                class="button small square threat-toggle"
                aria-label={say('threat')}
                aria-pressed={input.threatOn.value}
                title={`${say('key-threat')} (${keyLabel(keys.threat)})`}
                onClick={() => input.showThreat(!input.threatOn.value)}
              >
                ⚠
              </button>
            )}
          </div>
        </div>
        <div class="board-place">
          <BoardView
            table={table}
            input={input}
            holder={holder}
            onSettled={onSettled}
            onSound={playSound}
          />
          <TipCard table={table} input={input} />
        </div>
        {table.replay ? (
          <ReplayBar table={table} controls={table.replay} onShow={openTable} />
        ) : (
          <Dock table={table} input={input} keys={keys} />
        )}
      </div>
      <aside class="facts">
        <UnitPanel table={table} input={input} />
        <div class={`tabs panel-tabs${talk.length > 1 ? '' : ' lone'}`} role="tablist">
          {(['teams', ...talk] satisfies Panel[]).map((name) => (
            <button
              type="button"
              role="tab"
              class={`tab-${name}`}
              aria-selected={panel === name}
              onClick={() => setPanel(name)}
            >
              {say(name)}
              {name === 'chat' && <UnreadBadge count={unread} />}
            </button>
          ))}
        </div>
        {panel === 'chat' ? (
          <ChatPanel table={table} />
        ) : panel === 'report' && table.replay ? (
          <ReportTab table={table} controls={table.replay} />
        ) : panel === 'notes' && table.replay ? (
          <NotesTab table={table} controls={table.replay} />
        ) : (
          <LogPanel table={table} input={input} />
        )}
        {table.kind !== 'replay' && table.you.value !== null && <CommandLine input={input} />}
      </aside>
    </div>
  );
}

/** Hides everything until the device has changed hands. */
function Curtain({ table, seat }: { table: Table; seat: Seat }) {
  const name = seatName(table, seat);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => button.current?.focus(), [seat]);
  return (
    <main id="content" tabIndex={-1} class={`curtain seat-${seat}${redFirst(table.about.value.game)}`}>
      <div class="panel stack">
        <h1>
          <i class="seat-mark" aria-hidden="true" /> {say('curtainTitle', name)}
        </h1>
        <p class="lead">{say('curtainText')}</p>
        <button
          ref={button}
          type="button"
          class="button primary"
          onClick={() => table.liftCurtain()}
        >
          {say('curtainLift', name)}
        </button>
      </div>
    </main>
  );
}
