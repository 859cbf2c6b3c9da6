/* words.ts -- what the fields of a document are called: the labels and meanings of the tables of fields, which the schemas print, and their
 * German, which lies in the folder of the game. */
import { language, type Language } from '../texts/language';
import type { Schema } from './schema';
import type { Json, Path } from './value';

/** German of the fields of a document by their ways, "kinds.health": label, meaning and the words to choose from. */
export type GermanFields = Record<string, [string, string, Record<string, string>?]>;

/** A field in words. */
export interface FieldWords {
  label: string;
  /** Its key in the file, which stands beside the label. */
  key: string;
  meaning: string;
  /** What a word that can be chosen means. */
  word(id: string): string;
}

/** "each-step" as words. */
export function asWords(id: string): string {
  const text = id.replaceAll(/[-_]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a field is called; numbers of rows in its way tell nothing. */
export function wordsOf(german: GermanFields, schema: Schema, path: Path): FieldWords {
  const way = path.filter((step) => typeof step === 'string');
  const key = String(way.at(-1) ?? '');
  const [label, meaning, words] = (language.value === 'de' ? german[way.join('.')] : undefined) ?? [];
  return {
    key,
    label: label ?? schema.title ?? asWords(key),
    meaning: meaning ?? schema.description ?? '',
    word: (id) => words?.[id] ?? asWords(id),
  };
}

/** What a generator of random files or one of its parameters is called; `title` is the engine's. */
export function generatorWords(german: GermanFields, parameter: string, title: string): string {
  const way = parameter === '' ? 'generator' : `generator.${parameter}`;
  return (language.value === 'de' ? german[way]?.[0] : undefined) ?? title;
}

/** The file of names that comes with a game in another language than its first. */
export const TEXTS: Record<Language, string> = { en: '.texts.json', de: 'german.texts.json' };

/** What units and pieces are called, out of the texts among the documents of a content; those it does not name, by their ids. */
export function kindName(companions: Record<string, Json>, id: string): string {
  const names = (companions[TEXTS[language.value]] as { names?: { kind?: Record<string, string> } } | undefined)?.names?.kind;
  return names?.[id] ?? asWords(id);
}
