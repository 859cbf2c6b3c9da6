/* board.ts -- texts of the board, the story before the hunt and the rules. */
import type { Text } from './texts';

export default {
  'board.name': {
    en: 'Board',
    de: 'Spielfeld',
  },
  'board.help': {
    en: 'Arrow keys go from cell to cell, Enter chooses, plus and minus zoom.',
    de: 'Pfeiltasten gehen von Feld zu Feld, Eingabe wählt, Plus und Minus ändern die Größe.',
  },
  'board.hidden': {
    en: 'unknown',
    de: 'unbekannt',
  },
  'board.yours': {
    en: 'yours',
    de: 'deins',
  },
  'board.enemy': {
    en: 'enemy',
    de: 'gegnerisch',
  },
  'board.seat0': {
    en: 'first side',
    de: 'erste Seite',
  },
  'board.seat1': {
    en: 'second side',
    de: 'zweite Seite',
  },
  'board.health': {
    en: 'health {now} of {most}',
    de: 'Leben {now} von {most}',
  },
  'board.down': {
    en: 'knocked out',
    de: 'außer Gefecht',
  },
  'board.active': {
    en: 'acting',
    de: 'am Zug',
  },
  'board.done': {
    en: 'done',
    de: 'fertig',
  },
  'board.worn': {
    en: '{ground} with health {health}',
    de: '{ground} mit Leben {health}',
  },
  'mark.move': {
    en: 'can move here',
    de: 'hierher kann gezogen werden',
  },
  'mark.attack': {
    en: 'can be attacked',
    de: 'kann angegriffen werden',
  },
  'mark.use': {
    en: 'can be used here',
    de: 'kann hier eingesetzt werden',
  },
  'mark.place': {
    en: 'can be placed here',
    de: 'kann hier aufgestellt werden',
  },
  'mark.other': {
    en: 'can be chosen',
    de: 'kann gewählt werden',
  },
  'board.zoomIn': {
    en: 'Larger',
    de: 'Größer',
  },
  'board.zoomOut': {
    en: 'Smaller',
    de: 'Kleiner',
  },
  'board.zoomFit': {
    en: 'Whole board',
    de: 'Ganzes Feld',
  },
  'board.missed': {
    en: 'missed',
    de: 'daneben',
  },
  'intro.skip': {
    en: 'Skip',
    de: 'Überspringen',
  },
  'intro.start': {
    en: 'To the heroes',
    de: 'Zu den Helden',
  },
  'intro.next': {
    en: 'Next',
    de: 'Weiter',
  },
  'intro.never': {
    en: 'Do not show this again',
    de: 'Nicht mehr zeigen',
  },
  'board.excelsior': {
    en: 'Excelsior!',
    de: 'Excelsior!',
  },
  'rules.title': {
    en: 'Rules: {game}',
    de: 'Regeln: {game}',
  },
  'rules.example': {
    en: 'Seen on the board',
    de: 'Auf dem Feld gesehen',
  },
  'rules.kinds': {
    en: 'Who takes part',
    de: 'Wer mitspielt',
  },
  'rules.contents': {
    en: 'Contents',
    de: 'Inhalt',
  },
  'rules.again': {
    en: 'Show what happens',
    de: 'Zeigen, was geschieht',
  },
  'rules.play': {
    en: 'Play',
    de: 'Spielen',
  },
  'rules.playing': {
    en: 'Two programs play a match to find good examples …',
    de: 'Zwei Programme spielen, um gute Beispiele zu finden …',
  },
} satisfies Record<string, Text>;
