/* board.ts -- texts of the board, the story before the hunt and the rules. */
import type { Text } from './texts';

export default {
  'board.name': {
    en: 'Board',
    de: 'Spielfeld',
  },
  'board.help': {
    en: 'Arrow keys move between cells, Enter selects, plus and minus zoom.',
    de: 'Mit den Pfeiltasten wechselst du das Feld, Eingabe wählt aus, Plus und Minus zoomen.',
  },
  'board.hidden': {
    en: 'unknown',
    de: 'unbekannt',
  },
  'board.yours': {
    en: 'yours',
    de: 'eigene Figur',
  },
  'board.enemy': {
    en: 'enemy',
    de: 'gegnerische Figur',
  },
  'board.seat0': {
    en: 'team 1',
    de: 'Team 1',
  },
  'board.seat1': {
    en: 'team 2',
    de: 'Team 2',
  },
  'board.health': {
    en: '{now} of {most} health',
    de: '{now} von {most} Leben',
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
    en: 'no actions left',
    de: 'fertig',
  },
  'board.worn': {
    en: '{ground}, {health} health',
    de: '{ground}, {health} Leben',
  },
  'mark.move': {
    en: 'can move here',
    de: 'Zug hierher möglich',
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
    en: 'Zoom in',
    de: 'Vergrößern',
  },
  'board.zoomOut': {
    en: 'Zoom out',
    de: 'Verkleinern',
  },
  'board.zoomFit': {
    en: 'Fit board',
    de: 'Alles zeigen',
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
    en: 'Choose your heroes',
    de: 'Helden wählen',
  },
  'intro.next': {
    en: 'Next',
    de: 'Weiter',
  },
  'intro.never': {
    en: 'Don\'t show this again',
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
    en: 'Examples',
    de: 'Beispiele',
  },
  'rules.kinds': {
    en: 'Units',
    de: 'Figuren',
  },
  'rules.contents': {
    en: 'Contents',
    de: 'Inhalt',
  },
  'rules.again': {
    en: 'Play example',
    de: 'Beispiel abspielen',
  },
  'rules.play': {
    en: 'Play',
    de: 'Spielen',
  },
  'rules.playing': {
    en: 'Playing a sample match to find examples …',
    de: 'Eine Beispielpartie wird gespielt …',
  },
} satisfies Record<string, Text>;
