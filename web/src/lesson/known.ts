/* known.ts -- which games somebody knows: who has learned or played one is not asked again whether to learn it. */

/** Where that is kept. */
function keyOf(game: string): string {
  return `mashup.lesson.${game}`;
}

/** Has nobody learned or played this game in this browser? */
export function isNew(game: string): boolean {
  try {
    return localStorage.getItem(keyOf(game)) === null;
  } catch {
    return false;
  }
}

/** Somebody knows it now. */
export function markKnown(game: string): void {
  localStorage.setItem(keyOf(game), '1');
}
