/* rows.tsx -- a list of things that are alike: as a table where it fits, else as cards; add, copy, delete, sort, random values. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Picture } from '../match/panels/portrait';
import { answerWords } from '../texts/answers';
import { tell } from '../texts/edit';
import { problemsAt } from './check';
import { Field, Fields, LabelText, type FormContext } from './form';
import { blank, randomRow, typeOf, type Schema } from './schema';
import { isObject, type Json, type JsonObject, type Path } from './value';
import { wordsOf, type FieldWords } from './words';

/** What a table of like objects needs: where it stands, and its schema. */
interface RowsProps {
  form: FormContext;
  schema: Schema;
  value: Json | undefined;
  path: Path;
}

const PICTURE_PIXELS = 44;
const TOOL_PIXELS = 36;

/** Pixels that a column of a table needs so that its longest value and the longest word above it can be read. */
export function columnPixels(schema: Schema, words: FieldWords): number {
  const head = Math.max(...words.label.split(' ').map((word) => word.length)) * 8 + 14;
  const longest = Math.max(0, ...(schema.enum ?? []).map((word) => words.word(word).length));
  switch (typeOf(schema)) {
    case 'integer': return Math.max(head, Math.max(String(schema.maximum ?? 9999).length, String(schema.minimum ?? 0).length) * 9 + 34);
    case 'boolean': return Math.max(head, 48);
    case 'choice': return Math.max(head, longest * 8 + 52);
    default: return Math.max(head, Math.min(schema.maxLength ?? 14, 14) * 9 + 30);
  }
}

/** Is the place narrower than this? Known before it is drawn, and again whenever it changes. */
function useNarrow(host: { current: HTMLElement | null }, pixels: number): boolean {
  const [narrow, set] = useState(false);
  useLayoutEffect(() => {
    const box = host.current;
    if (!box) return;
    const look = () => set(box.clientWidth > 0 && box.clientWidth < pixels);
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    return () => watcher.disconnect();
  }, [pixels]);
  return narrow;
}

/** What a row is called. */
export function nameOf(row: JsonObject, index: number): string {
  for (const key of ['name', 'id', 'kind']) if (typeof row[key] === 'string' && row[key] !== '') return row[key];
  return String(index + 1);
}

/** A word that nobody has: the same with a number behind it, as long as the schema allows. */
function freshWord(word: string, taken: Set<Json | undefined>, most: number): string {
  const gap = /^[a-z0-9-]+$/.test(word) ? (most > 6 ? '-' : '') : /^[A-Z]\d$/.test(word) ? '' : ' ';
  const stem = word.replace(/[- ]?\d+$/, '');
  for (let i = 0; ; i++) {
    const number = `${gap}${gap === '' && most <= 2 ? i : i + 2}`;
    const made = stem.slice(0, most - number.length) + number;
    if (!taken.has(made)) return made;
  }
}

/** A copy whose names and numbers nobody has yet, where everybody has one of his own. */
function freshCopy(row: JsonObject, rows: JsonObject[], properties: Record<string, Schema>): JsonObject {
  const copy: JsonObject = { ...row };
  for (const [key, value] of Object.entries(row)) {
    const taken = new Set(rows.map((other) => other[key]));
    if (taken.size !== rows.length || !/(^(id|name|short|letter)|ID)$/.test(key)) continue;
    if (typeof value === 'number') copy[key] = Math.max(...rows.map((other) => Number(other[key]) || 0)) + 1;
    else if (typeof value === 'string' && key === 'letter')
      copy[key] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((letter) => !taken.has(letter)) ?? value;
    else if (typeof value === 'string') copy[key] = freshWord(value, taken, /^[A-Z]\d$/.test(value) ? 2 : properties[key]?.maxLength ?? 31);
  }
  return copy;
}

/** Two sheets: few fonts have such a sign. */
function CopySign() {
  return (
    <svg viewBox="0 0 20 20" width="16" height="16" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
      <rect x="2.5" y="2.5" width="10" height="10" rx="1.5" />
      <path d="M16 7.5h1.5v10h-10V16" stroke-linejoin="round" />
    </svg>
  );
}

/** The list of one array. */
export function Rows({ form, schema, value, path }: RowsProps) {
  const words = wordsOf(form.german, schema, path);
  const host = useRef<HTMLDivElement>(null);
  const [asCards, setCards] = useState(false);
  const [sorted, setSorted] = useState<{ key: string; up: boolean } | null>(null);
  /* The row whose parts are shown, or the card that is open where there is little room. */
  const [open, setOpen] = useState<number | null>(null);
  const rows = (Array.isArray(value) ? value : []).map((row) => (isObject(row) ? row : {}));
  const items = schema.items ?? {};
  const all = Object.entries(items.properties ?? {});
  const plain = all.filter(([, part]) => typeOf(part) !== 'object' && typeOf(part) !== 'array');
  const deep = all.length > plain.length;
  const required = new Set(items.required ?? []);
  const properties = Object.fromEntries(all);
  const columns = plain.map(([key, part]) => {
    const called = wordsOf(form.german, part, [...path, key]);
    return { key, part, called, pixels: columnPixels(part, called) };
  });
  const narrow = useNarrow(host, columns.reduce((sum, { pixels }) => sum + pixels, PICTURE_PIXELS + (deep ? 4 : 3) * TOOL_PIXELS));
  const cards = asCards || narrow;

  const set = (list: JsonObject[]) => form.change(path, list);
  const add = () => {
    const last = rows.at(-1);
    set([...rows, last ? freshCopy(last, rows, properties) : (blank(items) as JsonObject)]);
    setOpen(rows.length);
  };
  const copy = (i: number) => set([...rows.slice(0, i + 1), freshCopy(rows[i]!, rows, properties), ...rows.slice(i + 1)]);
  const shuffle = (i: number) => set(rows.map((row, j) => (i === j ? randomRow(items, row, rows, Math.random) : row)));
  const sort = (key: string) => {
    const up = sorted?.key === key ? !sorted.up : true;
    const order = (a: JsonObject, b: JsonObject) => {
      const [one, two] = [a[key] ?? '', b[key] ?? ''];
      const found = typeof one === 'number' && typeof two === 'number' ? one - two : String(one).localeCompare(String(two));
      return up ? found : -found;
    };
    setSorted({ key, up });
    set([...rows].sort(order));
  };
  const tools = (i: number) => (
    <span class="row tight">
      <button type="button" class="button small quiet" onClick={() => copy(i)} aria-label={tell('edit.copy.of', { name: nameOf(rows[i]!, i) })}><CopySign /></button>
      <button type="button" class="button small quiet" onClick={() => shuffle(i)} aria-label={tell('edit.random.of', { name: nameOf(rows[i]!, i) })}>⚄</button>
      {deep && !cards && <button type="button" class="button small quiet" aria-expanded={open === i} onClick={() => setOpen(open === i ? null : i)}
        aria-label={tell('edit.more.of', { name: nameOf(rows[i]!, i) })}>…</button>}
      <button type="button" class="button small quiet" onClick={() => form.change([...path, i], undefined)}
        aria-label={tell('edit.delete.of', { name: nameOf(rows[i]!, i) })}>✕</button>
    </span>
  );
  const whole = problemsAt(form.findings, path);

  return (
    <fieldset class="rows" data-list={path.join('.')}>
      <legend><LabelText words={words}><span class="soft">({rows.length}{schema.maxItems ? ` / ${schema.maxItems}` : ''})</span></LabelText></legend>
      {words.meaning && <small class="soft">{words.meaning}</small>}
      {whole.map(({ reason }) => <p class="complaint">{answerWords(reason)}</p>)}
      <div class="row" ref={host}>
        {!narrow && <div class="segments" role="group" aria-label={tell('edit.view')}>
          <button type="button" aria-pressed={!cards} onClick={() => setCards(false)}>{tell('edit.table')}</button>
          <button type="button" aria-pressed={cards} onClick={() => setCards(true)}>{tell('edit.cards')}</button>
        </div>}
        <button type="button" class="button small" onClick={add}>{tell('edit.add')}</button>
      </div>
      {cards ? (
        <div class="tiles edit-cards">
          {rows.map((row, i) => {
            const shown = !narrow || open === i;
            const wrong = problemsAt(form.findings, [...path, i], true).length > 0;
            return (
              <article class={`panel stack${wrong ? ' wrong' : ''}`} key={i} aria-label={nameOf(row, i)}>
                <header class="row">
                  <Picture kind={String(row.avatar || nameOf(row, i))} seat={null} size={narrow ? 36 : 56} />
                  {narrow ? (
                    <button type="button" class="card-opener grow" aria-expanded={shown} onClick={() => setOpen(shown ? null : i)}>{nameOf(row, i)}</button>
                  ) : <strong class="grow">{nameOf(row, i)}</strong>}
                  {tools(i)}
                </header>
                {shown && <Fields form={form} schema={items} value={row} path={[...path, i]} brief />}
              </article>
            );
          })}
        </div>
      ) : (
        <div>
          <table class="table edit-table" aria-label={words.label}>
            <colgroup>
              <col style={{ width: `${PICTURE_PIXELS}px` }} />
              {columns.map(({ key, pixels }) => <col key={key} style={{ width: `${pixels}px` }} />)}
              <col style={{ width: `${(deep ? 4 : 3) * TOOL_PIXELS}px` }} />
            </colgroup>
            <thead>
              <tr>
                <th scope="col"><span class="visually-hidden">{tell('edit.picture')}</span></th>
                {columns.map(({ key, called }) => (
                  <th key={key} scope="col" aria-sort={sorted?.key === key ? (sorted.up ? 'ascending' : 'descending') : undefined}>
                    <button type="button" class="sorter" title={called.meaning} onClick={() => sort(key)}>
                      <LabelText words={called}>{sorted?.key === key ? (sorted.up ? '▲' : '▼') : ''}</LabelText>
                    </button>
                  </th>
                ))}
                <th scope="col"><span class="visually-hidden">{tell('edit.tools')}</span></th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => [
                <tr key={i} class={problemsAt(form.findings, [...path, i], true).length > 0 ? 'wrong' : ''}>
                  <td><Picture kind={String(row.avatar || nameOf(row, i))} seat={null} size={30} /></td>
                  {columns.map(({ key, part, called }) => (
                    <td key={key} class={typeOf(part) === 'integer' ? 'number' : ''}>
                      <Field form={form} schema={part} value={row[key]} path={[...path, i, key]} label={`${nameOf(row, i)}: ${called.label}`}
                        optional={!required.has(key)} bare />
                    </td>
                  ))}
                  <td>{tools(i)}</td>
                </tr>,
                open === i && deep && (
                  <tr key={`${i}-more`}><td colSpan={plain.length + 2}>
                    <Fields form={form} schema={items} value={row} path={[...path, i]} skip={plain.map(([key]) => key)} />
                  </td></tr>
                ),
              ])}
            </tbody>
          </table>
        </div>
      )}
    </fieldset>
  );
}
