/* recovery-words.ts -- a secret of 128 bits as eight words that can be written down and read out in any language: each has sixteen bits as
 * consonant, vowel, consonant, vowel, consonant ("proquints"), so that no list of words is needed. */

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aiou';
/** How many words a secret has. */
export const WORDS = 8;

/** Sixteen bits as a word. */
function wordOf(bits: number): string {
  return CONSONANTS[bits >> 12]! + VOWELS[(bits >> 10) & 3]! + CONSONANTS[(bits >> 6) & 15]! + VOWELS[(bits >> 4) & 3]! + CONSONANTS[bits & 15]!;
}

/** The bits of a word; null: it is none. */
function bitsOf(word: string): number | null {
  if (word.length !== 5) return null;
  let bits = 0;
  for (const [at, letter] of [...word].entries()) {
    const value = (at % 2 === 0 ? CONSONANTS : VOWELS).indexOf(letter);
    if (value < 0) return null;
    bits = (bits << (at % 2 === 0 ? 4 : 2)) | value;
  }
  return bits;
}

/** A secret of 32 hexadecimal digits as words. */
export function wordsOf(secret: string): string[] {
  return Array.from({ length: WORDS }, (_, at) => wordOf(Number.parseInt(secret.slice(at * 4, at * 4 + 4), 16)));
}

/** What was typed: the secret, the first word that is none, or the wrong number of words. */
export type Typed = { secret: string } | { wrong: string } | { count: number };

/** The secret of words as somebody typed them: in small or capital letters, with anything between them, numbered or not. */
export function secretOf(text: string): Typed {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const wrong = words.find((word) => bitsOf(word) === null);
  if (wrong !== undefined) return { wrong };
  if (words.length !== WORDS) return { count: words.length };
  return { secret: words.map((word) => bitsOf(word)!.toString(16).padStart(4, '0')).join('') };
}
