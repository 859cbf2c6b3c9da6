/* advice.ts -- what the engine says about a recommended action, in the language of the page: sentences about events, and some of
 * its own. What is not known stays as it is. */
import { told } from '../../texts/lexicon';
import { say, type MatchText } from '../../texts/match';

const own: [RegExp, MatchText][] = [
  [/^Loses (\d+) health until the reply is over\.$/, 'tipLoses'],
  [/^Nothing is lost until the reply is over\.$/, 'tipSafe'],
  [/^Nothing can be lost yet\.$/, 'tipSafe'],
  [/^Nothing else happens\.$/, 'tipNothing'],
  [/^Works (\d+) of (\d+) times\.$/, 'tipWorks'],
];

/* Full stops of short names do not end a sentence: "Dr. Strange", "Zombie F.". */
const END = /(?<!\bDr|\b[A-Z])\. (?=\S)/;

/** A sentence of the tip in the page's language; unchanged if it is not one of the known ones. */
function sentence(text: string): string {
  for (const [read, key] of own) {
    const found = read.exec(text);
    if (found) return say(key, ...found.slice(1));
  }
  const [, times, all, rest] = /^(\d+) of (\d+) times: (.*)$/.exec(text) ?? [];
  if (rest !== undefined) return `${say('tipTimes', times!, all!)} ${sentence(rest)}`;
  const next = /^Next: (.*)$/.exec(text)?.[1];
  return next === undefined ? told(null, text) : `${say('tipNext')} ${sentence(next)}`;
}

/** Everything said about an action. */
export function adviceWords(text: string): string {
  const parts = text.split(END);
  return parts
    .map((part, at) => sentence(at < parts.length - 1 ? `${part}.` : part))
    .join(' ')
    .trim();
}
