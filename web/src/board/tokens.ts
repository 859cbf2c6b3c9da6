/* tokens.ts -- a unit on the board as an element: picture, health bar, badges, states. It is placed by the Stage and remembers
 * what it shows, so that an animation can change one thing at a time before the next position settles all of them. */
import { avatar } from '../art/avatar';
import { badgesOf, badgeMeters, tagOf } from '../art/badges';
import type { Board, Token } from '../model';
import { healthOf } from './cell-text';
import type { View } from './view';

/** How long the part of a bar that was lost stays visible. */
const LOSS_MS = 900;

/** One unit's element. */
export class TokenElement {
  readonly element: HTMLDivElement;
  readonly body: HTMLDivElement;
  x = 0;
  y = 0;
  health: number | null = null;
  private most = 1;
  private picture = '';
  private extras = '';
  private readonly bar: HTMLDivElement;
  private readonly now: HTMLElement;
  private readonly loss: HTMLElement;
  private readonly fore: HTMLElement;
  private readonly badges: HTMLDivElement;
  private transform = '';
  private timer = 0;

  /** Makes the element; `settle` gives it a face. */
  constructor(readonly unit: number) {
    this.element = document.createElement('div');
    this.element.className = 'token';
    this.element.dataset.unit = String(unit);
    this.element.innerHTML =
      '<div class="token-body"></div><div class="token-bar" hidden><i class="loss"></i><i class="now"></i><i class="fore" hidden></i></div>' +
      '<div class="token-badges"></div>';
    this.body = this.element.children[0] as HTMLDivElement;
    this.bar = this.element.children[1] as HTMLDivElement;
    this.loss = this.bar.children[0] as HTMLElement;
    this.now = this.bar.children[1] as HTMLElement;
    this.fore = this.bar.children[2] as HTMLElement;
    this.badges = this.element.children[2] as HTMLDivElement;
  }

  /** Shows all that a position says about the token; `place` puts it where it is. */
  settle(token: Token, board: Board): void {
    this.element.style.display = '';
    const only = token.kind_id === undefined ? onlyGuess(board, token.unit) : undefined;
    this.dress(token.kind_id ?? only, token.seat);
    const health = healthOf(board, token.unit);
    this.bar.hidden = health === null;
    if (health) this.vitality(health.now, health.most);
    this.health = health ? health.now : null;
    const state = this.element.classList;
    state.toggle('seat-0', token.seat === 0);
    state.toggle('seat-1', token.seat === 1);
    state.toggle('seat-none', token.seat === null);
    state.toggle('done', token.done === true);
    state.toggle('shown', token.revealed === true);
    state.toggle('taken', token.chosen === true);
    state.toggle('masked', only !== undefined);
    state.toggle('active', board.active === token.unit);
    state.toggle('down', health !== null && health.now <= 0);
    const extras = badgesOf(board, token) + tagOf(board, token);
    if (extras !== this.extras) this.badges.innerHTML = this.extras = extras;
    this.body.style.cssText = '';
    this.element.style.opacity = '';
    this.element.style.zIndex = '';
  }

  /** Gives it the picture of a kind, by its id. */
  dress(kind: string | undefined, seat: Token['seat']): void {
    const key = `${kind ?? ''}|${seat ?? 'n'}`;
    if (key === this.picture) return;
    this.picture = key;
    this.body.innerHTML = avatar(kind, seat);
  }

  /** Puts it on a cell, or between cells. */
  place(x: number, y: number, view: View): void {
    const transform = `translate(${(view.across(x) * view.cell).toFixed(2)}px,${(view.down(y) * view.cell).toFixed(2)}px)`;
    this.x = x;
    this.y = y;
    if (transform === this.transform) return;
    this.element.style.transform = this.transform = transform;
  }

  /** Sets the bar; what is lost stays visible for a moment, also without any motion. */
  vitality(now: number, most = this.most): void {
    const before = this.health ?? now;
    this.most = most;
    this.health = now;
    const part = Math.max(0, Math.min(1, now / most));
    this.now.style.transform = `scaleX(${part.toFixed(3)})`;
    this.bar.classList.toggle('low', part <= 0.34);
    this.bar.classList.toggle('mid', part > 0.34 && part <= 0.67);
    if (now < before) {
      this.loss.style.transform = `scaleX(${Math.min(1, before / most).toFixed(3)})`;
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => (this.loss.style.transform = this.now.style.transform), LOSS_MS);
    } else if (now > before || !this.timer) {
      this.loss.style.transform = this.now.style.transform;
    }
  }

  /** Hatches the part of the bar that it would lose; null: nothing. */
  forecast(after: number | null): void {
    const lost = after === null || this.health === null ? 0 : this.health - after;
    this.fore.hidden = lost <= 0;
    if (lost <= 0) return;
    this.fore.style.left = `${((100 * Math.max(0, after!)) / this.most).toFixed(1)}%`;
    this.fore.style.width = `${((100 * Math.min(lost, this.health!)) / this.most).toFixed(1)}%`;
  }

  /** Takes it away. */
  remove(): void {
    clearTimeout(this.timer);
    this.element.remove();
  }
}

/** The kind that a masked unit must be, because it can be nothing else. */
function onlyGuess(board: Board, unit: number): string | undefined {
  const meter = badgeMeters(board, unit).find((one) => one.role === 'could-be');
  return meter?.about_ids?.length === 1 ? meter.about_ids[0] : undefined;
}
