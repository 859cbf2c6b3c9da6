/* icons.ts -- the pictures of signs on tokens: one colour, SVG elements in a square of 100 x 100. */

/** A filled shape of an icon. */
const shape = (path: string): string => `<path d="${path}"/>`;
const stroke = (path: string, width = 12): string =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** By name. */
export const ICONS: Record<string, string> = {
  crown: shape('M8 28L30 50 50 14 70 50 92 28 84 82H16Z'),
  web: stroke('M50 6V94M10 30L90 70M90 30L10 70M50 28L70 40V60L50 72 30 60V40Z', 8),
  heal: shape('M38 10H62V38H90V62H62V90H38V62H10V38H38Z'),
  strength: shape('M50 6L90 50H66V94H34V50H10Z'),
  weakness: shape('M50 94L90 50H66V6H34V50H10Z'),
  runner: shape('M8 12L48 50 8 88ZM50 12L92 50 50 88Z'),
  aging: shape('M18 6H82V20L60 50 82 80V94H18V80L40 50 18 20Z'),
  disarm: shape('M70 6L94 6 94 30 66 58 42 34ZM34 42L58 66 46 78 52 92 8 92 8 48 22 54Z') + stroke('M12 12L36 22', 10),
  dodge: stroke('M18 84Q18 30 74 30M52 8L76 30 52 54', 14),
  embrace: shape('M50 90L12 50Q2 26 24 14 42 10 50 28 58 10 76 14 98 26 88 50Z'),
  root: stroke('M50 8V50M50 40Q46 66 16 88M50 40Q54 66 84 88M50 48V92', 12),
  shield: shape('M50 6L88 18V48Q86 78 50 94 14 78 12 48V18Z'),
  shock: shape('M58 4L14 58H44L36 96 86 36H54Z'),
  silence: shape('M10 14H90V66H54L32 90V66H10Z') + '<path d="M30 28L70 54M70 28L30 54" stroke="#fff" stroke-width="10" fill="none"/>',
  stun: shape('M50 4L61 37 96 38 68 59 78 94 50 74 22 94 32 59 4 38 39 37Z'),
  eye: shape('M4 50Q50 0 96 50 50 100 4 50Z') + '<circle cx="50" cy="50" r="19" fill="#fff"/><circle cx="50" cy="50" r="9"/>',
  gem: shape('M26 12H74L94 38 50 92 6 38Z'),
};
