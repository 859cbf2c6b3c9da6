/* animator.ts -- the animation's clock: tracks that wait for their moment, run, and end, each exactly once and in order.
 *
 * One virtual time runs at `speed`, or faster where a deadline demands it: every group of tracks ends within `budget`
 * milliseconds of the moment it was added, whatever was queued before it. Nothing waits for the animator; skip() ends all at once.
 * Frames come from a source that is handed in, so that tests have their own. */

/** Something that happens in time. All three are called in order: begin once, frame with 0 < t < 1 any number of times, end once. */
export interface Track {
  start: number;
  length: number;
  begin?(): void;
  frame?(t: number): void;
  end?(): void;
}

/** Where frames come from. */
export interface Frames {
  now(): number;
  request(callback: () => void): number;
  cancel(id: number): void;
}

/** The browser's frames. */
export const browserFrames: Frames = {
  now: () => performance.now(),
  request: (callback) => requestAnimationFrame(callback),
  cancel: (id) => cancelAnimationFrame(id),
};

/** A track with the time of its beginning and end. */
interface Running {
  track: Track;
  start: number;
  end: number;
  begun: boolean;
}

/** What was added at once. Groups follow each other: the next begins where this one ends. */
interface Group {
  running: Running[];
  end: number;
  deadline: number;
  settle(): void;
}

/** See above. */
export class Animator {
  /** How fast time runs: 2 is twice as fast. */
  speed = 1;
  /** Every group ends within so many ms of real time; 0 = no limit. */
  budget = 0;
  private time = 0;
  private last = 0;
  private end = 0;
  private frame = 0;
  private groups: Group[] = [];
  /** Frames that were drawn so far. */
  count = 0;

  /** Takes the browser's frames; tests bring their own. */
  constructor(private readonly frames: Frames = browserFrames) {}

  /** Is anything still to be shown? */
  get busy(): boolean {
    return this.groups.length > 0;
  }

  /** Appends tracks behind all that is queued; `settle` is called when the last of them has ended. */
  add(tracks: Track[], settle: () => void): void {
    const now = this.frames.now();
    if (!this.busy) {
      this.last = now;
      this.end = this.time;
    }
    const base = this.end;
    const running = tracks.map((track) => ({ track, start: base + track.start, end: base + track.start + track.length, begun: false }));
    for (const run of running) this.end = Math.max(this.end, run.end);
    const deadline = this.budget > 0 ? now + this.budget : Infinity;
    this.groups.push({ running, end: this.end, deadline, settle });
    if (!this.frame) this.frame = this.frames.request(this.tick);
  }

  /** From now on, also for what is queued already: all ends within so many ms. */
  limit(ms: number): void {
    this.budget = ms;
    const deadline = ms > 0 ? this.frames.now() + ms : Infinity;
    for (const group of this.groups) group.deadline = Math.min(group.deadline, deadline);
  }

  /** Ends everything now, in order. */
  skip(): void {
    if (this.frame) this.frames.cancel(this.frame);
    this.frame = 0;
    this.advance(this.end);
  }

  /** How fast time must run so that no deadline is missed. */
  private rate(now: number): number {
    let rate = this.speed;
    for (const group of this.groups) {
      if (group.deadline === Infinity) continue;
      rate = Math.max(rate, (group.end - this.time) / Math.max(1, group.deadline - now - 20));
    }
    return rate;
  }

  /** One frame: moves everything that is under way on, and asks for the next one if something is left. */
  private readonly tick = (): void => {
    this.frame = 0;
    const now = this.frames.now();
    const passed = Math.max(0, now - this.last);
    this.last = now;
    // A page that was not drawn for long must not jump; a deadline is kept all the same.
    const hurried = this.groups.some((group) => group.deadline <= now + 16);
    const step = hurried ? passed : Math.min(passed, 100);
    const target = this.groups.some((group) => group.deadline <= now)
      ? Math.max(...this.groups.filter((g) => g.deadline <= now).map((g) => g.end))
      : 0;
    this.advance(Math.max(this.time + step * this.rate(now), target));
    if (this.busy && !this.frame) this.frame = this.frames.request(this.tick);
    this.count += 1;
  };

  /** Brings the virtual time to `time`: group by group, begins, moves and ends what lies before it. */
  private advance(time: number): void {
    this.time = time;
    for (let group = this.groups[0]; group; group = this.groups[0]) {
      group.running = group.running.filter((run) => this.step(run, time));
      if (group.end > time) return;
      this.groups.shift();
      group.settle();
    }
  }

  /** One track at a moment; false: it is over. */
  private step(run: Running, time: number): boolean {
    if (run.start > time) return true;
    if (!run.begun) {
      run.begun = true;
      run.track.begin?.();
    }
    if (run.end > time) run.track.frame?.((time - run.start) / (run.end - run.start));
    else run.track.end?.();
    return run.end > time;
  }
}
