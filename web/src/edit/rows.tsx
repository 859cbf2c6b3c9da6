/* rows.tsx -- a list of things that are alike: as a table or as cards; add, copy, delete, sort, random values. */
import { useState } from 'preact/hooks';
import { Picture } from '../match/panels/portrait';
import { answerWords } from '../texts/answers';
import { t } from '../texts/texts';
import { problemsAt } from './check';
import { Field, Fields, type FormContext } from './form';
import { blank, randomRow, typeOf, type Schema } from './schema';
import { isObject, type Json, type JsonObject, type Path } from './value';

/** What a table of like objects needs: where it stands, and its schema. */
interface RowsProps {
  form: FormContext;
  schema: Schema;
  value: Json | undefined;
  path: Path;
  label: string;
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
export function Rows({ form, schema, value, path, label }: RowsProps) {
  const [cards, setCards] = useState(false);
  const [sorted, setSorted] = useState<{ key: string; up: boolean } | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const rows = (Array.isArray(value) ? value : []).map((row) => (isObject(row) ? row : {}));
  const items = schema.items ?? {};
  const all = Object.entries(items.properties ?? {});
  const plain = all.filter(([, part]) => typeOf(part) !== 'object' && typeOf(part) !== 'array');
  const deep = all.length > plain.length;
  const required = new Set(items.required ?? []);
  const properties = Object.fromEntries(all);

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
      <button type="button" class="button small quiet" onClick={() => copy(i)} aria-label={t('edit.copy.of', { name: nameOf(rows[i]!, i) })}><CopySign /></button>
      <button type="button" class="button small quiet" onClick={() => shuffle(i)} aria-label={t('edit.random.of', { name: nameOf(rows[i]!, i) })}>⚄</button>
      {deep && !cards && <button type="button" class="button small quiet" aria-expanded={open === i} onClick={() => setOpen(open === i ? null : i)}
        aria-label={t('edit.more.of', { name: nameOf(rows[i]!, i) })}>…</button>}
      <button type="button" class="button small quiet" onClick={() => form.change([...path, i], undefined)}
        aria-label={t('edit.delete.of', { name: nameOf(rows[i]!, i) })}>✕</button>
    </span>
  );
  const whole = problemsAt(form.findings, path);

  return (
    <fieldset class="rows" data-list={path.join('.')}>
      <legend>{label} <span class="soft">({rows.length}{schema.maxItems ? ` / ${schema.maxItems}` : ''})</span></legend>
      {schema.description && <small class="soft">{schema.description}</small>}
      {whole.map(({ reason }) => <p class="complaint">{answerWords(reason)}</p>)}
      <div class="row">
        <div class="segments" role="group" aria-label={t('edit.view')}>
          <button type="button" aria-pressed={!cards} onClick={() => setCards(false)}>{t('edit.table')}</button>
          <button type="button" aria-pressed={cards} onClick={() => setCards(true)}>{t('edit.cards')}</button>
        </div>
        <button type="button" class="button small" onClick={add}>{t('edit.add')}</button>
      </div>
      {cards ? (
        <div class="tiles">
          {rows.map((row, i) => (
            <article class="panel stack" key={i} aria-label={nameOf(row, i)}>
              <header class="row"><Picture kind={String(row.avatar || nameOf(row, i))} seat={null} size={56} /><strong class="grow">{nameOf(row, i)}</strong>{tools(i)}</header>
              <Fields form={form} schema={items} value={row} path={[...path, i]} />
            </article>
          ))}
        </div>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label={label}>
          <table class="table edit-table">
            <thead>
              <tr>
                <th scope="col"><span class="visually-hidden">{t('edit.picture')}</span></th>
                {plain.map(([key, part]) => (
                  <th key={key} scope="col" aria-sort={sorted?.key === key ? (sorted.up ? 'ascending' : 'descending') : undefined}>
                    <button type="button" class="sorter" title={part.description} onClick={() => sort(key)}>{key}{sorted?.key === key ? (sorted.up ? ' ▲' : ' ▼') : ''}</button>
                  </th>
                ))}
                <th scope="col"><span class="visually-hidden">{t('edit.tools')}</span></th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, i) => [
                <tr key={i} class={problemsAt(form.findings, [...path, i], true).length > 0 ? 'wrong' : ''}>
                  <td><Picture kind={String(row.avatar || nameOf(row, i))} seat={null} size={30} /></td>
                  {plain.map(([key, part]) => (
                    <td key={key} class={typeOf(part) === 'integer' ? 'number' : ''}>
                      <Field form={form} schema={part} value={row[key]} path={[...path, i, key]} label={`${nameOf(row, i)}: ${key}`}
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
