/* questions.ts -- questions of the command line, in every language of the page at once: what is asked, and about whom. */

/** What can be asked, and about whom; '' = about nobody. */
export interface Question {
  what: 'where' | 'hit' | 'within' | 'can' | 'turns' | 'score' | 'last' | 'prepared';
  whom: string;
}

/** Each form with what it asks; the last group is whom it is about. */
const FORMS: [RegExp, Question['what']][] = [
  [/^where(?: is| are)?(?: my| the)? (.+)$/, 'where'],
  [/^wo(?: ist| sind| steht| stehen)?(?: mein\w*| der| die| das)? (.+)$/, 'where'],
  [/^who (?:can )?(?:hit|attack|reach)(?:s)? (.+)$/, 'hit'],
  [/^wer (?:kann )?(?:trifft )?(.+?)(?: treffen| angreifen| erreichen)?$/, 'hit'],
  [/^(?:reach|reach of|in reach of) (.+)$/, 'within'],
  [/^(?:reichweite|reichweite von|was erreicht) (.+)$/, 'within'],
  [/^what can (.+?)(?: do)?$/, 'can'],
  [/^was kann (.+?)(?: tun)?$/, 'can'],
  [/^(?:turn order|order|turn|clocks?|time)()$/, 'turns'],
  [/^(?:zugreihenfolge|reihenfolge|uhr(?:en)?|zeit)()$/, 'turns'],
  [/^(?:score|standings?)()$/, 'score'],
  [/^(?:stand|punktestand|punkte)()$/, 'score'],
  [/^(?:last|last action)()$/, 'last'],
  [/^(?:letzte|letzte aktion)()$/, 'last'],
  [/^(?:prepared|prepared turn|plan)()$/, 'prepared'],
  [/^(?:vorbereitet|vorbereiteter zug)()$/, 'prepared'],
];

/** Reads a typed line; null: it is no question. */
export function questionOf(line: string): Question | null {
  const typed = line.toLowerCase().replace(/[?.!]+$/, '').replace(/\s+/g, ' ').trim();
  for (const [form, what] of FORMS) {
    const found = form.exec(typed);
    if (found) return { what, whom: found[1] ?? '' };
  }
  return null;
}
