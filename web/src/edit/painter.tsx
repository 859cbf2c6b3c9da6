/* painter.tsx -- a board to paint on: mouse, finger and keyboard; brush, fill, mirror, size. One stroke is one change. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { tell, type EditKey } from '../texts/edit';
import { cellAt, counts, filled, limited, line, mirrored, painted, resized, type Cells, type Mirror, type Paint } from './grid';

const CELL_LEAST = 9;
const CELL_MOST = 56;
/** Pixels of the frame around the cells, and of what stays free below it. */
const FRAME = 16;
const BELOW = 12;
const ROOM_LEAST = 200;
const MIRRORS: Mirror[] = ['left-right', 'top-bottom', 'turn'];

/** The work of painting, for tests: how many strokes of the brush, and the most cells that were drawn for one of them. */
const paintWork = { strokes: 0, most: 0 };
(globalThis as { mashupPaintWork?: typeof paintWork }).mashupPaintWork = paintWork;

/** Draws the sign of a paint into a cell, so that colour is not all that tells cells apart. */
function drawMark(pen: CanvasRenderingContext2D, mark: Paint['mark'], x: number, y: number, size: number): void {
  const part = (n: number) => n * size;
  pen.beginPath();
  if (mark === 'rock') {
    pen.moveTo(x + part(0.18), y + part(0.8));
    for (const [px, py] of [[0.3, 0.3], [0.55, 0.18], [0.82, 0.45], [0.85, 0.8]] as const) pen.lineTo(x + part(px), y + part(py));
    pen.closePath();
    pen.fillStyle = '#6e687c';
    pen.fill();
  } else if (mark === 'ring') {
    pen.arc(x + part(0.5), y + part(0.5), part(0.3), 0, Math.PI * 2);
    pen.lineWidth = Math.max(1.5, part(0.12));
    pen.strokeStyle = '#5b2bbd';
    pen.stroke();
  } else if (mark === 'wall') {
    pen.fillStyle = '#5a4a39';
    for (const [px, py] of [[0.06, 0.12], [0.54, 0.12], [0.3, 0.54]] as const) pen.fillRect(x + part(px), y + part(py), part(0.4), part(0.32));
  } else if (typeof mark === 'object') {
    pen.fillStyle = '#1d1a2f';
    pen.font = `700 ${Math.round(size * 0.55)}px system-ui, sans-serif`;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText(mark.letter, x + part(0.5), y + part(0.54));
  }
}

/** Draws one cell; what is unknown is pink with a question mark. */
function drawCell(pen: CanvasRenderingContext2D, paint: Paint | undefined, x: number, y: number, size: number): void {
  pen.fillStyle = paint?.colour ?? '#ff9db0';
  pen.fillRect(x * size, y * size, size, size);
  drawMark(pen, paint?.mark ?? { letter: '?' }, x * size, y * size, size);
  pen.strokeStyle = 'rgb(29 26 47 / 28%)';
  pen.lineWidth = 1;
  pen.strokeRect(x * size + 0.5, y * size + 0.5, size - 1, size - 1);
}

/** The picture of one paint, for its button. */
function Swatch({ paint }: { paint: Paint }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext('2d');
    if (pen) drawCell(pen, paint, 0, 0, 48);
  }, [paint.id, paint.colour]);
  return <canvas ref={canvas} class="swatch" width={48} height={48} aria-hidden="true" />;
}

/** Everything that a board to paint needs. */
export interface CellPainterProps {
  label: string;
  board: Cells;
  paints: Paint[];
  empty: string;
  sides: { least: number; most: number } | null;
  onChange(board: Cells): void;
}

/** How large a cell is, so that the board fills the place it has: the width beside its tools and, for the board at the top of the page, the
 * height that is left of the screen; a board of many cells is scrolled inside that room. It changes with the window and the board alone:
 * what comes and goes above the board does not change its size. */
function useSize(host: { current: HTMLElement | null }, board: Cells): { size: number; room: number } {
  const [{ size, room }, set] = useState({ size: 24, room: 600 });
  useLayoutEffect(() => {
    const fit = () => {
      const box = host.current;
      if (!box) return;
      const top = box.getBoundingClientRect().top + scrollY;
      const height = top < innerHeight / 2 ? innerHeight - top - BELOW : innerHeight * 0.68;
      const fitting = Math.floor(Math.min((box.clientWidth - FRAME) / board.width, (height - FRAME) / board.height));
      set({ size: Math.max(CELL_LEAST, Math.min(CELL_MOST, fitting)), room: Math.max(height, ROOM_LEAST) });
    };
    fit();
    const watcher = new ResizeObserver(fit);
    if (host.current) watcher.observe(host.current);
    addEventListener('resize', fit);
    return () => {
      watcher.disconnect();
      removeEventListener('resize', fit);
    };
  }, [board.width, board.height]);
  return { size, room };
}

/** One side of a board. A length that cannot be is not taken: it stays in the field with what is allowed below it, and the board stays as it
 * is. What the browser does not take for a number counts as nothing. */
function SizeField({ label, value, least, most, onChange }: { label: string; value: number; least: number; most: number; onChange(n: number): void }) {
  const id = useId();
  const [typed, type] = useState<string | null>(null);
  const [wrong, refuse] = useState(false);
  const fits = (text: string) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
  useLayoutEffect(() => { type(null); refuse(false); }, [value]);
  return (
    <div class={`field narrow${wrong ? ' wrong' : ''}`}>
      <label for={id}>{label}</label>
      <input id={id} type="number" inputMode="numeric" min={least} max={most} value={typed ?? value} aria-invalid={wrong} aria-describedby={wrong ? `${id}-wrong` : undefined}
        onInput={(event) => {
          type(event.currentTarget.value);
          if (fits(event.currentTarget.value)) refuse(false);
        }}
        onChange={(event) => {
          const text = event.currentTarget.value.trim();
          type(fits(text) ? null : text);
          refuse(!fits(text));
          if (fits(text) && Number(text) !== value) onChange(Number(text));
        }} />
      {wrong && <span class="complaint" id={`${id}-wrong`} role="alert">{tell('edit.side', { least, most })}</span>}
    </div>
  );
}

/** Width and height, where the game lets an author choose them. */
function SizeFields({ board, sides, empty, onChange }: Pick<CellPainterProps, 'board' | 'sides' | 'empty' | 'onChange'>) {
  if (!sides) return null;
  return (
    <div class="row sizes">
      <SizeField label={tell('edit.columns')} value={board.width} {...sides} onChange={(n) => onChange(resized(board, n, board.height, empty))} />
      <SizeField label={tell('edit.rows')} value={board.height} {...sides} onChange={(n) => onChange(resized(board, board.width, n, empty))} />
    </div>
  );
}

/** A board with its tools. */
export function CellPainter({ label, board, paints, empty, sides, onChange: change }: CellPainterProps) {
  const onChange = (next: Cells) => change(limited(board, next, paints, empty));
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const stroke = useRef<{ board: Cells; x: number; y: number } | null>(null);
  const [chosen, choose] = useState(paints[1]?.id ?? paints[0]?.id ?? empty);
  const [tool, setTool] = useState<'brush' | 'fill'>('brush');
  const [spot, setSpot] = useState<[number, number]>([0, 0]);
  const [said, say] = useState('');
  const { size, room } = useSize(host, board);
  const byId = new Map(paints.map((paint) => [paint.id, paint]));
  const amounts = counts(board);
  const paint = byId.has(chosen) ? chosen : empty;
  const labelOf = (id: string | undefined) => byId.get(id ?? '')?.label ?? id ?? '';

  const draw = (cells: Cells, only?: Iterable<readonly [number, number]>) => {
    const pen = canvas.current?.getContext('2d');
    if (!pen) return;
    const scale = devicePixelRatio || 1;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const all = [...(only ?? cells.cells.map((_, i) => [i % cells.width, Math.floor(i / cells.width)] as const))];
    for (const [x, y] of all) if (cellAt(cells, x, y) !== undefined) drawCell(pen, byId.get(cellAt(cells, x, y)!), x, y, size);
    if (only) {
      paintWork.strokes++;
      paintWork.most = Math.max(paintWork.most, all.length);
    }
  };
  useEffect(() => draw(board), [board, size, paints.map(({ id, colour }) => id + colour).join()]);

  const cellUnder = (event: PointerEvent): [number, number] => {
    const box = canvas.current!.getBoundingClientRect();
    return [Math.floor(((event.clientX - box.left) / box.width) * board.width), Math.floor(((event.clientY - box.top) / box.height) * board.height)];
  };
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const [x, y] = cellUnder(event);
    setSpot([x, y]);
    if (tool === 'fill') return onChange(filled(board, x, y, paint));
    canvas.current!.setPointerCapture(event.pointerId);
    stroke.current = { board: painted(board, [[x, y]], paint), x, y };
    draw(stroke.current.board, [[x, y]]);
  };
  const go = (event: PointerEvent) => {
    const now = stroke.current;
    if (!now) return;
    const [x, y] = cellUnder(event);
    if (x === now.x && y === now.y) return;
    const spots = line(now.x, now.y, x, y);
    stroke.current = { board: painted(now.board, spots, paint), x, y };
    draw(stroke.current.board, spots);
  };
  const end = () => {
    const done = stroke.current?.board;
    stroke.current = null;
    if (done && done.cells.some((cell, i) => cell !== board.cells[i])) onChange(done);
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const digit = Number(event.key);
    if (step) {
      const x = Math.max(0, Math.min(board.width - 1, spot[0] + step[0]));
      const y = Math.max(0, Math.min(board.height - 1, spot[1] + step[1]));
      setSpot([x, y]);
      if (event.shiftKey) onChange(painted(board, [[x, y]], paint));
      say(tell('edit.at', { x: x + 1, y: y + 1, what: labelOf(event.shiftKey ? paint : cellAt(board, x, y)) }));
    } else if (event.key === ' ' || event.key === 'Enter') {
      onChange(tool === 'fill' ? filled(board, ...spot, paint) : painted(board, [spot], paint));
      say(tell('edit.painted', { x: spot[0] + 1, y: spot[1] + 1, what: labelOf(paint) }));
    } else if (event.key === 'f') setTool(tool === 'fill' ? 'brush' : 'fill');
    else if (digit >= 1 && digit <= paints.length && !event.ctrlKey && !event.metaKey) {
      choose(paints[digit - 1]!.id);
      say(labelOf(paints[digit - 1]!.id));
    } else return;
    event.preventDefault();
  };

  const shape = { width: `${board.width * size}px`, height: `${board.height * size}px` };
  const help = useId();
  return (
    <section class="painter" aria-label={label}>
      <div ref={host} class="canvas-host" style={{ maxHeight: `${room}px` }}>
        <div class="canvas-frame" style={shape}>
          <canvas ref={canvas} tabIndex={0} role="application" aria-label={tell('edit.board', { width: board.width, height: board.height })}
            aria-describedby={help} width={board.width * size * (devicePixelRatio || 1)} height={board.height * size * (devicePixelRatio || 1)}
            style={shape} onPointerDown={begin} onPointerMove={go} onPointerUp={end}
            onPointerCancel={end} onKeyDown={onKey} />
          <i class="canvas-spot" aria-hidden="true" style={{ left: `${spot[0] * size}px`, top: `${spot[1] * size}px`, width: `${size}px`, height: `${size}px` }} />
        </div>
      </div>
      <div class="painter-tools">
        <h2 class="painter-title">{label}</h2>
        <div class="row paints" role="radiogroup" aria-label={tell('edit.paint')}>
          {paints.map((one, i) => (
            <button type="button" key={one.id} role="radio" aria-checked={paint === one.id} class={`button small paint${paint === one.id ? ' primary' : ''}`}
              onClick={() => choose(one.id)}>
              <Swatch paint={one} />
              <span>{one.label}</span>
              <span class="number count">{amounts.get(one.id) ?? 0}{one.most === undefined ? '' : `/${one.most}`}</span>
              {i < 9 && <kbd>{i + 1}</kbd>}
            </button>
          ))}
        </div>
        <div class="row">
          <div class="segments" role="group" aria-label={tell('edit.tool')}>
            {(['brush', 'fill'] as const).map((one) => (
              <button type="button" key={one} aria-pressed={tool === one} onClick={() => setTool(one)}>{tell(`edit.tool.${one}`)}</button>
            ))}
          </div>
          {MIRRORS.map((how) => (
            <button type="button" key={how} class="button small" onClick={() => onChange(mirrored(board, how))}>{tell(`edit.mirror.${how}` as EditKey)}</button>
          ))}
          <button type="button" class="button small" onClick={() => onChange({ ...board, cells: board.cells.map(() => empty) })}>{tell('edit.clear')}</button>
        </div>
        <SizeFields board={board} sides={sides} empty={empty} onChange={onChange} />
        <p class="soft small" id={help}>{tell('edit.paint.help')}</p>
      </div>
      <p class="visually-hidden" role="status">{said}</p>
    </section>
  );
}
