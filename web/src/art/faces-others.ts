/* faces-others.ts -- champions, generals, warriors, armies, stones and potions. */
import type { Art } from './avatar';
import { body, brows, dot, patch, face, head, INK, stroke, look, disc, shape, slits, thing } from './draw';

const SKIN = '#f6cfa8';
const PALE = '#fbe3cd';
const TAN = '#c98d5f';

/** A cut stone: outline, facets, colour and its light. */
const stone = (colour: string, light: string, dark: string, outline: string, facets: string, shine: string): Art =>
  thing(
    `<ellipse cx="50" cy="88" rx="26" ry="6" fill="rgb(0 0 0/.28)" stroke="none"/>`,
    shape(outline, colour), patch(shine, light), stroke(facets, dark, 3), stroke(outline, INK, 5),
    patch('M22 20L25 27 32 30 25 33 22 40 19 33 12 30 19 27Z', '#fffdf0'),
  );

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

/** By plain name. */
export const OTHERS: Record<string, Art> = {
  spacestone: stone('#2f6fed', '#a9c9ff', '#163f9a', 'M28 18H72L84 42 50 84 16 42Z', 'M16 42H84M28 18L38 42 50 84 62 42 72 18M38 42L50 18 62 42', 'M28 18H50L38 42H16Z'),
  mindstone: stone('#f2b705', '#fff0b0', '#9a6f00', 'M50 10L82 30V64L50 84 18 64V30Z', 'M50 10V28L66 38V58L50 68 34 58V38L50 28M18 30L34 38M82 30L66 38M18 64L34 58M82 64L66 58M50 84V68', 'M50 10L18 30 34 38 50 28Z'),
  realitystone: stone('#d7263d', '#ffb3bd', '#7d0f22', 'M50 10L74 30 82 58 50 86 18 58 26 30Z', 'M26 30L50 42 74 30M50 42V86M18 58L50 42 82 58', 'M50 10L26 30 50 42Z'),
  powerstone: stone('#8e3fc4', '#e0bdf7', '#4d1874', 'M50 14Q84 14 84 48 84 82 50 82 16 82 16 48 16 14 50 14Z', 'M30 30L50 24 70 30 76 50 66 68 50 74 34 68 24 50Z', 'M30 30L50 24 46 16 26 26Z'),
  timestone: stone('#1f9d55', '#b5f0cd', '#0c5a2c', 'M20 24H80V72L66 84H34L20 72Z', 'M20 24L36 38H64L80 24M36 38V70H64V38M36 70L34 84M64 70L66 84', 'M20 24H80L64 38H36Z'),
  soulstone: stone('#f0761a', '#ffd9b0', '#93400a', 'M50 8Q78 42 78 60 78 86 50 86 22 86 22 60 22 42 50 8Z', 'M50 26Q64 48 64 60 64 72 50 72 36 72 36 60 36 48 50 26ZM50 8V26M24 68L37 64M76 68L63 64', 'M50 8Q28 36 23 54L37 56 50 26Z'),

  electro: face('#3d4a6b', shape('M50 2L60 22 80 12 74 32 96 40 76 48H24L4 40 26 32 20 12 40 22Z', '#ffe14d'), body('#2f7d4f'),
    shape('M28 46Q28 20 50 20 72 20 72 46V56Q70 76 50 82 30 76 28 56Z', '#3aa564'), slits('#fff7b0'), stroke('M50 22L44 36H54L48 46', '#ffe14d', 4), stroke('M43 68H57')),
  hela: face('#c7dcc0', stroke('M40 26L22 2M44 22L36 0M60 26L78 2M56 22L64 0M34 32L8 14M66 32L92 14', '#26322a', 6), shape('M24 86Q20 40 30 28H70Q80 40 76 86Z', '#1f2a23'),
    body('#22352a'), head(PALE), shape('M28 46Q28 18 50 18 72 18 72 46L60 38 50 44 40 38Z', '#26322a'), look(2, 53), stroke('M36 60L40 64M64 60L60 64', '#3b7a52', 3)),
  iceman: face('#3f6fa8', body('#a9dcf2'), shape('M28 44L32 20 42 14 50 20 60 12 70 22 72 44V56Q70 76 50 82 30 76 28 56Z', '#cdeefb'), patch('M36 26L46 22 40 44 34 40Z', '#fff'),
    dot(41, 51, 4, '#1f5fd0'), dot(59, 51, 4, '#1f5fd0'), stroke('M43 67Q50 70 57 66', '#2d6d9c'), stroke('M30 60L36 66M70 58L63 64', '#7fbfe0', 3)),
  venom: face('#b9c6dd', body('#22232e'), shape('M26 46Q26 14 50 14 74 14 74 46 76 84 50 88 24 84 26 46Z', '#2a2b37'), shape('M29 36Q46 38 47 54 34 56 29 36ZM71 36Q54 38 53 54 66 56 71 36Z', '#fff'),
    shape('M32 64Q50 74 68 64 66 84 50 85 34 84 32 64Z', '#7a1f2e'), patch('M34 66L38 74 42 69 46 76 50 70 54 76 58 69 62 74 66 66 50 71Z', '#fff'), stroke('M52 80Q60 90 56 98', '#e0526a', 6)),
  yellowjacket: face('#f5e7a3', stroke('M36 22L24 4M64 22L76 4'), body('#2d2a33'), shape('M26 46Q26 16 50 16 74 16 74 46V62L62 82H38L26 62Z', '#f2c230'), shape('M42 16H58L54 42H46Z', '#2d2a33'),
    shape('M30 44L46 48 44 58 32 56ZM70 44L54 48 56 58 68 56Z', '#ff7a2f'), shape('M40 68H60L55 80H45Z', '#2d2a33'), stroke('M26 60L36 70M74 60L64 70', '#2d2a33')),
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
