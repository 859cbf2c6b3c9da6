/* arena.ts -- texts about the server, the connection to it, and the people at a table. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {
  'arena.lost': { en: 'The connection was lost.', de: 'Die Verbindung ist abgerissen.' },
  'arena.away': { en: 'The house cannot be reached. Playing on this device works all the same.', de: 'Das Haus ist nicht erreichbar. An diesem Gerät zu spielen geht trotzdem.' },
  'arena.notNow': { en: 'The house cannot be reached just now.', de: 'Das Haus ist gerade nicht erreichbar.' },
  'arena.answered': { en: 'The house answered {status}.', de: 'Das Haus hat mit {status} geantwortet.' },
  'arena.full': { en: 'The house is full; please try again later.', de: 'Das Haus ist voll; bitte versuche es später.' },
  'arena.closing': { en: 'The house closes; matches go on when it opens again.', de: 'Das Haus schließt; Partien gehen weiter, wenn es wieder öffnet.' },
  'arena.closed': { en: 'The connection was closed.', de: 'Die Verbindung wurde beendet.' },
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
  'match.notHere': { en: 'That cannot be done at this table.', de: 'Das geht an diesem Tisch nicht.' },
  'match.isPaused': { en: 'The match is paused.', de: 'Die Partie macht Pause.' },
  'match.notYourTurn': { en: 'It is not your turn.', de: 'Du bist nicht am Zug.' },
  'match.unreadable': { en: 'The match cannot be read.', de: 'Die Partie ist nicht lesbar.' },
  'match.glass': { en: 'Spectators of this match can see hidden pieces.', de: 'Wer dieser Partie zuschaut, kann verdeckte Figuren sehen.' },
  'warning.turn': { en: '{seconds} seconds are left for your turn.', de: 'Noch {seconds} Sekunden für deinen Zug.' },
  'warning.silence': { en: 'Are you still here? {seconds} seconds are left.', de: 'Bist du noch da? Noch {seconds} Sekunden.' },
  'warning.match': { en: '{seconds} seconds are left for the match.', de: 'Noch {seconds} Sekunden für die Partie.' },
  'replay.foreign': { en: 'This file tells what was seen, not what was done: nobody can play on from it.', de: 'Diese Datei sagt, was zu sehen war, nicht was getan wurde: von hier kann niemand weiterspielen.' },
} satisfies Record<string, Text>;
export default texts;
