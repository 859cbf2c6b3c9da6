/* editor.tsx -- one open document: paint and fill in, or type; undo, problems, export, play, share. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { sharedEngine } from '../engine/engine';
import { Sure } from '../match/panels/dialog';
import type { Generator } from '../model';
import { href } from '../router';
import { Screen } from '../screens/parts';
import { allGames } from '../engine/engine';
import { answerWords } from '../texts/answers';
import { spoken } from '../texts/language';
import { tell } from '../texts/edit';
import { t } from '../texts/texts';
import type { BoardPlan } from './boards';
import { Charts } from './chart';
import { useCompanions, useFindings, type Findings } from './check';
import { changeFile, download, fileOf, keepTrouble, packFile, type OwnFile } from './files';
import { Fields, type FormContext } from './form';
import { History, revisionOf } from './history';
import { kindOf, type Kind } from './kinds';
import { CellPainter } from './painter';
import { PlayDialog } from './play';
import { Raw } from './raw';
import { unknownKeys, type Schema } from './schema';
import { Typed } from './typed';
import { at, pathText, same, withAt, type Json, type Path } from './value';
import { asWords, generatorWords, wordsOf } from './words';

/** The text of a revision; made by the engine where nobody typed it. */
async function textOf(revision: { value: Json | undefined; text: string | undefined }): Promise<string> {
  if (revision.text !== undefined) return revision.text;
  const bare = JSON.stringify(revision.value);
  return (await sharedEngine().call('format', { text: bare })) ?? `${bare}\n`;
}

/** The text of the document as it is now; the last one until the new one is made, and whether it is. */
function useText(history: History, first: string): { text: string; made: boolean } {
  const [last, set] = useState({ text: first, of: history.now });
  useEffect(() => {
    let live = true;
    void textOf(history.now).then((text) => live && set({ text, of: history.now }));
    return () => { live = false; };
  }, [history.now]);
  return { text: history.now.text ?? last.text, made: history.now.text !== undefined || last.of === history.now };
}

/** What the loader says about the file, and about others that it needs; a click goes to the line. The first problem stands in a line that
 * is always there, so that the board below does not move while one paints; the others are shown when asked for. */
function ProblemList({ findings, onGo }: { findings: Findings; onGo(line: number): void }) {
  const { own, others, pending } = findings;
  const [first, ...more] = [
    ...own.map(({ line, path, reason }) => (
      <><button type="button" class="linklike" onClick={() => onGo(line)}>{tell('edit.line', { n: line })}</button> <code>{path}</code>: {answerWords(reason)}</>
    )),
    ...others.map(({ document, reason }) => <>{tell('edit.with', { name: document })}: {answerWords(reason)}</>),
  ];
  return (
    <section class={`problems ${own.length > 0 ? 'bad' : others.length > 0 ? 'warn' : 'good'}`} aria-label={tell('edit.problems')} aria-busy={pending}>
      <div class="first-problem" role="status">
        <strong>{own.length > 0 ? tell('edit.wrong', { n: own.length }) : tell(pending ? 'edit.checking' : others.length > 0 ? 'edit.alone' : 'edit.fine')}</strong>
        {first && <span> {first}</span>}
      </div>
      {more.length > 0 && (
        <details>
          <summary>{tell('edit.problems.more', { n: more.length })}</summary>
          <ul>{more.map((one) => <li>{one}</li>)}</ul>
        </details>
      )}
    </section>
  );
}

/** Keys that the schema does not know, to drop or to keep. */
function Strangers({ kind, value, onDrop }: { kind: Kind; value: Json | undefined; onDrop(paths: Path[]): void }) {
  const [kept, keep] = useState('');
  const paths = unknownKeys(kind.schema, value);
  const names = paths.map(pathText).join(', ');
  if (paths.length === 0 || names === kept) return null;
  return (
    <div class="notice warn" role="status">
      <p>{tell('edit.strangers', { names })}</p>
      <span class="row">
        <button type="button" class="button small" onClick={() => onDrop(paths)}>{tell('edit.strangers.drop')}</button>
        <button type="button" class="button small quiet" onClick={() => keep(names)}>{tell('edit.strangers.keep')}</button>
      </span>
    </div>
  );
}

/** Makes a random file of this kind from a few parameters. */
function Dice({ kind, onMade }: { kind: Kind; onMade(text: string): void }) {
  const [generator, setGenerator] = useState<Generator | null>(null);
  const [values, setValues] = useState<Record<string, number>>({});
  const [seed, setSeed] = useState(1);
  const [trouble, setTrouble] = useState(false);
  useEffect(() => {
    void allGames().then((games) => setGenerator(games.find(({ id }) => id === kind.game)?.generators.find(({ id }) => id === kind.generator) ?? null));
  }, [kind]);
  if (!generator) return null;
  const make = async (from: number) => {
    const text = await sharedEngine().call('generate', { game: kind.game, generator: generator.id, parameters: values, seed: from });
    setTrouble(text === null);
    if (text !== null) onMade(text);
  };
  return (
    <details class="panel dice">
      <summary>{tell('edit.dice')}: {generatorWords(kind.german, '', generator.title)}</summary>
      <div class="fields">
        {generator.parameters.map(({ id, title, least, most, usual }) => (
          <label class="field" key={id}>
            <span>{generatorWords(kind.german, id, title)}: <output>{values[id] ?? usual}</output></span>
            <input type="range" min={least} max={most} value={values[id] ?? usual}
              onInput={(event) => setValues({ ...values, [id]: Number(event.currentTarget.value) })} />
          </label>
        ))}
        <label class="field">
          <span>{tell('edit.seed')}</span>
          <Typed type="number" min={0} max={4294967295} value={seed} onDone={(text) => setSeed(Math.abs(Math.round(Number(text))) >>> 0)} />
        </label>
      </div>
      <div class="row">
        <button type="button" class="button" onClick={() => void make(seed)}>{tell('edit.dice.make')}</button>
        <button type="button" class="button quiet" onClick={() => { const next = (seed + 1) >>> 0; setSeed(next); void make(next); }}>{tell('edit.dice.next')}</button>
      </div>
      {trouble && <p class="complaint" role="alert">{tell('edit.dice.none')}</p>}
    </details>
  );
}

/** What a board is called: its label and, where it is one of several, whose it is. */
function boardLabel(kind: Kind, plan: BoardPlan, value: Json): string {
  const schema = plan.path.reduce<Schema>((part, step) => (typeof step === 'number' ? part.items : part.properties?.[step]) ?? {}, kind.schema);
  const owner = at(value, [...plan.path.slice(0, -1), 'id']);
  const label = plan.keys.includes('width') ? tell('edit.board.title') : wordsOf(kind.german, schema, plan.path).label;
  return typeof owner === 'string' ? `${label}: ${asWords(owner)}` : label;
}

/** One file being edited: form or text, problems, undo, export and play. */
function OpenDocument({ file, kind }: { file: OwnFile; kind: Kind }) {
  const [history, setHistory] = useState(() => History.begin(file.text));
  const typing = useRef(false);
  const [raw, setRaw] = useState(false);
  const [goto, setGoto] = useState<number | null>(null);
  const [asked, ask] = useState<'play' | 'export' | null>(null);
  const [link, setLink] = useState('');
  const { text, made } = useText(history, file.text);
  const findings = useFindings(kind, made ? text : null);
  const companions = useCompanions(kind);
  const value = history.now.value;
  const wrong = findings.own.length;

  useEffect(() => { if (text !== fileOf(file.id)?.text) changeFile(file.id, { text }); }, [text]);

  const put = (next: Json) => {
    typing.current = false;
    if (!same(next, value)) setHistory((before) => before.then({ value: next, text: undefined }));
  };
  const type = (typed: string) => {
    setHistory((before) => (typing.current ? before.instead(revisionOf(typed)) : before.then(revisionOf(typed))));
    typing.current = true;
  };
  const undo = () => { typing.current = false; setHistory((before) => before.undo()); };
  const redo = () => { typing.current = false; setHistory((before) => before.redo()); };
  const form: FormContext = useMemo(() => ({
    findings,
    german: kind.german,
    change: (path, part) => {
      typing.current = false;
      setHistory((before) => {
        const next = withAt(before.now.value, path, part);
        return same(next, before.now.value) ? before : before.then({ value: next, text: undefined });
      });
    },
  }), [findings]);
  const exportNow = () => { ask(null); download(file.name, text); };
  const share = async () => {
    const address = new URL(href('editor', 'open', await packFile(kind.id, file.name, text)), location.href).href;
    setLink(address);
    await navigator.clipboard?.writeText(address).catch(() => {});
  };

  /* Keys mean what is shown now: what is exported is never the text of a moment ago. */
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === 'z' && !event.shiftKey) undo();
      else if (key === 'y' || (key === 'z' && event.shiftKey)) redo();
      else if (key === 's') (wrong > 0 ? ask('export') : exportNow());
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  return (
    <>
      <div class="row edit-bar">
        <label class="field grow"><span class="visually-hidden">{tell('edit.file')}</span>
          <Typed value={file.name} onDone={(text) => {
            const base = text.trim().replace(/(\.\w+)?\.json$/i, '') || 'mine';
            changeFile(file.id, { name: `${base}${kind.ending}` });
          }} /></label>
        <button type="button" class="button" disabled={!history.canUndo} onClick={undo}>{tell('edit.undo')}</button>
        <button type="button" class="button" disabled={!history.canRedo} onClick={redo}>{tell('edit.redo')}</button>
        <button type="button" class="button" onClick={() => (wrong > 0 ? ask('export') : exportNow())}>{tell('edit.export')}</button>
        <button type="button" class="button" onClick={() => void share()}>{tell('edit.share')}</button>
        <button type="button" class="button primary" disabled={wrong > 0 || findings.pending} onClick={() => ask('play')}>{tell('edit.play')}</button>
      </div>
      {link && <p class="notice good" role="status">{tell('edit.shared')} <input readOnly aria-label={tell('edit.share')} value={link} onFocus={(event) => event.currentTarget.select()} /></p>}
      {keepTrouble.value && <p class="notice bad" role="alert">{tell('edit.not.kept', { reason: keepTrouble.value })}</p>}
      <Strangers kind={kind} value={value} onDrop={(paths) => put([...paths].reverse().reduce<Json>((whole, path) => withAt(whole, path, undefined), value!))} />
      <div class="edit-state">
        <div class="tabs" role="tablist" aria-label={tell('edit.view')}>
          <button type="button" role="tab" aria-selected={!raw} onClick={() => { setRaw(false); setGoto(null); }}>{tell('edit.form')}</button>
          <button type="button" role="tab" aria-selected={raw} onClick={() => setRaw(true)}>{tell('edit.raw')}</button>
        </div>
        <ProblemList findings={findings} onGo={(line) => { setRaw(true); setGoto(line); }} />
      </div>
      {raw ? <Raw text={text} problems={findings.own} goto={goto} onType={type} />
        : value === undefined ? <p class="notice warn">{tell('edit.no.json')}</p>
          : (
            <div class="stack">
              {kind.boards.map((plan) => {
                const board = plan.read(value);
                const paints = plan.paints(value, companions);
                return board
                  ? <CellPainter key={plan.path.join('.')} label={boardLabel(kind, plan, value)} board={board} paints={paints} empty={plan.empty} sides={plan.sides}
                    onChange={(cells) => put(plan.write(value, cells))} />
                  : <p class="notice warn" key={plan.path.join('.')}>{tell('edit.no.board', { path: pathText(plan.path) })}</p>;
              })}
              <Fields form={form} schema={kind.schema} value={value} path={[]} skip={kind.boards.flatMap(({ keys }) => keys)} />
              <Charts kind={kind} value={value} />
              {kind.generator && <Dice key={kind.id} kind={kind} onMade={(made) => { typing.current = false; setHistory((before) => before.then(revisionOf(made))); }} />}
            </div>
          )}
      {asked === 'play' && <PlayDialog kind={kind} text={text} onClose={() => ask(null)} />}
      {asked === 'export' && <Sure title={tell('edit.export')} text={tell('edit.export.wrong', { n: wrong })} yes={tell('edit.export.anyway')} no={t('app.back')}
        onYes={exportNow} onClose={() => ask(null)} />}
    </>
  );
}

/** The screen of one document. */
export function EditorScreen({ id }: { id: string }) {
  const file = fileOf(id);
  const kind = file && kindOf(file.kind);
  if (!file || !kind) return <Screen title={t('app.nothing')}><a class="button" href={href('editor')}>{tell('edit.title')}</a></Screen>;
  return (
    <Screen title={spoken(kind.title)} wide>
      <p class="edit-back"><a href={href('editor')}>‹ {tell('edit.title')}</a></p>
      <OpenDocument key={id} file={file} kind={kind} />
    </Screen>
  );
}
