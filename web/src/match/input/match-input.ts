/* match-input.ts -- what the player at this screen has in hand: who is chosen, what is offered, what was
 * asked. It turns clicks, keys and typed words into actions of the list; nothing else is sent. */
import { computed, effect, signal, untracked } from '@preact/signals';
import { otherSeat, tokenOf, UNIT_NONE, type Position, type Preview, type Tip, type WalkNode } from '../../model';
import { gamePage } from '../../games';
import type { PreparedMessage } from '../../arena/messages';
import { painted } from '../../painted';
import { settings } from '../../settings';
import { speak } from '../../speech';
import type { Outcome, Table } from '../../table/table';
import { say } from '../../texts/match';
import { t } from '../../texts/texts';
import { tipReasonWords, tipRiskWords } from '../panels/advice';
import { sharesDevice } from '../panels/status-bar';
import { askByLine } from '../speech/ask';
import { readCommand } from './command';
import {
  clickCell,
  cycle,
  endNeedsAsking,
  endings,
  groupsOf,
  nextSelection,
  offered,
  type Selection,
  type ActionButton,
} from './board-actions';
import { actionText, tipReason } from './preview-text';
import { MatchHistory } from './match-history';
import { PreparedTurn, unitAt, type Intent } from './prepared-turn';
import { RecentEvents } from './recent-events';
import { undoChoice } from './undo';
import { ableUnits, legalActions, thingNames, type LegalAction } from './legal-actions';
import { nodeAt, stepsOf, surprised, walks, wayTo, whyNoHit, whyNot, whyNoWay, wished, type Step } from './walking';

/** So many outcomes are looked up for a selection at most. */
const PREVIEWS_MAX = 80;
const SHOW_EVERY_MS = 80;
/** What takes longer than this is seen to be under way; before, a frame for that alone would only delay the one that matters. */
const BUSY_MS = 100;
/** Who is pointed at for so long is shown. */
const HOVER_MS = 250;

/** Several things can be done at a cell, or in several directions (no cell): the player is asked which. */
export interface Question {
  actions: LegalAction[];
  cell: { x: number; y: number } | null;
}

/** An enemy out of reach, and what the chosen unit would do to hit it: steps, then an attack. */
export interface Chase {
  enemy: number;
  words: string[];
}

/** What the player at one table has in hand. `close()` ends its effects. */
export class MatchInput {
  readonly selection = signal<Selection>({ unit: null, armed: null });
  /** The unit whose panel is open, if it is not the chosen one. */
  readonly looked = signal<number | null>(null);
  /** The cell under the pointer or the keyboard's cursor. */
  readonly pointed = signal<{ x: number; y: number } | null>(null);
  /** The far cell that a finger tapped: its way is shown, and a second tap goes. */
  readonly tapped = signal<{ x: number; y: number } | null>(null);
  readonly question = signal<Question | null>(null);
  readonly message = signal<string | null>(null);
  /** Where the chosen unit can go, step by step; null: nowhere, or not known yet. */
  readonly reach = signal<WalkNode[] | null>(null);
  /** The enemy that was clicked, else that is pointed at, if it can be hit after some steps. */
  readonly chase = signal<Chase | null>(null);
  /** Is it shown where the enemy can hit? */
  readonly threatOn = signal(false);
  /** What is shown of it: of all enemies, or of the one that is looked at; null: nothing. */
  readonly threat = signal<number[] | null>(null);
  /** The unit that has been pointed at for a moment: its card is shown. */
  readonly hovered = signal<number | null>(null);
  /** The unit of one's own that has just acted: its card is shown until the pointer is elsewhere. */
  readonly doer = signal<number | null>(null);
  /** The unit of which an action has just been asked for: it is lifted at once, before anything is known of what comes of that. */
  readonly acting = signal<number | null>(null);
  /** Why the last click did nothing; each time another object. */
  readonly why = signal<{ text: string } | null>(null);
  /** The recommended action, why, and what it risks. */
  readonly tip = signal<(Tip & { reason: string; risk: string }) | null>(null);
  readonly thinkingTip = signal(false);
  /** The ending that waits for a second press. */
  readonly sure = signal<string | null>(null);
  /** What was asked for takes so long that it shows: buttons do nothing meanwhile. */
  readonly busy = signal(false);
  readonly previews = signal<ReadonlyMap<string, Preview | null>>(new Map());
  /** All that may be done now; nothing while paused or behind the curtain. */
  readonly actions = computed<LegalAction[]>(() => {
    const position = this.table.position.value;
    if (!position || this.table.paused.value || this.table.curtain.value !== null) return [];
    return position.result || this.table.kind === 'replay' ? [] : legalActions(position, this.table.about.value.game);
  });
  readonly able = computed(() => ableUnits(this.actions.value));
  /** Buttons of the chosen unit, then those of the side itself. */
  readonly groups = computed<ActionButton[]>(() => {
    const actions = this.actions.value;
    const { unit } = this.selection.value;
    const own = groupsOf(actions, null).filter((group) => group.verb !== 'place');
    return unit === null ? own : [...groupsOf(actions, unit), ...own];
  });
  readonly endings = computed(() => endings(this.actions.value));

  /** The person here turned the board around for this match. */
  readonly turnedByHand = signal(false);
  /** Is the board seen from the other side? Where the game has sides everybody has their own side below, unless two share a device. */
  readonly turned = computed(() => {
    const { table } = this;
    const seat = gamePage(table.about.value.game)?.turned;
    const apart = table.kind !== 'replay' && !sharesDevice(table);
    const own = settings.ownSide.value && apart && seat !== undefined && table.you.value === seat;
    return own !== this.turnedByHand.value;
  });

  /** What others did since it was this seat's turn. */
  readonly recent: RecentEvents;

  /** Going back in the match, and the last turn once more. */
  readonly history: MatchHistory;
  /** The turn that is put together while the other side thinks. */
  readonly prepared: PreparedTurn;

  private acted = false;
  /** Something was asked for and is not answered. */
  private asked = false;
  /** A pointer is down on the board. */
  private pressed = false;
  private stops: (() => void)[] = [];
  private asking = 0;
  private walking: { stopped: boolean } | null = null;
  private hovering = 0;
  private tips = 0;

  /** Begins to follow the table, until `close`. */
  constructor(readonly table: Table) {
    this.recent = new RecentEvents(table.about.value.hides);
    this.history = new MatchHistory(table);
    this.prepared = new PreparedTurn(table);
    if (table.position.value) this.history.note(table.position.value);
    this.stops.push(
      table.onPosition((now, before) => {
        this.recent.note(now, before);
        this.history.note(now);
      }),
    );
    this.stops.push(
      effect(() => {
        const position = this.table.position.value;
        const actions = this.actions.value;
        if (position) untracked(() => this.arrive(position, actions));
      }),
    );
    this.stops.push(
      effect(() => {
        const wanted = offered(this.actions.value, this.selection.value).concat(
          this.groups.value.filter((group) => group.plain).flatMap((group) => group.actions),
        );
        untracked(() => void this.lookAhead(wanted));
      }),
    );
    this.stops.push(
      effect(() => {
        const { actions, selection } = { actions: this.actions.value, selection: this.selection.value };
        untracked(() => void this.lookAround(walks(actions, selection) ? selection.unit : null));
      }),
    );
    this.stops.push(
      effect(() => {
        const position = this.table.position.value;
        const looked = this.looked.value;
        const seat = position && looked !== null ? tokenOf(position.board, looked)?.seat : null;
        const enemy = looked !== null && position?.you != null && seat === otherSeat(position.you) ? looked : null;
        const wanted = position !== null && !position.result && (this.threatOn.value || enemy !== null);
        untracked(() => void this.lookOut(wanted, this.threatOn.value ? null : enemy));
      }),
    );
    this.stops.push(
      effect(() => {
        const told = this.table.kept.value;
        untracked(() => this.tellKept(told));
      }),
    );
    this.stops.push(
      effect(() => {
        const enemy = this.aimedAt();
        const reach = this.reach.value;
        untracked(() => void this.lookFor(reach ? enemy : null));
      }),
    );
  }

  /** Ends its effects. */
  close(): void {
    this.stops.forEach((stop) => stop());
    clearTimeout(this.hovering);
    this.stopTip();
  }

  /** A new position: what was asked or chosen for the old one is forgotten, and the choice is made anew. */
  private arrive(position: Position, actions: LegalAction[]): void {
    if (position.events.some((event) => event.kind === 'turn-began')) this.acted = false;
    this.previews.value = new Map();
    this.tapped.value = null;
    this.question.value = null;
    this.sure.value = null;
    this.tip.value = null;
    this.stopTip();
    this.selection.value = nextSelection(position, actions, this.selection.value);
    const looked = this.looked.value;
    if (
      looked !== null &&
      (actions.length > 0 || !position.board.tokens.some((token) => token.unit === looked))
    )
      this.looked.value = null;
    if (actions.length > 0 && !this.asked) this.doer.value = null;
    if (actions.length > 0 && this.prepared.intents.value.length > 0) queueMicrotask(() => void this.followPrepared());
  }

  /** One's turn has come: does what was prepared, one after the other, and stops at the first that no longer holds. */
  private async followPrepared(): Promise<void> {
    const intents = this.prepared.take();
    for (const [at, intent] of intents.entries()) {
      const position = this.table.position.value;
      if (position && (await this.follow(position, intent))) continue;
      const now = this.table.position.value ?? position;
      if (now) this.message.value = say('preparedStopped', at + 1, this.prepared.words(now, intent));
      return;
    }
  }

  /** Leaves what is prepared with the server, for when one's turn comes. */
  async keepPrepared(): Promise<void> {
    const trouble = await this.prepared.keep();
    this.message.value = trouble;
    if (trouble === null) speak(say('hintKept'));
  }

  /** Says what has become of a turn that was left with the server. */
  private tellKept(told: PreparedMessage | null): void {
    const position = this.table.position.value;
    if (!told || told.what === 'kept') return;
    if (told.what === 'stopped' && told.action && position)
      this.table.tell(say('preparedStopped', (told.done ?? 0) + 1, this.prepared.keptWords(position, told.action)));
    else this.table.tell(say(told.what === 'unfit' ? 'keptUnfit' : 'keptDone'));
  }

  /** Does one thing that was prepared, as a click of the player would; false: it does not hold any more. */
  private async follow(position: Position, { unit, x, y, target }: Intent): Promise<boolean> {
    if (unitAt(position, x, y) !== target || !this.able.value.includes(unit)) return false;
    this.select(unit);
    const click = clickCell(position, this.actions.value, this.selection.value, this.preview, x, y, true);
    if (click.do === 'act') return this.perform(click.action);
    if (target !== null) {
      const words = await this.table.walkAttack(unit, target).catch(() => null);
      return words !== null && words.length > 0 && this.go(words.map((word) => ({ word, kinds: [] })));
    }
    const reach = await this.table.walk(unit).catch(() => null);
    const node = nodeAt(reach, x, y);
    return reach !== null && node !== undefined && node.loss === 0 && this.go(stepsOf(wayTo(reach, node)));
  }

  /* Costs and expected damage of what is offered, one after the other, for this position only.
   * They are shown several at a time: each showing draws the marks anew. While a pointer is down the engine is kept free for what it does. */
  private async lookAhead(actions: LegalAction[]): Promise<void> {
    const mine = ++this.asking;
    const position = this.table.position.value;
    const found = new Map(this.previews.value);
    let shown = performance.now();
    await painted();
    for (const action of actions.slice(0, PREVIEWS_MAX)) {
      if (found.has(action.word)) continue;
      while (this.pressed) await new Promise(requestAnimationFrame);
      if (mine !== this.asking) return;
      const preview = await this.table.preview(action.sent).catch(() => null);
      if (mine !== this.asking || position !== this.table.position.value) return;
      found.set(action.word, preview);
      if (performance.now() - shown < SHOW_EVERY_MS) continue;
      this.previews.value = new Map(found);
      shown = performance.now();
    }
    if (found.size > this.previews.value.size) this.previews.value = found;
  }

  /** A pointer goes down on a cell of the board (null: beside them), or up. */
  hold(down: boolean, cell: { x: number; y: number } | null = null): void {
    this.pressed = down;
    if (down && cell) this.expectAt(cell.x, cell.y);
  }

  /** A click on this cell may come: lets the table look up what would come of it. */
  private expectAt(x: number, y: number): void {
    const position = this.table.position.value;
    if (!position || this.actions.value.length === 0 || this.asked || this.walking || this.history.past.value !== null) return;
    const meant = this.selection.value.armed !== null;
    const click = clickCell(position, this.actions.value, this.selection.value, this.preview, x, y, meant);
    const node = click.do === 'act' ? undefined : nodeAt(this.reach.value, x, y);
    if (click.do === 'act') this.table.expect(click.action.sent);
    else if (node && node.steps > 1 && node.loss === 0) this.table.expect(stepsOf(wayTo(this.reach.value ?? [], node)).map(({ word }) => word));
  }

  /** A press of a button may come: lets the table look up what would come of it. */
  expect(action: LegalAction): void {
    if (!this.asked && !this.walking && this.history.past.value === null) this.table.expect(action.sent);
  }

  /** Where the unit can go from here; null: nobody is to be walked. */
  private async lookAround(unit: number | null): Promise<void> {
    this.reach.value = null;
    if (unit === null) return;
    const position = this.table.position.value;
    await painted();
    if (position !== this.table.position.value || this.selection.value.unit !== unit) return;
    const reach = await this.table.walk(unit).catch(() => null);
    if (position === this.table.position.value && this.selection.value.unit === unit) this.reach.value = reach;
  }

  /** The enemy on a cell at whom nothing is offered there; null: there is none. */
  private enemyAt(cell: { x: number; y: number } | null): number | null {
    const position = this.table.position.value;
    const token = position?.board.tokens.find((one) => one.place === 'board' && one.x === cell?.x && one.y === cell?.y);
    if (!position || !token || token.seat === null || token.seat === position.you || position.you === null) return null;
    const here = offered(this.actions.value, this.selection.value).some((action) => action.cell?.x === cell?.x && action.cell?.y === cell?.y);
    return here ? null : token.unit;
  }

  /** The enemy in question: the one that was clicked, until something else is chosen or done, else the one that is pointed at. */
  private aimedAt(): number | null {
    const board = this.table.position.value?.board;
    const looked = this.looked.value;
    const there = board && looked !== null ? tokenOf(board, looked) : undefined;
    const clicked = there?.place === 'board' ? this.enemyAt({ x: there.x ?? 0, y: there.y ?? 0 }) : null;
    return clicked ?? this.enemyAt(this.pointed.value);
  }

  /** How the chosen unit could hit an enemy that is out of its reach. */
  private async lookFor(enemy: number | null): Promise<void> {
    const { unit } = this.selection.value;
    if (this.chase.value?.enemy !== enemy) this.chase.value = null;
    if (enemy === null || unit === null || this.chase.value) return;
    const position = this.table.position.value;
    const words = await this.table.walkAttack(unit, enemy).catch(() => null);
    const same = position === this.table.position.value && this.selection.value.unit === unit;
    if (same && words && words.length > 1 && this.aimedAt() === enemy) this.chase.value = { enemy, words };
  }

  /** Finds out where the enemy, or one of them, can hit in its next turn. */
  private async lookOut(wanted: boolean, unit: number | null): Promise<void> {
    const position = this.table.position.value;
    const threat = wanted ? await this.table.threat(unit ?? undefined).catch(() => null) : null;
    if (position === this.table.position.value) this.threat.value = threat;
  }

  /** Shows where the enemy can hit, or hides it. */
  showThreat(on: boolean): void {
    this.threatOn.value = on;
  }

  /** Goes a way as one step, so that it is undone at once. Where that is refused, because something is revealed or decided by chance on
   * the way, it is gone step by step; unless the match has gone on. True: all was gone. */
  private async go(steps: Step[]): Promise<boolean> {
    const first = this.actions.value.find((one) => one.word === steps[0]?.word);
    if (!first || steps.length < 2) return this.goStepwise(steps);
    const position = this.table.position.value;
    if (await this.performAll(steps.map(({ word }) => word), first.unit)) return true;
    return position === this.table.position.value && this.goStepwise(steps);
  }

  /** Goes a way step by step; it ends when something is revealed, refused, or when the player does something else. True: all was gone. */
  private async goStepwise(steps: Step[]): Promise<boolean> {
    const mine = { stopped: false };
    this.walking = mine;
    let done = 0;
    for (const [at, step] of steps.entries()) {
      const action = this.actions.value.find((one) => one.word === step.word);
      if (mine.stopped || !action || !(await this.perform(action))) break;
      done++;
      const position = this.table.position.value;
      if (at + 1 < steps.length && position && step.kinds.length > 0 && surprised(step, position)) {
        this.why.value = { text: say('walkStopped') };
        break;
      }
    }
    if (this.walking === mine) this.walking = null;
    return done === steps.length;
  }

  /** Is a way being gone? */
  get underway(): boolean {
    return this.walking !== null;
  }

  /** Does what was offered: goes near the enemy and hits it. */
  followChase(): void {
    const { chase } = this;
    if (chase.value) void this.go(chase.value.words.map((word) => ({ word, kinds: [] })));
    chase.value = null;
  }

  /** Says why a click on a cell did nothing. */
  private async explain(x: number, y: number): Promise<void> {
    const position = this.table.position.value;
    if (!position || this.nudge()) return;
    const known = whyNot(position, this.actions.value, this.selection.value);
    const wish = known === null ? wished(this.actions.value, this.selection.value.unit, x, y) : undefined;
    const status = wish ? await this.table.why(wish).catch(() => '') : '';
    this.why.value = { text: known ?? whyNoWay(status) };
  }

  /** What is known of an action's outcome; undefined: not yet. */
  preview = (action: LegalAction): Preview | null | undefined => this.previews.value.get(action.word);

  /** Does it. */
  perform(action: LegalAction): Promise<boolean> {
    return this.request(() => this.table.act(action.sent), action.unit);
  }

  /** Does several, given by their words, as one step: all of them or none. */
  performAll(words: string[], unit: number | null = null): Promise<boolean> {
    return this.request(() => this.table.actAll(words), unit);
  }

  /** Undoes the last step, or asks for a takeback; says why if neither can be done. */
  async undo(): Promise<boolean> {
    const { can, why } = undoChoice(this.table);
    if (can === 'nothing') this.message.value = why;
    return can !== 'nothing' && this.request(() => (can === 'undo' ? this.table.undo() : this.table.takeback('offer')));
  }

  /** Asks the table for one thing after the other; says why if it was not done. What was noted or pointed at before is no longer shown,
   * but the unit that acts. */
  private async request(act: () => Promise<Outcome>, unit: number | null = null): Promise<boolean> {
    if (this.asked) return false;
    this.history.toNow();
    this.asked = true;
    this.acting.value = unit;
    const slow = setTimeout(() => (this.busy.value = true), BUSY_MS);
    this.message.value = null;
    this.why.value = null;
    clearTimeout(this.hovering);
    this.hovered.value = null;
    this.looked.value = null;
    this.doer.value = unit;
    this.acted = true;
    const outcome = await act().catch((error: unknown) => ({ ok: false as const, reason: String(error) }));
    clearTimeout(slow);
    this.asked = false;
    this.acting.value = null;
    this.busy.value = false;
    if (!outcome.ok) this.message.value = outcome.reason;
    return outcome.ok;
  }

  /** A click (or Enter) on a cell of the board, a tap, or a unit that was dragged there. */
  clickCell(x: number, y: number, touch = false, dragged = false): void {
    const position = this.table.position.value;
    if (!position || this.history.toNow()) return;
    if (this.walking) {
      this.walking.stopped = true;
      return;
    }
    const again = this.tapped.value?.x === x && this.tapped.value.y === y;
    this.tapped.value = null;
    this.message.value = null;
    this.why.value = null;
    if (this.tellPrepared(this.prepared.click(x, y))) return;
    const meant = dragged || this.selection.value.armed !== null || Boolean(this.table.lesson);
    const click = clickCell(position, this.actions.value, this.selection.value, this.preview, x, y, meant);
    this.question.value = click.do === 'ask' ? { actions: click.actions, cell: { x, y } } : null;
    if (click.do === 'act') void this.perform(click.action);
    else if (this.walkTo(x, y, touch && !again)) return;
    else if (click.do === 'select') this.select(click.unit);
    else if (click.do === 'look') this.clickUnit(click.unit);
    else if (click.do === 'nothing') this.clickEmpty(x, y);
  }

  /** In a lesson: says what is to be done now, after something else was tried, or goes on if nothing is. False: it is none. */
  private nudge(): boolean {
    const { lesson } = this.table;
    if (!lesson) return false;
    const position = this.table.position.value;
    const [action] = this.actions.value;
    if (lesson.reading.value) lesson.next();
    else if (position && action) this.why.value = { text: say('lessonInstead', actionText(position, action, thingNames(position), this.turned.value)) };
    else this.why.value = { text: say('lessonWait') };
    return true;
  }

  /** Tells whoever hears the page what has just been prepared, and opens the panel of the unit whose next action that is. False: it
   * was nothing. */
  private tellPrepared(words: string | null): boolean {
    if (words === null) return false;
    if (this.prepared.unit.value !== null) this.looked.value = this.prepared.unit.value;
    speak(words);
    return true;
  }

  /** Begins to choose what the other side must do for the prepared turn, or gives that up. */
  askCondition(): void {
    this.prepared.ask();
    speak(say(this.prepared.asking.value ? 'hintCondition' : 'keptWhenGone'));
  }

  /** Takes a turn back from the server. */
  dropKept(at: number, words: string): void {
    this.prepared.dropKept(at);
    speak(say('preparedGone', words));
  }

  /** Takes out what was prepared, from this action on. */
  dropPrepared(at: number): void {
    speak(this.prepared.drop(at));
  }

  /** The key that undoes: takes back what was prepared last, if anything was, else the last step. */
  undoByKey(): void {
    if (this.prepared.open.value && this.prepared.intents.value.length > 0) this.cancel();
    else void this.undo();
  }

  /** The chosen unit goes to a cell that takes several steps, or only shows its way there; false: it cannot. */
  private walkTo(x: number, y: number, show: boolean): boolean {
    const reach = this.reach.value;
    const node = nodeAt(reach, x, y);
    if (!reach || !node || node.steps < 2 || node.loss > 0) return false;
    if (show) {
      this.tapped.value = { x, y };
      this.why.value = { text: say('walkAgain', node.steps) };
    } else void this.go(stepsOf(wayTo(reach, node)));
    return true;
  }

  /** A click where nothing is offered and nobody stands: what was asked or looked at is closed, else it is said why not. */
  private clickEmpty(x: number, y: number): void {
    if (this.question.value?.cell || this.sure.value || this.looked.value !== null) return this.cancel();
    void this.explain(x, y);
  }

  /** A click on a unit at which nothing is offered: chooses it, or looks at it; again on an enemy that can be reached: hits it. */
  clickUnit(unit: number): void {
    if (this.chase.value?.enemy === unit && this.looked.value === unit) return this.followChase();
    this.why.value = null;
    const there = this.table.position.value && tokenOf(this.table.position.value.board, unit);
    if (there?.place === 'board' && this.tellPrepared(this.prepared.click(there.x ?? 0, there.y ?? 0))) return;
    const able = this.able.value.includes(unit);
    this.select(unit);
    const position = this.table.position.value;
    if (able || this.looked.value !== unit || !position || this.nudge()) return;
    if (this.selection.value.unit !== null && position.you !== null && tokenOf(position.board, unit)?.seat === otherSeat(position.you))
      void this.tellReach(position, unit);
  }

  /** Says that a second click walks and hits an enemy, or why it cannot be hit now. */
  private async tellReach(position: Position, enemy: number): Promise<void> {
    const [end] = this.endings.value;
    if (walks(this.actions.value, this.selection.value)) await this.lookFor(enemy);
    const chase = this.chase.value?.enemy === enemy ? this.chase.value : null;
    const next = chase || !end ? null : await this.table.preview(end.sent).catch(() => null);
    if (position !== this.table.position.value || this.looked.value !== enemy) return;
    this.why.value = { text: chase ? say('chaseOffer', chase.words.length - 1) : whyNoHit(next) };
  }

  /** The pointer or the cursor is on another cell; null: on none. */
  point(cell: { x: number; y: number; unit?: number | null } | null): void {
    const { x, y } = this.pointed.value ?? {};
    if (cell?.x === x && cell?.y === y) return;
    this.pointed.value = cell && { x: cell.x, y: cell.y };
    if (cell) this.expectAt(cell.x, cell.y);
    clearTimeout(this.hovering);
    this.hovered.value = null;
    this.doer.value = null;
    const unit = cell?.unit ?? null;
    if (unit !== null && unit !== UNIT_NONE) this.hovering = window.setTimeout(() => (this.hovered.value = unit), HOVER_MS);
  }

  /** Chooses a unit to act with, or looks at one that cannot. */
  select(unit: number): void {
    this.tapped.value = null;
    if (!this.able.value.includes(unit)) return this.look(unit);
    this.question.value = null;
    this.looked.value = null;
    this.doer.value = null;
    this.selection.value = { unit, armed: null };
  }

  /** Takes a unit in hand to drag it; false: it cannot act. */
  grab(unit: number): boolean {
    if (!this.able.value.includes(unit) || this.asked || this.walking) return false;
    if (this.selection.value.unit !== unit) this.select(unit);
    return true;
  }

  /** Opens the panel of any unit. */
  look(unit: number): void {
    this.looked.value = unit === this.selection.value.unit ? null : unit;
  }

  /** Steps back by one: the past, the prepared turn, the tip, the question, the armed way, the panel, the chosen unit. */
  cancel(): void {
    if (this.history.toNow() || this.tellPrepared(this.prepared.back())) return;
    if (this.tapped.value) this.tapped.value = null;
    else if (this.tip.value) this.tip.value = null;
    else if (this.question.value?.cell) this.question.value = null;
    else if (this.sure.value) this.sure.value = null;
    else if (this.selection.value.armed) {
      this.question.value = null;
      this.selection.value = { ...this.selection.value, armed: null };
    }
    else if (this.looked.value !== null) this.looked.value = null;
    else if (this.able.value.length > 1) this.selection.value = { unit: null, armed: null };
  }

  /** Turns the board around, for this match. */
  turnBoard(): void {
    this.turnedByHand.value = !this.turnedByHand.value;
  }

  /** The next unit that can act, or for which something can be prepared. */
  cycle(step: 1 | -1): void {
    const unit = cycle(this.able.value, this.selection.value.unit, step);
    if (unit !== null) this.select(unit);
    else this.tellPrepared(this.prepared.cycle(step));
  }

  /** A button of the action bar: does it, or offers only this on the board. */
  press(group: ActionButton): void {
    this.question.value = null;
    if (group.plain && group.actions[0]) void this.perform(group.actions[0]);
    else {
      const armed = this.selection.value.armed === group.key ? null : group.key;
      const aims = armed !== null && group.actions.some((action) => action.direction !== '');
      this.selection.value = { ...this.selection.value, armed };
      this.question.value = aims ? { actions: group.actions, cell: null } : null;
    }
  }

  /** Ends the turn; asks once if that is likely a mistake. */
  end(action: LegalAction | undefined = this.endings.value[0]): void {
    if (!action) return void this.nudge();
    if (!this.table.lesson && this.sure.value !== action.word && endNeedsAsking(this.actions.value, this.acted)) {
      this.sure.value = action.word;
      return;
    }
    void this.perform(action);
  }

  /** Asks for the recommended action; while that is searched for: stops the search. */
  async askTip(): Promise<void> {
    if (this.thinkingTip.value) return this.stopTip();
    if (this.table.tipsForbidden.value) this.message.value = t('match.noTips');
    if (!this.table.tipsOn.value) return;
    this.thinkingTip.value = true;
    const mine = ++this.tips;
    const position = this.table.position.value;
    const tip = await this.table.tip().catch(() => null);
    if (mine !== this.tips) return;
    this.thinkingTip.value = false;
    if (position !== this.table.position.value) return;
    if (!tip) {
      this.message.value = say('tipNone');
      return;
    }
    const action = this.actions.value.find((one) => one.word === tip.action.word);
    if (!action) return;
    const preview = await this.table.preview(action.sent).catch(() => null);
    if (position !== this.table.position.value || !position) return;
    if (action.unit !== null) this.select(action.unit);
    this.tip.value = { ...tip, reason: tipReasonWords(tip) || tipReason(position, action, preview), risk: tipRiskWords(tip) };
  }

  /** Ends the search for a tip, if one is under way. */
  private stopTip(): void {
    if (!this.thinkingTip.value) return;
    this.tips++;
    this.thinkingTip.value = false;
    this.table.stopTip();
  }

  /** Does what the tip says. */
  followTip(): void {
    const word = this.tip.value?.action.word;
    const action = this.actions.value.find((one) => one.word === word);
    if (action) void this.perform(action);
  }

  /** A typed line: does what it means, or answers what it asks; else says how many it could mean. */
  async type(line: string): Promise<'done' | 'asked' | 'several' | 'unknown'> {
    const position = this.table.position.value;
    if (!position) return 'unknown';
    const command = readCommand(position, this.actions.value, line);
    if ('found' in command) return (await this.perform(command.found)) ? 'done' : 'unknown';
    if (await askByLine(this, line)) return 'asked';
    this.nudge();
    return 'several' in command ? 'several' : 'unknown';
  }
}
