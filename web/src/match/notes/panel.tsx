/* panel.tsx -- the notes of a replay beside its board: what is said at this moment, what it points at, and all notes. */
import { useState } from 'preact/hooks';
import { replayed } from '../../session';
import { pointed, packNotes, TEXT_MAX, withWords, wordsOf } from '../../table/notes';
import type { ReplayControls, Table } from '../../table/table';
import { language } from '../../texts/language';
import { say } from '../../texts/match';
import { noteText } from '../../texts/notes';
import { keyLabel, loadKeys } from '../input/keys';
import { save } from '../panels/save';

/** What a note points at, for people. */
function pointWords(point: string): string {
  const [what, x, y, toX, toY] = point.split(' ');
  if (what === 'cell') return noteText('cell', `${x},${y}`);
  return what === 'arrow' ? noteText('arrow', `${x},${y} → ${toX},${toY}`) : `${x}`;
}

/** What is said and pointed at now. */
function Here({ controls }: { controls: ReplayControls }) {
  const at = controls.at.value;
  const note = controls.notes.value.find((one) => one.at === at) ?? { at };
  const keys = loadKeys(localStorage);
  return (
    <>
      <label class="field">
        <span>{noteText('here')}</span>
        <textarea rows={3} maxLength={TEXT_MAX / 2} value={wordsOf(note)}
          onInput={(event) => controls.note(withWords(note, event.currentTarget.value))} />
      </label>
      <ul class="plain row" aria-label={noteText('points')}>
        {(note.point ?? []).map((point) => (
          <li key={point}>
            <button type="button" class="chip" aria-label={noteText('drop', pointWords(point))}
              onClick={() => controls.note({ ...note, point: pointed(note.point ?? [], point) })}>
              {pointWords(point)} <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="soft small">{noteText('how', keyLabel(keys.mark), keyLabel(keys.arrow))}</p>
    </>
  );
}

/** The panel. */
export function NotesPanel({ table, controls }: { table: Table; controls: ReplayControls }) {
  const [told, setTold] = useState('');
  const notes = controls.notes.value;
  const file = async () => {
    const text = await table.file();
    if (text) save(`${table.about.value.game}.match.json`, text, 'application/json');
  };
  const copy = async () => {
    const packed = await packNotes(notes);
    if (packed === null) return setTold(noteText('tooLong'));
    await navigator.clipboard?.writeText(`${location.origin}/#/replay/${replayed.value}/${packed}`).catch(() => undefined);
    setTold(noteText('copied'));
  };
  return (
    <section class="talk stack notes" aria-label={say('notes')} lang={language.value}>
      <Here key={controls.at.value} controls={controls} />
      <h3>{noteText('all')}</h3>
      {notes.length === 0 && <p class="soft small">{noteText('none')}</p>}
      <ol class="plain scroll stack tight">
        {notes.map((note) => (
          <li key={note.at}>
            <button type="button" class="button small quiet" aria-current={note.at === controls.at.value || undefined} onClick={() => void controls.goto(note.at)}>
              {noteText('goTo', note.at, wordsOf(note) || noteText('only'))}
            </button>
          </li>
        ))}
      </ol>
      {notes.length > 0 && (
        <div class="row">
          <button type="button" class="button small" onClick={() => void file()}>{noteText('file')}</button>
          {replayed.value !== '' && <button type="button" class="button small" onClick={() => void copy()}>{noteText('link')}</button>}
          <span role="status" class="small">{told}</span>
        </div>
      )}
    </section>
  );
}
