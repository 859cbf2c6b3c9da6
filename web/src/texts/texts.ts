/* texts.ts -- every text of the page in one catalogue, one file for each area, each text in every language.
 *
 * A new language is one more key in each entry. Words of the games themselves come from the engine's content. */
import arena from './arena';
import board from './board';
import editor from './editor';
import { language, type Language } from './language';
import screens from './screens';

/** One text in every language; {name} is filled in. */
export type Text = Record<Language, string>;

const catalogue = { ...arena, ...board, ...editor, ...screens };
/** A key of the catalogue. */
export type TextKey = keyof typeof catalogue;

/** The text of a key, with its blanks filled in: t('people.back', { name: 'Ann' }). */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const text = (catalogue as Record<string, Text>)[key]?.[language.value] ?? key;
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => String(values[name] ?? blank));
}
