/* games.ts -- what the page knows about each game beyond what the engine says. It is collected from games/<id>/ when the page is
 * built (web/games.mjs); games/page.schema.json says what each part means. A game that leaves a part out looks plainer there. */
import collected from 'mashup:games';
import type { Art } from './art/avatar';
import type { CardPen } from './art/cards';
import type { Formula } from './edit/formula';
import type { GermanFields } from './edit/words';
import type { Paint } from './edit/grid';
import type { Schema } from './edit/schema';
import type { Path } from './edit/value';
import type { Story } from './intro/intro';
import type { Lesson } from './lesson/script';
import type { PuzzleFile } from './puzzles/file';
import type { Guide } from './rules/guide';
import { spoken, type Language } from './texts/language';

/** A text in every language of the page. */
export type Text = Record<Language, string>;
/** A text in some languages; in the others it is said as the engine does. */
export type Words = Partial<Text>;

/** How a rule variant is called. */
export interface OptionWords {
  label: Words;
  values?: Words[];
  about?: Words;
}

/** A game in a minute, in one language. */
export interface HowTo {
  goal: string;
  steps: string[];
  /** A hint for a phase, by its id. */
  hints?: Record<string, string>;
}

/** A small picture on a token. */
export interface Sign {
  icon: string;
  colour: string;
  cools?: boolean;
}

/** A ready-made set-up: rows of letters, the row nearest the enemy first. */
export interface Layout {
  id: string;
  name: Text;
  rows: string[];
}

/** What the modules of a game draw. */
export interface GameArt {
  /** Drawings by plain name; a name in place of a drawing: the same as that one. */
  faces?: Record<string, Art | string>;
  /** The picture on the start screen. */
  card?: (pen: CardPen) => string;
}

/** A game as its folder presents it. */
export interface GamePage {
  id: string;
  tagline: Text;
  colours?: [string, string];
  /** The seat that sees the board turned. */
  turned?: 0 | 1;
  presets?: Record<string, Words>;
  options?: Record<string, OptionWords>;
  presentation?: {
    together?: Record<string, number>;
    brief?: string[];
    later?: string[];
    early?: Record<string, Text>;
    before?: Record<string, 'cards' | 'board'>;
  };
  verbs?: Record<string, 'move' | 'attack' | 'use' | 'place' | 'other'>;
  grounds?: Record<string, string | { light: string; dark: string }>;
  signs?: Record<string, Sign>;
  layouts?: Layout[];
  howto?: Record<Language, HowTo>;
  art: GameArt;
  /** The text of its RULES.md. */
  rules: () => Promise<{ default: string }>;
  /** The rules for players. */
  guide: () => Promise<{ default: Guide }>;
  /** The first match, guided. */
  lesson?: () => Promise<{ default: Lesson }>;
  /** Positions in which one turn is far better than all others. */
  puzzles?: () => Promise<{ default: PuzzleFile }>;
  /** What is shown before a match. */
  story?: () => Promise<{ story: Story }>;
}

/** A kind of document that can be edited. */
export interface EditorKind {
  game: string;
  id: string;
  title: Text;
  first: string;
  generator?: string;
  boards?: {
    kind: 'words' | 'letters' | 'units' | 'layout';
    path?: Path;
    kinds?: string;
    paints?: (Omit<Paint, 'mark' | 'label'> & { label: Text; mark?: 'none' | 'rock' | 'ring' | 'wall' })[];
  }[];
  charts?: { path: Path; name: string; measures: Partial<Record<'damage' | 'tough' | 'reach', Formula>> }[];
  schema: Schema;
  /** German of the fields by their ways, "kinds.health": label, meaning and the words to choose from. */
  german: GermanFields;
}

/** All games, in the order of the start screen. */
export const GAMES: GamePage[] = collected;

/** A game by its id; undefined: no folder tells about it. */
export function gamePage(id: string): GamePage | undefined {
  return GAMES.find((game) => game.id === id);
}

/** The sentence that says what a game is, in the language spoken now; '' if no folder tells about it. */
export function taglineOf(id: string): string {
  const page = gamePage(id);
  return page ? spoken(page.tagline) : '';
}

/** One part of all games as a whole: signs, grounds, faces. */
export function ofAllGames<T>(part: (game: GamePage) => Record<string, T> | undefined): Record<string, T> {
  return Object.assign({}, ...GAMES.map(part)) as Record<string, T>;
}
