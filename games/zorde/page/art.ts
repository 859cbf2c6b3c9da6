/* art.ts -- drawings of zorde: the six kinds of unit, and the picture of the battle. */
import { body, brows, dot, face, head, INK, look, PALE, patch, shape, SKIN, stroke } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  human: face('#cfe0f5', body('#8d99ae'), head(SKIN), shape('M26 50Q24 14 50 14 76 14 74 50L70 50V40H30V50Z', '#b9c3d2'), shape('M46 14H54V52H46Z', '#8d99ae'), look(0, 50), shape('M50 14Q62 2 74 8 66 12 54 18Z', '#d7263d')),
  elf: face('#d3efc4', shape('M24 84Q18 30 50 14 82 30 76 84Z', '#f0d36a'), shape('M30 50L8 36 28 62ZM70 50L92 36 72 62Z', PALE), body('#3f8a52'), head(PALE),
    shape('M28 46Q34 24 50 24 66 24 72 46 70 18 50 16 30 18 28 46Z', '#f5dd7e'), stroke('M30 36Q50 30 70 36', '#3f8a52', 4), look(1, 52)),
  dwarf: face('#f0d5b0', body('#7a4a3a'), head('#f0b890'), shape('M28 60Q22 98 50 98 78 98 72 60 64 66 50 62 36 66 28 60Z', '#c9622a'), shape('M24 44Q24 16 50 14 76 16 76 44Z', '#9aa3b2'), shape('M26 40L8 18 34 26ZM74 40L92 18 66 26Z', '#fff4dc'),
    dot(41, 51, 3.4, INK), dot(59, 51, 3.4, INK), shape('M45 54Q50 50 55 54 56 62 50 62 44 62 45 54Z', '#e89a74'), stroke('M38 76V88M50 78V92M62 76V88', '#94421a', 3)),
  ork: face('#cfc7a0', body('#6b4a38'), shape('M28 52L8 40 28 66ZM72 52L92 40 72 66Z', '#6f9c4a'), shape('M26 44Q28 16 50 16 72 16 74 44L76 62Q70 86 50 86 30 86 24 62Z', '#7fae55'), brows(46), dot(41, 52, 3.6, '#ffe14d'), dot(59, 52, 3.6, '#ffe14d'),
    stroke('M38 70H62'), shape('M38 72L36 58 45 70ZM62 72L64 58 55 70Z', '#fff'), stroke('M44 16L50 30 56 16', '#4f7530', 4)),
  troll: face('#bcd6dc', shape('M30 28L20 4 42 20ZM70 28L80 4 58 20Z', '#f5e8c8'), body('#5b6f86'), shape('M22 50Q22 18 50 18 78 18 78 50 78 86 50 88 22 86 22 50Z', '#7f9fb5'), dot(38, 48, 3.4, INK), dot(62, 48, 3.4, INK), brows(42),
    shape('M40 50Q50 44 60 50L64 66Q50 76 36 66Z', '#6a8aa0'), stroke('M34 76Q50 82 66 76'), shape('M38 78L41 68 45 79ZM62 78L59 68 55 79Z', '#fff')),
  goblin: face('#ead9ea', shape('M30 48L2 30 28 66ZM70 48L98 30 72 66Z', '#a8c94a'), body('#7a3f5e'), shape('M28 44Q32 20 50 20 68 20 72 44 70 70 50 84 30 70 28 44Z', '#b9d95a'), dot(40, 47, 6, '#ffe14d'), dot(60, 47, 6, '#ffe14d'), stroke('M40 43V51M60 43V51', INK, 3),
    shape('M50 48L56 66 46 64Z', '#9ab93f'), stroke('M38 70Q50 78 62 68'), patch('M44 73L46 79 49 74ZM54 74L56 78 58 71Z', '#fff')),
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, dots, put }) =>
  `${sky('#f7c96b')}<circle cx="160" cy="70" r="42" fill="#fff0b8"/>` +
  '<path d="M-400 130L-300 60 -200 120 -110 56 -40 122 50 60 92 112 140 50 196 116 250 62 330 124 400 66 480 120 560 60 720 130V380H-400Z" fill="#c98a3d"/>' +
  `<path d="M-400 140Q160 104 720 140V380H-400Z" fill="#a8682b"/>${dots('rgb(70 35 5/.3)', 4)}` +
  put('elf', 64, 58, 86) + put('human', 4, 68, 104) + put('dwarf', 84, 90, 92) +
  put('goblin', 170, 58, 86, true) + put('ork', 214, 64, 112, true) + put('troll', 148, 88, 96, true);
