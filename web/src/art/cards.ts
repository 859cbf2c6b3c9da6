/* cards.ts -- the pictures of the five games on the start screen, composed from the same drawings as the boards: SVG text of
 * 320 x 180 that goes on beyond its edges, so that a frame of any shape is filled. A game that nobody has drawn gets its name's
 * colours. */
import { avatar, bust } from './avatar';
import { hash } from './tone';

const INK = '#1d1a2f';

/** A drawing at a place, `size` wide; turned around if `flip`. */
function put(kind: string, x: number, y: number, size: number, flip = false): string {
  const scale = size / 100;
  const turn = flip ? ` translate(100 0) scale(-1 1)` : '';
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(2)})${turn}">${bust(kind)}</g>`;
}

/** A framed piece at a place. */
function piece(kind: string | undefined, seat: 0 | 1, x: number, y: number, size: number): string {
  return avatar(kind, seat).replace('<svg ', `<svg class="seat-${seat}" x="${x}" y="${y}" width="${size}" height="${size}" `);
}

/** Rays from a point. */
function rays(x: number, y: number, colour: string, count = 14): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const a = (i * 2 * Math.PI) / count;
    const b = a + Math.PI / count;
    path += `M${x} ${y}L${(x + 700 * Math.cos(a)).toFixed(0)} ${(y + 700 * Math.sin(a)).toFixed(0)} ${(x + 700 * Math.cos(b)).toFixed(0)} ${(y + 700 * Math.sin(b)).toFixed(0)}Z`;
  }
  return `<path d="${path}" fill="${colour}"/>`;
}

/** Dots that fade towards the top. */
function dots(colour: string, rows = 6): string {
  let out = '';
  for (let row = 0; row < rows; row++) {
    for (let x = -24; x < 57; x++) {
      const radius = 3.4 - row * 0.5;
      if (radius > 0.4) out += `<circle cx="${x * 10 + (row % 2 ? 5 : 0)}" cy="${178 - row * 9}" r="${radius.toFixed(1)}"/>`;
    }
  }
  return `<g fill="${colour}">${out}</g>`;
}

const STONES = ['Space Stone', 'Mind Stone', 'Reality Stone', 'Power Stone', 'Time Stone', 'Soul Stone'];

/** A background beyond all edges. */
const sky = (colour: string): string => `<rect x="-400" y="-200" width="1120" height="580" fill="${colour}"/>`;

const PICTURES: Record<string, () => string> = {
  'marvelous-mashup': () =>
    `${sky('#4b2e83')}${rays(160, 110, '#5c3a9e')}${dots('#37206a')}` +
    STONES.map((stone, i) => put(stone, 12 + i * 51, i < 3 ? 44 - i * 15 : 14 + (i - 3) * 15, 40)).join('') +
    put('Groot', -196, 78, 104) + put('Gamora', 410, 78, 104, true) + put('Iron Man', 340, 70, 112, true) + put('Black Panther', -130, 74, 106) +
    put('Hulk', -66, 56, 124) + put('Thor', 268, 58, 120, true) +
    put('Thanos', 96, 44, 128) + put('Spiderman', 26, 86, 100) + put('Captain Marvel', 196, 84, 100, true) +
    put('Goose', 126, 118, 68),
  'ultimate-war': () =>
    `${sky('#d7493a')}<path d="M-400 -200H257L63 380H-400Z" fill="#2f6fed"/>${dots('rgb(0 0 0/.18)')}` +
    put('Spiderman', -80, 80, 100) + put('Electro', 306, 80, 100, true) +
    put('Hulk', -14, 50, 128) + put('Ironman', 66, 74, 108) + put('Thor', 34, 18, 84) +
    put('Venom', 206, 50, 128, true) + put('Hela', 146, 74, 108, true) + put('Loki', 204, 16, 84, true) +
    `<path d="M196 -6L140 84H170L118 190 214 74H180L236 -6Z" fill="#ffd23f" stroke="${INK}" stroke-width="5" stroke-linejoin="round"/>`,
  'generals': () =>
    `${sky('#efe3c4')}<g stroke="#d9c79b" stroke-width="2">${Array.from({ length: 24 }, (_, i) => `<path d="M${i * 48 - 392} -200V380"/>`).join('')}` +
    `<path d="M-400 -4H720M-400 44H720M-400 92H720M-400 140H720"/></g>${dots('#e0d0a4', 5)}` +
    [undefined, undefined, 'Thanos', undefined, undefined, undefined, undefined]
      .map((kind, i) => piece(kind, 1, 14 + (i - 1) * 60, i === 2 ? 30 : 10, 54)).join('') +
    ['Vision', 'Shield Agent', 'Hulk', 'Blue Nexus', 'Thor', 'Hawkeye', 'Ant Man']
      .map((kind, i) => piece(kind, 0, 14 + (i - 1) * 60, i === 4 ? 98 : 116, 54)).join('') +
    `<path d="M160 76L165 84 175 82 170 91 176 99 166 99 162 108 156 100 146 103 150 94 143 86 153 85Z" fill="#ffd23f" stroke="${INK}" stroke-width="3"/>`,
  'zorde': () =>
    `${sky('#f7c96b')}<circle cx="160" cy="70" r="42" fill="#fff0b8"/>` +
    '<path d="M-400 130L-300 60 -200 120 -110 56 -40 122 50 60 92 112 140 50 196 116 250 62 330 124 400 66 480 120 560 60 720 130V380H-400Z" fill="#c98a3d"/>' +
    `<path d="M-400 140Q160 104 720 140V380H-400Z" fill="#a8682b"/>${dots('rgb(70 35 5/.3)', 4)}` +
    put('Elf', 64, 58, 86) + put('Human', 4, 68, 104) + put('Dwarf', 84, 90, 92) +
    put('Goblin', 170, 58, 86, true) + put('Ork', 214, 64, 112, true) + put('Troll', 148, 88, 96, true),
  'battleground': () =>
    `${sky('#8fc7a0')}${rays(160, 180, '#9fd3ae', 18)}<path d="M-400 122H720V380H-400Z" fill="#5f9c72"/>${dots('rgb(10 50 25/.25)', 5)}` +
    put('Gladiator', -68, 72, 100) + put('Zombie F.', 296, 78, 96, true) +
    put('Knight', 8, 56, 108) + put('Ninja', 84, 84, 96) + put('Pumpkin', 210, 60, 108) + put('Zombie M.', 150, 80, 96, true) +
    put('Dino', 118, 30, 70) + put('heal', 82, 14, 40) + put('runner', 196, 16, 40) + put('strength', 8, 12, 40) + put('aging', 270, 12, 40),
};

/** A picture made from a name. */
function made(game: string): string {
  const hue = hash(game) % 360;
  return `${sky(`hsl(${hue} 45% 45%)`)}${rays(160, 90, `hsl(${hue} 45% 52%)`)}${put(game, 100, 36, 120)}`;
}

/** The picture of a game, as SVG text. */
export function cardPicture(game: string): string {
  return (
    '<svg class="card-picture" viewBox="0 0 320 180" aria-hidden="true" focusable="false">' +
    `${(PICTURES[game] ?? (() => made(game)))()}</svg>`
  );
}
