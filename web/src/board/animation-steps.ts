/* animation-steps.ts -- the building blocks of effects: a token that travels, lunges or swells, a sprite that pops up and fades. A step is a
 * track without its times; it looks things up when it begins, because other steps may run before it. */
import type { Board, Position, Token } from '../model';
import type { Ground } from './paint';
import type { Track } from './animator';
import type { TokenElement } from './tokens';
import type { View } from './view';

/** What effects act on; the Stage. */
export interface Scene {
  readonly view: View;
  readonly effects: HTMLElement;
  readonly tokens: Map<number, TokenElement>;
  readonly ground: Ground | null;
  readonly board: Board | null;
  token(unit: number): TokenElement;
  changeGround(ground: Ground): void;
  sound(name: string): void;
}

/** A track without its times. */
export type AnimationStep = Omit<Track, 'start' | 'length'>;

/** Slow, fast, slow. */
export const ease = (t: number): number => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
/** Fast, then slow. */
export const out = (t: number): number => 1 - (1 - t) ** 3;
/** Up and down again. */
export const hump = (t: number): number => Math.sin(Math.PI * Math.min(1, Math.max(0, t)));

/** The element of a unit if it is on the board now. */
export function seen(scene: Scene, unit: number): TokenElement | null {
  const token = scene.tokens.get(unit);
  return token && token.element.style.display !== 'none' ? token : null;
}

/** A unit as the position after the events has it. */
export function later(after: Position, unit: number): Token | undefined {
  return after.board.tokens.find((token) => token.unit === unit);
}

/** Puts a unit on the board that was not there. */
export function enter(scene: Scene, after: Position, unit: number, x: number, y: number): TokenElement {
  const token = scene.token(unit);
  const known = later(after, unit);
  if (known) token.settle({ ...known, place: 'board', x, y }, after.board);
  token.place(x, y, scene.view);
  return token;
}

/** Takes a unit off the board until it comes back. */
export function leave(token: TokenElement): void {
  token.element.style.display = 'none';
  token.body.style.cssText = '';
}

/** Something at a point of the board for as long as its track lasts; `lift`: so many cells above it. */
export function sprite(scene: Scene, html: string, [x = 0, y = 0, lift = 0]: readonly number[], scale = 1): HTMLElement {
  const element = document.createElement('div');
  element.className = 'sprite';
  const { view } = scene;
  const { cell } = view;
  element.style.left = `${(view.across(x) + 0.5) * cell}px`;
  element.style.top = `${(view.down(y) - lift + 0.5) * cell}px`;
  element.style.setProperty('--sprite', `${cell * scale}px`);
  element.innerHTML = html;
  scene.effects.append(element);
  return element;
}

/** A step of one sprite: `frame` changes it, and it is gone at the end. */
export function flash(
  scene: Scene, html: string, at: readonly number[], scale: number,
  frame: (element: HTMLElement, t: number) => void, begin?: () => void,
): AnimationStep {
  let element: HTMLElement | null = null;
  return {
    begin() {
      begin?.();
      element = sprite(scene, html, at, scale);
      frame(element, 0);
    },
    frame: (t) => element && frame(element, t),
    end: () => element?.remove(),
  };
}

/** Grows, then fades. */
export function pop(element: HTMLElement, t: number): void {
  const inner = element.firstElementChild as HTMLElement;
  inner.style.transform = `scale(${(0.4 + 0.7 * out(Math.min(1, t * 2.2))).toFixed(3)})`;
  inner.style.opacity = String(t < 0.55 ? 1 : (1 - t) / 0.45);
}

/** Rises, then fades. */
export function rise(element: HTMLElement, t: number): void {
  const inner = element.firstElementChild as HTMLElement;
  const grow = t < 0.15 ? 0.5 + t * 4 : 1.1 - Math.min(0.1, (t - 0.15) * 0.5);
  inner.style.transform = `translateY(${(-45 * out(t)).toFixed(1)}%) scale(${grow.toFixed(3)})`;
  inner.style.opacity = String(t < 0.65 ? 1 : (1 - t) / 0.35);
}

/** Several steps at once. */
export function together(...steps: AnimationStep[]): AnimationStep {
  return {
    begin: () => steps.forEach((step) => step.begin?.()),
    frame: (t) => steps.forEach((step) => step.frame?.(t)),
    end: () => steps.forEach((step) => step.end?.()),
  };
}

/** A unit goes from cell to cell; `lift` makes it hop. */
export function travel(scene: Scene, unit: number, from: readonly number[], to: readonly number[], lift: number): AnimationStep {
  let token: TokenElement | null = null;
  return {
    begin() {
      token = seen(scene, unit);
      if (token) token.element.style.zIndex = '5';
    },
    frame(t) {
      if (!token) return;
      const part = ease(t);
      token.place(from[0]! + (to[0]! - from[0]!) * part, from[1]! + (to[1]! - from[1]!) * part, scene.view);
      token.body.style.transform = `translateY(${(-lift * hump(t) * 100).toFixed(1)}%)`;
    },
    end() {
      if (!token) return;
      token.place(to[0]!, to[1]!, scene.view);
      token.body.style.transform = '';
      token.element.style.zIndex = '';
    },
  };
}

/** A unit shrinks or grows in place. */
export function swell(find: () => TokenElement | null, grow: boolean, done: (token: TokenElement) => void): AnimationStep {
  let token: TokenElement | null = null;
  return {
    begin: () => (token = find()),
    frame(t) {
      if (!token) return;
      const part = grow ? out(t) : 1 - ease(t);
      token.body.style.transform = `scale(${Math.max(0.02, part * (grow ? 1 + 0.25 * hump(t) : 1)).toFixed(3)}) rotate(${((1 - part) * 90).toFixed(0)}deg)`;
    },
    end() {
      if (!token) return;
      token.body.style.transform = '';
      done(token);
    },
  };
}

/** A thing without an owner that lies on a cell now. */
export function lying(scene: Scene, x: number, y: number, not: number): TokenElement | null {
  for (const token of scene.tokens.values()) {
    const bare = token.element.classList.contains('seat-none') && token.element.style.display !== 'none';
    if (bare && token.unit !== not && Math.round(token.x) === x && Math.round(token.y) === y) return token;
  }
  return null;
}

/** What will lie on a cell after the events and is not seen yet. */
export function coming(scene: Scene, after: Position, x: number, y: number): number | null {
  const token = after.board.tokens.find(
    (t) => t.place === 'board' && t.seat === null && t.x === x && t.y === y && !seen(scene, t.unit),
  );
  return token ? token.unit : null;
}

/** Towards a cell and back: part 1 would reach it. */
export function lunge(scene: Scene, unit: number, from: readonly number[], at: readonly number[], part: number): AnimationStep {
  let token: TokenElement | null = null;
  const dx = scene.view.way * Math.sign(at[0]! - from[0]!);
  const dy = scene.view.way * Math.sign(at[1]! - from[1]!);
  return {
    begin() {
      token = seen(scene, unit);
      if (token) token.element.style.zIndex = '6';
    },
    frame(t) {
      const far = hump(t ** 0.8) * part * 100;
      if (token) token.body.style.transform = `translate(${(dx * far).toFixed(1)}%,${(dy * far).toFixed(1)}%)`;
    },
    end() {
      if (!token) return;
      token.body.style.transform = '';
      token.element.style.zIndex = '';
    },
  };
}

/** From what was seen to what is settled now: units slide from where they were, those that are new fade in, those that are gone fade out. */
export function shiftSteps(scene: Scene, seen: Map<number, { x: number; y: number; element: HTMLElement }>): AnimationStep[] {
  const steps: AnimationStep[] = [];
  for (const [unit, token] of scene.tokens) {
    const from = seen.get(unit);
    const to = [token.x, token.y];
    if (!from) steps.push(fade(token.element, true, () => (token.element.style.opacity = '')));
    else if (from.x !== token.x || from.y !== token.y) {
      token.place(from.x, from.y, scene.view);
      steps.push(travel(scene, unit, [from.x, from.y], to, 0));
    }
  }
  for (const [unit, { element }] of seen) {
    if (scene.tokens.has(unit)) continue;
    const ghost = element.cloneNode(true) as HTMLElement;
    ghost.removeAttribute('data-unit');
    steps.push({ begin: () => scene.effects.append(ghost), ...fade(ghost, false, () => ghost.remove()) });
  }
  return steps;
}

/** Something becomes visible or goes; `done` at the end. */
function fade(element: HTMLElement, comes: boolean, done: () => void): AnimationStep {
  element.style.opacity = comes ? '0' : '1';
  return { frame: (t) => (element.style.opacity = (comes ? t : 1 - t).toFixed(2)), end: done };
}
