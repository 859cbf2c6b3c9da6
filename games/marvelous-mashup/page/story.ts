/* story.ts -- the story before the hunt, in five pictures: who had the stones, and who swallowed them. What moves has a class of
 * intro.css and a delay; without motion every picture shows its end. */
import { bust } from '../../../web/src/art/avatar';
import type { Story } from '../../../web/src/intro/intro';
import { spoken } from '../../../web/src/texts/language';

const INK = '#1d1a2f';
const STONES = ['space-stone', 'mind-stone', 'reality-stone', 'power-stone', 'time-stone', 'soul-stone'];

/** A drawing at a place that enters in a way, after a delay in ms. */
function put(kind: string, x: number, y: number, size: number, how = '', delay = 0): string {
  return (
    `<g transform="translate(${x} ${y}) scale(${(size / 100).toFixed(2)})">` +
    `<g class="${how}" data-delay="${delay}">${bust(kind)}</g></g>`
  );
}

/** Rays of light from a point. */
function rays(x: number, y: number, colour: string): string {
  let path = '';
  for (let i = 0; i < 16; i++) {
    const a = (i * Math.PI) / 8;
    const b = a + Math.PI / 16;
    path += `M${x} ${y}L${(x + 600 * Math.cos(a)).toFixed(0)} ${(y + 600 * Math.sin(a)).toFixed(0)} ${(x + 600 * Math.cos(b)).toFixed(0)} ${(y + 600 * Math.sin(b)).toFixed(0)}Z`;
  }
  return `<path class="story-turn" data-middle="${x}px ${y}px" d="${path}" fill="${colour}"/>`;
}

/** A comic's dots along the lower edge. */
function dots(colour: string): string {
  let out = '';
  for (let row = 0; row < 8; row++)
    for (let x = 0; x < 41; x++)
      out += `<circle cx="${x * 12 + (row % 2 ? 6 : 0)}" cy="${266 - row * 10}" r="${(4 - row * 0.45).toFixed(1)}"/>`;
  return `<g fill="${colour}">${out}</g>`;
}

/** The glove, with a place for every stone. */
function glove(x: number, y: number, full: boolean): string {
  const places = [[22, 22], [38, 16], [54, 16], [70, 22], [14, 48], [46, 48]];
  const set = places
    .map(([px, py], i) => `<g transform="translate(${px! - 8} ${py! - 9}) scale(.17)"><g class="${full ? 'story-pop' : 'story-gone'}" data-delay="${300 + i * 140}">${bust(STONES[i]!)}</g></g>`)
    .join('');
  return (
    `<g transform="translate(${x} ${y}) scale(1.25)" stroke="${INK}" stroke-width="3" stroke-linejoin="round">` +
    '<path d="M12 100V66L4 50Q2 40 12 38L16 44V20Q16 12 24 12T32 20V12Q32 4 40 4T48 12V10Q48 4 55 5T62 14V18Q64 11 71 13T77 24V60Q77 72 70 80V100Z" fill="#e0a92e"/>' +
    '<path d="M8 92H76V108H8Z" fill="#b57f17"/><path d="M32 20V38M48 14V38M62 18V38M14 62H74" fill="none"/></g>' +
    `<g transform="translate(${x} ${y}) scale(1.25)">${set}</g>`
  );
}

/** A jagged cloud with a word in it. */
function boom(x: number, y: number, text: string): string {
  let path = '';
  for (let i = 0; i < 28; i++) {
    const radius = i % 2 ? 62 : 98 - (i % 4) * 8;
    const angle = (i * Math.PI) / 14;
    path += `${i ? 'L' : 'M'}${(Math.sin(angle) * radius * 1.35).toFixed(0)} ${(-Math.cos(angle) * radius).toFixed(0)}`;
  }
  return (
    `<g transform="translate(${x} ${y})"><g class="story-pop" data-delay="900">` +
    `<path d="${path}Z" fill="#f2b705" stroke="${INK}" stroke-width="5" stroke-linejoin="round"/>` +
    `<text y="18" text-anchor="middle" transform="rotate(-8)" font-family="Arial Black,system-ui,sans-serif" font-weight="900" font-size="50" fill="#d7263d" stroke="${INK}" stroke-width="3" paint-order="stroke">${text}</text></g></g>`
  );
}

/** The ground of the last picture. */
const FIELD =
  `<rect width="480" height="270" fill="#f7b38b"/><circle cx="400" cy="70" r="36" fill="#fff0b8"/>` +
  '<path d="M0 130L80 84 150 128 230 72 320 130 400 92 480 136V270H0Z" fill="#8a6fb5"/>' +
  '<path d="M0 150Q240 120 480 150V270H0Z" fill="#a8cf7c"/>' +
  '<g stroke="#7fae55" stroke-width="2" fill="none"><path d="M0 178H480M0 208H480M0 240H480M120 142L40 270M200 138L160 270M280 138L310 270M360 142L440 270"/></g>';

/** The story. */
export const story: Story = {
  name: { en: 'The story before the hunt', de: 'Die Geschichte vor der Jagd' },
  scenes: [
    {
      words: {
        en: 'Thanos had them all: six stones, one glove, and far too many plans.',
        de: 'Thanos hatte sie alle: sechs Steine, einen Handschuh und viel zu viele Pläne.',
      },
      stay_ms: 3200,
      sound: 'round',
      picture: () => `<rect width="480" height="270" fill="#3b2a63"/>${rays(200, 150, '#47337a')}${dots('#2c1f4d')}${put('thanos', 60, 30, 260, 'story-rise')}${glove(330, 118, true)}`,
    },
    {
      words: {
        en: 'Space, Mind, Reality, Power, Time and Soul. One snap was all he needed.',
        de: 'Raum, Gedanken, Realität, Macht, Zeit und Seele. Ein Schnippen hätte genügt.',
      },
      stay_ms: 3600,
      sound: 'round',
      picture: () =>
        `<rect width="480" height="270" fill="#241d3d"/>${rays(240, 135, '#2e2550')}` +
        STONES.map((stone, i) => put(stone, 60 + i * 62, i % 2 ? 62 : 108, 72, 'story-pop', 200 + i * 330)).join(''),
    },
    {
      words: {
        en: 'But somebody was hungry. Goose, who is not quite a cat, saw six shiny sweets.',
        de: 'Aber jemand hatte Hunger. Goose, die nicht ganz eine Katze ist, sah sechs glänzende Bonbons.',
      },
      stay_ms: 3200,
      sound: 'round',
      picture: () =>
        `<rect width="480" height="270" fill="#ffd98a"/>${rays(140, 150, '#ffe3a6')}${dots('#f2bd5c')}` +
        STONES.map((stone, i) => put(stone, 290 + (i % 3) * 56, 90 + Math.floor(i / 3) * 70, 54, 'story-bob', i * 120)).join('') +
        put('goose', 20, 40, 240, 'story-left'),
    },
    {
      words: {
        en: 'Gulp.',
        de: 'Haps.',
      },
      stay_ms: 2600,
      sound: 'gulp',
      picture: () =>
        `<rect width="480" height="270" fill="#f0761a"/>${rays(200, 150, '#f68b3b')}${put('goose', 70, 30, 250)}` +
        STONES.map((stone, i) => put(stone, 370, 20 + i * 38, 46, 'story-eaten', i * 130)).join('') + boom(350, 90, spoken({ en: 'GULP!', de: 'HAPS!' })),
    },
    {
      words: {
        en: 'Now Goose roams the land and leaves a stone here, a stone there. Find them. Unite them. Be quick: Thanos is on his way.',
        de: 'Nun streift Goose durchs Land und lässt hier und da einen Stein zurück. Finde sie. Vereine sie. Beeil dich: Thanos ist unterwegs.',
      },
      stay_ms: 5200,
      sound: 'round',
      picture: () =>
        `${FIELD}<g opacity=".55">${put('thanos', 190, 24, 120, 'story-rise', 2200)}</g>` +
        put('time-stone', 150, 160, 34, 'story-pop', 900) + put('soul-stone', 300, 196, 36, 'story-pop', 1300) +
        put('space-stone', 214, 226, 36, 'story-pop', 1700) + put('goose', 196, 150, 76, 'story-walk') +
        put('hulk', -10, 130, 140, 'story-left', 300) + put('spiderman', 84, 178, 104, 'story-left', 500) +
        put('captain-marvel', 296, 176, 104, 'story-right', 500) + put('thor', 356, 128, 140, 'story-right', 300),
    },
  ],
};
