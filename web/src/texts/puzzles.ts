/* puzzles.ts -- what puzzles say, in every language that the page speaks. {0}, {1} are filled in. */
import { language } from './language';

const texts = {
  title: { en: 'Puzzles', de: 'Rätsel' },
  about: {
    en: 'Positions from matches in which one turn is far better than every other. Play it: you are told whether it was right, and why. The first attempt at each counts for your rating on this device.',
    de: 'Stellungen aus Partien, in denen ein Zug viel besser ist als jeder andere. Spiele ihn: Du erfährst, ob er richtig war, und warum. Der erste Versuch zählt für deine Wertung auf diesem Gerät.',
  },
  daily: { en: 'Puzzle of the day', de: 'Rätsel des Tages' },
  dailyOf: { en: 'Puzzle of the day: {0}', de: 'Rätsel des Tages: {0}' },
  all: { en: 'All puzzles', de: 'Alle Rätsel' },
  rating: { en: 'Your rating: {0}', de: 'Deine Wertung: {0}' },
  solved: { en: 'Solved at once: {0} of {1}', de: 'Auf Anhieb gelöst: {0} von {1}' },
  number: { en: 'Puzzle {0}', de: 'Rätsel {0}' },
  right: { en: 'solved', de: 'gelöst' },
  wrong: { en: 'not solved', de: 'nicht gelöst' },
  open: { en: 'not tried', de: 'offen' },
  opening: { en: 'Opening the puzzle', de: 'Rätsel wird geöffnet' },
  failed: { en: 'The puzzle couldn’t be opened', de: 'Das Rätsel konnte nicht geöffnet werden' },
  gone: { en: 'There is no such puzzle, or it was made for another board.', de: 'Dieses Rätsel gibt es nicht, oder es gehört zu einem anderen Spielfeld.' },
  win: { en: 'You play {0}. Win this turn.', de: 'Du spielst {0}. Gewinne in diesem Zug.' },
  survive: { en: 'You play {0}. All turns but one lose: find it.', de: 'Du spielst {0}. Alle Züge bis auf einen verlieren: Finde ihn.' },
  find: { en: 'You play {0}. One turn is far better than all others: find it.', de: 'Du spielst {0}. Ein Zug ist viel besser als alle anderen: Finde ihn.' },
  own: { en: 'You play {0}. In the match this turn lost {1}: play a better one.', de: 'Du spielst {0}. In der Partie hat dieser Zug {1} verloren: Spiele einen besseren.' },
  judging: { en: 'Your turn is judged …', de: 'Dein Zug wird beurteilt …' },
  isRight: { en: 'Right! After your turn your winning chance is {0}.', de: 'Richtig! Nach deinem Zug ist deine Gewinnchance {0}.' },
  isRightWon: { en: 'Right! You have won.', de: 'Richtig! Du hast gewonnen.' },
  isRightElse: { en: 'Every different turn leaves {0} at most.', de: 'Jeder andere Zug lässt höchstens {0}.' },
  isWrong: { en: 'Not this one: after it your winning chance is {0}; with the solution it is {1}.', de: 'Der ist es nicht: Danach ist deine Gewinnchance {0}; mit der Lösung ist sie {1}.' },
  shown: { en: 'The board shows the solution. After it your winning chance is {0}; every different turn leaves {1} at most.', de: 'Das Spielfeld zeigt die Lösung. Danach ist deine Gewinnchance {0}; jeder andere Zug lässt höchstens {1}.' },
  rated: { en: 'Rating {0} → {1}', de: 'Wertung {0} → {1}' },
  hint: { en: 'Hint', de: 'Hinweis' },
  hintUnit: { en: 'It begins with {0}.', de: 'Es beginnt mit {0}.' },
  hintWord: { en: 'It begins with: {0}', de: 'Es beginnt mit: {0}' },
  again: { en: 'Try again', de: 'Noch einmal' },
  show: { en: 'Show the solution', de: 'Lösung zeigen' },
  next: { en: 'Next puzzle', de: 'Nächstes Rätsel' },
  leave: { en: 'All puzzles', de: 'Alle Rätsel' },
  leaveOwn: { en: 'Back', de: 'Zurück' },
  back: { en: 'Take back', de: 'Zurücknehmen' },
  over: { en: 'This turn is over.', de: 'Dieser Zug ist vorbei.' },
  try: { en: 'Try it as a puzzle', de: 'Als Rätsel versuchen' },
} as const;

/** A text of puzzles in the language that is spoken. */
export function puzzleText(name: keyof typeof texts, ...values: (string | number)[]): string {
  return texts[name][language.value].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
