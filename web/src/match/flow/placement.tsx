/* placement.tsx -- an army is placed on the board: by drag, by click, or by keys; ready-made
 * set-ups fill the whole zone. Nothing is sent before the player says that all is ready. */
import { effect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Stage } from '../../board/stage';
import { otherSeat, type Position } from '../../model';
import type { Table } from '../../table/table';
import { described } from '../../texts/descriptions';
import { howToFor } from '../../texts/howto';
import { gamePage } from '../../games';
import { spoken } from '../../texts/language';
import { say } from '../../texts/match';
import { seatName, turnWords } from '../panels/status-bar';
import type { Keys } from '../input/keys';
import type { MatchInput } from '../input/match-input';
import {
  isComplete,
  drawn,
  fill,
  layOut,
  leftOf,
  lift,
  put,
  shift,
  stockOf,
  wordsOf,
  zoneOf,
  type Draft,
  type Stock,
} from './placement-layouts';
import { Picture } from '../panels/portrait';
import { UndoButton } from '../panels/undo-button';

/** What is in the player's fingers: a kind from the hand, or a piece on the board. */
type Held = { thing: string; from: string | null } | null;

/** The placement. */
export function PlacementScreen({ table, input, keys }: { table: Table; input: MatchInput; keys: Keys }) {
  const position = table.position.value as Position;
  const actions = input.actions.value;
  const zone = useMemo(() => zoneOf(actions), [actions]);
  const stock = useMemo(() => stockOf(position), [position]);
  const [draft, setDraft] = useState<Draft>(new Map());
  const [held, setHeld] = useState<Held>(null);
  const [sending, setSending] = useState(false);
  const [looked, setLooked] = useState<string | null>(null);
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<Stage | null>(null);
  const open = zone.size > 0;
  const all = open && isComplete(stock, draft);
  const left = stock.reduce((sum, entry) => sum + leftOf(stock, draft, entry.thing), 0);

  const cellRef = useRef<(x: number, y: number) => void>(() => undefined);
  cellRef.current = (x, y) => {
    const cell = `${x},${y}`;
    if (held?.from) {
      setDraft(held.from === cell ? lift(draft, cell) : shift(draft, zone, held.from, cell));
      return setHeld(null);
    }
    if (held) {
      const next = put(draft, zone, stock, held.thing, x, y);
      setDraft(next);
      return setHeld(leftOf(stock, next, held.thing) > 0 ? held : null);
    }
    const thing = draft.get(cell);
    if (thing !== undefined) setHeld({ thing, from: cell });
  };

  /* The board is there as soon as its place is: the first drag or click finds it. */
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const made = new Stage(host.current, {
      game: table.about.value.game,
      onCell: (x, y) => cellRef.current(x, y),
      motion: false,
    });
    stage.current = made;
    const stop = effect(() => made.turn(input.turned.value));
    return () => {
      stop();
      stage.current = null;
      made.destroy();
    };
  }, []);
  useLayoutEffect(() => {
    stage.current?.show(open ? drawn(position, draft) : position);
    const free = [...zone].filter((cell) => held !== null || !draft.has(cell));
    stage.current?.mark(
      sending
        ? []
        : free.map((cell) => {
            const [x, y] = cell.split(',').map(Number);
            return { x: x ?? 0, y: y ?? 0, kind: 'place', label: held?.from === cell ? '✕' : '' };
          }),
    );
  }, [position, draft, held, zone, sending]);

  const send = async () => {
    setSending(true);
    setHeld(null);
    const ready = actions.some((action) => action.verb === 'ready');
    await input.performAll(ready ? ['ready'] : [...wordsOf(draft), 'ready']);
    setSending(false);
  };
  const drop = (event: PointerEvent, thing: string) => {
    const box = host.current?.getBoundingClientRect();
    const cell = box && stage.current?.view.at(event.clientX - box.left, event.clientY - box.top);
    if (cell) setDraft(put(draft, zone, stock, thing, cell.x, cell.y));
    if (cell) setHeld(null);
  };

  const placed = actions.some((action) => action.verb === 'ready');
  const you = table.you.value;
  if (!open && !placed)
    return (
      <div class="placement waiting">
        <div class="placement-board" ref={host} />
        <section class="hand">
          <h1>{you === null ? position.board.phase : say('waitTitle')}</h1>
          <p class="soft">{you === null ? turnWords(table, position) : say('waitOther', seatName(table, otherSeat(you)))}</p>
          <div class="row">
            <UndoButton table={table} input={input} keys={keys} worded />
          </div>
        </section>
      </div>
    );
  return (
    <div class="placement">
      <div class="placement-board" ref={host} />
      <section class="hand" aria-label={say('placeHand')}>
        <h1>{say('placeTitle')}</h1>
        <p class="soft">{all || placed ? say('placeDone') : say('placeText')}</p>
        <p class="small soft">{howToFor(table.about.value.game)?.hints?.[position.board.phase_id]}</p>
        {input.message.value && (
          <p class="notice bad" role="alert">
            {input.message.value}
          </p>
        )}
        <div class="row" role="group" aria-label={say('layouts')}>
          {(gamePage(table.about.value.game)?.layouts ?? []).map((layout) => {
            const laid = layOut(layout, position, zone);
            return (
              laid && (
                <button
                  type="button"
                  class="button small"
                  disabled={sending}
                  data-layout={layout.id}
                  onClick={() => {
                    setHeld(null);
                    setDraft(laid);
                  }}
                >
                  {spoken(layout.name)}
                </button>
              )
            );
          })}
          <button
            type="button"
            class="button small"
            disabled={sending || left === 0}
            onClick={() => setDraft(fill(draft, zone, stock, (n) => Math.floor(Math.random() * n)))}
          >
            {say('placeRandom')}
          </button>
          <button
            type="button"
            class="button small quiet"
            disabled={sending || draft.size === 0}
            onClick={() => {
              setHeld(null);
              setDraft(new Map());
            }}
          >
            {say('placeClear')}
          </button>
        </div>
        <About table={table} entry={stock.find(({ thing }) => thing === (looked ?? held?.thing))} />
        <div class="pieces" role="group" aria-label={say('placeHand')}>
          {stock.map((entry) => (
            <Piece
              entry={entry}
              left={leftOf(stock, draft, entry.thing)}
              you={you}
              held={held?.from === null && held.thing === entry.thing}
              disabled={sending}
              onLook={(on) => setLooked(on ? entry.thing : null)}
              onPress={() =>
                setHeld(
                  held?.thing === entry.thing && held.from === null
                    ? null
                    : { thing: entry.thing, from: null },
                )
              }
              onDrop={(event) => drop(event, entry.thing)}
            />
          ))}
        </div>
        <div class="row apart hand-end">
          <span class="small soft">
            {sending ? say('placeSending') : left > 0 ? say('placeLeft', left) : ''}
          </span>
          <button
            type="button"
            class="button primary"
            disabled={sending || !(all || placed)}
            onClick={() => void send()}
          >
            {say('placeReady')}
          </button>
        </div>
      </section>
    </div>
  );
}

/* "power 12"; '' = it has no value. */
function worth(entry: Stock): string {
  return entry.values.map(({ name, now }) => `${name} ${now}`).join(', ');
}

/* What the piece in hand (or under the pointer) is worth and can do. */
function About({ table, entry }: { table: Table; entry: Stock | undefined }) {
  const words = described(table.about.value.content, 'kind', entry?.thing);
  return (
    <p class="piece-about small" role="status">
      {entry ? (
        <>
          <b>{entry.kind}</b> {words || worth(entry)}
        </>
      ) : (
        <span class="soft">{say('placeAbout')}</span>
      )}
    </p>
  );
}

/** A kind of piece in the hand, with how many are left. */
function Piece({
  entry,
  left,
  you,
  held,
  disabled,
  onLook,
  onPress,
  onDrop,
}: {
  entry: Stock;
  left: number;
  you: 0 | 1 | null;
  held: boolean;
  disabled: boolean;
  onLook: (on: boolean) => void;
  onPress: () => void;
  onDrop: (event: PointerEvent) => void;
}) {
  const [drag, setDrag] = useState<{ x: number; y: number } | null>(null);
  const from = useRef<{ x: number; y: number } | null>(null);
  return (
    <button
      type="button"
      class={`piece${held ? ' held' : ''}${left === 0 ? ' empty' : ''}`}
      aria-pressed={held}
      disabled={disabled || left === 0}
      data-piece={entry.thing}
      onClick={onPress}
      onPointerEnter={() => onLook(true)}
      onPointerLeave={() => onLook(false)}
      onFocus={() => onLook(true)}
      onBlur={() => onLook(false)}
      onPointerDown={(event) => {
        from.current = { x: event.clientX, y: event.clientY };
      }}
      onPointerMove={(event) => {
        const begin = from.current;
        if (!begin || event.buttons === 0) return;
        if (!drag && Math.hypot(event.clientX - begin.x, event.clientY - begin.y) < 8) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ x: event.clientX, y: event.clientY });
      }}
      onPointerUp={(event) => {
        if (drag) onDrop(event);
        from.current = null;
        setDrag(null);
      }}
      onPointerCancel={() => {
        from.current = null;
        setDrag(null);
      }}
    >
      <Picture kind={entry.thing} seat={you} size={36} />
      <span class="piece-name">
        {entry.kind}
        <small class="soft">{worth(entry)}</small>
      </span>
      <span class="badge">{left}</span>
      {drag && (
        <span class="piece-ghost" style={{ left: `${drag.x}px`, top: `${drag.y}px` }}>
          <Picture kind={entry.thing} seat={you} size={48} />
        </span>
      )}
    </button>
  );
}
