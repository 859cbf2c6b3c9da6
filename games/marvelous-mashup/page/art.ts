/* art.ts -- drawings of marvelous-mashup: the six stones, names that mean the same face, and the picture of the hunt. */
import { INK, patch, shape, stroke, thing } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';
import type { Art } from '../../../web/src/art/avatar';

const STONES = ['space-stone', 'mind-stone', 'reality-stone', 'power-stone', 'time-stone', 'soul-stone'];

/** A cut stone: outline, facets, colour and its light. */
const stone = (colour: string, light: string, dark: string, outline: string, facets: string, shine: string): Art =>
  thing(
    `<ellipse cx="50" cy="88" rx="26" ry="6" fill="rgb(0 0 0/.28)" stroke="none"/>`,
    shape(outline, colour), patch(shine, light), stroke(facets, dark, 3), stroke(outline, INK, 5),
    patch('M22 20L25 27 32 30 25 33 22 40 19 33 12 30 19 27Z', '#fffdf0'),
  );

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  spacestone: stone('#2f6fed', '#a9c9ff', '#163f9a', 'M28 18H72L84 42 50 84 16 42Z', 'M16 42H84M28 18L38 42 50 84 62 42 72 18M38 42L50 18 62 42', 'M28 18H50L38 42H16Z'),
  mindstone: stone('#f2b705', '#fff0b0', '#9a6f00', 'M50 10L82 30V64L50 84 18 64V30Z', 'M50 10V28L66 38V58L50 68 34 58V38L50 28M18 30L34 38M82 30L66 38M18 64L34 58M82 64L66 58M50 84V68', 'M50 10L18 30 34 38 50 28Z'),
  realitystone: stone('#d7263d', '#ffb3bd', '#7d0f22', 'M50 10L74 30 82 58 50 86 18 58 26 30Z', 'M26 30L50 42 74 30M50 42V86M18 58L50 42 82 58', 'M50 10L26 30 50 42Z'),
  powerstone: stone('#8e3fc4', '#e0bdf7', '#4d1874', 'M50 14Q84 14 84 48 84 82 50 82 16 82 16 48 16 14 50 14Z', 'M30 30L50 24 70 30 76 50 66 68 50 74 34 68 24 50Z', 'M30 30L50 24 46 16 26 26Z'),
  timestone: stone('#1f9d55', '#b5f0cd', '#0c5a2c', 'M20 24H80V72L66 84H34L20 72Z', 'M20 24L36 38H64L80 24M36 38V70H64V38M36 70L34 84M64 70L66 84', 'M20 24H80L64 38H36Z'),
  soulstone: stone('#f0761a', '#ffd9b0', '#93400a', 'M50 8Q78 42 78 60 78 86 50 86 22 86 22 60 22 42 50 8Z', 'M50 26Q64 48 64 60 64 72 50 72 36 72 36 60 36 48 50 26ZM50 8V26M24 68L37 64M76 68L63 64', 'M50 8Q28 36 23 54L37 56 50 26Z'),
  wanda: 'scarletwitch',
  jesicajones: 'jessicajones',
  doctorstrange: 'drstrange',
  thanosm: 'thanos',
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, rays, dots, put }) =>
  `${sky('#4b2e83')}${rays(160, 110, '#5c3a9e')}${dots('#37206a')}` +
  STONES.map((stone, i) => put(stone, 12 + i * 51, i < 3 ? 44 - i * 15 : 14 + (i - 3) * 15, 40)).join('') +
  put('groot', -196, 78, 104) + put('gamora', 410, 78, 104, true) + put('iron-man', 340, 70, 112, true) + put('black-panther', -130, 74, 106) +
  put('hulk', -66, 56, 124) + put('thor', 268, 58, 120, true) +
  put('thanos', 96, 44, 128) + put('spiderman', 26, 86, 100) + put('captain-marvel', 196, 84, 100, true) +
  put('goose', 126, 118, 68);
