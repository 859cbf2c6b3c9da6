/* form.tsx -- fields out of a schema: numbers with limits, words, choices, switches, parts and lists of parts. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Problem } from '../model';
import { FACES } from '../art/faces';
import { answerWords } from '../texts/answers';
import { tell } from '../texts/edit';
import { problemsAt, type Findings } from './check';
import { Rows } from './rows';
import { blank, typeOf, type Schema } from './schema';
import { Typed } from './typed';
import { isObject, type Json, type Path } from './value';
import { wordsOf, type FieldWords, type GermanFields } from './words';

/** What every field knows of its document. */
export interface FormContext {
  findings: Findings;
  /** What fields are called in German. */
  german: GermanFields;
  /** Another part there; undefined takes it away. */
  change(path: Path, part: Json | undefined): void;
}

/** A field or a part of the document, and where. */
export interface FormFieldProps {
  form: FormContext;
  schema: Schema;
  value: Json | undefined;
  path: Path;
  /** What readers say where the label of the field alone tells too little, as in a table. */
  label?: string;
  /** It may be left out. */
  optional?: boolean;
  /** Without label and hint, as in a table. */
  bare?: boolean;
  /** Without hint, as in cards. */
  brief?: boolean;
}

/** The label of a field for people and, small beside it, its key in the file. */
export function LabelText({ words, children }: { words: FieldWords; children?: ComponentChildren }) {
  return <>{words.label} {children} <code class="key" aria-hidden="true">{words.key}</code></>;
}

/** What is wrong with a field, below it. */
function Complaints({ problems, id }: { problems: Problem[]; id: string }) {
  if (problems.length === 0) return null;
  return <span class="complaint" id={id}>{problems.map(({ reason }) => answerWords(reason)).join(' ')}</span>;
}

/** The least and the greatest value of a number, for its label. */
function limits(schema: Schema): string {
  if (typeOf(schema) !== 'integer') return '';
  return schema.minimum !== undefined && schema.maximum !== undefined ? `(${schema.minimum} – ${schema.maximum})` : '';
}

/** The control that fits the type of a value. */
function Input({ form: form, schema, value, path, label, bare, id, wrong, words }: FormFieldProps & { id: string; wrong: boolean; words: FieldWords }) {
  const common = { id, title: bare ? undefined : words.meaning, 'aria-invalid': wrong, 'aria-describedby': wrong ? `${id}-wrong` : undefined, ...(bare ? { 'aria-label': label ?? words.label } : {}) };
  switch (typeOf(schema)) {
    case 'choice':
      return (
        <select {...common} value={String(value ?? '')} onChange={(event) => form.change(path, event.currentTarget.value)}>
          {!schema.enum!.includes(String(value)) && <option value={String(value ?? '')}>{String(value ?? '')}</option>}
          {schema.enum!.map((word) => <option value={word}>{words.word(word)}</option>)}
        </select>
      );
    case 'boolean':
      return <input {...common} type="checkbox" checked={value === true} onChange={(event) => form.change(path, event.currentTarget.checked)} />;
    case 'integer':
      return (
        <Typed {...common} type="number" min={schema.minimum} max={schema.maximum} value={typeof value === 'number' ? value : String(value ?? '')}
          onDone={(typed) => {
            const text = typed.trim();
            form.change(path, text === '' || Number.isNaN(Number(text)) ? text : Number(text));
          }} />
      );
    default:
      return (
        <>
          <Typed {...common} type="text" value={String(value ?? '')} maxLength={schema.maxLength} list={path.at(-1) === 'avatar' ? `${id}-list` : undefined}
            onDone={(text) => form.change(path, text)} />
          {path.at(-1) === 'avatar' && <datalist id={`${id}-list`}>{Object.keys(FACES).map((name) => <option value={name} />)}</datalist>}
        </>
      );
  }
}

/** A value that has no parts. */
export function Field(props: FormFieldProps) {
  const { form: form, schema, value, path, optional, bare, brief } = props;
  const id = useId();
  const words = wordsOf(form.german, schema, path);
  const label = props.label ?? words.label;
  const problems = problemsAt(form.findings, path);
  const wrong = problems.length > 0;
  if (optional && value === undefined) {
    return (
      <button type="button" class="button small quiet add-key" aria-label={bare ? tell('edit.add.of', { name: label }) : undefined} onClick={() => form.change(path, blank(schema))}>
        {bare ? '+' : <span>{tell('edit.add.key', { name: words.label })} <code class="key" aria-hidden="true">{words.key}</code></span>}
      </button>
    );
  }
  if (bare) return <span class="cell"><Input {...props} id={id} wrong={wrong} words={words} /><Complaints problems={problems} id={`${id}-wrong`} /></span>;
  return (
    <div class={`field${wrong ? ' wrong' : ''}`}>
      <label for={id}><LabelText words={words}><span class="soft small">{limits(schema)}</span></LabelText></label>
      <span class="row tight">
        <span class="grow"><Input {...props} id={id} wrong={wrong} words={words} /></span>
        {optional && <button type="button" class="button small quiet" aria-label={tell('edit.leave.out', { name: label })}
          onClick={() => form.change(path, undefined)}>✕</button>}
      </span>
      {words.meaning && !brief && <small class="soft">{words.meaning}</small>}
      <Complaints problems={problems} id={`${id}-wrong`} />
    </div>
  );
}

/** The fields of an object, each with the control that its schema asks for. */
function FormFields({ form: form, schema, value, path, brief, skip = [] }: Omit<FormFieldProps, 'label'> & { skip?: string[] }) {
  const object = isObject(value) ? value : {};
  const required = new Set(schema.required ?? []);
  return (
    <div class="fields">
      {Object.entries(schema.properties ?? {}).filter(([key]) => !skip.includes(key)).map(([key, property]) => (
        <FormField key={key} form={form} schema={property} value={object[key]} path={[...path, key]}
          optional={!required.has(key)} brief={brief} />
      ))}
    </div>
  );
}

/** An object, without a frame. */
export const Fields = FormFields;

/** A list of plain values, with a way to add and remove some. */
function Words({ form: form, schema, value, path }: FormFieldProps) {
  const words = wordsOf(form.german, schema, path);
  const list = Array.isArray(value) ? value : [];
  const item = schema.items ?? {};
  return (
    <fieldset class="words">
      <legend><LabelText words={words} /></legend>
      {words.meaning && <small class="soft">{words.meaning}</small>}
      <div class="row">
        {list.map((word, i) => (
          <span class="row tight" key={i}>
            <Field form={form} schema={item} value={word} path={[...path, i]} label={`${words.label} ${i + 1}`} bare />
            <button type="button" class="button small quiet" aria-label={tell('edit.delete.n', { n: i + 1 })}
              onClick={() => form.change([...path, i], undefined)}>✕</button>
          </span>
        ))}
        <button type="button" class="button small" onClick={() => form.change(path, [...list, blank(item)])}>{tell('edit.add')}</button>
      </div>
      <Complaints problems={problemsAt(form.findings, path)} id={`${path.join('-')}-wrong`} />
    </fieldset>
  );
}

/** Any part of a document. */
export function FormField(props: FormFieldProps) {
  const { form: form, schema, value, path, optional } = props;
  const words = wordsOf(form.german, schema, path);
  const type = typeOf(schema);
  if (type !== 'object' && type !== 'array') return <Field {...props} />;
  if (optional && value === undefined) return <Field {...props} />;
  if (type === 'array') {
    const items = schema.items ?? {};
    if (typeOf(items) === 'object') return <Rows form={form} schema={schema} value={value} path={path} />;
    if (typeOf(items) === 'array') return null; /* a board: painted, not typed */
    return <Words {...props} />;
  }
  return (
    <fieldset class="part">
      <legend><LabelText words={words} /></legend>
      {words.meaning && <small class="soft">{words.meaning}</small>}
      <Complaints problems={problemsAt(form.findings, path)} id={`${path.join('-')}-wrong`} />
      <FormFields form={form} schema={schema} value={value} path={path} />
      {optional && <button type="button" class="button small quiet" onClick={() => form.change(path, undefined)}>{tell('edit.leave.out', { name: words.label })}</button>}
    </fieldset>
  );
}
