/* language.ts -- the language of the page. Whoever reads it while drawing is drawn anew when it changes. */
import { signal } from '@preact/signals';

/** The languages, and how each calls itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
/** A language of the page. */
export type Language = keyof typeof LANGUAGES;

const KEY = 'mashup.language';

/* What was chosen once, else what the device speaks, else English. */
function firstLanguage(): Language {
  if (typeof localStorage === 'undefined' || typeof navigator === 'undefined') return 'en';
  const wanted = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return Object.hasOwn(LANGUAGES, wanted) ? (wanted as Language) : 'en';
}

/** The language spoken now. */
export const language = signal<Language>(firstLanguage());

/** Changes the language, and keeps it. */
export function setLanguage(wanted: Language): void {
  localStorage.setItem(KEY, wanted);
  language.value = wanted;
}

const NUMBERS: Record<Language, string[]> = {
  en: ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'],
  de: ['Keine', 'Ein', 'Zwei', 'Drei', 'Vier', 'Fünf', 'Sechs', 'Sieben', 'Acht', 'Neun', 'Zehn', 'Elf', 'Zwölf'],
};

/** A number at the beginning of a sentence: a word up to twelve. */
export function numberWord(count: number): string {
  return NUMBERS[language.value][count] ?? String(count);
}

/** A text in the language spoken now. */
export function spoken(text: Record<Language, string>): string {
  return text[language.value];
}
