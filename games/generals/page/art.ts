/* art.ts -- drawings of generals: pieces that no other game has, and the picture of the two armies. */
import { body, brows, disc, dot, face, head, INK, look, patch, shape, SKIN, stroke, TAN } from '../../../web/src/art/draw';
import type { GameArt } from '../../../web/src/games';

/** By plain name: no capitals, blanks or dots. */
export const faces: GameArt['faces'] = {
  ultron: face('#b7bdd0', body('#7d8698'), shape('M28 40L34 16H66L72 40 70 66 58 84H42L30 66Z', '#b4bccb'), stroke('M34 16L22 8M66 16L78 8'), shape('M34 44L46 50 44 56 35 53ZM66 44L54 50 56 56 65 53Z', '#ff3b4d'),
    shape('M40 66H60L56 76H44Z', '#ff3b4d'), stroke('M50 18V42M46 66V76M54 66V76', '#5b6373', 3)),
  dormammu: face('#3b2a55', shape('M14 84Q6 44 26 28 24 12 38 6 42 18 50 20 58 18 62 6 76 12 74 28 94 44 86 84Z', '#d0489e'), patch('M26 80Q20 46 36 36 40 24 50 26 60 24 64 36 80 46 74 80Z', '#ff9a4a'),
    shape('M32 50Q34 36 50 36 66 36 68 50 66 76 50 82 34 76 32 50Z', '#6a2f8f'), shape('M36 50L47 55 38 59ZM64 50L53 55 62 59Z', '#ffe14d'), stroke('M42 70L46 67 50 70 54 67 58 70', '#ffe14d', 3)),
  drdoom: face('#cfd8c0', shape('M10 100Q14 30 50 10 86 30 90 100Z', '#2f6b45'), shape('M30 44Q32 26 50 26 68 26 70 44V60L62 80H38L30 60Z', '#b4bccb'), shape('M34 46H46V53H36ZM66 46H54V53H64Z', '#2b2430'),
    shape('M42 66H58V74H42Z', '#6b7383'), stroke('M47 66V74M53 66V74M50 54V61', INK, 2.5), dot(34, 40, 1.6, INK), dot(66, 40, 1.6, INK), disc(34, 86, 5, '#f0c14b'), disc(66, 86, 5, '#f0c14b')),
  redskull: face('#d8d6cf', body('#2c3340'), shape('M28 44Q28 16 50 16 72 16 72 44 72 58 66 62V78Q50 88 34 78V62Q28 58 28 44Z', '#d3303f'), dot(41, 50, 7, '#5a0f1b'), dot(59, 50, 7, '#5a0f1b'), dot(41, 50, 2.4, '#fff'), dot(59, 50, 2.4, '#fff'),
    patch('M50 57L54 64H46Z', '#5a0f1b'), stroke('M40 73H60M45 69V77M50 69V77M55 69V77', '#5a0f1b', 2.6)),
  killmonger: face('#f0d79a', body('#24242c'), head('#7a4d31'), shape('M26 46L24 24 32 28 34 14 42 22 50 10 58 22 66 14 68 28 76 24 74 46 66 34H34Z', '#2a2028'), look(0, 52), brows(45),
    stroke('M24 88L34 96M76 88L66 96', '#f0c14b', 4), shape('M40 70Q50 64 60 70 58 80 50 81 42 80 40 70Z', '#2a2028'), stroke('M44 73H56', '#7a4d31', 3)),
  docock: face('#d6e0b8', stroke('M30 90Q-4 80 10 50M70 90Q104 80 90 50M36 78Q4 50 18 20M64 78Q96 50 82 20', '#7d8698', 7), disc(10, 48, 5, '#4d5566'), disc(90, 48, 5, '#4d5566'), disc(18, 18, 5, '#4d5566'), disc(82, 18, 5, '#4d5566'),
    body('#4c6b38'), head(SKIN), shape('M28 44Q26 16 50 16 74 16 72 44 64 34 50 36 36 34 28 44Z', '#5a3f2c'), disc(40, 50, 8, '#3a3f2f'), disc(60, 50, 8, '#3a3f2f'), stroke('M48 49H52M43 68H57')),
  ronan: face('#9fb0c8', shape('M18 92Q18 30 50 12 82 30 82 92Z', '#2a3f4f'), head('#6f9ec2'), shape('M26 48L30 18H70L74 48 64 40H36Z', '#23323f'), stroke('M50 18V40', '#8fd0e8', 4), brows(49), look(-1, 53),
    patch('M30 56L46 58 42 74 32 66ZM70 56L54 58 58 74 68 66Z', 'rgb(20 30 45/.35)')),
  modok: face('#c9b7de', shape('M10 50Q10 12 50 12 90 12 90 50 90 88 50 90 10 88 10 50Z', '#e0c23e'), shape('M18 52Q18 24 50 24 82 24 82 52 80 82 50 84 20 82 18 52Z', '#f3c99b'), shape('M40 24H60L56 36H44Z', '#e0c23e'),
    dot(36, 52, 6, '#fff'), dot(64, 52, 6, '#fff'), dot(37, 53, 2.6, INK), dot(63, 53, 2.6, INK), brows(43), shape('M34 68H66Q62 80 50 80 38 80 34 68Z', '#7a1f2e'), patch('M36 68H64V72H36Z', '#fff')),
  punisher: face('#c9ced8', body('#23232b'), head(SKIN), shape('M28 42Q28 16 50 16 72 16 72 42L66 32H34Z', '#2b2430'), brows(45), look(-1, 52), shape('M38 84Q50 76 62 84 62 92 57 93V100H43V93Q38 92 38 84Z', '#fff'), dot(46, 88, 2.6, INK), dot(54, 88, 2.6, INK)),
  hydrasoldier: face('#c4d6b4', body('#3f5b3a'), shape('M28 44Q28 16 50 16 72 16 72 44V62L62 80H38L28 62Z', '#4f7a48'), disc(40, 48, 8, '#ff5a4d'), disc(60, 48, 8, '#ff5a4d'), shape('M40 66H60L57 76H43Z', '#2b3a28'), stroke('M46 66V76M50 66V76M54 66V76', '#7da474', 2)),
  shieldagent: face('#c6d2e6', body('#27344f'), shape('M44 78H56L53 100H47Z', '#fff'), head(TAN), shape('M28 40Q28 16 50 16 72 16 72 40L64 32H36Z', '#33262a'), shape('M31 44H48L46 55H34ZM69 44H52L54 55H66Z', '#23232b'), stroke('M48 47H52M43 68H57')),
  bluenexus: face('#d7e6ff', shape('M50 10L84 50 50 90 16 50Z', '#2f6fed'), patch('M50 10L50 50 16 50Z', '#9cc1ff'), stroke('M16 50H84M50 10V90M50 28L68 50 50 72 32 50Z', '#143a8a', 3), disc(50, 50, 8, '#fff7d6')),
  rednexus: face('#ffdcd0', shape('M50 10L84 50 50 90 16 50Z', '#d7263d'), patch('M50 10L50 50 16 50Z', '#ffa9b2'), stroke('M16 50H84M50 10V90M50 28L68 50 50 72 32 50Z', '#7d0f22', 3), disc(50, 50, 8, '#fff7d6')),
};

/** The picture on the start screen. */
export const card: GameArt['card'] = ({ sky, dots, piece }) =>
  `${sky('#efe3c4')}<g stroke="#d9c79b" stroke-width="2">${Array.from({ length: 24 }, (_, i) => `<path d="M${i * 48 - 392} -200V380"/>`).join('')}` +
  `<path d="M-400 -4H720M-400 44H720M-400 92H720M-400 140H720"/></g>${dots('#e0d0a4', 5)}` +
  [undefined, undefined, 'thanos', undefined, undefined, undefined, undefined]
    .map((kind, i) => piece(kind, 1, 14 + (i - 1) * 60, i === 2 ? 30 : 10, 54)).join('') +
  ['vision', 'shield-agent', 'hulk', 'blue-nexus', 'thor', 'hawkeye', 'ant-man']
    .map((kind, i) => piece(kind, 0, 14 + (i - 1) * 60, i === 4 ? 98 : 116, 54)).join('') +
  `<path d="M160 76L165 84 175 82 170 91 176 99 166 99 162 108 156 100 146 103 150 94 143 86 153 85Z" fill="#ffd23f" stroke="${INK}" stroke-width="3"/>`;
