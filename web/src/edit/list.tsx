/* list.tsx -- the editors' front room: own documents, new ones, and files that are brought in. */
import { useEffect, useState } from 'preact/hooks';
import { allGames, sharedEngine } from '../engine/engine';
import { Sure } from '../match/panels/dialog';
import { go, href, replace } from '../router';
import { Choice, Screen, Trouble, useDoing, usePromise } from '../screens/parts';
import { spoken } from '../texts/language';
import { tell } from '../texts/edit';
import { t } from '../texts/texts';
import { EditorScreen } from './editor';
import { addFile, download, dropFile, freeName, ownFiles, unpackFile, type OwnFile } from './files';
import { revisionOf } from './history';
import { KINDS, kindOf, recognise, type Kind } from './kinds';

const FILE_BYTES_MAX = 1 << 20;

/** Takes files in; the id of the last one. */
async function bringIn(files: Iterable<File>): Promise<string | null> {
  let last: string | null = null;
  for (const file of files) {
    if (file.size > FILE_BYTES_MAX) throw new Error(tell('edit.too.long', { name: file.name }));
    const text = await file.text();
    const kind = recognise(file.name, revisionOf(text).value);
    if (!kind) throw new Error(tell('edit.unknown', { name: file.name }));
    last = addFile(kind.id, freeName(file.name, kind.ending), text);
  }
  return last;
}

/** Begins a file of a kind from one that comes with the game. */
function NewFile({ kind }: { kind: Kind }) {
  const names = usePromise(async () => {
    const all = new Set<string>();
    const game = (await allGames()).find(({ id }) => id === kind.game);
    for (const preset of game?.presets ?? [])
      for (const name of await sharedEngine().call('documentNames', { game: kind.game, preset: preset.id })) if (name.endsWith(kind.ending)) all.add(name);
    return [...all];
  }, [kind]).value ?? [kind.first];
  const [chosen, choose] = useState(kind.first);
  const doing = useDoing();
  const make = () => doing.run(async () => {
    const text = await sharedEngine().call('document', { game: kind.game, name: chosen });
    go('editor', addFile(kind.id, freeName(`my-${chosen}`, kind.ending), text));
  });
  return (
    <article class="panel stack">
      <h3>{spoken(kind.title)}</h3>
      <Choice label={tell('edit.from')} value={chosen} onChoose={(name) => choose(name)} all={names.map((name): [string, string] => [name, name.replace(kind.ending, '')])} />
      <button type="button" class="button primary" disabled={doing.busy} data-kind={kind.id} aria-label={`${tell('edit.new')}: ${spoken(kind.title)}`} onClick={make}>{tell('edit.new')}</button>
      <Trouble error={doing.error} />
    </article>
  );
}

/** One kept file: open, copy, export, delete. */
function FileRow({ file, onDrop }: { file: OwnFile; onDrop(): void }) {
  const kind = kindOf(file.kind);
  return (
    <li class="row panel">
      <a class="file-name" href={href('editor', file.id)}>{file.name}</a>
      <span class="soft small">{kind ? spoken(kind.title) : file.kind} · {new Date(file.changed).toLocaleString()}</span>
      <button type="button" class="button small" onClick={() => go('editor', addFile(file.kind, freeName(file.name, kind?.ending ?? '.json'), file.text))}
        aria-label={tell('edit.copy.of', { name: file.name })}>{tell('edit.copy')}</button>
      <button type="button" class="button small" onClick={() => download(file.name, file.text)} aria-label={tell('edit.export.of', { name: file.name })}>{tell('edit.export')}</button>
      <button type="button" class="button small danger" onClick={onDrop} aria-label={tell('edit.delete.of', { name: file.name })}>{tell('edit.delete')}</button>
    </li>
  );
}

/** All kept files, new ones, and a place to drop files. */
function ListScreen() {
  const games = usePromise(allGames, []).value ?? [];
  const doing = useDoing();
  const [over, setOver] = useState(false);
  const [dropping, drop] = useState<OwnFile | null>(null);
  const take = (files: FileList | null | undefined) => files && doing.run(async () => {
    const id = await bringIn(files);
    if (id) go('editor', id);
  });
  return (
    <Screen title={tell('edit.title')} wide>
      <p class="lead">{tell('edit.lead')}</p>
      <label class={`panel drop${over ? ' over' : ''}`} onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
        onDrop={(event) => { event.preventDefault(); setOver(false); take(event.dataTransfer?.files); }}>
        <span>{tell('edit.import')}</span>
        <input class="visually-hidden" type="file" multiple accept=".json,application/json" aria-label={tell('edit.import')}
          onChange={(event) => take(event.currentTarget.files)} />
        <span class="button" aria-hidden="true">{t('replays.choose')}</span>
      </label>
      <Trouble error={doing.error} />
      <h2>{tell('edit.own')}</h2>
      {ownFiles.value.length === 0 ? <p class="soft">{tell('edit.own.none')}</p>
        : <ul class="stack plain">{ownFiles.value.map((file) => <FileRow key={file.id} file={file} onDrop={() => drop(file)} />)}</ul>}
      {games.map((game) => {
        const kinds = KINDS.filter((kind) => kind.game === game.id);
        return kinds.length === 0 ? null : (
          <section key={game.id} class="stack"><h2>{game.title}</h2><div class="tiles">{kinds.map((kind) => <NewFile key={kind.id} kind={kind} />)}</div></section>
        );
      })}
      {dropping && <Sure title={tell('edit.delete')} text={tell('edit.delete.sure', { name: dropping.name })} yes={tell('edit.delete')} no={t('app.back')}
        onYes={() => { dropFile(dropping.id); drop(null); }} onClose={() => drop(null)} />}
    </Screen>
  );
}

/** Opens the file that a link carries. */
function OpenLink({ packed }: { packed: string }) {
  const [bad, setBad] = useState(false);
  useEffect(() => {
    void unpackFile(packed).then((file) => {
      const kind = file && kindOf(file.kind);
      if (!file || !kind) return setBad(true);
      replace('editor', addFile(kind.id, freeName(file.name, kind.ending), file.text));
    });
  }, [packed]);
  return (
    <Screen title={tell('edit.title')}>
      {bad ? <p class="notice bad" role="alert">{tell('edit.bad.link')}</p> : <p>{t('app.loading')}</p>}
      <a class="button" href={href('editor')}>{tell('edit.title')}</a>
    </Screen>
  );
}

/** Everything behind #/editor. */
export default function Editors({ what, more }: { what: string; more: string }) {
  if (what === 'open') return <OpenLink packed={more} />;
  return what ? <EditorScreen key={what} id={what} /> : <ListScreen />;
}
