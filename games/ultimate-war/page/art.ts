/* art.ts -- drawings of ultimate-war: champions who fight nowhere else, and the picture of the war. */
import { body, dot, face, INK, patch, shape, slits, stroke } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  electro: face('#3d4a6b', shape('M50 2L60 22 80 12 74 32 96 40 76 48H24L4 40 26 32 20 12 40 22Z', '#ffe14d'), body('#2f7d4f'),
    shape('M28 46Q28 20 50 20 72 20 72 46V56Q70 76 50 82 30 76 28 56Z', '#3aa564'), slits('#fff7b0'), stroke('M50 22L44 36H54L48 46', '#ffe14d', 4), stroke('M43 68H57')),
  iceman: face('#3f6fa8', body('#a9dcf2'), shape('M28 44L32 20 42 14 50 20 60 12 70 22 72 44V56Q70 76 50 82 30 76 28 56Z', '#cdeefb'), patch('M36 26L46 22 40 44 34 40Z', '#fff'),
    dot(41, 51, 4, '#1f5fd0'), dot(59, 51, 4, '#1f5fd0'), stroke('M43 67Q50 70 57 66', '#2d6d9c'), stroke('M30 60L36 66M70 58L63 64', '#7fbfe0', 3)),
  yellowjacket: face('#f5e7a3', stroke('M36 22L24 4M64 22L76 4'), body('#2d2a33'), shape('M26 46Q26 16 50 16 74 16 74 46V62L62 82H38L26 62Z', '#f2c230'), shape('M42 16H58L54 42H46Z', '#2d2a33'),
    shape('M30 44L46 48 44 58 32 56ZM70 44L54 48 56 58 68 56Z', '#ff7a2f'), shape('M40 68H60L55 80H45Z', '#2d2a33'), stroke('M26 60L36 70M74 60L64 70', '#2d2a33')),
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, dots, put }) =>
  `${sky('#d7493a')}<path d="M-400 -200H257L63 380H-400Z" fill="#2f6fed"/>${dots('rgb(0 0 0/.18)')}` +
  put('spiderman', -80, 80, 100) + put('electro', 306, 80, 100, true) +
  put('hulk', -14, 50, 128) + put('ironman', 66, 74, 108) + put('thor', 34, 18, 84) +
  put('venom', 206, 50, 128, true) + put('hela', 146, 74, 108, true) + put('loki', 204, 16, 84, true) +
  `<path d="M196 -6L140 84H170L118 190 214 74H180L236 -6Z" fill="#ffd23f" stroke="${INK}" stroke-width="5" stroke-linejoin="round"/>`;
