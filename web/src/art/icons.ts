/* icons.ts -- small pictures in one colour, as SVG elements in a square of 100 x 100: signs on tokens, verbs, buttons. */

const p = (path: string): string => `<path d="${path}"/>`;
const l = (path: string, width = 12): string =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const o = (x: number, y: number, r: number): string => `<circle cx="${x}" cy="${y}" r="${r}"/>`;

/** By name. */
export const ICONS: Record<string, string> = {
  // signs on tokens
  crown: p('M8 28L30 50 50 14 70 50 92 28 84 82H16Z'),
  web: l('M50 6V94M10 30L90 70M90 30L10 70M50 28L70 40V60L50 72 30 60V40Z', 8),
  heal: p('M38 10H62V38H90V62H62V90H38V62H10V38H38Z'),
  strength: p('M50 6L90 50H66V94H34V50H10Z'),
  weakness: p('M50 94L90 50H66V6H34V50H10Z'),
  runner: p('M8 12L48 50 8 88ZM50 12L92 50 50 88Z'),
  aging: p('M18 6H82V20L60 50 82 80V94H18V80L40 50 18 20Z'),
  disarm: p('M70 6L94 6 94 30 66 58 42 34ZM34 42L58 66 46 78 52 92 8 92 8 48 22 54Z') + l('M12 12L36 22', 10),
  dodge: l('M18 84Q18 30 74 30M52 8L76 30 52 54', 14),
  embrace: p('M50 90L12 50Q2 26 24 14 42 10 50 28 58 10 76 14 98 26 88 50Z'),
  root: l('M50 8V50M50 40Q46 66 16 88M50 40Q54 66 84 88M50 48V92', 12),
  shield: p('M50 6L88 18V48Q86 78 50 94 14 78 12 48V18Z'),
  shock: p('M58 4L14 58H44L36 96 86 36H54Z'),
  silence: p('M10 14H90V66H54L32 90V66H10Z') + '<path d="M30 28L70 54M70 28L30 54" stroke="#fff" stroke-width="10" fill="none"/>',
  stun: p('M50 4L61 37 96 38 68 59 78 94 50 74 22 94 32 59 4 38 39 37Z'),
  eye: p('M4 50Q50 0 96 50 50 100 4 50Z') + '<circle cx="50" cy="50" r="19" fill="#fff"/><circle cx="50" cy="50" r="9"/>',
  gem: p('M26 12H74L94 38 50 92 6 38Z'),
  // verbs
  move: l('M50 12V88M12 50H88M36 24L50 10 64 24M36 76L50 90 64 76M24 36L10 50 24 64M76 36L90 50 76 64', 9),
  melee: p('M94 6L92 30 46 72 28 54 70 8ZM24 60L40 76 32 84 38 92 8 94 10 64 16 68Z'),
  ranged: l('M50 10V28M50 72V90M10 50H28M72 50H90', 10) + `<circle cx="50" cy="50" r="30" fill="none" stroke="currentColor" stroke-width="10"/>${o(50, 50, 9)}`,
  use: p('M50 4L62 38 96 50 62 62 50 96 38 62 4 50 38 38Z'),
  give: p('M8 62H30L48 52 72 58 92 44 96 56 62 88H8Z') + p('M40 8H64L74 22 52 44 30 22Z'),
  place: p('M50 4Q84 4 84 38 84 62 50 96 16 62 16 38 16 4 50 4Z') + '<circle cx="50" cy="38" r="14" fill="#fff"/>',
  end: p('M10 10L54 50 10 90ZM62 10H86V90H62Z'),
  // values
  health: p('M50 90L12 50Q2 26 24 14 42 10 50 28 58 10 76 14 98 26 88 50Z'),
  mana: p('M50 4Q84 46 84 64 84 96 50 96 16 96 16 64 16 46 50 4Z'),
  points: p('M58 4L14 58H44L36 96 86 36H54Z'),
  speed: p('M8 12L48 50 8 88ZM50 12L92 50 50 88Z'),
  clock: `<circle cx="50" cy="50" r="40" fill="none" stroke="currentColor" stroke-width="11"/>${l('M50 26V50L66 62', 10)}`,
  // buttons
  play: p('M22 8L88 50 22 92Z'),
  pause: p('M18 8H42V92H18ZM58 8H82V92H58Z'),
  skip: p('M10 10L54 50 10 90ZM52 10L90 50 52 90Z'),
  back: p('M78 8L12 50 78 92Z'),
  replay: l('M80 30A36 36 0 1 0 86 56M82 8V32H58', 12),
  watch: p('M4 50Q50 0 96 50 50 100 4 50Z') + '<circle cx="50" cy="50" r="19" fill="#fff"/><circle cx="50" cy="50" r="9"/>',
  edit: p('M70 6L94 30 34 90 6 94 10 66Z'),
  rules: p('M8 14Q32 6 48 18V90Q32 80 8 86ZM92 14Q68 6 52 18V90Q68 80 92 86Z'),
  person: o(50, 28, 22) + p('M8 96Q10 56 50 56 90 56 92 96Z'),
  people: o(34, 30, 18) + p('M2 92Q4 54 34 54 64 54 66 92Z') + o(72, 34, 14) + p('M70 56Q98 58 98 92H76Q74 66 66 58Z'),
  robot: p('M44 4H56V18H84V72H16V18H44Z') + '<circle cx="36" cy="42" r="9" fill="#fff"/><circle cx="64" cy="42" r="9" fill="#fff"/>' + p('M24 78H76V96H24Z'),
  link: l('M40 60L60 40M46 28L58 16Q72 6 84 18 94 30 84 42L72 54M54 72L42 84Q28 94 16 82 6 70 16 58L28 46', 12),
  flag: p('M16 6H28V94H16ZM30 10Q54 0 88 16 70 32 88 50 54 38 30 48Z'),
  draw: l('M10 36H90M10 64H90', 16),
  chat: p('M10 14H90V66H54L32 90V66H10Z'),
  tip: p('M50 6Q84 6 84 40 84 54 68 66V76H32V66Q16 54 16 40 16 6 50 6ZM34 82H66V92H34Z'),
  keys: p('M6 24H94V78H6Z') + '<path d="M18 38H28M38 38H48M58 38H68M78 38H84M18 52H28M38 52H48M58 52H68M78 52H84M28 66H72" stroke="#fff" stroke-width="8"/>',
  sound: p('M8 36H28L54 12V88L28 64H8Z') + l('M68 34Q78 50 68 66M80 20Q98 50 80 80', 9),
  mute: p('M8 36H28L54 12V88L28 64H8Z') + l('M66 38L92 62M92 38L66 62', 10),
  sun: o(50, 50, 22) + l('M50 6V16M50 84V94M6 50H16M84 50H94M19 19L26 26M74 74L81 81M81 19L74 26M26 74L19 81', 9),
  moon: p('M62 6A46 46 0 1 0 94 66 38 38 0 0 1 62 6Z'),
  download: l('M50 8V64M28 44L50 66 72 44M12 92H88', 12),
  share: l('M50 62V10M30 28L50 8 70 28M24 46H12V92H88V46H76', 10),
  close: l('M16 16L84 84M84 16L16 84', 14),
  check: l('M12 54L38 80 88 22', 15),
  gear: `<circle cx="50" cy="50" r="24" fill="none" stroke="currentColor" stroke-width="16"/>${l('M50 8V20M50 80V92M8 50H20M80 50H92M20 20L29 29M71 71L80 80M80 20L71 29M29 71L20 80', 14)}`,
  trophy: p('M24 6H76V14H96Q96 46 70 50 64 62 56 64V78H72V94H28V78H44V64Q36 62 30 50 4 46 4 14H24ZM14 24Q16 38 25 40L24 24ZM86 24H76L75 40Q84 38 86 24Z'),
};

/** An icon as SVG text, in the colour of the text around it. */
export function icon(name: string, size = '1.15em'): string {
  return (
    `<svg viewBox="0 0 100 100" width="${size}" height="${size}" fill="currentColor" aria-hidden="true" focusable="false">` +
    `${ICONS[name] ?? ICONS['use']!}</svg>`
  );
}
