/* effects.ts -- what each event looks like: timed events in, tracks for the animator out. Every track leaves the picture as the event says
 * it is, so that skipping gives the same picture. */
import { signColour } from '../art/badges';
import type { GameEvent, Position } from '../model';
import { coming, ease, enter, flash, hump, later, leave, lunge, lying, out, pop, rise, seen, sprite, swell, together, travel, type AnimationStep, type Scene } from './animation-steps';
import type { Ground } from './paint';
import type { Track } from './animator';
import { banner, bolt, bubble, burst, number, ring, sparks } from './sprites';
import { timedEventsOf, isRanged } from './timeline';
import type { TokenElement } from './tokens';

/** Makes the animation of one event; `after` is the position that it leads to. */
type Maker = (scene: Scene, event: GameEvent, after: Position) => AnimationStep;

const NONE = 255;
/** How long numbers stay where nothing moves. */
const STILL_MS = 1400;

/** The tracks of all events of a position. */
export function tracksOf(scene: Scene, position: Position): Track[] {
  return timedEventsOf(position.events).map((timed) => {
    const step = (MAKERS[timed.event.kind] ?? nothing)(scene, timed.event, position);
    return { start: timed.start, length: timed.length, ...step };
  });
}

/** Without motion: what was lost and won stands over the units for a moment, and nothing moves. */
export function stillAmounts(scene: Scene, position: Position): void {
  for (const event of position.events) {
    const sign = event.kind === 'hurt' ? '\u2212' : event.kind === 'healed' ? '+' : null;
    if (!sign) continue;
    const element = sprite(scene, number(sign + event.amount, sign === '+' ? 'heal' : 'hurt'), [...event.at, 0.2]);
    setTimeout(() => element.remove(), STILL_MS);
  }
}

/** For events that are not shown on the board. */
const nothing: Maker = () => ({});

/** A token walks to its new cell. */
const moved: Maker = (scene, event) =>
  together(travel(scene, event.unit, event.from, event.at, 0.1), { begin: () => scene.sound('step') });

/** Two tokens change places, one in an arc above the other. */
const swapped: Maker = (scene, event) =>
  together(travel(scene, event.unit, event.from, event.at, 0.18), travel(scene, event.other, event.at, event.from, 0));

/** A token shrinks here and grows there. */
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
      if (t >= 0.5) token.place(event.at[0], event.at[1], scene.view);
      const size = Math.max(0.03, Math.abs(1 - 2 * ease(t)));
      token.body.style.transform = `scale(${size.toFixed(3)}) rotate(${Math.round(t * 360)}deg)`;
    },
    end() {
      if (!token) return;
      token.body.style.transform = '';
      token.place(event.at[0], event.at[1], scene.view);
    },
  });
};

/** A token starts to go, and is held. */
const blocked: Maker = (scene, event) => {
  const start = (): void => scene.sound('block');
  return together(lunge(scene, event.unit, event.from, event.at, 0.3), { begin: start });
};

/** A token comes onto the board in a ring of light. */
const appeared: Maker = (scene, event, after) =>
  together(
    flash(scene, ring('var(--mind)'), event.at, 1.3, pop, () => scene.sound('appear')),
    swell(() => enter(scene, after, event.unit, event.at[0], event.at[1]), true, () => undefined),
  );

/** A token is put down before the match begins. */
const placed: Maker = (scene, event, after) =>
  event.unit === NONE
    ? {}
    : swell(() => enter(scene, after, event.unit, event.at[0], event.at[1]), true, () => undefined);

/** A token dissolves. */
const vanished: Maker = (scene, event) =>
  together(
    flash(scene, sparks('var(--power)'), event.at, 1.3, pop),
    swell(() => seen(scene, event.unit), false, leave),
  );

/** A blow beside, or a shot across the board. */
const attacked: Maker = (scene, event) => {
  if (!isRanged(event)) {
    return together(lunge(scene, event.unit, event.from, event.at, 0.45), { begin: () => scene.sound('strike') });
  }
  const dx = scene.view.way * (event.at[0] - event.from[0]);
  const dy = scene.view.way * (event.at[1] - event.from[1]);
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
function amount(scene: Scene, event: GameEvent, sign: 1 | -1): AnimationStep {
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

/** A flash, and the health that was lost as a number. */
const hurt: Maker = (scene, event) =>
  together(flash(scene, burst(), event.at, 1.15, (element, t) => pop(element, Math.min(1, t * 2))), amount(scene, event, -1));

/** Sparks, and the health that was gained as a number. */
const healed: Maker = (scene, event) =>
  together(flash(scene, sparks('var(--time)'), event.at, 1.2, pop), amount(scene, event, 1));

/** A dash where a number would have been. */
const missed: Maker = (scene, event) =>
  flash(scene, number('\u2013', 'miss'), event.at, 1, rise, () => scene.sound('block'));

/** A token falls; it stays as a shadow if its unit can come back. */
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

/** A token stands up again. */
const revived: Maker = (scene, event) =>
  together(flash(scene, ring('var(--soul)'), event.at, 1.5, pop, () => scene.sound('heal')), {
    begin() {
      const token = seen(scene, event.unit);
      token?.element.classList.remove('down');
      token?.vitality(event.amount);
    },
  });

/** Two pieces clash, whoever wins. */
const fought: Maker = (scene, event) =>
  together(
    lunge(scene, event.unit, event.from, event.at, 0.6),
    flash(scene, burst(), event.at, 1.6, pop, () => scene.sound('strike')),
  );

/** A ring of the ability's colour around who uses it, and around the target if that is elsewhere. */
const used: Maker = (scene, event) => {
  const colour = signColour(event.what_id);
  const from = event.unit === NONE ? event.at : event.from;
  const steps = [flash(scene, ring(colour), from, 1.3, pop, () => scene.sound('magic'))];
  if (from[0] !== event.at[0] || from[1] !== event.at[1]) steps.push(flash(scene, sparks(colour), event.at, 1.4, pop));
  return together(...steps);
};

/** Sparks of the effect's colour. */
const effectBegan: Maker = (scene, event) =>
  flash(scene, sparks(signColour(event.what_id)), event.at, 1.2, pop, () => scene.sound('magic'));

/** A hidden piece turns around and shows what it is. */
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
      if (t > 0.5 && known) token.dress(known.kind_id, known.seat);
      token.body.style.transform = `scaleX(${Math.max(0.03, Math.abs(Math.cos(t * Math.PI))).toFixed(3)})`;
    },
    end() {
      if (!token) return;
      if (known) token.dress(known.kind_id, known.seat);
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
  scene.changeGround(scene.ground);
}

/** The health that a rock or cover has lost. */
const groundHurt: Maker = (scene, event) =>
  flash(scene, number(`\u2212${event.amount}`, 'rock'), event.at, 0.9, rise, () => {
    scene.sound('rock');
    ground(scene, event, (g, cell) => (g.wear[cell] = Math.max(0, g.wear[cell]! - event.amount)));
  });

/** The ground of a cell becomes another. */
const groundChanged: Maker = (scene, event, after) =>
  flash(scene, sparks('var(--ink-3)'), event.at, 1.2, pop, () => {
    ground(scene, event, (g, cell) => {
      g.cells[cell] = event.what;
      g.wear[cell] = after.board.wear?.[event.at[1]]?.[event.at[0]] ?? 0;
    });
  });

/** A thing lies on the board now. */
const itemAppeared: Maker = (scene, event, after) => {
  const colour = signColour(event.what_id);
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

/** A thing leaves the board for somebody's hand. */
const itemTaken: Maker = (scene, event) => {
  let item: TokenElement | null = null;
  return together(flash(scene, sparks(signColour(event.what_id)), event.at, 1.3, pop, () => scene.sound('stone')), {
    begin: () => (item = lying(scene, event.at[0], event.at[1], event.unit)),
    frame(t) {
      if (item) item.body.style.transform = `translateY(${(-50 * out(t)).toFixed(0)}%) scale(${(1 - 0.8 * t).toFixed(2)})`;
    },
    end: () => item && leave(item),
  });
};

/** A thing flies from one hand to another. */
const itemGiven: Maker = (scene, event) => {
  const cell = scene.view.cell;
  const dx = scene.view.way * (event.at[0] - event.from[0]);
  const dy = scene.view.way * (event.at[1] - event.from[1]);
  return flash(scene, sparks(signColour(event.what_id)), event.from, 0.9, (element, t) => {
    const part = ease(t);
    element.style.transform = `translate(${(dx * part * cell).toFixed(1)}px,${((dy * part - 0.4 * hump(t)) * cell).toFixed(1)}px)`;
  }, () => scene.sound('stone'));
};

/** A speech bubble. */
const spoke: Maker = (scene, event) => {
  const words = /["„“]([^"”“]+)/.exec(event.text ?? '')?.[1] ?? '\u2026';
  return flash(scene, bubble(words), [...event.at, 0.75], 1, (element, t) => {
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

/** A ring around the unit whose turn it is. */
const turnBegan: Maker = (scene, event) => {
  const token = seen(scene, event.unit);
  if (!token) return {};
  return flash(scene, ring('var(--mind)'), [Math.round(token.x), Math.round(token.y)], 1.25, pop, () => scene.sound('turn'));
};

/** How each kind of event is shown. */
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
