/* rating-curve.tsx -- a rating over time: as a picture, and as a table for who does not see it or wants the numbers. */
import { tell } from '../texts/account';
import { language } from '../texts/language';

const WIDE = 640;
const HIGH = 180;
/** Lines across the picture are so many points apart, the first that gives few enough of them. */
const STEPS = [25, 50, 100, 200, 500, 1000];
const LINES_MAX = 5;
/** So many points at least are between the lowest and the highest line: a few points look like few. */
const RANGE_LEAST = 100;

/** A day in short. */
export function dayOf(ms: number): string {
  return new Date(ms).toLocaleDateString(language.value, { dateStyle: 'medium' });
}

/** The lowest and highest value of the picture, and the values at which lines are drawn. */
export function scaleOf(values: number[]): { low: number; high: number; lines: number[] } {
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const least = Math.min(...values, middle - RANGE_LEAST / 2);
  const most = Math.max(...values, middle + RANGE_LEAST / 2);
  const step = STEPS.find((one) => Math.ceil(most / one) - Math.floor(least / one) < LINES_MAX) ?? STEPS.at(-1)!;
  const low = Math.floor((least - 1) / step) * step;
  const high = Math.ceil((most + 1) / step) * step;
  return { low, high, lines: Array.from({ length: (high - low) / step + 1 }, (_, at) => low + at * step) };
}

/** The picture. */
function Picture({ points, name }: { points: [number, number][]; name: string }) {
  const values = points.map(([, rating]) => rating);
  const { low, high, lines } = scaleOf(values);
  const x = (at: number) => (points.length < 2 ? WIDE / 2 : (at / (points.length - 1)) * WIDE);
  const y = (rating: number) => HIGH - ((rating - low) / (high - low)) * HIGH;
  const words = tell('curveWords', points.length, values[0]!, values.at(-1)!, Math.min(...values), Math.max(...values));
  return (
    <figure class="chart rating-curve">
      <svg viewBox={`-66 -14 ${WIDE + 78} ${HIGH + 28}`} role="img" aria-label={`${name}. ${words}`}>
        {lines.map((value) => (
          <g key={value}>
            <path class="axis" d={`M0 ${y(value)}H${WIDE}`} />
            <text x={-8} y={y(value) + 5} text-anchor="end">{value}</text>
          </g>
        ))}
        <path class="line" d={values.map((rating, at) => `${at === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(rating).toFixed(1)}`).join('')} />
        {points.length < 60 && values.map((rating, at) => <circle key={at} cx={x(at)} cy={y(rating)} r={4} />)}
      </svg>
      <figcaption class="row apart small soft" aria-hidden="true">
        <span>{dayOf(points[0]![0])}</span>
        {points.length > 1 && <span>{dayOf(points.at(-1)![0])}</span>}
      </figcaption>
    </figure>
  );
}

/** Picture and table of a rating; the oldest point is the first. */
export function RatingCurve({ points, name }: { points: [number, number][]; name: string }) {
  if (points.length === 0) return <p>{tell('curveNone')}</p>;
  return (
    <>
      <Picture points={points} name={name} />
      <details>
        <summary>{tell('curveTable')}</summary>
        <table class="table">
          <thead><tr><th scope="col">{tell('when')}</th><th scope="col" class="number">{tell('rating')}</th></tr></thead>
          <tbody>
            {[...points].reverse().map(([ms, rating]) => (
              <tr key={ms}>
                <th scope="row">{new Date(ms).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' })}</th>
                <td class="number">{rating}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
