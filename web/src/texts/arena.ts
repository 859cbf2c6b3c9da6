/* arena.ts -- texts about the house, the connection to it, and the people at a table. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {
  'arena.lost': { en: 'The connection was lost.', de: 'Die Verbindung ist abgerissen.' },
  'arena.trying': { en: 'The connection is lost. Trying again ({attempt}) …', de: 'Die Verbindung ist weg. Neuer Versuch ({attempt}) …' },
  'arena.back': { en: 'You are back.', de: 'Du bist wieder da.' },
  'arena.version': { en: 'The house has a newer version of the game. Please load the page again.', de: 'Das Haus hat eine neuere Fassung des Spiels. Bitte lade die Seite neu.' },
  'arena.taken': { en: 'Your seat was taken up in another window. You can take it back here.', de: 'Dein Platz wurde in einem anderen Fenster eingenommen. Du kannst ihn hier zurückholen.' },
  'arena.reload': { en: 'Load the page again', de: 'Seite neu laden' },
  'arena.takeBack': { en: 'Take the seat back', de: 'Platz zurückholen' },
  'people.back': { en: '{name} is back.', de: '{name} ist wieder da.' },
  'people.away': { en: '{name} has lost the connection.', de: '{name} hat die Verbindung verloren.' },
  'match.paused.by': { en: '{name} pauses the match.', de: '{name} macht eine Pause.' },
  'match.continued': { en: 'The match goes on.', de: 'Die Partie geht weiter.' },
  'match.notYet': { en: 'The match has not begun.', de: 'Die Partie hat noch nicht begonnen.' },
  'warning.turn': { en: '{seconds} seconds are left for your turn.', de: 'Noch {seconds} Sekunden für deinen Zug.' },
  'warning.silence': { en: 'Are you still here? {seconds} seconds are left.', de: 'Bist du noch da? Noch {seconds} Sekunden.' },
  'warning.match': { en: '{seconds} seconds are left for the match.', de: 'Noch {seconds} Sekunden für die Partie.' },
  'replay.foreign': { en: 'This file tells what was seen, not what was done: nobody can play on from it.', de: 'Diese Datei sagt, was zu sehen war, nicht was getan wurde: von hier kann niemand weiterspielen.' },
} satisfies Record<string, Text>;
export default texts;
