/* files.ts -- the author's own documents: kept in this browser, saved with every change, in and out as files and links. */
import { signal } from '@preact/signals';

const KEY = 'mashup.files';

/** A document of the author. */
export interface OwnFile {
  id: string;
  /** File name with its ending. */
  name: string;
  kind: string;
  text: string;
  /** When it was changed last: milliseconds since 1970. */
  changed: number;
}

/** The files that are kept in this browser; none if they cannot be read. */
function readAll(): OwnFile[] {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]') as OwnFile[];
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** All of them, the newest first. */
export const ownFiles = signal<OwnFile[]>(readAll());
/** Why they could not be kept; null: they are. */
export const keepTrouble = signal<string | null>(null);

/** Keeps the list, newest first, as far as the browser has room. */
function keep(list: OwnFile[]): void {
  ownFiles.value = list.sort((one, two) => two.changed - one.changed);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
    keepTrouble.value = null;
  } catch (error) {
    keepTrouble.value = error instanceof Error ? error.message : String(error);
  }
}

/** Another tab has changed them. */
addEventListener('storage', (event: Event) => {
  if ((event as StorageEvent).key === KEY) ownFiles.value = readAll();
});

/** A file by its id. */
export function fileOf(id: string): OwnFile | undefined {
  return ownFiles.value.find((file) => file.id === id);
}

/** A name that no other file has: "mine.scenario.json", "mine-2.scenario.json". */
export function freeName(wanted: string, ending: string): string {
  const base = wanted.endsWith(ending) ? wanted.slice(0, -ending.length) : wanted.replace(/\.json$/i, '');
  const names = new Set(ownFiles.value.map(({ name }) => name));
  for (let i = 1; ; i++) {
    const name = `${base || 'mine'}${i === 1 ? '' : `-${i}`}${ending}`;
    if (!names.has(name)) return name;
  }
}

/** Keeps a new file; its id. */
export function addFile(kind: string, name: string, text: string): string {
  const id = [...crypto.getRandomValues(new Uint32Array(2))].map((n) => n.toString(36)).join('');
  keep([{ id, name, kind, text, changed: Date.now() }, ...ownFiles.value]);
  return id;
}

/** Changes a file. */
export function changeFile(id: string, part: Partial<Pick<OwnFile, 'name' | 'text'>>): void {
  keep(ownFiles.value.map((file) => (file.id === id ? { ...file, ...part, changed: Date.now() } : file)));
}

/** Takes a file away. */
export function dropFile(id: string): void {
  keep(ownFiles.value.filter((file) => file.id !== id));
}

/** Gives a text to the person as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Sends bytes through a compressor or its reverse. */
async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const out = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

/** A file as letters that fit into an address. */
export async function packFile(kind: string, name: string, text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify([kind, name, text])), new CompressionStream('deflate-raw'));
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The file that such letters are; null: they are none. */
export async function unpackFile(packed: string): Promise<{ kind: string; name: string; text: string } | null> {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
    const [kind, name, content] = JSON.parse(text) as unknown[];
    if (typeof kind !== 'string' || typeof name !== 'string' || typeof content !== 'string') return null;
    return { kind, name, text: content };
  } catch {
    return null;
  }
}
