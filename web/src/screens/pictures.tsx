/* pictures.tsx -- the picture of a game on its card: some who play in it, before the ground they fight on. */
import { avatar, bust } from '../art/avatar';

/** Who stands on the picture, from left to right, and the colours of sky and ground. */
const CASTS: Record<string, { cast: string[]; sky: string; ground: string }> = {
  'marvelous-mashup': { cast: ['Spider Man', 'Iron Man', 'Hulk', 'Black Widow', 'Thanos'], sky: '#8e3fc4', ground: '#f2b705' },
  'ultimate-war': { cast: ['Captain America', 'Deadpool', 'Thor'], sky: '#d7263d', ground: '#f0761a' },
  generals: { cast: ['Shield Agent', 'Ultron', 'Hydra Soldier'], sky: '#2f6fed', ground: '#1f9d55' },
  battleground: { cast: ['Ninja', 'Knight', 'Dino'], sky: '#1f9d55', ground: '#8a6a3a' },
  zorde: { cast: ['Elf', 'Human', 'Troll'], sky: '#f0761a', ground: '#6b8f3a' },
};

/** A picture of the game; it says nothing that the title beside it does not. */
export function GamePicture({ game }: { game: string }) {
  const { cast, sky, ground } = CASTS[game] ?? { cast: [], sky: '#5b2bbd', ground: '#1d1a2f' };
  const width = cast.length > 3 ? 480 : 300;
  const step = width / (cast.length + 0.4);
  const middle = (cast.length - 1) / 2;
  const people = cast.map((kind, index) => {
    const size = 1.25 - Math.abs(index - middle) * 0.12;
    const x = (index + 0.7) * step - 50 * size;
    return { index, far: Math.abs(index - middle), svg: `<g transform="translate(${x.toFixed(1)} ${(166 - 96 * size).toFixed(1)}) scale(${size.toFixed(2)})">${bust(kind)}</g>` };
  });
  people.sort((a, b) => b.far - a.far);
  const dots = Array.from({ length: 60 }, (_, i) => `<circle cx="${(i % 12) * (width / 11)}" cy="${Math.floor(i / 12) * 18}" r="${5 - Math.floor(i / 12)}"/>`).join('');
  const svg = `<rect width="${width}" height="160" fill="${sky}"/><g fill="#fff" opacity=".16">${dots}</g>` +
    `<path d="M0 132Q${width / 2} 96 ${width} 132V160H0Z" fill="${ground}"/>${people.map((one) => one.svg).join('')}`;
  return (
    <svg class="game-picture" viewBox={`0 0 ${width} 160`} preserveAspectRatio="xMidYMax slice" aria-hidden="true" focusable="false"
      dangerouslySetInnerHTML={{ __html: svg }} />
  );
}

/** The picture of one kind of unit, in the frame of a seat. */
export function Avatar({ kind, seat }: { kind: string; seat?: 0 | 1 }) {
  return <span class="avatar" aria-hidden="true" dangerouslySetInnerHTML={{ __html: avatar(kind, seat) }} />;
}
