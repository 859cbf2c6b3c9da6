/* report.ts -- what the report of a match says, in every language that the page speaks. {0}, {1} are filled in. */
import { language } from './language';

const texts = {
  about: {
    en: 'Winning chances at each moment, as the computer judges them: what each turn kept or lost, and what was luck.',
    de: 'Gewinnchancen in jedem Moment, wie der Computer sie einschätzt: was jeder Zug bewahrt oder verloren hat, und was Glück war.',
  },
  start: { en: 'Make the report', de: 'Bericht erstellen' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  working: { en: 'Judging turn {0} of {1} …', de: 'Zug {0} von {1} wird beurteilt …' },
  done: { en: 'The report is ready. Turns: {0}; turning points: {1}.', de: 'Der Bericht ist fertig. Züge: {0}; Wendepunkte: {1}.' },
  cannot: { en: 'There is no report of this match: it was recorded by another program, or it has no turns.', de: 'Von dieser Partie gibt es keinen Bericht: Ein anderes Programm hat sie aufgezeichnet, oder sie hat keine Züge.' },
  chances: { en: 'Winning chances', de: 'Gewinnchancen' },
  curve: { en: 'Winning chances of {0}: {1} at the start, {2} at the end.', de: 'Gewinnchancen von {0}: {1} am Anfang, {2} am Ende.' },
  here: { en: 'Now shown: {0} {1}, {2} {3}', de: 'Gezeigt: {0} {1}, {2} {3}' },
  side: { en: 'Side', de: 'Seite' },
  accuracy: { en: 'Accuracy', de: 'Genauigkeit' },
  kept: { en: 'Turns kept', de: 'Bewahrt' },
  keptOf: { en: '{0} of {1}', de: '{0} von {1}' },
  play: { en: 'Play', de: 'Spiel' },
  luck: { en: 'Luck', de: 'Glück' },
  points: { en: 'Turning points', de: 'Wendepunkte' },
  noPoints: { en: 'No single turn changed much.', de: 'Kein einzelner Zug hat viel verändert.' },
  turns: { en: 'All turns', de: 'Alle Züge' },
  turn: { en: 'Turn {0}', de: 'Zug {0}' },
  end: { en: 'End', de: 'Ende' },
  verdictKept: { en: 'kept', de: 'bewahrt' },
  verdictLost: { en: 'lost {0}', de: '{0} verloren' },
  fromTo: { en: '{0} → {1}', de: '{0} → {1}' },
  playLuck: { en: 'play {0}, luck {1}', de: 'Spiel {0}, Glück {1}' },
  same: { en: 'The computer would have played the same.', de: 'Der Computer hätte dasselbe gespielt.' },
  played: { en: 'Played', de: 'Gespielt' },
  better: { en: 'The computer’s turn', de: 'Der Zug des Computers' },
  boardAfter: { en: 'The board after it: {0}', de: 'Das Spielfeld danach: {0}' },
  show: { en: 'Play it on the board', de: 'Auf dem Spielfeld vorspielen' },
  back: { en: 'Back to the match', de: 'Zurück zur Partie' },
  shown: { en: 'The board shows the computer’s turn.', de: 'Das Spielfeld zeigt den Zug des Computers.' },
  why: { en: 'Why?', de: 'Warum?' },
  quiet: { en: 'It has no immediate effect; it prepares what follows.', de: 'Er wirkt nicht sofort; er bereitet vor, was folgt.' },
  none: { en: 'Choose a turn to see what it changed.', de: 'Wähle einen Zug, um zu sehen, was er verändert hat.' },
  how: {
    en: 'Chances are those of equal players; a draw counts half. Players are judged by what they knew; luck and play add up to the change.',
    de: 'Chancen gelten für gleich starke Spieler; ein Remis zählt halb. Beurteilt wird nach dem, was die Spieler wussten; Glück und Spiel ergeben zusammen die Änderung.',
  },
} as const;

/** A text of the report in the language that is spoken. */
export function reportText(name: keyof typeof texts, ...values: (string | number)[]): string {
  return texts[name][language.value].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
