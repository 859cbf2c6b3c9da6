/* speech.ts -- what is said to whoever hears the page: two regions, a polite and an urgent one, for all screens.
 *
 * Answers and what happens go to the polite one, one's own turn and one's own clock to the urgent one. What happens together is one
 * sentence, longer or shorter as the person likes (`settings.verbosity`). */
import { signal } from '@preact/signals';

/** How much is said of what happens. */
export const LEVELS = ['few', 'usual', 'all'] as const;
/** One of them. */
export type Verbosity = (typeof LEVELS)[number];

/** What the two regions hold. */
export const polite = signal('');
/** See above. */
export const urgent = signal('');

/** Says something; the same once more is said once more. */
export function speak(text: string, where = polite): void {
  if (text !== '') where.value = where.peek() === text ? `${text}\u00a0` : text;
}

/** Several facts as one sentence. */
export function oneSentence(facts: string[]): string {
  const parts = facts.map((fact) => fact.trim().replace(/\.$/, '')).filter((fact) => fact !== '');
  const text = parts.map((part, at) => (at + 1 < parts.length ? part.replace(/[!?]$/, '') : part)).join('; ');
  return text === '' || /[!?…]$/.test(text) ? text : `${text}.`;
}
