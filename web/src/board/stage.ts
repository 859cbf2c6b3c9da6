/* stage.ts -- the board on the page. It draws positions, plays what happened between them, and tells what is pointed at. It
 * knows no rule: marks come from outside, facts from the events.
 *
 *   const stage = new Stage(host, { game, onCell: (x, y) => ..., onUnit: (unit) => ... });
 *   stage.show(position);            // at once
 *   await stage.play(position);      // animates position.events, then shows it; never blocks input
 *   await stage.shift(position);     // from whatever is shown to any other position, as the difference of the two
 *   stage.mark([{ x: 3, y: 4, kind: 'attack', label: '-36' }]);
 *
 * Layers, from below: ground (canvas), marks (canvas), tokens (elements), effects (elements). The canvases have the size of the
 * window and are painted when something changes; while an animation runs, only the few elements that move are touched. */
import type { Board, Position } from '../model';
import { t, type TextKey } from '../texts/texts';
import { shiftSteps, together, type Scene } from './animation-steps';
import { stillAmounts, tracksOf } from './effects';
import { groundOf, BoardPainter, sameGround, type Ground, type BoardMark, type BoardThreat } from './paint';
import { Animator } from './animator';
import { drawing, type DrawnMark } from './drawing';
import { BoardGrid } from './grid';
import { Pointing } from './pointing';
import { TokenElement } from './tokens';
import type { Cell, Leg } from './trail';
import { CELL_HANDY, View } from './view';
import { describeCell, tokensAt } from './cell-text';

export type { BoardMark, MarkKind } from './paint';

/** A jump from one position to another takes so long. */
const SHIFT_MS = 180;
/** How long a sentence stays over the board. */
const NOTE_MS = 4000;
const LABEL_PIXELS_LEAST = 7;

/** How large the letters of a label are so that it is not wider than its cell; a skull or a heart is as wide as two figures. */
export function labelPixels(text: string, cell: number): number {
  const letters = [...text].reduce((sum, letter) => sum + (/[\d−+.,/-]/.test(letter) ? 0.64 : letter === ' ' ? 0.3 : 1.1), 0.7);
  return Math.max(LABEL_PIXELS_LEAST, Math.min(Math.max(11, cell * 0.2), (cell - 4) / letters));
}

/** What a Stage shows and tells. A click on a marked cell is always onCell; elsewhere a click on a unit is onUnit, if there is one. */
export interface StageOptions {
  /** The id of the game, whose folder says how its ground looks. */
  game: string;
  /** `touch`: by a finger. */
  onCell?(x: number, y: number, touch: boolean, dragged: boolean): void;
  onUnit?(unit: number): void;
  /** Somebody begins to drag a unit; true: it may be dragged. */
  onGrab?(unit: number): boolean;
  /** A pointer goes down on a cell of the board (null: beside them), or the last one up. */
  onPress?(down: boolean, cell: Cell | null): void;
  /** Somebody pressed long on a unit. */
  onInspect?(unit: number): void;
  /** The cell under the pointer or the keyboard's cursor; null: none. */
  onHover?(cell: { x: number; y: number; unit: number | null } | null): void;
  /** A sound should be heard: see sound.ts. */
  onSound?(name: string): void;
  /** A sentence should be heard: see speech.ts. */
  onSay?(text: string): void;
  /** What is said of a cell besides what is seen there. */
  tell?(x: number, y: number): string[];
  /** Somebody marks a cell with the right button, or drags it to another cell. */
  onMark?(from: Cell, to: Cell, colour: string): void;
  /** False: a picture, not an instrument: no keys, no buttons. */
  interactive?: boolean;
  /** Shall things move? Left out: as the device wishes. */
  motion?: boolean;
}

/** What an action would do to a unit: signs over it, and the health it would have at least. */
export interface UnitForecast {
  unit: number;
  x: number;
  y: number;
  /** "100 → 70 ✕". */
  text: string;
  own: boolean;
  /** Its health afterwards as a share of the bar; null: it has none. */
  after: number | null;
}

/** See above. */
export class Stage implements Scene {
  readonly view = new View();
  readonly tokens = new Map<number, TokenElement>();
  readonly effects: HTMLDivElement;
  ground: Ground | null = null;
  /** The newest position, even if an animation is still on its way to it. */
  latest: Position | null = null;
  private shown: Position | null = null;
  private readonly root: HTMLDivElement;
  private readonly world: HTMLDivElement;
  private readonly labels: HTMLDivElement;
  private readonly cursorElement: HTMLDivElement;
  private readonly grid: BoardGrid | null;
  private readonly noteElement: HTMLParagraphElement;
  private noting = 0;
  private readonly painter: BoardPainter;
  private readonly player = new Animator();
  /** For jumps: as fast as ever, whatever the speed of the match is. */
  private readonly shifts = new Animator();
  private readonly pointing: Pointing | null;
  private readonly observer: ResizeObserver;
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private readonly night = matchMedia('(prefers-color-scheme: dark)');
  private readonly theme: MutationObserver;
  private marks: BoardMark[] = [];
  private legs: readonly Leg[] = [];
  private way: readonly Cell[] = [];
  private threats: readonly BoardThreat[] = [];
  private forecasts: readonly UnitForecast[] = [];
  private spots: readonly Cell[] = [];
  private drawn: readonly DrawnMark[] = [];
  private wished: readonly { unit: number; x: number; y: number }[] = [];
  private selected: number | null = null;
  private held: number | null = null;
  private at: { x: number; y: number } | null = null;
  private opened = false;
  private painting = 0;
  private mute = false;

  /** Builds the board inside `host`; `destroy` takes it out again. */
  constructor(
    readonly host: HTMLElement,
    readonly options: StageOptions,
  ) {
    const interactive = options.interactive !== false;
    this.root = document.createElement('div');
    this.root.className = 'stage';
    this.root.innerHTML =
      '<canvas class="stage-ground" aria-hidden="true"></canvas><canvas class="stage-marks" aria-hidden="true"></canvas>' +
      '<div class="stage-world" aria-hidden="true"><div class="stage-tokens"></div><div class="stage-cursor" hidden></div>' +
      '<div class="stage-effects"></div><div class="stage-labels"></div></div>' +
      '<p class="stage-note" aria-hidden="true" hidden></p>';
    const [ground, marks, world, note] = this.root.children as unknown as [
      HTMLCanvasElement, HTMLCanvasElement, HTMLDivElement, HTMLParagraphElement,
    ];
    this.noteElement = note;
    this.world = world;
    this.cursorElement = world.children[1] as HTMLDivElement;
    this.effects = world.children[2] as HTMLDivElement;
    this.labels = world.children[3] as HTMLDivElement;
    this.painter = new BoardPainter(ground, marks, options.game);
    host.append(this.root);
    if (!interactive) this.root.setAttribute('role', 'img');
    if (!interactive) this.root.setAttribute('aria-label', t('board.name'));
    this.grid = interactive ? new BoardGrid(`${t('board.name')}. ${t('board.help')}`, (x, y) => this.nameOf(x, y)) : null;
    if (this.grid) this.root.append(this.grid.element);
    /* A pointer or a script that gives the board the keyboard gives it to a cell. */
    if (interactive) this.root.tabIndex = -1;
    this.pointing = interactive ? new Pointing(this.root, this) : null;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    this.theme = new MutationObserver(() => this.repaint());
    this.theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    this.night.addEventListener('change', this.repaint);
    document.addEventListener('visibilitychange', this.hide);
    this.resize();
  }

  /** Shows a position at once; whatever was still moving has ended. */
  show(position: Position): void {
    this.latest = position;
    this.skip();
    this.settle(position);
  }

  /** Animates what happened, then shows the position. Resolves when it is shown. */
  play(position: Position): Promise<void> {
    const before = this.latest;
    this.latest = position;
    if (!before || this.quiet || before.board.width !== position.board.width) {
      this.skip();
      this.settle(position);
      stillAmounts(this, position);
      return Promise.resolve();
    }
    /* Nothing happened: the same again behind what still moves, or a jump. */
    const same = this.player.busy && JSON.stringify(before.board) === JSON.stringify(position.board);
    if (position.events.length === 0 && !same) return this.shift(position);
    this.shifts.skip();
    return new Promise((resolve) => {
      this.player.add(tracksOf(this, position), () => {
        this.settle(position);
        resolve();
      });
    });
  }

  /** Goes to any position: units slide to their new places, others fade, in SHIFT_MS at most. What still moved is replaced where it was
   * seen, never waited for, so that any number of jumps ends with the last. */
  shift(position: Position): Promise<void> {
    const seen = new Map([...this.tokens].filter(([, token]) => token.element.style.display !== 'none').map(([unit, { x, y, element }]) => [unit, { x, y, element }]));
    const before = this.latest;
    this.show(position);
    if (this.quiet || before?.board.width !== position.board.width) return Promise.resolve();
    const steps = shiftSteps(this, seen);
    if (steps.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.shifts.add([{ start: 0, length: SHIFT_MS, ...together(...steps) }], resolve));
  }

  /** Nothing shall move: the person or the device wants it so, or nobody looks. */
  private get quiet(): boolean {
    return !(this.options.motion ?? !this.still.matches) || document.hidden;
  }

  /** Marks cells on which something may be done; an empty list takes all marks away. */
  mark(marks: BoardMark[]): void {
    this.marks = marks;
    this.labels.innerHTML = '';
    for (const { x, y, kind, label, own } of marks) {
      if (this.labels.childElementCount > 300) break;
      if (label) this.label(x, y, `mark-label ${kind}`, label);
      if (own) this.label(x, y, 'mark-label own', own);
    }
    this.forecast(this.forecasts);
    this.placeLabels();
    this.repaint();
    this.grid?.rename();
  }

  /** Shows over each unit what an action would do to it, until told otherwise. */
  forecast(forecasts: readonly UnitForecast[]): void {
    this.forecasts = forecasts;
    for (const old of this.labels.querySelectorAll('.forecast')) old.remove();
    const after = new Map(forecasts.map((one) => [one.unit, one.after]));
    for (const token of this.tokens.values()) token.forecast(after.get(token.unit) ?? null);
    for (const { unit, x, y, text, own } of forecasts)
      this.label(x, y, `mark-label forecast${own ? ' own' : ''}`, text).dataset.unit = String(unit);
    this.labels.classList.toggle('telling', forecasts.length > 0);
    this.placeLabels();
  }

  /** Puts a few signs on a cell. */
  private label(x: number, y: number, name: string, text: string): HTMLElement {
    const label = document.createElement('span');
    label.className = name;
    label.textContent = text;
    label.dataset.x = String(x);
    label.dataset.y = String(y);
    this.labels.append(label);
    return label;
  }

  /** Shows where things went and what was hit, until told otherwise. */
  trail(legs: readonly Leg[]): void {
    if (legs.length === 0 && this.legs.length === 0) return;
    this.legs = legs;
    this.repaint();
  }

  /** Shows the way that would be gone, from where the unit stands; empty: none. */
  path(way: readonly Cell[]): void {
    if (way.length === 0 && this.way.length === 0) return;
    this.way = way;
    this.repaint();
  }

  /** Shows which cells the enemy can hit; empty: none. */
  threat(threats: readonly BoardThreat[]): void {
    if (threats.length === 0 && this.threats.length === 0) return;
    this.threats = threats;
    this.repaint();
    this.grid?.rename();
  }

  /** Somebody pressed long on a cell: who stands there is shown. */
  inspect(x: number, y: number): void {
    const unit = this.latest ? tokensAt(this.latest.board, x, y)[0]?.unit : undefined;
    if (unit !== undefined && unit !== 255) this.options.onInspect?.(unit);
  }

  /** Says a sentence to who sees the board, for some seconds, and to who hears it. */
  note(text: string): void {
    clearTimeout(this.noting);
    this.noteElement.textContent = text;
    this.noteElement.hidden = text === '';
    if (text === '') return;
    this.options.onSay?.(text);
    this.noting = window.setTimeout(() => (this.noteElement.hidden = true), NOTE_MS);
  }

  /** Shows where units are wished to be: pale copies of them. */
  ghosts(places: readonly { unit: number; x: number; y: number }[]): void {
    this.wished = places;
    for (const old of this.effects.querySelectorAll('.ghost')) old.remove();
    for (const { unit, x, y } of places) {
      const ghost = this.tokens.get(unit)?.element.cloneNode(true) as HTMLElement | undefined;
      if (!ghost) continue;
      ghost.classList.add('ghost');
      ghost.classList.remove('selected', 'active');
      ghost.removeAttribute('data-unit');
      ghost.style.transform = `translate(${this.view.across(x) * this.view.cell}px,${this.view.down(y) * this.view.cell}px)`;
      this.effects.append(ghost);
    }
  }

  /** Points at cells, until told otherwise. */
  spot(cells: readonly Cell[]): void {
    this.spots = cells;
    for (const old of this.effects.querySelectorAll('.spot')) old.remove();
    for (const { x, y } of cells) {
      const spot = document.createElement('div');
      spot.className = 'spot';
      spot.dataset.cell = `${x},${y}`;
      spot.style.transform = `translate(${this.view.across(x) * this.view.cell}px,${this.view.down(y) * this.view.cell}px)`;
      this.effects.append(spot);
    }
  }

  /** Shows cells and arrows that somebody drew, until told otherwise. */
  draw(marks: readonly DrawnMark[]): void {
    this.drawn = marks;
    for (const old of this.effects.querySelectorAll('.drawn')) old.remove();
    if (marks.length > 0 && this.latest) this.effects.append(drawing(marks, this.latest.board, this.view));
  }

  /** Somebody draws: see onMark. False: nobody may here. */
  draws(from: Cell | null, to: Cell | null, colour: string): boolean {
    if (from && to) this.options.onMark?.(from, to, colour);
    return this.options.onMark !== undefined;
  }

  /** The marks that are shown on a cell. */
  marksAt(x: number, y: number): BoardMark[] {
    return this.marks.filter((mark) => mark.x === x && mark.y === y);
  }

  /** Shows which unit is chosen; null: none. */
  select(unit: number | null): void {
    this.selected = unit;
    for (const token of this.tokens.values()) token.element.classList.toggle('selected', token.unit === unit);
    const token = unit === null ? undefined : this.tokens.get(unit);
    if (token && this.view.overflows() && this.view.reveal(token.x, token.y)) this.arrange();
  }

/** Lifts the unit that acts, until what it does is known; null: none. */
  lift(unit: number | null): void {
    for (const token of this.tokens.values()) token.element.classList.toggle('acting', token.unit === unit);
  }

  /** Puts the keyboard's cursor on a cell; if the board has the keyboard, it is on that cell then and says its name. */
  cursor(x: number, y: number): void {
    const board = this.latest?.board;
    if (!board) return;
    x = Math.max(0, Math.min(board.width - 1, x));
    y = Math.max(0, Math.min(board.height - 1, y));
    this.at = { x, y };
    this.cursorElement.hidden = false;
    this.cursorElement.dataset.cell = `${x},${y}`;
    this.grid?.go(x, y, this.root.contains(document.activeElement));
    if (this.view.reveal(x, y)) this.arrange();
    else this.placeCursor();
    this.options.onHover?.({ x, y, unit: tokensAt(board, x, y)[0]?.unit ?? null });
  }

  /** Gives the keyboard to the cell with the cursor, or to the one where to begin. */
  focus(): void {
    const at = this.at ?? this.start();
    this.grid?.go(at.x, at.y, true);
    if (!this.at) this.cursor(at.x, at.y);
  }

  /** A cell in words for who hears it. */
  private nameOf(x: number, y: number): string {
    const { latest } = this;
    if (!latest) return '';
    const words = this.marksAt(x, y).map((mark) => mark.words
      ?? [t(`mark.${mark.kind}` as TextKey), mark.label, mark.own, mark.told].filter(Boolean).join(' '));
    const danger = this.threats.find((one) => one.x === x && one.y === y);
    if (danger) words.push(t('board.danger', { most: danger.sign }));
    return describeCell(latest.board, x, y, latest.you, [...(this.options.tell?.(x, y) ?? []), ...words]);
  }

  /** What is told of cells has changed. */
  retell(): void {
    this.grid?.rename();
  }

  /** Where the keyboard's cursor is; null: it has not been used. */
  where(): { x: number; y: number } | null {
    return this.at;
  }

  /** Where to begin with the keyboard: the acting unit, or the middle. */
  start(): { x: number; y: number } {
    const board = this.latest?.board;
    const active = board?.tokens.find((one) => one.unit === (this.selected ?? board.active) && one.place === 'board');
    return { x: active?.x ?? (board ? board.width >> 1 : 0), y: active?.y ?? (board ? board.height >> 1 : 0) };
  }

  /** Moves the keyboard's cursor as it is seen: to the right, down, or with negative numbers the other way. */
  step(right: number, down: number): void {
    const from = this.at ?? this.start();
    this.cursor(from.x + right * this.view.way, from.y + down * this.view.way);
  }

  /** Moves the keyboard's cursor to the edge of the board, as it is seen: -1, 0 is to the left. */
  toEdge(right: number, down: number): void {
    const board = this.latest?.board;
    const from = this.at ?? this.start();
    if (!board) return;
    const edge = (at: number, way: number, most: number) => (way === 0 ? at : way * this.view.way > 0 ? most - 1 : 0);
    this.cursor(edge(from.x, right, board.width), edge(from.y, down, board.height));
  }

  /** Shows the board from the other side, or from the usual one again. What still moves ends at once. */
  turn(on: boolean): void {
    this.root.classList.toggle('turned', on);
    if (on === this.view.turned) return;
    this.skip();
    this.view.turned = on;
    this.painter.renew();
    if (this.opened && this.view.overflows()) {
      const middle = this.at ?? this.start();
      this.view.center(middle.x, middle.y);
    }
    this.arrange();
  }

  /** Somebody chose a cell, by pointer or by key, or dragged a piece there. */
  choose(x: number, y: number, touch = false, dragged = false): void {
    const unit = this.latest ? tokensAt(this.latest.board, x, y)[0]?.unit : undefined;
    const free = unit === undefined || unit === 255 || !this.options.onUnit;
    if (free || this.marksAt(x, y).length) this.options.onCell?.(x, y, touch, dragged);
    else this.options.onUnit?.(unit);
  }

  /** Takes the piece on a cell in hand; false: it is not to be dragged. */
  grab(x: number, y: number): boolean {
    const unit = this.latest ? tokensAt(this.latest.board, x, y)[0]?.unit : undefined;
    if (unit === undefined || unit === 255 || !this.options.onGrab?.(unit)) return false;
    this.held = unit;
    this.uncursor();
    return true;
  }

  /** Holds the piece in hand so many pixels from where it stands; null: lets it go. */
  carry(by: { x: number; y: number } | null): void {
    const element = this.held === null ? undefined : this.tokens.get(this.held)?.element;
    if (element) {
      element.classList.toggle('held', by !== null);
      element.style.translate = by ? `${by.x}px ${by.y}px` : '';
    }
    if (by === null) this.held = null;
  }

  /** A pointer goes down on the board, or the last one up. */
  press(down: boolean, cell: Cell | null = null): void {
    this.options.onPress?.(down, cell);
  }

  /** The pointer is over a cell, or has left the board. */
  hover(cell: { x: number; y: number } | null): void {
    this.root.title = cell && this.latest ? this.words(this.latest, cell.x, cell.y) : '';
    if (!cell || !this.latest) this.options.onHover?.(null);
    else this.options.onHover?.({ ...cell, unit: tokensAt(this.latest.board, cell.x, cell.y)[0]?.unit ?? null });
  }

  /** What a pointer is told about a cell: who is there, and what a rock or cover can still take; nothing of bare ground. */
  private words({ board, you }: Position, x: number, y: number): string {
    const bare = tokensAt(board, x, y).length === 0 && !(board.wear?.[y]?.[x] ?? 0);
    return bare ? '' : describeCell(board, x, y, you, []);
  }

  /** The cell of an element that has the keyboard; null: it is none. */
  cellOf(element: EventTarget | null): { x: number; y: number } | null {
    return this.grid?.cellOf(element) ?? null;
  }

  /** Hides the keyboard's cursor, for example because a pointer took over. */
  uncursor(): void {
    this.cursorElement.hidden = true;
    this.at = null;
  }

  /** Ends all animation now. */
  skip(): void {
    this.mute = true;
    this.player.skip();
    this.shifts.skip();
    this.mute = false;
  }

  /** How fast animations run: 2 is twice as fast. */
  speed(factor: number): void {
    this.player.speed = Math.max(0.1, factor);
  }

  /** All pending animation, and every later one from its beginning, ends within so many ms; 0: no limit. */
  budget(ms: number): void {
    this.player.limit(ms);
  }

  /** Is an animation under way? */
  get busy(): boolean {
    return this.player.busy || this.shifts.busy;
  }

  /** Frames of animations that were drawn so far. */
  get frames(): number {
    return this.player.count;
  }

  /** The middle of a cell in the window's coordinates. */
  point(x: number, y: number): { x: number; y: number } {
    const box = this.root.getBoundingClientRect();
    const { left, top, cell } = this.view;
    return { x: box.left + left + (this.view.across(x) + 0.5) * cell, y: box.top + top + (this.view.down(y) + 0.5) * cell };
  }

  /** Shows the whole board. */
  fit(): void {
    this.view.fit();
    this.arrange();
  }

  /** Takes the board off the page. */
  destroy(): void {
    this.skip();
    this.observer.disconnect();
    this.grid?.destroy();
    this.theme.disconnect();
    this.night.removeEventListener('change', this.repaint);
    document.removeEventListener('visibilitychange', this.hide);
    cancelAnimationFrame(this.painting);
    clearTimeout(this.noting);
    this.pointing?.destroy();
    this.root.remove();
  }

  // --- for effects ------------------------------------------------------------------------------

  /** A token's element; made if it is not there yet. */
  token(unit: number): TokenElement {
    let token = this.tokens.get(unit);
    if (!token) {
      token = new TokenElement(unit);
      this.tokens.set(unit, token);
      this.world.children[0]!.append(token.element);
      token.place(0, 0, this.view);
      token.element.style.display = 'none';
    }
    return token;
  }

  /** The board as it is drawn now. */
  get board(): Board | null {
    return this.shown?.board ?? null;
  }

  /** A sound, if there are any. */
  sound(name: string): void {
    if (!this.mute) this.options.onSound?.(name);
  }

  /** The ground looks different now. */
  changeGround(ground: Ground): void {
    this.ground = ground;
    this.painter.renew();
    this.repaint();
  }

  /** Paints the ground and the marks with the next frame. */
  readonly repaint = (): void => {
    if (!this.painting) this.painting = requestAnimationFrame(() => this.paint());
  };

  /** The view has moved: everything goes to its place. */
  arrange(): void {
    const { left, top, cell } = this.view;
    this.world.style.transform = `translate(${left}px,${top}px)`;
    this.root.style.setProperty('--cell', `${cell}px`);
    for (const token of this.tokens.values()) token.place(token.x, token.y, this.view);
    this.placeLabels();
    this.placeCursor();
    this.grid?.place(this.view);
    if (this.wished.length > 0) this.ghosts(this.wished);
    if (this.spots.length > 0) this.spot(this.spots);
    if (this.drawn.length > 0) this.draw(this.drawn);
    this.pointing?.offer(this.view.overflows() || this.view.fitting() < CELL_HANDY);
    cancelAnimationFrame(this.painting);
    this.painting = 0;
    this.paint();
  }

  /** A page that nobody sees does not animate. */
  private readonly hide = (): void => {
    if (document.hidden) this.skip();
  };

  /** Are the colours of the night on, by the page's setting or the device's? */
  private get dark(): boolean {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === 'dark' : this.night.matches;
  }

  /** Paints ground and marks as they are now. */
  private paint(): void {
    this.painting = 0;
    if (!this.ground || !this.shown) return;
    const { width, height } = this.shown.board;
    this.painter.ground(this.view, this.ground, width, height, this.dark);
    this.painter.marks(this.view, this.marks, this.legs, this.way, this.threats, this.dark);
  }

  /** The place for the board has another size: the view is fitted to it anew. */
  private resize(): void {
    const whole = !this.view.overflows();
    this.view.width = Math.max(1, this.root.clientWidth);
    this.view.height = Math.max(1, this.root.clientHeight);
    this.view.margin = Math.min(this.view.width, this.view.height) < 480 ? 16 : 22;
    if (!this.opened) this.open();
    else if (whole || this.view.cell < this.view.fitting()) this.view.fit();
    else this.view.pan(0, 0);
    this.arrange();
  }

  /** The first look at a board: whole, or enlarged around who acts; a picture is always whole. */
  private open(): void {
    if (!this.shown || this.view.width < 40) return;
    this.opened = true;
    const begin = this.start();
    if (this.pointing) this.view.open(begin.x, begin.y);
    else this.view.fit();
  }

  /** Shows all of a position. */
  private settle(position: Position): void {
    const acted = this.shown?.board.active;
    this.shown = position;
    const board = position.board;
    if (this.view.board(board.width, board.height)) this.opened = false;
    this.root.dataset.size = `${board.width},${board.height}`;
    const ground = groundOf(board, this.ground);
    if (!this.ground || !sameGround(this.ground, ground)) this.changeGround(ground);
    if (!this.opened) {
      this.open();
      this.arrange();
    }
    const here = new Set<number>();
    for (const token of board.tokens) {
      if (token.place !== 'board' || token.x === undefined) continue;
      const number = token.unit === 255 ? 1000 + token.x + token.y! * 128 : token.unit;
      here.add(number);
      const element = this.token(number);
      element.settle(token, board);
      element.place(token.x, token.y!, this.view);
      element.element.classList.toggle('selected', token.unit === this.selected);
    }
    for (const [number, token] of this.tokens) {
      if (here.has(number)) continue;
      token.remove();
      this.tokens.delete(number);
    }
    this.grid?.update(board.width, board.height, this.start());
    const active = board.active === undefined || board.active === acted ? undefined : this.tokens.get(board.active);
    if (active && this.view.overflows() && this.view.reveal(active.x, active.y)) this.arrange();
  }

  /** Puts the numbers of marks on their cells; none is wider than its cell, so that those of neighbours stay apart. */
  private placeLabels(): void {
    const { cell } = this.view;
    for (const label of this.labels.children as unknown as Iterable<HTMLElement>) {
      const x = (this.view.across(Number(label.dataset.x)) + 0.5) * cell;
      const told = label.classList.contains('forecast');
      const below = told || label.classList.contains('own');
      const y = (this.view.down(Number(label.dataset.y)) + (told ? 0.86 : below ? 0.98 : 0.02)) * cell;
      label.style.fontSize = `${labelPixels(label.textContent ?? '', cell)}px`;
      label.style.transform = `translate(${x}px,${y}px) translate(-50%,${below ? '-100%' : '0'})`;
    }
  }

  /** Puts the keyboard's cursor on its cell. */
  private placeCursor(): void {
    if (!this.at) return;
    const { view } = this;
    const { x, y } = this.at;
    this.cursorElement.style.transform = `translate(${view.across(x) * view.cell}px,${view.down(y) * view.cell}px)`;
  }
}
