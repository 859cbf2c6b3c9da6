/* arena.ts -- texts about the server, the connection to it, and the people at a table. */
import type { Text } from './texts';

/** Texts by key. */
const texts = {
  'arena.lost': { en: 'Connection lost.', de: 'Verbindung verloren.' },
  'arena.away': { en: 'Can\'t reach the server. You can still play on this device.', de: 'Der Server ist nicht erreichbar. An diesem Gerät kannst du trotzdem spielen.' },
  'arena.notNow': { en: 'Can\'t reach the server right now.', de: 'Der Server ist gerade nicht erreichbar.' },
  'arena.answered': { en: 'Server error {status}.', de: 'Serverfehler {status}.' },
  'arena.full': { en: 'The server is full. Please try again later.', de: 'Der Server ist voll. Bitte versuche es später noch einmal.' },
  'arena.closing': { en: 'Server restarting; matches will resume.', de: 'Der Server startet neu; Partien gehen danach weiter.' },
  'arena.closed': { en: 'Connection closed.', de: 'Die Verbindung wurde beendet.' },
  'arena.trying': { en: 'Connection lost. Reconnecting (attempt {attempt}) …', de: 'Verbindung verloren. Neuer Versuch ({attempt}) …' },
  'arena.back': { en: 'Reconnected.', de: 'Wieder verbunden.' },
  'arena.version': { en: 'A new version is available. Please reload the page.', de: 'Es gibt eine neue Version. Bitte lade die Seite neu.' },
  'arena.taken': { en: 'You\'re playing this match in another window. You can continue here instead.', de: 'Du spielst diese Partie in einem anderen Fenster. Du kannst auch hier weiterspielen.' },
  'arena.reload': { en: 'Reload page', de: 'Seite neu laden' },
  'arena.takeBack': { en: 'Play here', de: 'Hier weiterspielen' },
  'people.back': { en: '{name} is back.', de: '{name} ist wieder da.' },
  'people.away': { en: '{name} lost the connection.', de: '{name} hat die Verbindung verloren.' },
  'match.paused.by': { en: '{name} paused the match.', de: '{name} hat die Partie pausiert.' },
  'match.continued': { en: 'Match resumed.', de: 'Die Partie geht weiter.' },
  'match.notYet': { en: 'The match hasn\'t started yet.', de: 'Die Partie hat noch nicht begonnen.' },
  'match.notHere': { en: 'You can\'t do that in this match.', de: 'Das geht in dieser Partie nicht.' },
  'match.isPaused': { en: 'The match is paused.', de: 'Die Partie ist pausiert.' },
  'match.notYourTurn': { en: 'It’s not your turn.', de: 'Du bist nicht am Zug.' },
  'match.unreadable': { en: 'Couldn\'t open this match.', de: 'Die Partie lässt sich nicht öffnen.' },
  'match.glass': { en: 'Spectators of this match can see hidden pieces.', de: 'Wer dieser Partie zuschaut, kann verdeckte Figuren sehen.' },
  'warning.turn': { en: '{seconds} seconds left for your turn.', de: 'Noch {seconds} Sekunden für deinen Zug.' },
  'warning.silence': { en: 'Are you still there? {seconds} seconds to respond.', de: 'Bist du noch da? Noch {seconds} Sekunden.' },
  'warning.match': { en: '{seconds} seconds left in this match.', de: 'Noch {seconds} Sekunden für die Partie.' },
  'replay.foreign': { en: 'This recording only shows what happened, so you can\'t play on from it.', de: 'Diese Aufzeichnung zeigt nur, was passiert ist. Weiterspielen kannst du von hier aus nicht.' },
} satisfies Record<string, Text>;
export default texts;
