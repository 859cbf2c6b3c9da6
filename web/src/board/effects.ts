/* effects.ts -- what each event looks like: beats in, tracks for the player out. Every track looks things up when it begins, not
 * when it is made, because other tracks may run before it; and every track leaves the picture as the event says it is, so that
 * skipping gives the same picture. */
import type { Board, GameEvent, Position, Token } from '../model';
import type { Ground } from './paint';
import type { Track } from './player';
import { beatsOf, isRanged } from './timeline';
import type { TokenElement } from './tokens';
import type { View } from './view';
import { banner, bolt, bubble, burst, number, ring, sparks } from './sprites';

/** What effects act on; the Stage. */
export interface Scene {
  readonly view: View;
  readonly effects: HTMLElement;
  readonly tokens: Map<number, TokenElement>;
  ground: Ground | null;
  readonly board: Board | null;
  token(unit: number): TokenElement;
  repaint(): void;
  sound(name: string): void;
}

/** A track without its times. */
type Act = Omit<Track, 'start' | 'length'>;
type Maker = (scene: Scene, event: GameEvent, after: Position) => Act;

const NONE = 255;
const ease = (t: number): number => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
const out = (t: number): number => 1 - (1 - t) ** 3;
/** Up and down again. */
const hump = (t: number): number => Math.sin(Math.PI * Math.min(1, Math.max(0, t)));

/** The tracks of all events of a position. */
export function tracksOf(scene: Scene, position: Position): Track[] {
  return beatsOf(position.events).map((beat) => {
    const act = (MAKERS[beat.event.kind] ?? nothing)(scene, beat.event, position);
    return { start: beat.start, length: beat.length, ...act };
  });
}

const nothing: Maker = () => ({});

/** The element of a unit if it is on the board now. */
function seen(scene: Scene, unit: number): TokenElement | null {
  const token = scene.tokens.get(unit);
  return token && token.element.style.display !== 'none' ? token : null;
}

/** A unit as the position after the events has it. */
function later(after: Position, unit: number): Token | undefined {
  return after.board.tokens.find((token) => token.unit === unit);
}

/** Puts a unit on the board that was not there. */
function enter(scene: Scene, after: Position, unit: number, x: number, y: number): TokenElement {
  const token = scene.token(unit);
  const known = later(after, unit);
  if (known) token.settle({ ...known, place: 'board', x, y }, after.board);
  token.place(x, y, scene.view.cell);
  return token;
}

/** Takes a unit off the board until it comes back. */
function leave(token: TokenElement): void {
  token.element.style.display = 'none';
  token.body.style.cssText = '';
}

/** Something at a point of the board for as long as its track lasts. */
function sprite(scene: Scene, html: string, x: number, y: number, scale = 1): HTMLElement {
  const element = document.createElement('div');
  element.className = 'sprite';
  const cell = scene.view.cell;
  element.style.left = `${(x + 0.5) * cell}px`;
  element.style.top = `${(y + 0.5) * cell}px`;
  element.style.setProperty('--sprite', `${cell * scale}px`);
  element.innerHTML = html;
  scene.effects.append(element);
  return element;
}

/** An act of one sprite: `frame` changes it, and it is gone at the end. */
function flash(
  scene: Scene, html: string, at: readonly number[], scale: number,
  frame: (element: HTMLElement, t: number) => void, begin?: () => void,
): Act {
  let element: HTMLElement | null = null;
  return {
    begin() {
      begin?.();
      element = sprite(scene, html, at[0]!, at[1]!, scale);
      frame(element, 0);
    },
    frame: (t) => element && frame(element, t),
    end: () => element?.remove(),
  };
}

/** Grows, then fades. */
function pop(element: HTMLElement, t: number): void {
  const inner = element.firstElementChild as HTMLElement;
  inner.style.transform = `scale(${(0.4 + 0.7 * out(Math.min(1, t * 2.2))).toFixed(3)})`;
  inner.style.opacity = String(t < 0.55 ? 1 : (1 - t) / 0.45);
}

/** Rises, then fades. */
function rise(element: HTMLElement, t: number): void {
  const inner = element.firstElementChild as HTMLElement;
  const grow = t < 0.15 ? 0.5 + t * 4 : 1.1 - Math.min(0.1, (t - 0.15) * 0.5);
  inner.style.transform = `translateY(${(-45 * out(t)).toFixed(1)}%) scale(${grow.toFixed(3)})`;
  inner.style.opacity = String(t < 0.65 ? 1 : (1 - t) / 0.35);
}

/** Several acts at once. */
function together(...acts: Act[]): Act {
  return {
    begin: () => acts.forEach((act) => act.begin?.()),
    frame: (t) => acts.forEach((act) => act.frame?.(t)),
    end: () => acts.forEach((act) => act.end?.()),
  };
}

/** A unit goes from cell to cell; `lift` makes it hop. */
function travel(scene: Scene, unit: number, from: readonly number[], to: readonly number[], lift: number): Act {
  let token: TokenElement | null = null;
  return {
    begin() {
      token = seen(scene, unit);
      if (token) token.element.style.zIndex = '5';
    },
    frame(t) {
      if (!token) return;
      const part = ease(t);
      token.place(from[0]! + (to[0]! - from[0]!) * part, from[1]! + (to[1]! - from[1]!) * part, scene.view.cell);
      token.body.style.transform = `translateY(${(-lift * hump(t) * 100).toFixed(1)}%)`;
    },
    end() {
      if (!token) return;
      token.place(to[0]!, to[1]!, scene.view.cell);
      token.body.style.transform = '';
      token.element.style.zIndex = '';
    },
  };
}

/** A unit shrinks or grows in place. */
function swell(find: () => TokenElement | null, grow: boolean, done: (token: TokenElement) => void): Act {
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
function lying(scene: Scene, x: number, y: number, not: number): TokenElement | null {
  for (const token of scene.tokens.values()) {
    const bare = token.element.classList.contains('seat-none') && token.element.style.display !== 'none';
    if (bare && token.unit !== not && Math.round(token.x) === x && Math.round(token.y) === y) return token;
  }
  return null;
}

/** What will lie on a cell after the events and is not seen yet. */
function coming(scene: Scene, after: Position, x: number, y: number): number | null {
  const token = after.board.tokens.find(
    (t) => t.place === 'board' && t.seat === null && t.x === x && t.y === y && !seen(scene, t.unit),
  );
  return token ? token.unit : null;
}

const moved: Maker = (scene, event) => ({
  ...travel(scene, event.unit, event.from, event.at, 0.1),
});

const swapped: Maker = (scene, event) =>
  together(travel(scene, event.unit, event.from, event.at, 0.18), travel(scene, event.other, event.at, event.from, 0));

const teleported: Maker = (scene, event) => {
  let token: TokenElement | null = null;
  const here = flash(scene, ring('var(--power)'), event.from, 1.2, pop);
  const there = flash(scene, ring('var(--space)'), event.at, 1.2, pop);
  return together(here, there, {
    begin() {
      token = seen(scene, event.unit);
      scene.sound('portal');
    },
    frame(t) {
      if (!token) return;
      if (t >= 0.5) token.place(event.at[0], event.at[1], scene.view.cell);
      const size = Math.max(0.03, Math.abs(1 - 2 * ease(t)));
      token.body.style.transform = `scale(${size.toFixed(3)}) rotate(${Math.round(t * 360)}deg)`;
    },
    end() {
      if (!token) return;
      token.body.style.transform = '';
      token.place(event.at[0], event.at[1], scene.view.cell);
    },
  });
};

/** Towards a cell and back: part 1 would reach it. */
function lunge(scene: Scene, unit: number, from: readonly number[], at: readonly number[], part: number): Act {
  let token: TokenElement | null = null;
  const dx = Math.sign(at[0]! - from[0]!);
  const dy = Math.sign(at[1]! - from[1]!);
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

const blocked: Maker = (scene, event) => {
  const start = (): void => scene.sound('block');
  return together(lunge(scene, event.unit, event.from, event.at, 0.3), { begin: start });
};

const appeared: Maker = (scene, event, after) =>
  together(
    flash(scene, ring('var(--mind)'), event.at, 1.3, pop, () => scene.sound('appear')),
    swell(() => enter(scene, after, event.unit, event.at[0], event.at[1]), true, () => undefined),
  );

const placed: Maker = (scene, event, after) =>
  event.unit === NONE
    ? {}
    : swell(() => enter(scene, after, event.unit, event.at[0], event.at[1]), true, () => undefined);

const vanished: Maker = (scene, event) =>
  together(
    flash(scene, sparks('var(--power)'), event.at, 1.3, pop),
    swell(() => seen(scene, event.unit), false, leave),
  );

const attacked: Maker = (scene, event) => {
  if (!isRanged(event)) {
    return together(lunge(scene, event.unit, event.from, event.at, 0.45), { begin: () => scene.sound('strike') });
  }
  const dx = event.at[0] - event.from[0];
  const dy = event.at[1] - event.from[1];
  const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
  const cell = scene.view.cell;
  const fly = flash(scene, bolt(), event.from, 0.6, (element, t) => {
    const part = Math.min(1, t / 0.85);
    element.style.transform = `translate(${(dx * part * cell).toFixed(1)}px,${(dy * part * cell).toFixed(1)}px) rotate(${turn.toFixed(1)}deg)`;
    element.style.opacity = t > 0.9 ? '0' : '1';
  });
  return together(fly, lunge(scene, event.unit, event.at, event.from, 0.12), { begin: () => scene.sound('shot') });
};

/** A number over a unit; the bar changes when it begins. */
function amount(scene: Scene, event: GameEvent, sign: 1 | -1): Act {
  const colour = sign < 0 ? 'hurt' : 'heal';
  const text = `${sign < 0 ? '\u2212' : '+'}${event.amount}`;
  let token: TokenElement | null = null;
  return together(
    flash(scene, number(text, colour), event.at, 1, rise, () => {
      scene.sound(sign < 0 ? 'hit' : 'heal');
      token = seen(scene, event.unit);
      if (token && token.health !== null) token.vitality(Math.max(0, token.health + sign * event.amount));
    }),
    {
      frame(t) {
        if (!token || sign > 0) return;
        const shake = t < 0.35 ? Math.sin(t * 60) * 7 * (1 - t / 0.35) : 0;
        token.body.style.transform = shake ? `translateX(${shake.toFixed(1)}%)` : '';
      },
      end: () => token && (token.body.style.transform = ''),
    },
  );
}

const hurt: Maker = (scene, event) =>
  together(amount(scene, event, -1), flash(scene, burst(), event.at, 1.15, (element, t) => pop(element, Math.min(1, t * 2))));

const healed: Maker = (scene, event) =>
  together(amount(scene, event, 1), flash(scene, sparks('var(--time)'), event.at, 1.2, pop));

const missed: Maker = (scene, event) =>
  flash(scene, number('\u2013', 'miss'), event.at, 1, rise, () => scene.sound('block'));

const died: Maker = (scene, event, after) => {
  let token: TokenElement | null = null;
  const stays = later(after, event.unit)?.place === 'board';
  return together(flash(scene, burst(), event.at, 1.5, pop, () => scene.sound('out')), {
    begin() {
      token = seen(scene, event.unit);
      if (token && token.health !== null) token.vitality(0);
    },
    frame(t) {
      if (!token) return;
      token.body.style.transform = `rotate(${(75 * ease(t)).toFixed(0)}deg) scale(${(1 - 0.3 * t).toFixed(3)})`;
      if (!stays) token.element.style.opacity = (1 - ease(t)).toFixed(2);
    },
    end() {
      if (!token) return;
      token.body.style.transform = '';
      token.element.style.opacity = '';
      if (stays) token.element.classList.add('down');
      else leave(token);
    },
  });
};

const revived: Maker = (scene, event) =>
  together(flash(scene, ring('var(--soul)'), event.at, 1.5, pop, () => scene.sound('heal')), {
    begin() {
      const token = seen(scene, event.unit);
      token?.element.classList.remove('down');
      token?.vitality(event.amount);
    },
  });

const fought: Maker = (scene, event) =>
  together(
    lunge(scene, event.unit, event.from, event.at, 0.6),
    flash(scene, burst(), event.at, 1.6, pop, () => scene.sound('strike')),
  );

const used: Maker = (scene, event) => {
  const colour = colourOf(event.text);
  const from = event.unit === NONE ? event.at : event.from;
  const acts = [flash(scene, ring(colour), from, 1.3, pop, () => scene.sound('magic'))];
  if (from[0] !== event.at[0] || from[1] !== event.at[1]) acts.push(flash(scene, sparks(colour), event.at, 1.4, pop));
  return together(...acts);
};

const effectBegan: Maker = (scene, event) =>
  flash(scene, sparks(colourOf(event.text)), event.at, 1.2, pop, () => scene.sound('magic'));

const revealed: Maker = (scene, event, after) => {
  let token: TokenElement | null = null;
  const known = later(after, event.unit);
  return {
    begin() {
      token = seen(scene, event.unit);
      if (token) scene.sound('flip');
    },
    frame(t) {
      if (!token) return;
      if (t > 0.5 && known) token.dress(known.kind, known.seat);
      token.body.style.transform = `scaleX(${Math.max(0.03, Math.abs(Math.cos(t * Math.PI))).toFixed(3)})`;
    },
    end() {
      if (!token) return;
      if (known) token.dress(known.kind, known.seat);
      token.body.style.transform = '';
    },
  };
};

/** Changes the ground that is drawn. */
function ground(scene: Scene, event: GameEvent, change: (ground: Ground, cell: number) => void): void {
  const board = scene.board;
  if (!board || !scene.ground) return;
  const cell = event.at[1] * board.width + event.at[0];
  if (cell < scene.ground.cells.length && cell >= 0) change(scene.ground, cell);
  scene.repaint();
}

const groundHurt: Maker = (scene, event) =>
  flash(scene, number(`\u2212${event.amount}`, 'rock'), event.at, 0.9, rise, () => {
    scene.sound('rock');
    ground(scene, event, (g, cell) => (g.wear[cell] = Math.max(0, g.wear[cell]! - event.amount)));
  });

const groundChanged: Maker = (scene, event, after) =>
  flash(scene, sparks('var(--ink-3)'), event.at, 1.2, pop, () => {
    ground(scene, event, (g, cell) => {
      g.cells[cell] = event.what;
      g.wear[cell] = after.board.wear?.[event.at[1]]?.[event.at[0]] ?? 0;
    });
  });

const itemAppeared: Maker = (scene, event, after) => {
  const colour = colourOf(event.text);
  return together(
    flash(scene, ring(colour), event.at, 1.3, pop, () => scene.sound('stone')),
    swell(
      () => {
        const unit = coming(scene, after, event.at[0], event.at[1]);
        return unit === null ? null : enter(scene, after, unit, event.at[0], event.at[1]);
      },
      true,
      () => undefined,
    ),
  );
};

const itemTaken: Maker = (scene, event) => {
  let item: TokenElement | null = null;
  return together(flash(scene, sparks(colourOf(event.text)), event.at, 1.3, pop, () => scene.sound('stone')), {
    begin: () => (item = lying(scene, event.at[0], event.at[1], event.unit)),
    frame(t) {
      if (item) item.body.style.transform = `translateY(${(-50 * out(t)).toFixed(0)}%) scale(${(1 - 0.8 * t).toFixed(2)})`;
    },
    end: () => item && leave(item),
  });
};

const itemGiven: Maker = (scene, event) => {
  const cell = scene.view.cell;
  const dx = event.at[0] - event.from[0];
  const dy = event.at[1] - event.from[1];
  return flash(scene, sparks(colourOf(event.text)), event.from, 0.9, (element, t) => {
    const part = ease(t);
    element.style.transform = `translate(${(dx * part * cell).toFixed(1)}px,${((dy * part - 0.4 * hump(t)) * cell).toFixed(1)}px)`;
  }, () => scene.sound('stone'));
};

const spoke: Maker = (scene, event) => {
  const words = /"([^"]+)"/.exec(event.text ?? '')?.[1] ?? '\u2026';
  return flash(scene, bubble(words), [event.at[0], event.at[1] - 0.75], 1, (element, t) => {
    const inner = element.firstElementChild as HTMLElement;
    inner.style.transform = `scale(${Math.min(1, out(t * 5)).toFixed(3)})`;
    inner.style.opacity = t > 0.9 ? String((1 - t) * 10) : '1';
  }, () => scene.sound('cheer'));
};

/** A line across the board: a round begins. */
const announced: Maker = (scene, event) => {
  let element: HTMLElement | null = null;
  return {
    begin() {
      element = document.createElement('div');
      element.className = 'stage-banner';
      element.innerHTML = banner(event.text ?? '');
      scene.effects.closest('.stage')?.append(element);
      scene.sound('round');
    },
    frame(t) {
      if (!element) return;
      const slide = t < 0.2 ? 1 - out(t / 0.2) : 0;
      element.style.transform = `translateX(${(-30 * slide).toFixed(1)}%) skewX(-6deg)`;
      element.style.opacity = t < 0.1 ? String(t * 10) : t > 0.8 ? String((1 - t) * 5) : '1';
    },
    end: () => element?.remove(),
  };
};

const turnBegan: Maker = (scene, event) => {
  const token = seen(scene, event.unit);
  if (!token) return {};
  return flash(scene, ring('var(--mind)'), [Math.round(token.x), Math.round(token.y)], 1.25, pop, () => scene.sound('turn'));
};

/** The colour that a sentence speaks of: that of a stone, or that of magic. */
function colourOf(text: string | undefined): string {
  const found = /\b(space|mind|reality|power|time|soul)\b/i.exec(text ?? '')?.[1];
  if (found) return `var(--${found.toLowerCase()})`;
  return /\b(heal|embrace)\b/i.test(text ?? '') ? 'var(--time)' : 'var(--accent)';
}

const MAKERS: Record<string, Maker> = {
  'placed': placed,
  'match-began': announced,
  'round-began': announced,
  'turn-began': turnBegan,
  'moved': moved,
  'swapped': swapped,
  'teleported': teleported,
  'blocked': blocked,
  'appeared': appeared,
  'vanished': vanished,
  'attacked': attacked,
  'missed': missed,
  'hurt': hurt,
  'healed': healed,
  'died': died,
  'revived': revived,
  'fought': fought,
  'used': used,
  'effect-began': effectBegan,
  'revealed': revealed,
  'ground-hurt': groundHurt,
  'ground-changed': groundChanged,
  'item-appeared': itemAppeared,
  'item-taken': itemTaken,
  'item-dropped': itemAppeared,
  'item-given': itemGiven,
  'spoke': spoke,
};
