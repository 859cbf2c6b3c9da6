/* art.ts -- drawings of Hare and Hounds: a hound, the hare, and the picture of the hunt. */
import { dot, face, INK, look, shape } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  hound: face('#d9c7a3', shape('M20 24Q10 60 24 72 34 60 34 34Z', '#6b4226'), shape('M80 24Q90 60 76 72 66 60 66 34Z', '#6b4226'),
    shape('M30 30Q50 14 70 30L66 70Q50 92 34 70Z', '#a8703c'), look(1, 44), dot(50, 60, 6, INK)),
  hare: face('#cfe8c2', shape('M36 40Q26 4 38 4 48 8 46 38Z', '#d8d2c4'), shape('M64 40Q74 4 62 4 52 8 54 38Z', '#d8d2c4'),
    shape('M28 58Q30 34 50 34 70 34 72 58 70 84 50 86 30 84 28 58Z', '#e9e4d8'), look(1, 56)),
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, dots, put }) =>
  `${sky('#a8d8f0')}<path d="M-400 120Q160 90 720 120V380H-400Z" fill="#7fb069"/>${dots('#6a9a57', 4)}` +
  put('hound', -20, 70, 100) + put('hound', 50, 84, 100) + put('hound', 110, 70, 100) + put('hare', 240, 64, 110);
