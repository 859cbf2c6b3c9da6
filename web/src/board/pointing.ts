/* pointing.ts -- how people point at a board: mouse, finger, two fingers, wheel, keys, and buttons for the size. */
import { t } from '../texts/texts';
import { CELL_HANDY, type View } from './view';

/** What pointing changes and asks; the Stage. */
export interface Pointed {
  readonly view: View;
  arrange(): void;
  fit(): void;
  /** A cell is chosen; by a finger: nothing could be seen by pointing before. */
  choose(x: number, y: number, touch?: boolean, dragged?: boolean): void;
  /** Takes the piece on a cell in hand, if it may be dragged. */
  grab(x: number, y: number): boolean;
  /** Holds it under the pointer, so many pixels from where it stands; null: lets it go. */
  carry(by: { x: number; y: number } | null): void;
  /** A finger stays on a cell. */
  inspect(x: number, y: number): void;
  /** A pointer goes down, or the last one up. */
  press(down: boolean, cell?: { x: number; y: number } | null): void;
  hover(cell: { x: number; y: number } | null): void;
  cursor(x: number, y: number): void;
  step(right: number, down: number): void;
  toEdge(right: number, down: number): void;
  /** Something is drawn; false: nothing can be drawn here. */
  draws(from: { x: number; y: number } | null, to: { x: number; y: number } | null, colour: string): boolean;
  focus(): void;
  cellOf(element: EventTarget | null): { x: number; y: number } | null;
  uncursor(): void;
  where(): { x: number; y: number } | null;
  start(): { x: number; y: number };
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const EDGES: Record<string, [number, number]> = {
  Home: [-1, 0],
  End: [1, 0],
  PageUp: [0, -1],
  PageDown: [0, 1],
};

/** The board is dragged after so many pixels, a piece after fewer; less is a click. Pieces are dragged by mouse and pen: a finger
 * taps twice. */
const DRAG_PX = 7;
const PIECE_PX = 3;
/** A finger that stays so long asks who that is. */
const LONG_MS = 500;

/** Listens on one element. */
export class Pointing {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private dragged = 0;
  /** Where a pointer that may drag a piece went down. */
  private start: { x: number; y: number } | null = null;
  /** A piece is in hand. */
  private holding = false;
  private pressing = 0;
  /** Where the right button went down. */
  private pen: { x: number; y: number } | null = null;
  private readonly buttons: HTMLDivElement;
  private readonly stop = new AbortController();

  /** Listens to all ways of pointing at once, until `destroy`. */
  constructor(
    private readonly root: HTMLElement,
    private readonly stage: Pointed,
  ) {
    const signal = this.stop.signal;
    root.addEventListener('pointerdown', this.down, { signal });
    root.addEventListener('pointermove', this.move, { signal });
    root.addEventListener('pointerup', this.up, { signal });
    root.addEventListener('pointerup', this.penUp, { signal });
    root.addEventListener('contextmenu', (event) => stage.draws(null, null, '') && event.preventDefault(), { signal });
    root.addEventListener('pointercancel', this.lost, { signal });
    root.addEventListener('pointerleave', this.leave, { signal });
    root.addEventListener('wheel', this.wheel, { signal, passive: false });
    root.addEventListener('keydown', this.key, { signal });
    root.addEventListener('focusin', this.focus, { signal });
    root.addEventListener('focusout', (event) => root.contains(event.relatedTarget as Node | null) || stage.uncursor(), { signal });
    this.buttons = this.make();
  }

  /** Shows or hides the buttons for the size. */
  offer(on: boolean): void {
    this.buttons.hidden = !on;
  }

  /** Listens no more. */
  destroy(): void {
    this.stop.abort();
    clearTimeout(this.pressing);
  }

  /** The buttons for the size of the board. */
  private make(): HTMLDivElement {
    const box = document.createElement('div');
    box.className = 'stage-zoom';
    box.hidden = true;
    const add = (text: string, label: string, step: () => void): void => {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'button small square';
      button.textContent = text;
      button.setAttribute('aria-label', label);
      button.addEventListener('click', step);
      box.append(button);
    };
    add('+', t('board.zoomIn'), () => this.zoom(1.35));
    add('\u2212', t('board.zoomOut'), () => this.zoom(1 / 1.35));
    add('\u25a2', t('board.zoomFit'), () => this.stage.fit());
    box.addEventListener('pointerdown', (event) => event.stopPropagation());
    box.addEventListener('pointerup', (event) => event.stopPropagation());
    box.addEventListener('keydown', (event) => event.stopPropagation());
    this.root.append(box);
    return box;
  }

  /** Enlarges or shrinks around the middle. */
  private zoom(factor: number): void {
    const { view } = this.stage;
    view.zoom(view.width / 2, view.height / 2, factor);
    this.stage.arrange();
  }

  /** Where on the board's element the pointer is, in pixels. */
  private place(event: PointerEvent | WheelEvent): { x: number; y: number } {
    const box = this.root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** A pointer goes down: a click, a drag or one of two fingers begins. */
  private readonly down = (event: PointerEvent): void => {
    const at = this.place(event);
    if (event.button === 2) this.pen = this.stage.view.at(at.x, at.y);
    if (event.button > 0) return;
    this.stage.press(true, this.stage.view.at(at.x, at.y));
    if (this.fingers.size === 0) this.dragged = 0;
    this.fingers.set(event.pointerId, at);
    this.start = event.pointerType === 'touch' || this.fingers.size > 1 ? null : at;
    clearTimeout(this.pressing);
    if (event.pointerType === 'touch' && this.fingers.size === 1) this.pressing = window.setTimeout(() => this.pressLong(event), LONG_MS);
    if (this.stage.view.overflows() || this.fingers.size > 1) this.root.setPointerCapture?.(event.pointerId);
  };

  /** A pointer moves: hovers, drags the board, or pinches it with another finger. */
  private readonly move = (event: PointerEvent): void => {
    const now = this.place(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') this.stage.hover(this.stage.view.at(now.x, now.y));
      return;
    }
    if (this.dragPiece(now, event.pointerId)) return;
    const others = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    const { view } = this.stage;
    if (others[0]) {
      const wide = Math.hypot(now.x - others[0].x, now.y - others[0].y);
      const narrow = Math.hypot(before.x - others[0].x, before.y - others[0].y);
      view.zoom((now.x + others[0].x) / 2, (now.y + others[0].y) / 2, wide / Math.max(1, narrow));
      view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      this.dragged = DRAG_PX + 1;
      this.stage.arrange();
    } else {
      this.dragged += Math.hypot(now.x - before.x, now.y - before.y);
      if (this.dragged > DRAG_PX && view.overflows()) {
        view.pan(now.x - before.x, now.y - before.y);
        this.stage.arrange();
      }
    }
    this.fingers.set(event.pointerId, now);
  };

  /** A finger has stayed: it asks, and is no tap any more. */
  private pressLong(event: PointerEvent): void {
    const { x, y } = this.place(event);
    const cell = this.stage.view.at(x, y);
    if (!cell || this.fingers.size !== 1 || this.dragged > DRAG_PX) return;
    this.dragged = DRAG_PX + 1;
    this.stage.inspect(cell.x, cell.y);
  }

  /** Drags the piece on which the pointer went down, if there is one to be dragged. */
  private dragPiece(now: { x: number; y: number }, pointer: number): boolean {
    const { start, stage } = this;
    if (!start) return false;
    if (!this.holding) {
      const cell = stage.view.at(start.x, start.y);
      if (Math.hypot(now.x - start.x, now.y - start.y) < PIECE_PX) return false;
      if (!cell || !stage.grab(cell.x, cell.y)) {
        this.start = null;
        return false;
      }
      this.holding = true;
      this.root.setPointerCapture?.(pointer);
    }
    stage.carry({ x: now.x - start.x, y: now.y - start.y });
    stage.hover(stage.view.at(now.x, now.y));
    return true;
  }

  /** The right button goes up: a cell is marked, or an arrow drawn; Shift, Ctrl and Alt are colours. */
  private readonly penUp = (event: PointerEvent): void => {
    if (event.button !== 2) return;
    const at = this.place(event);
    const colour = event.shiftKey ? ' green' : event.ctrlKey ? ' red' : event.altKey ? ' blue' : '';
    this.stage.draws(this.pen, this.stage.view.at(at.x, at.y), colour);
    this.pen = null;
  };

  /** A pointer goes up: a piece in hand is put down there; if nothing was dragged, the cell is chosen. */
  private readonly up = (event: PointerEvent): void => {
    clearTimeout(this.pressing);
    if (!this.fingers.delete(event.pointerId) || this.fingers.size > 0) return;
    this.stage.press(false);
    const now = this.place(event);
    const cell = this.stage.view.at(now.x, now.y);
    if (this.holding) {
      const from = this.start && this.stage.view.at(this.start.x, this.start.y);
      this.letGo();
      if (cell && (cell.x !== from?.x || cell.y !== from?.y)) this.stage.choose(cell.x, cell.y, false, true);
      return;
    }
    if (this.dragged <= DRAG_PX && cell) {
      this.stage.uncursor();
      this.stage.choose(cell.x, cell.y, event.pointerType === 'touch');
    }
  };

  /** No piece is in hand any more. */
  private letGo(): void {
    if (this.holding) this.stage.carry(null);
    this.holding = false;
    this.start = null;
  }

  /** The pointer is elsewhere. */
  private readonly leave = (): void => {
    this.stage.press(false);
    this.stage.hover(null);
  };

  /** The system takes a pointer away. */
  private readonly lost = (event: PointerEvent): void => {
    this.stage.press(false);
    clearTimeout(this.pressing);
    this.fingers.delete(event.pointerId);
    this.letGo();
  };

  /** The wheel enlarges and shrinks where the board does not fit, and scrolls the page elsewhere. */
  private readonly wheel = (event: WheelEvent): void => {
    const { view } = this.stage;
    if (!event.ctrlKey && !view.overflows() && view.fitting() >= CELL_HANDY) return;
    if (!event.ctrlKey && event.deltaY > 0 && !view.overflows()) return;
    event.preventDefault();
    const now = this.place(event);
    view.zoom(now.x, now.y, Math.exp(-event.deltaY * 0.0016));
    this.stage.arrange();
  };

  /** The keyboard comes to the board or to a cell: shows its cursor. */
  private readonly focus = ({ target }: FocusEvent): void => {
    this.root.scrollTo(0, 0);
    const cell = this.stage.cellOf(target);
    const at = this.stage.where();
    if (cell) return at?.x === cell.x && at.y === cell.y ? undefined : this.stage.cursor(cell.x, cell.y);
    if (target === this.root && this.root.matches(':focus-visible')) this.stage.focus();
  };

  /** Arrows move the cursor, Enter and Space choose, plus and minus change the size. */
  private readonly key = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target !== this.root && !this.stage.cellOf(event.target)) return;
    const at = this.stage.where();
    const step = STEPS[event.key];
    if (step) {
      const far = event.shiftKey ? 5 : 1;
      this.stage.step(step[0] * far, step[1] * far);
    } else if (EDGES[event.key]) {
      this.stage.toEdge(...EDGES[event.key]!);
    } else if ((event.key === 'Enter' || event.key === ' ') && at) {
      this.stage.choose(at.x, at.y);
    } else if (event.key === '+' || event.key === '=') {
      this.zoom(1.35);
    } else if (event.key === '-') {
      this.zoom(1 / 1.35);
    } else {
      return;
    }
    event.preventDefault();
  };
}
