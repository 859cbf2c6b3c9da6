/* answers.ts -- what the engine and the server say, in the language of the page. They say it in English, with a code where it answers a
 * request; another language has both in a catalogue of its own, which is loaded when that language is spoken. What a catalogue does not
 * have is shown as it came: a newer server may say more than this page knows. */
import { effect, signal } from '@preact/signals';
import { language, type Language } from './language';
import { t } from './texts';

/** Another language's answers by code and sentences by their English form. */
interface Catalogue {
  codes: Record<string, string>;
  sentences: Record<string, string>;
}
/** A sentence to look for: how it looks with everything filled in, and its form in the other language. */
interface Form {
  looks: RegExp;
  words: string;
}

const CATALOGUES: Partial<Record<Language, () => Promise<Catalogue>>> = { de: () => import('./german') };
const BLANK = /%[sud]/g;

const loaded = signal<{ language: Language; codes: Record<string, string>; forms: Form[] } | null>(null);

/** The sentences of a catalogue as forms, those with the most words of their own first: "%s %s: %s" is tried last. */
export function formsOf(sentences: Record<string, string>): Form[] {
  const own = (text: string) => text.replace(BLANK, '').length;
  return Object.entries(sentences).sort(([a], [b]) => own(b) - own(a)).map(([english, words]) => {
    const plain = english.split(BLANK).map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    const blanks = english.match(BLANK) ?? [];
    return { looks: new RegExp(`^${plain.map((part, at) => part + (blanks[at] === undefined ? '' : blanks[at] === '%s' ? '(.+?)' : '(-?\\d+)')).join('')}$`, 's'), words };
  });
}

/** A sentence in another language, what is filled in included; null: it is not known. */
export function translated(forms: Form[], english: string): string | null {
  for (const { looks, words } of forms) {
    const found = looks.exec(english);
    if (!found) continue;
    let at = 0;
    return words.replace(BLANK, () => {
      const filled = found[++at] ?? '';
      return translated(forms, filled) ?? filled;
    });
  }
  return null;
}

effect(() => {
  const wanted = language.value;
  void CATALOGUES[wanted]?.().then(({ codes, sentences }) => { loaded.value = { language: wanted, codes, forms: formsOf(sentences) }; }, () => {});
});

/** What is said of a code that somebody typed wrongly is meant for programs. */
const WRONG_CODE = /^(\$\.code: |not a match code$)/;

/** An answer of the engine or the server; without a code it is any sentence of theirs. */
export function answerWords(sentence: string, code?: string): string {
  if (WRONG_CODE.test(sentence)) return t('join.wrong');
  const known = loaded.value;
  if (known === null || known.language !== language.value) return sentence;
  return translated(known.forms, sentence.trim()) ?? (code === undefined ? undefined : known.codes[code]) ?? sentence;
}
