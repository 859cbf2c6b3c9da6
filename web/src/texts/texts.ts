/* texts.ts -- every text of the page in one catalogue, one file for each area, each text in every language.
 *
 * A new language is one more key in each entry. Words of the games themselves come from the engine's content. */
import { signal } from '@preact/signals';
import arena from './arena';
import board from './board';
import editor from './editor';
import match from './match';
import screens from './screens';

/** The languages, and how each calls itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
/** A language of the page. */
export type Language = keyof typeof LANGUAGES;
/** One text in every language; {name} is filled in. */
export type Text = Record<Language, string>;

const catalogue = { ...arena, ...board, ...editor, ...match, ...screens };
/** A key of the catalogue. */
export type TextKey = keyof typeof catalogue;

const KEY = 'mashup.language';

function firstLanguage(): Language {
  const wanted = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return wanted in LANGUAGES ? (wanted as Language) : 'en';
}

/** The language spoken now. */
export const language = signal<Language>(firstLanguage());

/** Changes the language, and keeps it. */
export function setLanguage(wanted: Language): void {
  localStorage.setItem(KEY, wanted);
  document.documentElement.lang = wanted;
  language.value = wanted;
}

/** The text of a key, with its blanks filled in: t('people.back', { name: 'Ann' }). */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = (catalogue as Record<string, Text>)[key]?.[language.value] ?? key;
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank));
}
