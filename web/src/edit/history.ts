/* history.ts -- a document and everything it has been: undo and redo without end.
 *
 * A moment is a value, or a text as somebody typed or opened it, which may be no JSON yet. The text of a moment that was
 * opened or typed stays as it was, to the byte; that of others is made when it is asked for. */
import type { Json } from './value';

/** One moment of a document. */
export interface Moment {
  /** undefined: the text is no JSON. */
  readonly value: Json | undefined;
  /** As typed or opened; undefined: to be laid out from the value. */
  readonly text: string | undefined;
}

/** The moment that a text is. */
export function momentOf(text: string): Moment {
  try {
    return { value: JSON.parse(text) as Json, text };
  } catch {
    return { value: undefined, text };
  }
}

/** All moments of one document. Never changes: each change makes a new one. */
export class History {
  private constructor(private readonly moments: readonly Moment[], readonly at: number) {}

  /** Begins with a text. */
  static begin(text: string): History {
    return new History([momentOf(text)], 0);
  }

  /** What the document is now. */
  get now(): Moment {
    return this.moments[this.at]!;
  }
  get canUndo(): boolean {
    return this.at > 0;
  }
  get canRedo(): boolean {
    return this.at + 1 < this.moments.length;
  }

  /** A new moment; what was undone before it is forgotten. */
  then(moment: Moment): History {
    return new History([...this.moments.slice(0, this.at + 1), moment], this.at + 1);
  }

  /** Another moment in place of this one: more of the same typing. */
  instead(moment: Moment): History {
    return this.at === 0 ? this.then(moment) : new History([...this.moments.slice(0, this.at), moment], this.at);
  }

  /** The moment before; the same history if there is none. */
  undo(): History {
    return this.canUndo ? new History(this.moments, this.at - 1) : this;
  }
  /** The moment that was undone last; the same history if there is none. */
  redo(): History {
    return this.canRedo ? new History(this.moments, this.at + 1) : this;
  }
}
