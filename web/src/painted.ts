/* painted.ts -- waiting for the next frame, so that what only adds to what has just changed does not delay it. */

/** A frame that has not been painted for so long, on a page out of sight for example, is not waited for. */
const PAINT_MS = 50;

/** Resolves when what has just changed is on the screen, or soon will be. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(done, PAINT_MS);
    requestAnimationFrame(() => setTimeout(() => { clearTimeout(late); done(); }));
  });
}
