/* thumbnail.tsx -- a board as a small still picture: cells by ground, units as circles and squares by side. */
import { redFirst } from '../match/panels/presentation';
import type { Board } from '../model';

/** A unit on the picture: a circle for the first side, a square for the second, a diamond for what is nobody's. */
function Piece({ x, y, seat, down }: { x: number; y: number; seat: number | null; down: boolean }) {
  const kind = `seat-${seat ?? 'none'}${down ? ' thumb-down' : ''}`;
  if (seat === 0) return <circle class={kind} cx={x + 0.5} cy={y + 0.5} r={0.36} />;
  if (seat === 1) return <rect class={kind} x={x + 0.16} y={y + 0.16} width={0.68} height={0.68} rx={0.1} />;
  return <path class={kind} d={`M${x + 0.5} ${y + 0.2}l.3 .3-.3 .3-.3-.3z`} />;
}

/** The board, drawn as wide as its place allows; `label` says to readers what it is. */
export function Thumbnail({ game, board, label }: { game: string; board: Board; label: string }) {
  const { width, height } = board;
  const dead = new Set(board.meters.filter((meter) => meter.role === 'health' && meter.unit !== undefined && meter.now <= 0).map((meter) => meter.unit));
  const rows = board.ground.flatMap((row, y) => row.flatMap((ground, x) => (ground === 0 ? [] : [<rect class="thumb-ground" fill-opacity={Math.min(1, 0.25 * ground)} x={x} y={y} width={1} height={1} />])));
  return (
    <svg class={`thumbnail${redFirst(game)}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="xMidYMid meet">
      <rect class="thumb-field" width={width} height={height} />
      {rows}
      {board.tokens.filter((token) => token.place === 'board' && token.x !== undefined).map((token) =>
        <Piece x={token.x!} y={token.y!} seat={token.seat} down={dead.has(token.unit)} />)}
    </svg>
  );
}
