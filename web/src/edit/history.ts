/* history.ts -- a document and everything it has been: undo and redo without end.
 *
 * A revision is a value, or a text as somebody typed or opened it, which may be no JSON yet. The text of a revision that was
 * opened or typed stays as it was, to the byte; that of others is made when it is asked for. */
import type { Json } from './value';

/** One revision of a document. */
export interface Revision {
  /** undefined: the text is no JSON. */
  readonly value: Json | undefined;
  /** As typed or opened; undefined: to be laid out from the value. */
  readonly text: string | undefined;
}

/** The revision that a text is. */
export function revisionOf(text: string): Revision {
  try {
    return { value: JSON.parse(text) as Json, text };
  } catch {
    return { value: undefined, text };
  }
}

/** All revisions of one document. Never changes: each change makes a new one. */
export class History {
  private constructor(private readonly moments: readonly Revision[], readonly at: number) {}

  /** Begins with a text. */
  static begin(text: string): History {
    return new History([revisionOf(text)], 0);
  }

  /** What the document is now. */
  get now(): Revision {
    return this.moments[this.at]!;
  }
  get canUndo(): boolean {
    return this.at > 0;
  }
  get canRedo(): boolean {
    return this.at + 1 < this.moments.length;
  }

  /** A new revision; what was undone before it is forgotten. */
  then(revision: Revision): History {
    return new History([...this.moments.slice(0, this.at + 1), revision], this.at + 1);
  }

  /** Another revision in place of this one: more of the same typing. */
  instead(revision: Revision): History {
    return this.at === 0 ? this.then(revision) : new History([...this.moments.slice(0, this.at), revision], this.at);
  }

  /** The revision before; the same history if there is none. */
  undo(): History {
    return this.canUndo ? new History(this.moments, this.at - 1) : this;
  }
  /** The revision that was undone last; the same history if there is none. */
  redo(): History {
    return this.canRedo ? new History(this.moments, this.at + 1) : this;
  }
}
