/* art.ts -- drawings of tablut: the king, a Swede, a Muscovite, and the picture of the siege. */
import { body, dot, face, head, INK, look, PALE, patch, shape, SKIN, stroke } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  king: face('#f7e3a1', body('#7a2f8f'), shape('M14 100Q18 80 40 76L50 86 60 76Q82 80 86 100Z', '#fffaf0'), head(PALE),
    shape('M29 52Q28 88 50 92 72 88 71 52 66 62 50 62 34 62 29 52Z', '#d9dbe6'), shape('M24 36L22 8 37 22 50 4 63 22 78 8 76 36Q50 28 24 36Z', '#f2b632'),
    dot(50, 20, 4, '#d7263d'), dot(32, 26, 3, '#2f6fed'), dot(68, 26, 3, '#2f6fed'), dot(41, 48, 3.4, INK), dot(59, 48, 3.4, INK), stroke('M44 70Q50 74 56 70', INK, 3.5)),
  swede: face('#cfe3fb', body('#2c64c4'), shape('M43 74H57L54 100H46Z', '#ffd23f'), shape('M26 60Q22 40 30 34H70Q78 40 74 60L70 66H30Z', '#e8c97a'), head(SKIN), look(1, 52),
    shape('M16 40Q30 22 50 8 70 22 84 40 66 34 50 34 34 34 16 40Z', '#1f4ea3'), stroke('M16 40Q34 33 50 33 66 33 84 40', '#ffd23f', 5), dot(50, 23, 4.5, '#ffd23f')),
  muscovite: face('#f3d9c8', body('#a8322b'), shape('M40 74H60L56 100H44Z', '#f3c65a'), head('#f0c09a'),
    shape('M29 54Q26 96 50 98 74 96 71 54 66 66 50 64 34 66 29 54Z', '#6b4226'), shape('M24 44Q20 28 28 26 26 6 50 6 74 6 72 26 80 28 76 44Q50 34 24 44Z', '#b8352e'),
    shape('M20 44Q18 30 30 31 50 26 70 31 82 30 80 44 50 34 20 44Z', '#8a5a3a'), patch('M30 38L34 34 38 38 42 33 46 37 50 32 54 37 58 33 62 38 66 34 70 38Q50 32 30 38Z', '#a87650'),
    dot(41, 51, 3.4, INK), dot(59, 51, 3.4, INK), stroke('M42 70Q50 66 58 70', INK, 3.5)),
};

/** The picture on the start screen: northern lights, snow, and the king between two fires. */
export const card: GameArt['card'] = ({ sky, dots, put }) =>
  `${sky('#1d3557')}<path d="M-400 70Q-160 -40 60 34 280 104 480 20 600 -24 720 30V-10Q560 -70 430 -26 260 40 70 -22 -150 -90 -400 10Z" fill="#4fc3a1" opacity=".6"/>` +
  '<path d="M-400 30Q-120 -70 90 0 280 60 470 -20 600 -60 720 -10V-40Q560 -100 420 -56 260 0 90 -56 -140 -120 -400 -30Z" fill="#a6e3c5" opacity=".55"/>' +
  `<path d="M-400 132Q-120 104 160 124 440 104 720 132V380H-400Z" fill="#eef3f8"/>${dots('#d3deea', 4)}` +
  put('muscovite', -74, 74, 100) + put('muscovite', 294, 74, 100, true) + put('muscovite', -12, 84, 100) + put('muscovite', 232, 84, 100, true) +
  put('swede', 48, 84, 96) + put('swede', 176, 84, 96, true) + put('king', 94, 42, 132);
