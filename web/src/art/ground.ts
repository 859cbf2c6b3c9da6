/* ground.ts -- how kinds of ground look: each is painted on a square of canvas, by its id. Ids that nobody has drawn yet get
 * a pattern of their own, made from the id. */
import { gamePage } from '../games';
import { chances, hash, mix } from './tone';

/** What a tile is painted with. */
export interface TileStyle {
  dark: boolean;
  /** Which of a few variants, so that a field does not look printed. */
  variant: number;
  /** Even or odd cell: a hint of a checkerboard. */
  odd: boolean;
  /** What is left of the ground's health: 1 = whole. */
  whole: number;
}

/** What tiles are painted with, on the page or in a worker. */
type Brush = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
/** Paints one tile of so many pixels. */
type Painter = (brush: Brush, size: number, style: TileStyle) => void;

const INK = '#1d1a2f';
const INK_DARK = '#0a0912';

/** The colour of outlines, by day or by night. */
const ink = (style: TileStyle): string => (style.dark ? INK_DARK : INK);

/** A flat base with a hint of a checkerboard. */
function base(brush: Brush, size: number, style: TileStyle, light: string, dark: string): string {
  const colour = style.dark ? dark : light;
  brush.fillStyle = style.odd ? mix(colour, style.dark ? '#ffffff' : '#000000', style.dark ? 0.035 : 0.045) : colour;
  brush.fillRect(0, 0, size + 1, size + 1);
  return colour;
}

/** Halftone dots that fade from one corner. */
function halftone(brush: Brush, size: number, colour: string, seed: number): void {
  if (size < 22) return;
  const step = size / 8;
  brush.fillStyle = colour;
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4 - row; column++) {
      const radius = step * 0.24 * (1 - (row + column) / 5);
      const x = (column + 0.7) * step;
      const y = size - (row + 0.7) * step;
      brush.beginPath();
      brush.arc(seed & 1 ? x : size - x, y, radius, 0, 7);
      brush.fill();
    }
  }
}

/** A closed shape from points in parts of the tile. */
function shape(brush: Brush, size: number, points: [number, number][]): void {
  brush.beginPath();
  points.forEach(([x, y], i) => (i ? brush.lineTo(x * size, y * size) : brush.moveTo(x * size, y * size)));
  brush.closePath();
}

/** An open line. */
function line(brush: Brush, size: number, points: [number, number][]): void {
  brush.beginPath();
  points.forEach(([x, y], i) => (i ? brush.lineTo(x * size, y * size) : brush.moveTo(x * size, y * size)));
  brush.stroke();
}

/** Lines that show how much of the ground is gone. */
function cracks(brush: Brush, size: number, style: TileStyle): void {
  const all: [number, number][][] = [
    [[0.5, 0.2], [0.44, 0.38], [0.55, 0.47], [0.47, 0.63]],
    [[0.44, 0.38], [0.29, 0.44], [0.25, 0.56]],
    [[0.55, 0.47], [0.7, 0.5], [0.75, 0.66]],
    [[0.47, 0.63], [0.36, 0.7], [0.38, 0.82]],
  ];
  const count = style.whole > 0.99 ? 0 : style.whole > 0.75 ? 1 : style.whole > 0.5 ? 2 : style.whole > 0.25 ? 3 : 4;
  brush.strokeStyle = ink(style);
  brush.lineWidth = Math.max(1, size * 0.035);
  for (const crack of all.slice(0, count)) line(brush, size, crack);
}

/** Meadow, some tiles with blades. */
const grass: Painter = (brush, size, style) => {
  const colour = base(brush, size, style, '#c9dfa0', '#2c4433');
  const blade = mix(colour, style.dark ? '#7fb287' : '#4f7d3a', style.dark ? 0.35 : 0.4);
  if (style.variant === 1) halftone(brush, size, mix(colour, blade, 0.5), style.odd ? 1 : 0);
  brush.strokeStyle = blade;
  brush.lineWidth = Math.max(1, size * 0.03);
  brush.lineCap = 'round';
  const chance = chances(style.variant * 977 + (style.odd ? 31 : 7));
  for (let i = 0; i < (size < 18 ? 0 : style.variant + 1); i++) {
    const x = 0.15 + chance() * 0.7;
    const y = 0.25 + chance() * 0.6;
    line(brush, size, [[x - 0.05, y - 0.07], [x, y], [x + 0.03, y - 0.1]]);
  }
};

/** A boulder on grass, which cracks as its health goes down. */
const rock: Painter = (brush, size, style) => {
  grass(brush, size, { ...style, variant: 0 });
  const stone = style.dark ? '#6f6a85' : '#b3adc0';
  brush.lineJoin = 'round';
  brush.lineWidth = Math.max(1.5, size * 0.055);
  brush.strokeStyle = ink(style);
  brush.fillStyle = style.dark ? 'rgb(0 0 0 / .35)' : 'rgb(29 26 47 / .2)';
  shape(brush, size, [[0.14, 0.84], [0.9, 0.9], [0.94, 0.62], [0.5, 0.5]]);
  brush.fill();
  const outline: [number, number][] = style.variant % 2
    ? [[0.12, 0.78], [0.1, 0.48], [0.32, 0.16], [0.64, 0.12], [0.9, 0.42], [0.88, 0.8], [0.5, 0.88]]
    : [[0.1, 0.7], [0.2, 0.3], [0.5, 0.11], [0.8, 0.24], [0.92, 0.58], [0.82, 0.84], [0.3, 0.88]];
  shape(brush, size, outline);
  brush.fillStyle = stone;
  brush.fill();
  brush.save();
  brush.clip();
  brush.fillStyle = mix(stone, '#ffffff', style.dark ? 0.2 : 0.45);
  shape(brush, size, [[0.05, 0.5], [0.3, 0.1], [0.66, 0.08], [0.48, 0.36], [0.24, 0.46]]);
  brush.fill();
  brush.fillStyle = mix(stone, INK, 0.25);
  shape(brush, size, [[0.62, 0.95], [0.72, 0.5], [0.98, 0.36], [1, 1]]);
  brush.fill();
  brush.restore();
  shape(brush, size, outline);
  brush.stroke();
  cracks(brush, size, style);
};

/** Rings that lead elsewhere. */
const portal: Painter = (brush, size, style) => {
  grass(brush, size, { ...style, variant: 0 });
  const rings: [number, string][] = [
    [0.43, '#5b2bbd'], [0.36, '#8e3fc4'], [0.29, '#2f6fed'], [0.22, '#7ab8ff'], [0.13, '#fff7d6'],
  ];
  brush.lineWidth = Math.max(1.5, size * 0.05);
  for (const [radius, colour] of rings) {
    brush.beginPath();
    brush.arc(size / 2, size / 2, radius * size, 0, 7);
    brush.fillStyle = colour;
    brush.fill();
    if (radius === 0.43) {
      brush.strokeStyle = ink(style);
      brush.stroke();
    }
  }
  brush.strokeStyle = 'rgb(255 255 255 / .8)';
  brush.lineWidth = Math.max(1, size * 0.03);
  brush.lineCap = 'round';
  for (let i = 0; i < 3; i++) {
    brush.beginPath();
    brush.arc(size / 2, size / 2, (0.19 + i * 0.085) * size, i * 2.1, i * 2.1 + 1.5);
    brush.stroke();
  }
};

/** Slabs of a town square. */
const floor: Painter = (brush, size, style) => {
  const colour = base(brush, size, style, '#e6e0ef', '#2a2740');
  brush.strokeStyle = mix(colour, style.dark ? '#ffffff' : INK, 0.12);
  brush.lineWidth = Math.max(1, size * 0.02);
  brush.strokeRect(size * 0.06, size * 0.06, size * 0.88, size * 0.88);
  if (style.variant === 1) line(brush, size, [[0.06, 0.62], [0.3, 0.55], [0.38, 0.94]]);
  if (style.variant === 2) halftone(brush, size, mix(colour, INK, 0.1), 1);
};

/** A crate that takes blows. */
const cover: Painter = (brush, size, style) => {
  floor(brush, size, { ...style, variant: 0 });
  const wood = style.dark ? '#9a6a38' : '#d69a52';
  brush.lineJoin = 'round';
  brush.fillStyle = style.dark ? 'rgb(0 0 0 / .35)' : 'rgb(29 26 47 / .22)';
  brush.fillRect(size * 0.18, size * 0.2, size * 0.74, size * 0.72);
  brush.fillStyle = wood;
  brush.fillRect(size * 0.12, size * 0.12, size * 0.74, size * 0.74);
  brush.fillStyle = mix(wood, '#ffffff', 0.25);
  brush.fillRect(size * 0.12, size * 0.12, size * 0.74, size * 0.14);
  brush.strokeStyle = ink(style);
  brush.lineWidth = Math.max(1.5, size * 0.05);
  brush.strokeRect(size * 0.12, size * 0.12, size * 0.74, size * 0.74);
  brush.lineWidth = Math.max(1, size * 0.035);
  line(brush, size, [[0.12, 0.26], [0.86, 0.26]]);
  line(brush, size, [[0.12, 0.72], [0.86, 0.72]]);
  line(brush, size, [[0.12, 0.72], [0.86, 0.26]]);
  cracks(brush, size, style);
};

/** Dry steppe. */
const plain: Painter = (brush, size, style) => {
  const colour = base(brush, size, style, '#efdcae', '#3d3424');
  const grain = mix(colour, style.dark ? '#d9b877' : '#8a6a2f', 0.35);
  brush.fillStyle = grain;
  const chance = chances(style.variant * 313 + (style.odd ? 5 : 3));
  for (let i = 0; i < (size < 18 ? 0 : 2 + style.variant); i++) {
    brush.beginPath();
    brush.arc((0.1 + chance() * 0.8) * size, (0.1 + chance() * 0.8) * size, size * 0.018 + chance() * size * 0.012, 0, 7);
    brush.fill();
  }
  if (style.variant === 2) {
    brush.strokeStyle = grain;
    brush.lineWidth = Math.max(1, size * 0.025);
    line(brush, size, [[0.3, 0.72], [0.36, 0.6], [0.4, 0.72], [0.47, 0.58]]);
  }
};

/** A map table: paper with a fine grid. */
const paper = (light: string, dark: string): Painter => (brush, size, style) => {
  const colour = base(brush, size, style, light, dark);
  if (style.variant === 1) halftone(brush, size, mix(colour, style.dark ? '#ffffff' : INK, 0.07), style.odd ? 1 : 0);
};

/** Bricks that nobody passes. */
const wall: Painter = (brush, size, style) => {
  const brick = style.dark ? '#6b4b4f' : '#c9836f';
  brush.fillStyle = mix(brick, INK, 0.55);
  brush.fillRect(0, 0, size + 1, size + 1);
  for (let row = 0; row < 3; row++) {
    const shift = row % 2 ? -0.25 : 0;
    for (let column = 0; column < 3; column++) {
      const left = Math.max(0, shift + column * 0.5 + 0.02);
      const right = Math.min(1, shift + column * 0.5 + 0.48);
      if (right <= left) continue;
      brush.fillStyle = mix(brick, '#ffffff', ((row * 3 + column + style.variant) % 3) * 0.07);
      brush.fillRect(left * size, (row / 3 + 0.02) * size, (right - left) * size, 0.29 * size);
    }
  }
};

/** Ground that nobody has drawn: a colour and a figure that belong to its name. */
function unknown(name: string): Painter {
  const seed = hash(name);
  const hue = seed % 360;
  return (brush, size, style) => {
    brush.fillStyle = `hsl(${hue} ${style.dark ? '22% 24%' : '38% 82%'})`;
    brush.fillRect(0, 0, size + 1, size + 1);
    brush.strokeStyle = `hsl(${hue} ${style.dark ? '25% 42%' : '32% 62%'})`;
    brush.lineWidth = Math.max(1, size * 0.05);
    const turn = (seed >> 9) % 3;
    if (turn === 0) line(brush, size, [[0.2, 0.8], [0.8, 0.2]]);
    if (turn !== 1) line(brush, size, [[0.2, 0.5], [0.5, 0.8], [0.8, 0.5]]);
    if (turn === 1) brush.strokeRect(size * 0.25, size * 0.25, size * 0.5, size * 0.5);
  };
}

/** The styles that a game may give to its kinds of ground (page.json, "grounds"). */
const STYLES: Record<string, Painter> = { grass, rock, portal, floor, cover, plain, wall };

const painters: Record<string, Painter> = {};

/** Who paints a kind of ground of a game. */
export function painterOf(game: string, id: string): Painter {
  const style = gamePage(game)?.grounds?.[id];
  return (painters[`${game} ${id}`] ??=
    style === undefined ? unknown(id) : typeof style === 'string' ? STYLES[style]! : paper(style.light, style.dark));
}

/** The outline's colour, for whoever paints beside the tiles. */
export function inkOf(dark: boolean): string {
  return dark ? INK_DARK : INK;
}
