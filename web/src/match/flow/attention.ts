/* attention.ts -- tells a player who looks elsewhere that it is their turn: the tab's title and picture, a sound, a message of the system. */
import icon from '../../../icon.svg';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { clearNotifications, notify } from '../../notify';
import { playSound } from '../../sound';
import type { Table } from '../../table/table';
import { say } from '../../texts/match';
import { sharesDevice, turnWords } from '../panels/status-bar';
import { resultWords } from './end';

/** The tab's picture with a mark. */
const MARKED = `data:image/svg+xml,${encodeURIComponent(icon.replace('</svg>', '<circle cx="48" cy="16" r="15" fill="#d7263d" stroke="#fff" stroke-width="4"/></svg>'))}`;
const PLAIN = '/icon.svg';

/** Is it the turn of the one person here? Of two who share the device nobody has to be called. */
function isMine(table: Table): boolean {
  const position = table.position.value;
  if (!position || position.result || table.kind === 'replay' || sharesDevice(table)) return false;
  return position.you !== null && position.awaited.includes(position.you);
}

/** What the tab is called now: a mark if it is one's turn, whose turn it is, the game. */
export function titleOf(table: Table): string {
  const position = table.position.value;
  const { title } = table.about.value;
  const state =
    table.kind === 'replay'
      ? say('replaying')
      : position?.result
        ? resultWords(table)
        : position
          ? turnWords(table, position)
          : '';
  return (isMine(table) ? '● ' : '') + [state, title, 'Mashup'].filter(Boolean).join(' · ');
}

/** Sets the tab's picture. */
function setIcon(href: string): void {
  document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', href);
}

/** Calls the player as long as the match screen is there; the next screen sets its own title. */
export function useAttention(table: Table): void {
  const title = titleOf(table);
  const mine = isMine(table);
  const over = table.result.value !== null;
  const before = useRef({ mine, over });
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  useLayoutEffect(() => {
    setIcon(mine ? MARKED : PLAIN);
    const began = mine && !before.current.mine;
    const ended = over && !before.current.over && table.kind === 'online';
    before.current = { mine, over };
    if (began && (table.kind === 'online' || document.hidden)) playSound('mine');
    if (began || ended) void notify(ended ? resultWords(table) : say('yourTurn'), table.about.value.title);
  }, [mine, over]);
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void clearNotifications();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      setIcon(PLAIN);
    };
  }, [table]);
}
