/* raw.tsx -- the document as text, with line numbers and the problems at their lines. */
import { useEffect, useRef } from 'preact/hooks';
import type { Problem } from '../model';
import { answerWords } from '../texts/answers';
import { tell } from '../texts/edit';

/** The text; `goto` is a line to show. */
export function Raw({ text, problems, goto, onType }: { text: string; problems: Problem[]; goto: number | null; onType(text: string): void }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const lines = text.split('\n');
  const wrong = new Map(problems.map((problem) => [problem.line, answerWords(problem.reason)]));
  useEffect(() => {
    const box = area.current;
    if (!box || goto === null) return;
    const start = lines.slice(0, goto - 1).reduce((sum, row) => sum + row.length + 1, 0);
    box.focus();
    box.setSelectionRange(start, start + (lines[goto - 1]?.length ?? 0));
    box.scrollTop = (box.scrollHeight / Math.max(1, lines.length)) * Math.max(0, goto - 6);
  }, [goto]);
  return (
    <div class="raw">
      <pre ref={gutter} class="raw-lines" aria-hidden="true">
        {lines.map((_, i) => <span class={wrong.has(i + 1) ? 'wrong' : ''} title={wrong.get(i + 1)}>{i + 1}{wrong.has(i + 1) ? ' ●' : '  '}{'\n'}</span>)}
      </pre>
      <textarea ref={area} class="raw-text" aria-label={tell('edit.raw')} spellcheck={false} wrap="off" value={text}
        onInput={(event) => onType(event.currentTarget.value)}
        onScroll={(event) => { if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop; }} />
    </div>
  );
}
