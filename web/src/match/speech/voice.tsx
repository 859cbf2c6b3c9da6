/* voice.tsx -- tells what happens at a table to whoever hears the page; shows nothing. */
import { useEffect, useRef } from 'preact/hooks';
import { settings } from '../../settings';
import { polite, speak, urgent } from '../../speech';
import { wordsOf } from '../../table/notes';
import type { LogLine, Table } from '../../table/table';
import { say } from '../../texts/match';
import { shownName } from '../../texts/texts';
import { turnWords } from '../panels/status-bar';
import { PHRASES } from '../../arena/messages';
import { happened } from './happened';

/** What comes within this time is said together. */
const TOGETHER_MS = 250;

/** The lines that are new since the log was heard last; after a jump in a replay those of the moment that is shown. */
function newLines(table: Table, log: LogLine[], heard: number): LogLine[] {
  const last = log.at(-1);
  if (table.kind === 'replay') return log.filter(({ number }) => number === last?.number);
  return log.slice(Math.min(heard, log.length));
}

/** Says what happens, and whose turn it is. */
export function Voice({ table }: { table: Table }) {
  const log = table.log.value;
  const heard = useRef(log.length);
  const waiting = useRef<LogLine[]>([]);
  const timer = useRef(0);
  useEffect(() => {
    if (table.curtain.value === null) waiting.current.push(...newLines(table, log, heard.current));
    heard.current = log.length;
    if (waiting.current.length === 0) return;
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => speak(happened(waiting.current.splice(0), settings.verbosity.value), polite), TOGETHER_MS);
  }, [log]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const position = table.position.value;
  const mine = position !== null && !position.result && position.you !== null && position.awaited.includes(position.you);
  const turn = mine && table.kind !== 'replay' ? turnWords(table, position) : '';
  useEffect(() => speak(turn, urgent), [turn]);
  const at = table.replay?.at.value;
  const note = table.replay?.notes.peek().find((one) => one.at === at);
  useEffect(() => speak(note ? wordsOf(note) : ''), [at]);
  const chat = table.chat.value;
  const lines = useRef(chat.length);
  useEffect(() => {
    const line = chat.length > lines.current ? chat.at(-1) : undefined;
    lines.current = chat.length;
    if (!line || settings.mute.value || (line.seat !== null && line.seat === table.you.value)) return;
    speak(`${shownName(line.name)}: ${line.phrase && PHRASES.includes(line.phrase) ? say(`phrase-${line.phrase}`) : line.text}`);
  }, [chat]);
  return null;
}
