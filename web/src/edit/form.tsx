/* form.tsx -- fields out of a schema: numbers with limits, words, choices, switches, parts and lists of parts. */
import { useId } from 'preact/hooks';
import type { Problem } from '../model';
import { FACES } from '../art/faces';
import { t } from '../texts/texts';
import { problemsAt, type Findings } from './check';
import { Rows } from './rows';
import { blank, resolve, typeOf, type Schema } from './schema';
import { isObject, type Json, type Path } from './value';

/** What every field knows of its document. */
export interface Sheet {
  root: Schema;
  findings: Findings;
  /** Another part there; undefined takes it away. */
  change(path: Path, part: Json | undefined): void;
}

/** A field or a part of the document, and where. */
export interface PartProps {
  sheet: Sheet;
  schema: Schema;
  value: Json | undefined;
  path: Path;
  label: string;
  /** It may be left out. */
  optional?: boolean;
  /** Without label and hint, as in a table. */
  bare?: boolean;
}

/** What is wrong with a field, below it. */
function Complaints({ problems, id }: { problems: Problem[]; id: string }) {
  if (problems.length === 0) return null;
  return <span class="complaint" id={id}>{problems.map(({ reason }) => reason).join(' ')}</span>;
}

/** The least and the greatest value of a number, for its label. */
function limits(schema: Schema): string {
  if (typeOf(schema) !== 'integer') return '';
  return schema.minimum !== undefined && schema.maximum !== undefined ? ` (${schema.minimum} – ${schema.maximum})` : '';
}

/** The control that fits the type of a value. */
function Input({ sheet, schema, value, path, label, bare, id, wrong }: PartProps & { id: string; wrong: boolean }) {
  const common = { id, 'aria-invalid': wrong, 'aria-describedby': wrong ? `${id}-wrong` : undefined, ...(bare ? { 'aria-label': label } : {}) };
  switch (typeOf(schema)) {
    case 'choice':
      return (
        <select {...common} value={String(value ?? '')} onChange={(event) => sheet.change(path, event.currentTarget.value)}>
          {!schema.enum!.includes(String(value)) && <option value={String(value ?? '')}>{String(value ?? '')}</option>}
          {schema.enum!.map((word) => <option value={word}>{word}</option>)}
        </select>
      );
    case 'boolean':
      return <input {...common} type="checkbox" checked={value === true} onChange={(event) => sheet.change(path, event.currentTarget.checked)} />;
    case 'integer':
      return (
        <input {...common} type="number" min={schema.minimum} max={schema.maximum} value={typeof value === 'number' ? value : String(value ?? '')}
          onChange={(event) => {
            const text = event.currentTarget.value.trim();
            sheet.change(path, text === '' || Number.isNaN(Number(text)) ? text : Number(text));
          }} />
      );
    default:
      return (
        <>
          <input {...common} type="text" value={String(value ?? '')} maxLength={schema.maxLength} list={path.at(-1) === 'avatar' ? `${id}-list` : undefined}
            onChange={(event) => sheet.change(path, event.currentTarget.value)} />
          {path.at(-1) === 'avatar' && <datalist id={`${id}-list`}>{Object.keys(FACES).map((name) => <option value={name} />)}</datalist>}
        </>
      );
  }
}

/** A value that has no parts. */
export function Field(props: PartProps) {
  const { sheet, schema, value, path, label, optional, bare } = props;
  const id = useId();
  const problems = problemsAt(sheet.findings, path);
  const wrong = problems.length > 0;
  if (optional && value === undefined) {
    return (
      <button type="button" class="button small quiet" onClick={() => sheet.change(path, blank(sheet.root, schema))}>
        {t('edit.add.key', { name: label })}
      </button>
    );
  }
  if (bare) return <span class="cell"><Input {...props} id={id} wrong={wrong} /><Complaints problems={problems} id={`${id}-wrong`} /></span>;
  return (
    <div class={`field${wrong ? ' wrong' : ''}`}>
      <label for={id}>{label}<span class="soft small">{limits(schema)}</span></label>
      <span class="row tight">
        <span class="grow"><Input {...props} id={id} wrong={wrong} /></span>
        {optional && <button type="button" class="button small quiet" aria-label={t('edit.leave.out', { name: label })}
          onClick={() => sheet.change(path, undefined)}>✕</button>}
      </span>
      {schema.description && <small class="soft">{schema.description}</small>}
      <Complaints problems={problems} id={`${id}-wrong`} />
    </div>
  );
}

/** The fields of an object, each with the control that its schema asks for. */
function PartsOf({ sheet, schema, value, path, skip = [] }: Omit<PartProps, 'label'> & { skip?: string[] }) {
  const object = isObject(value) ? value : {};
  const required = new Set(schema.required ?? []);
  return (
    <div class="fields">
      {Object.entries(schema.properties ?? {}).filter(([key]) => !skip.includes(key)).map(([key, property]) => (
        <Part key={key} sheet={sheet} schema={resolve(sheet.root, property)} value={object[key]} path={[...path, key]} label={key}
          optional={!required.has(key)} />
      ))}
    </div>
  );
}

/** An object, without a frame. */
export const Fields = PartsOf;

/** A list of plain values, with a way to add and remove some. */
function Words({ sheet, schema, value, path, label }: PartProps) {
  const list = Array.isArray(value) ? value : [];
  const item = resolve(sheet.root, schema.items ?? {});
  return (
    <fieldset class="words">
      <legend>{label}</legend>
      {schema.description && <small class="soft">{schema.description}</small>}
      <div class="row">
        {list.map((word, i) => (
          <span class="row tight" key={i}>
            <Field sheet={sheet} schema={item} value={word} path={[...path, i]} label={`${label} ${i + 1}`} bare />
            <button type="button" class="button small quiet" aria-label={t('edit.delete.n', { n: i + 1 })}
              onClick={() => sheet.change([...path, i], undefined)}>✕</button>
          </span>
        ))}
        <button type="button" class="button small" onClick={() => sheet.change(path, [...list, blank(sheet.root, item)])}>{t('edit.add')}</button>
      </div>
      <Complaints problems={problemsAt(sheet.findings, path)} id={`${path.join('-')}-wrong`} />
    </fieldset>
  );
}

/** Any part of a document. */
export function Part(props: PartProps) {
  const { sheet, schema, value, path, label, optional } = props;
  const type = typeOf(schema);
  if (type !== 'object' && type !== 'array') return <Field {...props} />;
  if (optional && value === undefined) return <Field {...props} />;
  if (type === 'array') {
    const items = resolve(sheet.root, schema.items ?? {});
    if (typeOf(items) === 'object') return <Rows sheet={sheet} schema={schema} value={value} path={path} label={label} />;
    if (typeOf(items) === 'array') return null; /* a board: painted, not typed */
    return <Words {...props} />;
  }
  return (
    <fieldset class="part">
      <legend>{label}</legend>
      {schema.description && <small class="soft">{schema.description}</small>}
      <Complaints problems={problemsAt(sheet.findings, path)} id={`${path.join('-')}-wrong`} />
      <PartsOf sheet={sheet} schema={schema} value={value} path={path} />
      {optional && <button type="button" class="button small quiet" onClick={() => sheet.change(path, undefined)}>{t('edit.leave.out', { name: label })}</button>}
    </fieldset>
  );
}
