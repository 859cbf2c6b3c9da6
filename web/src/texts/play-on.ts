/* play-on.ts -- what the box says that asks how to play on from a replay, in every language that the page speaks. */
import { language } from './language';

const texts = {
  whom: { en: 'Opponent', de: 'Gegner' },
  side: { en: 'Your side:', de: 'Deine Seite:' },
  both: { en: 'Play both sides', de: 'Beide Seiten spielen' },
  friend: { en: 'You get a link for your friend. The match is unrated; chance goes on from this match, so whoever has its file could work it out.', de: 'Du bekommst einen Link für deinen Gegner. Die Partie wird nicht gewertet; der Zufall kommt weiter aus dieser Partie: Wer ihre Datei hat, könnte ihn ausrechnen.' },
  friendHides: { en: 'You get a link for your friend. The match is unrated; whoever has seen this replay knows what is hidden.', de: 'Du bekommst einen Link für deinen Gegner. Die Partie wird nicht gewertet; wer diese Wiederholung gesehen hat, weiß, was verdeckt ist.' },
  hidden: { en: 'This match isn\'t over, and something is hidden in it. Finish it first.', de: 'Diese Partie ist noch nicht zu Ende, und in ihr ist etwas verdeckt. Spielt sie zuerst fertig.' },
  over: { en: 'The match is over here. Go back to an earlier moment first.', de: 'Hier ist die Partie zu Ende. Geh zuerst zu einem früheren Zeitpunkt zurück.' },
} as const;

/** A text of the box in the language that is spoken. */
export function playOnText(name: keyof typeof texts): string {
  return texts[name][language.value];
}
