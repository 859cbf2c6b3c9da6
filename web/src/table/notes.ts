/* notes.ts -- notes of a replay: what is said after so many actions and what it points at, as match files (match/notes.h), links and
 * lessons (lesson/script.ts) have them: "unit h0", "cell 3 4", "cell 3 4 green", "arrow 1 4 3 4". */
import { language, type Language } from '../texts/language';

/** The colours of cells and arrows beside the usual one. */
export const COLOURS = ['green', 'red', 'blue'] as const;

/** What is said at one moment. */
export interface MatchNote {
  /** So many actions have been done. */
  at: number;
  /** One text, or one for each language; left out: the note only points. */
  text?: string | Partial<Record<Language, string>>;
  point?: string[];
}

/** A cell, or an arrow from one cell to another. */
export interface NoteMark {
  x: number;
  y: number;
  to?: { x: number; y: number };
  colour: string;
}

/** What a note of a file may be; the same as the engine's (match/notes.c). */
const POINT = /^(unit \S{1,40}|cell \d{1,2} \d{1,2}( (green|red|blue))?|arrow \d{1,2} \d{1,2} \d{1,2} \d{1,2}( (green|red|blue))?)$/;
const NOTES_MAX = 500;
const POINTS_MAX = 32;
/** The longest text, in bytes; the longest link, in letters. */
export const TEXT_MAX = 1000;
const LINK_MAX = 6000;

/** Is it a text of a note? */
function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && new TextEncoder().encode(text).length <= TEXT_MAX;
}

/** Reads one note of a file or link; null: it is none. */
function readNote(one: Partial<MatchNote> | null, length: number): MatchNote | null {
  if (typeof one !== 'object' || one === null || !Number.isInteger(one.at) || one.at! < 0 || one.at! > length) return null;
  const { at, text, point } = one;
  const texts = typeof text === 'object' && text !== null ? Object.values(text) : [text];
  if (text !== undefined && (texts.length === 0 || !texts.every(isText))) return null;
  const points = Array.isArray(point) ? point.filter((words) => typeof words === 'string' && POINT.test(words)).slice(0, POINTS_MAX) : [];
  if (text === undefined && points.length === 0) return null;
  return { at: at!, ...(text === undefined ? {} : { text }), ...(points.length > 0 ? { point: points } : {}) };
}

/** The notes of a file or a link, in order; what is no note is left out. */
export function readNotes(found: unknown, length: number): MatchNote[] {
  const notes = (Array.isArray(found) ? found : []).slice(0, NOTES_MAX).map((one) => readNote(one as MatchNote, length));
  return notes.filter((note) => note !== null).sort((one, two) => one.at - two.at);
}

/** What a note says in the language that is spoken, else in another. */
export function wordsOf({ text }: MatchNote): string {
  return typeof text === 'object' ? (text[language.value] ?? Object.values(text)[0] ?? '') : (text ?? '');
}

/** A note that says something else in the language that is spoken. */
export function withWords(note: MatchNote, words: string): MatchNote {
  const { text, ...rest } = note;
  if (typeof text !== 'object') return words === '' ? rest : { ...rest, text: words };
  const { [language.value]: _, ...others } = text;
  const texts = words === '' ? others : { ...others, [language.value]: words };
  return Object.keys(texts).length === 0 ? rest : { ...rest, text: texts };
}

/** Points at something, or no longer if the note does already. Another colour takes the place of the one before. */
export function pointed(point: readonly string[], words: string): string[] {
  const plain = (one: string) => one.replace(/ (green|red|blue)$/, '');
  const others = point.filter((one) => plain(one) !== plain(words));
  return point.includes(words) ? others : [...others, words].slice(-POINTS_MAX);
}

/** The cells and arrows among what a note points at. */
export function marksOfNote(point: readonly string[]): NoteMark[] {
  return point.flatMap((one) => {
    const [what, ...rest] = one.split(' ');
    const [x = 0, y = 0, toX = 0, toY = 0] = rest.map(Number);
    const colour = COLOURS.find((name) => name === rest.at(-1)) ?? '';
    if (what === 'cell') return [{ x, y, colour }];
    return what === 'arrow' ? [{ x, y, to: { x: toX, y: toY }, colour }] : [];
  });
}

/** A match file with these notes in place of its own. */
export function withNotes(text: string, notes: readonly MatchNote[]): string {
  const { notes: before, ...match } = JSON.parse(text) as { notes?: unknown };
  if (before === undefined && notes.length === 0) return text;
  const bare = before === undefined ? text : `${JSON.stringify(match, null, 2)}\n`;
  if (notes.length === 0) return bare;
  const lines = notes.map((note) => `    ${JSON.stringify(note)}`).join(',\n');
  return `${bare.replace(/\s*\}\s*$/, '')},\n  "notes": [\n${lines}\n  ]\n}\n`;
}

/** Bytes through a stream that makes them smaller or larger. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>)).arrayBuffer());
}

/** The notes as the part of a link; null: it would be too long. */
export async function packNotes(notes: readonly MatchNote[]): Promise<string | null> {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(notes)), new CompressionStream('deflate-raw'));
  const letters = btoa(String.fromCharCode(...bytes)).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return letters.length > LINK_MAX ? null : letters;
}

/** The notes of a link for a match of so many actions; none if it is damaged. */
export async function unpackNotes(letters: string, length: number): Promise<MatchNote[]> {
  try {
    const bytes = Uint8Array.from(atob(letters.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
    return readNotes(JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')))), length);
  } catch {
    return [];
  }
}
