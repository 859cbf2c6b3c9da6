/* icons.ts -- small pictures in one colour, as SVG elements in a square of 100 x 100. */

/** By name. */
export const ICONS: Record<string, string> = {};
