/* log-panel.tsx -- the log in sentences with its filter, the chat, and the command line. */
import { Component } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { PHRASES, type Phrase } from '../../arena/messages';
import { settings } from '../../settings';
import { speak } from '../../speech';
import type { Table } from '../../table/table';
import { say, type MatchText } from '../../texts/match';
import { shownName, t } from '../../texts/texts';
import { completeCommand } from '../input/command';
import type { MatchInput } from '../input/match-input';
import { lineKind, lineKinds, shownLines, type LineKind, type ShownLine } from './log-lines';

const names: Record<LineKind, MatchText> = {
  fight: 'lineFight',
  move: 'lineMove',
  turn: 'lineTurn',
  thing: 'lineThing',
  table: 'lineTable',
  detail: 'lineDetail',
};

/** What a line of the log is drawn from. `go`: shows the board as it was then; null: that is not known. */
interface LineProps {
  line: ShownLine;
  shown: boolean;
  go: ((number: number) => void) | null;
}

/** One line of the log; it is drawn again only if it says something else, since most of them never change. */
class Line extends Component<LineProps> {
  override shouldComponentUpdate({ line, shown, go }: LineProps): boolean {
    const before = this.props;
    return shown !== before.shown || go !== before.go || (Object.keys(line) as (keyof ShownLine)[]).some((key) => line[key] !== before.line[key]);
  }

  override render({ line, shown, go }: LineProps) {
    const names = [line.heading && 'heading', line.strong && 'strong', line.minor && 'minor', shown && 'shown', line.kind];
    return (
      <li class={names.filter(Boolean).join(' ')}>
        {go ? (
          <button type="button" tabIndex={-1} onClick={() => go(line.number)}>
            {line.text}
          </button>
        ) : (
          line.text
        )}
      </li>
    );
  }
}

/** The log, by actions with what came of them; a click shows the board as it was after one. Screen readers hear what matters of each new
 * position. */
export function LogPanel({ table, input }: { table: Table; input: MatchInput }) {
  const { history } = input;
  const [on, setOn] = useState<ReadonlySet<LineKind>>(
    () => new Set(lineKinds.filter((kind) => kind !== 'detail')),
  );
  const box = useRef<HTMLOListElement>(null);
  const lines = shownLines(table.log.value, on);
  /* Of what this game has not had there is nothing to filter. */
  const there = new Set(table.log.value.map(lineKind));
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length, lines[lines.length - 1]?.key]);
  /* Where the log is below the board, the board comes into sight that shows what a line tells of. */
  const go = useCallback((number: number) => {
    history.go(number);
    scrollTo(0, 0);
  }, [history]);
  const toggle = (kind: LineKind) => {
    const next = new Set(on);
    if (!next.delete(kind)) next.add(kind);
    setOn(next);
  };
  return (
    <section class="talk" aria-label={say('log')}>
      <div class="filters" role="group" aria-label={say('log')}>
        {lineKinds.filter((kind) => there.has(kind)).map((kind) => (
          <button
            type="button"
            class="chip"
            aria-pressed={on.has(kind)}
            onClick={() => toggle(kind)}
          >
            {say(names[kind])}
          </button>
        ))}
      </div>
      <ol class="log scroll" ref={box} tabIndex={0} aria-label={say('log')}>
        {lines.map((line) => (
          <Line key={line.key} line={line} shown={history.shown(line.number)} go={history.known(line.number) ? go : null} />
        ))}
      </ol>
    </section>
  );
}

/** What players and watchers say to each other. */
export function ChatPanel({ table }: { table: Table }) {
  const [text, setText] = useState('');
  const box = useRef<HTMLOListElement>(null);
  const { mute } = settings;
  const lines = table.chat.value.filter(({ seat }) => !mute.value || (seat !== null && seat === table.you.value));
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  const send = (event: Event) => {
    event.preventDefault();
    const line = text.trim();
    if (line === '') return;
    setText('');
    void table.say(line.slice(0, 280));
  };
  return (
    <section class="talk" aria-label={say('chat')}>
      <ol class="log scroll" ref={box} tabIndex={0} aria-label={say('chat')}>
        {lines.length === 0 && <li class="soft">{say('chatEmpty')}</li>}
        {lines.map((line) => (
          <li class={`seat-${line.seat ?? 'none'}`}>
            <b>{shownName(line.name)}</b> {line.phrase && PHRASES.includes(line.phrase) ? say(`phrase-${line.phrase}`) : line.text}
          </li>
        ))}
      </ol>
      <div class="row phrases">
        <select
          aria-label={say('phrases')}
          value=""
          onChange={(event) => {
            const { value } = event.currentTarget;
            event.currentTarget.value = '';
            if (value) void table.sayPhrase(value as Phrase);
          }}
        >
          <option value="">{say('phrases')}</option>
          {PHRASES.map((phrase) => (
            <option value={phrase}>{say(`phrase-${phrase}`)}</option>
          ))}
        </select>
        <label class="switch small">
          <input type="checkbox" checked={mute.value} onChange={(event) => { mute.value = event.currentTarget.checked; }} /> {say('mute')}
        </label>
      </div>
      {table.about.value.phrasesOnly ? <p class="soft small">{t('match.phrases')}</p> : <form class="say" onSubmit={send}>
        <input
          type="text"
          id="chat-line"
          value={text}
          maxLength={280}
          autocomplete="off"
          placeholder={say('chatPlaceholder')}
          aria-label={say('chatPlaceholder')}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button class="button small" type="submit">
          {say('send')}
        </button>
      </form>}
    </section>
  );
}

/** A line to type actions into, with what may come next. */
export function CommandLine({ input }: { input: MatchInput }) {
  const [line, setLine] = useState('');
  const [answer, setAnswer] = useState('');
  const position = input.table.position.value;
  const field = useRef<HTMLInputElement>(null);
  const able = input.actions.value.length > 0;
  const candidates = position && able ? completeCommand(position, input.actions.value, line, 8) : [];
  const send = async (event: Event) => {
    event.preventDefault();
    const outcome = await input.type(line);
    if (outcome === 'done' || outcome === 'asked') setLine('');
    const told =
      outcome === 'several' ? say('commandSeveral')
      : outcome !== 'unknown' ? ''
      : able ? (input.message.value ?? say('commandUnknown', line.trim()))
      : say('commandNotNow');
    setAnswer(told);
    speak(told);
  };
  const take = (text: string) => {
    setLine(text);
    field.current?.focus();
  };
  const key = (event: KeyboardEvent) => {
    const first = candidates[0];
    if (
      event.key === 'Tab' &&
      !event.shiftKey &&
      line !== '' &&
      first &&
      first.trim() !== line.trim()
    ) {
      event.preventDefault();
      take(first);
    } else if (event.key === 'Escape') field.current?.blur();
  };
  return (
    <form class="command" onSubmit={(event) => void send(event)}>
      <label class="visually-hidden" for="command-line">
        {say('commandLabel')}
      </label>
      <span class="prompt" aria-hidden="true">
        ›
      </span>
      <input
        ref={field}
        id="command-line"
        type="text"
        value={line}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="off"
        placeholder={input.actions.value[0]?.word ?? ''}
        onKeyDown={key}
        onInput={(event) => {
          setLine(event.currentTarget.value);
          setAnswer('');
        }}
      />
      <span class="command-more">
        {line !== '' &&
          candidates
            .filter((text) => text !== line)
            .slice(0, 5)
            .map((text) => (
              <button type="button" class="chip" tabIndex={-1} onClick={() => take(text)}>
                {text.trim()}
              </button>
            ))}
        <span class="small">{answer}</span>
      </span>
    </form>
  );
}
