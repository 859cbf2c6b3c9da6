/* names.ts -- what units are called in words for people. The engine's short names ("nin2") are for typing. */
import { UNIT_NONE, tokenOf, type Board, type GameEvent, type Token } from './model';
import { unitWord } from './texts/lexicon';

/* All units of a token's kind, on its own side or on both, in the order of their numbers. */
function sameKind(board: Board, token: Token, both: boolean): Token[] {
  return board.tokens
    .filter((one) => one.unit !== UNIT_NONE && one.kind === token.kind && (both || one.seat === token.seat))
    .sort((one, two) => one.unit - two.unit);
}

/** Which of several of its kind on its side a unit is, from 1 on; null: the only one, or its kind is hidden. */
export function ordinalOf(board: Board, token: Token): number | null {
  const twins = token.kind === undefined ? [] : sameKind(board, token, false);
  return twins.length > 1 ? twins.indexOf(token) + 1 : null;
}

/* In English: its kind, with a number if its side has several; its short name where the kind is hidden. */
function plainly(board: Board, unit: number): string {
  const token = tokenOf(board, unit);
  if (!token) return `#${unit}`;
  if (!token.kind) return token.name;
  const twin = ordinalOf(board, token);
  return twin === null ? token.kind : `${token.kind} ${twin}`;
}

/** A unit in the language of the page: its kind, with a number if its side has several; its short name where the kind is hidden. */
export function unitLabel(board: Board, unit: number): string {
  return unitWord(plainly(board, unit));
}

/* The same in English where both sides are spoken of: with the side, if both have one of the kind. */
function unitLabelWithSide(board: Board, unit: number, sides: readonly string[]): string {
  const token = tokenOf(board, unit);
  const alone = !token?.kind || token.seat === null || sameKind(board, token, true).length === sameKind(board, token, false).length;
  const side = alone ? undefined : sides[token.seat!];
  return side === undefined ? plainly(board, unit) : `${plainly(board, unit)} (${side})`;
}

/** A text that matches itself in an expression. */
function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/* Everything that the engine may call a unit: "Thor (h3)", "Human H0", "nin2". */
function called({ kind = '', name }: Token): RegExp {
  const [full, short] = [escape(kind), escape(name)];
  return new RegExp(`\\b(?:${full} \\(${short}\\)|${full} ${short}|${full} ${short.toUpperCase()}|${short})(?![\\w-])`, 'g');
}

/** A sentence of the engine, still in English, with every unit called by its name for people. */
export function spell(board: Board, sentence: string, sides: readonly string[], units?: number[]): string {
  let told = sentence;
  const named: string[] = [];
  for (const token of board.tokens) {
    if (token.unit === UNIT_NONE || !token.kind || (units && !units.includes(token.unit))) continue;
    told = told.replace(called(token), () => `\u0001${named.push(unitLabelWithSide(board, token.unit, sides)) - 1}\u0002`);
  }
  return told.replace(/\u0001(\d+)\u0002/g, (_, at: string) => named[Number(at)] ?? '');
}

/** The sentence of an event, still in English, in words for people. */
export function eventWords(board: Board, event: GameEvent, sides: readonly string[]): string {
  const token = event.kind === 'revealed' ? tokenOf(board, event.unit) : undefined;
  /* What nobody knew until now is called as it was before: "v11 is Ultron." */
  if (token?.kind) return event.text.replace(called(token), () => token.name);
  return spell(board, event.text, sides, [event.unit, event.other]);
}
