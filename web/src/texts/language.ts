/* language.ts -- the language of the page. Whoever reads it while drawing is drawn anew when it changes. */
import '../embedded';
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

/** Is the page used with fingers, so that nothing is clicked? */
const byTouch = globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false;
const TAPPED: Record<Language, [RegExp, string][]> = {
  en: [[/\bClick\b/g, 'Tap'], [/\bclick\b/g, 'tap'], [/\bPoint at\b/g, 'Tap']],
  de: [[/\bZeige auf eine Figur\b/g, 'Tippe eine Figur an'], [/\bNoch ein Klick:/g, 'Tippe noch einmal:'], [/\bein zweiter Klick\b/g, 'ein zweites Tippen'], [/\bKlicke\b/g, 'Tippe'], [/\bklicke\b/g, 'tippe']],
};

/** A text as it is for who has a finger and no mouse, if that is so here. */
export function tapped(text: string, touch = byTouch): string {
  return touch ? TAPPED[language.value].reduce((now, [click, tap]) => now.replace(click, tap), text) : text;
}

/** A text in the language spoken now. */
export function spoken(text: Record<Language, string>): string {
  return tapped(text[language.value]);
}
