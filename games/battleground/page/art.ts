/* art.ts -- drawings of battleground: warriors and potions, and the picture of the field. */
import { body, brows, disc, dot, face, head, INK, patch, shape, SKIN, stroke, TAN, thing } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';
import type { Art } from '../../../web/src/art/avatar';

/** A bottle with something in it. */
const potion = (colour: string, sign: string): Art =>
  thing(
    shape('M40 12H60V34Q82 44 82 66 82 90 50 90 18 90 18 66 18 44 40 34Z', '#eaf3fa'),
    patch('M22 60Q36 52 50 60 64 68 78 60 82 88 50 88 18 88 22 60Z', colour),
    shape('M36 8H64V17H36Z', '#a9713d'), stroke('M26 62Q28 50 38 46', '#fff', 4), sign,
  );

/** Undead skin and torn clothes. */
const zombie = (hair: string, clothes: string, mouth: string): Art =>
  face('#d9d2b0', body(clothes), head('#a6c486'), hair, disc(41, 50, 7, '#fff'), disc(60, 51, 5, '#fff'),
    dot(42, 51, 2.4, INK), dot(59, 51, 2, INK), shape('M40 66H60L58 75H42Z', '#5a2632'), patch(mouth, '#fff'), stroke('M62 34L70 42M70 34L62 42', '#55743c', 3));

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  gladiator: face('#f5d3a8', body('#a8743c'), head(TAN), shape('M24 52Q22 18 50 18 78 18 76 52L66 60V46H58L50 56 42 46H34V60Z', '#d9a441'), shape('M20 30Q30 2 50 4 70 2 80 30 66 16 50 16 34 16 20 30Z', '#d7263d'), dot(41, 53, 3, INK), dot(59, 53, 3, INK), stroke('M44 70H56')),
  knight: face('#cfd8ea', body('#7d8aa0'), shape('M26 44Q26 14 50 14 74 14 74 44V66L62 84H38L26 66Z', '#b4c0d2'), shape('M30 46H70V56H30Z', '#2b2b38'), stroke('M50 14V84M38 66V76M44 66V78M56 66V78M62 66V76', '#5f6b80', 3), shape('M50 14Q40 0 26 4 32 14 44 16Z', '#2f6fed')),
  ninja: face('#e6c9cf', shape('M70 34L94 24 86 38 96 46 72 44Z', '#d7263d'), body('#2a2733'), shape('M27 46Q27 16 50 16 73 16 73 46 73 74 50 84 27 74 27 46Z', '#34303f'), shape('M30 42H70V58Q50 64 30 58Z', SKIN), stroke('M28 36Q50 28 72 36', '#d7263d', 6), dot(41, 50, 3.6, INK), dot(59, 50, 3.6, INK), brows(45)),
  pumpkin: face('#cdb7e6', shape('M46 24Q44 10 56 6L60 14Q54 16 55 24Z', '#4f7a35'), shape('M50 24Q84 16 86 54 84 88 50 88 16 88 14 54 16 16 50 24Z', '#f0852a'), stroke('M50 24Q40 54 50 88M36 24Q22 54 36 87M64 24Q78 54 64 87', '#b8560f', 3),
    shape('M28 56L38 42 45 56ZM72 56L62 42 55 56Z', '#ffe14d'), shape('M28 66L38 70 44 66 50 71 56 66 62 70 72 66Q66 82 50 82 34 82 28 66Z', '#ffe14d')),
  zombiem: zombie(shape('M28 44Q28 14 52 16 72 18 72 42L62 30 56 38 46 28 38 38Z', '#4a4038'), '#6b6f5a', 'M43 66H48V71H43ZM53 69H57V75H53Z'),
  zombief: zombie(shape('M22 80Q16 22 50 14 84 22 78 80L70 70 72 44Q60 28 50 32 38 28 28 44L30 72Z', '#5d3f66'), '#8a4f6b', 'M44 66H48V70H44ZM52 66H56V70H52Z'),
  dino: face('#d6ead0', shape('M20 92Q22 40 40 22 60 10 84 26 96 36 92 54L62 60 92 64Q86 78 62 76 66 90 70 100H20Z', '#5fae6a'), stroke('M24 60L14 54M26 44L16 36M36 30L28 20', '#2f7a45', 6), disc(58, 34, 6, '#fff'), dot(60, 34, 2.6, INK), patch('M66 58L70 65 74 57ZM78 56L81 63 85 55Z', '#fff'), dot(86, 40, 2.4, INK)),
  heal: potion('#3ecf7f', shape('M45 58H55V66H63V76H55V84H45V76H37V66H45Z', '#fff')),
  strength: potion('#ff8a3d', shape('M50 56L66 72H57V84H43V72H34Z', '#fff')),
  weakness: potion('#8a83a0', shape('M50 84L66 68H57V56H43V68H34Z', '#fff')),
  runner: potion('#5b93ff', shape('M36 58L52 71 36 84V58ZM52 58L68 71 52 84Z', '#fff')),
  aging: potion('#c9a27a', shape('M38 56H62L53 70 62 84H38L47 70Z', '#fff')),
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, rays, dots, put }) =>
  `${sky('#8fc7a0')}${rays(160, 180, '#9fd3ae', 18)}<path d="M-400 122H720V380H-400Z" fill="#5f9c72"/>${dots('rgb(10 50 25/.25)', 5)}` +
  put('gladiator', -68, 72, 100) + put('zombie-f', 296, 78, 96, true) +
  put('knight', 8, 56, 108) + put('ninja', 84, 84, 96) + put('pumpkin', 210, 60, 108) + put('zombie-m', 150, 80, 96, true) +
  put('dino', 118, 30, 70) + put('heal', 82, 14, 40) + put('runner', 196, 16, 40) + put('strength', 8, 12, 40) + put('aging', 270, 12, 40);
