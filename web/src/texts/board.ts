/* board.ts -- what board, rules and story say, in every language that the page speaks. {0}, {1} are filled in. */

/** The words of one language. */
type Texts = Record<keyof typeof en, string>;

const en = {
  board: 'Board',
  boardHelp: 'Arrow keys go from cell to cell, Enter chooses, plus and minus zoom.',
  hidden: 'unknown',
  yours: 'yours',
  enemy: 'enemy',
  seat0: 'first side',
  seat1: 'second side',
  health: 'health {0} of {1}',
  down: 'knocked out',
  active: 'acting',
  done: 'done',
  worn: '{0} with health {1}',
  move: 'can move here',
  attack: 'can be attacked',
  use: 'can be used here',
  place: 'can be placed here',
  other: 'can be chosen',
  zoomIn: 'Larger',
  zoomOut: 'Smaller',
  zoomFit: 'Whole board',
  missed: 'missed',
  introTitle: 'Once upon a snap',
  intro1: 'Thanos had them all: six stones, one glove, and far too many plans.',
  intro2: 'Space, Mind, Reality, Power, Time and Soul. One snap was all he needed.',
  intro3: 'But somebody was hungry. Goose, who is not quite a cat, saw six shiny sweets.',
  intro4: 'Gulp.',
  intro5: 'Now Goose roams the land and leaves a stone here, a stone there. Find them. Unite them. Be quick: Thanos is on his way.',
  introSkip: 'Skip',
  introStart: 'To the heroes',
  introNext: 'Next',
  introNever: 'Do not show this again',
  introLive: 'Story, picture {0} of {1}',
  excelsior: 'Excelsior!',
  rulesTitle: 'Rules: {0}',
  rulesExample: 'Example',
  rulesContents: 'Contents',
  rulesKinds: 'Who takes part',
  soundOn: 'Sound on',
  soundOff: 'Sound off',
};

const de: Texts = {
  board: 'Spielfeld',
  boardHelp: 'Pfeiltasten gehen von Feld zu Feld, Eingabe wählt, Plus und Minus ändern die Größe.',
  hidden: 'unbekannt',
  yours: 'deins',
  enemy: 'gegnerisch',
  seat0: 'erste Seite',
  seat1: 'zweite Seite',
  health: 'Leben {0} von {1}',
  down: 'außer Gefecht',
  active: 'am Zug',
  done: 'fertig',
  worn: '{0} mit Leben {1}',
  move: 'hierher kann gezogen werden',
  attack: 'kann angegriffen werden',
  use: 'kann hier eingesetzt werden',
  place: 'kann hier aufgestellt werden',
  other: 'kann gewählt werden',
  zoomIn: 'Größer',
  zoomOut: 'Kleiner',
  zoomFit: 'Ganzes Feld',
  missed: 'daneben',
  introTitle: 'Es war einmal ein Schnippen',
  intro1: 'Thanos hatte sie alle: sechs Steine, einen Handschuh und viel zu viele Pläne.',
  intro2: 'Raum, Gedanken, Realität, Macht, Zeit und Seele. Ein Schnippen hätte genügt.',
  intro3: 'Aber jemand hatte Hunger. Goose, die nicht ganz eine Katze ist, sah sechs glänzende Bonbons.',
  intro4: 'Schluck.',
  intro5: 'Nun streift Goose durchs Land und lässt hier einen Stein, dort einen Stein. Findet sie. Vereint sie. Eilt euch: Thanos ist unterwegs.',
  introSkip: 'Überspringen',
  introStart: 'Zu den Helden',
  introNext: 'Weiter',
  introNever: 'Nicht mehr zeigen',
  introLive: 'Geschichte, Bild {0} von {1}',
  excelsior: 'Excelsior!',
  rulesTitle: 'Regeln: {0}',
  rulesExample: 'Beispiel',
  rulesContents: 'Inhalt',
  rulesKinds: 'Wer mitspielt',
  soundOn: 'Ton an',
  soundOff: 'Ton aus',
};

/** The catalogue, by language. */
export const boardTexts: { en: Texts; de: Texts } = { en, de };

/** A text of the catalogue in the language of the page, with its gaps filled. */
export function say(key: keyof typeof en, ...values: (string | number)[]): string {
  const german = typeof document !== 'undefined' && document.documentElement.lang.startsWith('de');
  const text = (german ? de : en)[key];
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}
