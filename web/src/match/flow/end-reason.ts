/* end-reason.ts -- why a match ended, in a whole sentence: the bare reason beside the winner's name would read as if the winner did it. */
import { otherSeat, type Result, type Seat } from '../../model';
import { language } from '../../texts/language';
import { say, type MatchText } from '../../texts/match';

/** The reasons that are something the loser did, and the sentence about it. */
const loserSentences: Record<string, MatchText | undefined> = {
  resigned: 'endResigned',
  'time-over': 'endTimeOver',
  left: 'endLeft',
  silent: 'endSilent',
  disqualified: 'endDisqualified',
  'illegal-actions': 'endIllegal',
  'invalid-messages': 'endInvalid',
  operator: 'endOperator',
};

/** Why a match ended: what the loser did, by name, or what both agreed to; else as the game says it. */
export function reasonSentence({ winner, reason_id, why }: Result, nameOf: (seat: Seat) => string): string {
  if (reason_id === 'agreed') return say('endAgreed');
  const sentence = loserSentences[reason_id];
  if (winner !== null && sentence) return say(sentence, nameOf(otherSeat(winner)));
  return why === '' ? '' : say('because', why.charAt(0).toLocaleUpperCase(language.value) + why.slice(1));
}
