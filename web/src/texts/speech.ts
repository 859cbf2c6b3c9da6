/* speech.ts -- answers to what is asked by keys and on the command line, in every language that the page speaks. {0}, {1} are filled
 * in. */
import { language } from './language';

const texts = {
  noCell: { en: 'No cell is chosen. Go to one with the arrow keys.', de: 'Es ist kein Feld gewählt. Geh mit den Pfeiltasten auf eines.' },
  noUnit: { en: 'No unit there.', de: 'Dort ist keine Figur.' },
  nobody: { en: 'Nothing here is called “{0}”.', de: 'Nichts heißt hier „{0}“.' },
  nothingYet: { en: 'Nothing has happened yet.', de: 'Noch ist nichts passiert.' },
  canNothing: { en: '{0} can do nothing now.', de: '{0} kann jetzt nichts tun.' },
  canPrepare: { en: '{0} can do nothing now. Press Enter on it, then on a cell, to prepare what it does on your turn.', de: '{0} kann jetzt nichts tun. Mit Eingabe auf der Figur und dann auf einem Feld bereitest du vor, was sie in deinem Zug tut.' },
  nothingPrepared: { en: 'Nothing is prepared.', de: 'Nichts ist vorbereitet.' },
  can: { en: '{0}: {1}.', de: '{0}: {1}.' },
  one: { en: '{0} ({1})', de: '{0} ({1})' },
  goes: { en: 'can go to {0} cells', de: 'kann auf {0} Felder gehen' },
  attackNobody: { en: '{0} can attack nobody from here.', de: '{0} kann von hier niemanden angreifen.' },
  withinNobody: { en: 'Nobody is within reach of {0}.', de: 'Niemand ist in Reichweite von {0}.' },
  within: { en: 'Within reach of {0}: {1}.', de: 'In Reichweite von {0}: {1}.' },
  atOnce: { en: '{0} on {1}', de: '{0} auf {1}' },
  afterSteps: { en: '{0} on {1} after {2} steps', de: '{0} auf {1} nach {2} Schritten' },
  hitNobody: { en: 'Nobody can hit {0} in the next turn.', de: 'Niemand kann {0} im nächsten Zug treffen.' },
  hitBy: { en: '{0} can be hit by {1}.', de: '{0} kann getroffen werden von {1}.' },
  hitOwn: { en: '{0} can be attacked now by {1}.', de: '{0} kann jetzt angegriffen werden von {1}.' },
  upTo: { en: '{0} (up to {1})', de: '{0} (bis zu {1})' },
  perhaps: { en: '{0} (perhaps)', de: '{0} (vielleicht)' },
  cell: { en: '{0},{1}', de: '{0},{1}' },
  onlyPlayers: { en: 'Only players can ask that.', de: 'Das können nur die Spieler fragen.' },
  holder: { en: '{0}: held by {1} on {2}', de: '{0}: bei {1} auf {2}' },
  bench: { en: '{0}: on the bench', de: '{0}: auf der Bank' },
  gone: { en: '{0}: defeated', de: '{0}: besiegt' },
  place: { en: '{0}: {1}', de: '{0}: {1}' },
  order: { en: 'Turn order: {0}', de: 'Zugreihenfolge: {0}' },
  time: { en: '{0} has {1} left', de: '{0} hat noch {1}' },
  matchTime: { en: '{0} left for the match', de: 'noch {0} für die Partie' },
  noClock: { en: 'no clock runs', de: 'keine Uhr läuft' },
  left: { en: '{0}: {1} of {2} units left', de: '{0}: noch {1} von {2} Figuren' },
  value: { en: '{0} {1}', de: '{0} {1}' },
  valueOf: { en: '{0} {1} of {2}', de: '{0} {1} von {2}' },
  more: { en: 'and {0} more', de: 'und {0} weitere' },
} as const;

/** An answer in the language that is spoken. */
export function answerText(name: keyof typeof texts, ...values: (string | number)[]): string {
  return texts[name][language.value].replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
