import { type Html, html } from './html.ts';

/** A line by time; `atMs` rises. */
export type ChartLine = {
  readonly name: string;
  readonly color: string;
  readonly points: readonly { readonly atMs: number; readonly value: number }[];
};
export type ChartMark = { readonly atMs: number; readonly value: number; readonly side: 'buy' | 'sell' };

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [900, 260, 70, 24];
const TICKS = 4;

type Frame = { x: (atMs: number) => number; y: (value: number) => number; low: number; high: number };

/** Draws a chart of named lines with marks on them. Its `title` describes it in words. */
export function lineChart(
  title: string,
  lines: readonly ChartLine[],
  marks: readonly ChartMark[] = [],
): Html {
  const points = lines.flatMap((line) => line.points);
  if (points.length < 2) return html`<p>${title}: there are too few points to draw.</p>`;
  const frame = frameOf([...points, ...marks]);
  return html`<figure><figcaption>${title} ${lines.map(
    ({ name, color }) =>
      html`<span class="key"><svg width="14" height="4" aria-hidden="true"><rect width="14" height="4" fill="${color}"/></svg> ${name}</span> `,
  )}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${axes(frame, points)}
${lines.map(
  (
    line,
  ) => html`<path d="${pathOf(line.points, frame)}" fill="none" stroke="${line.color}" stroke-width="1.5"/>
`,
)}${marks.map((mark) => markOf(mark, frame))}</svg></figure>`;
}

function frameOf(points: readonly { atMs: number; value: number }[]): Frame {
  let [low, high, first, last] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { atMs, value } of points) {
    [low, high] = [Math.min(low, value), Math.max(high, value)];
    [first, last] = [Math.min(first, atMs), Math.max(last, atMs)];
  }
  const span = high - low || 1;
  const time = last - first || 1;
  return {
    x: (atMs) => LEFT + ((atMs - first) / time) * (WIDTH - LEFT - 8),
    y: (value) => 8 + ((high - value) / span) * (HEIGHT - BOTTOM - 16),
    low,
    high,
  };
}

const short = (value: number): string => value.toFixed(1);

const pathOf = (points: ChartLine['points'], { x, y }: Frame): string =>
  points
    .map(({ atMs, value }, index) => `${index === 0 ? 'M' : 'L'}${short(x(atMs))} ${short(y(value))}`)
    .join('');

const PLACES_MAX = 8;

function axes(frame: Frame, points: ChartLine['points']): Html {
  const { low, high, y } = frame;
  // Uses the decimal places that distinguish two levels, and one more.
  const step = (high - low) / TICKS || 1;
  const places = Math.min(PLACES_MAX, Math.max(0, 1 - Math.floor(Math.log10(step))));
  const levels = Array.from({ length: TICKS + 1 }, (_, at) => low + ((high - low) * at) / TICKS);
  const times = points.map(({ atMs }) => atMs);
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');
  return html`${levels.map(
    (
      level,
    ) => html`<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${short(y(level))}" y2="${short(y(level))}" stroke="#d1d5db"/><text x="${LEFT - 6}" y="${short(y(level) + 4)}" text-anchor="end">${level.toFixed(places)}</text>
`,
  )}<text x="${LEFT}" y="${HEIGHT - 6}">${day(first)}</text><text x="${WIDTH - 8}" y="${HEIGHT - 6}" text-anchor="end">${day(last)}</text>`;
}

function markOf({ atMs, value, side }: ChartMark, { x, y }: Frame): Html {
  const [atX, atY] = [x(atMs), y(value)];
  const [tip, base, color] = side === 'buy' ? [4, 11, '#166534'] : [-4, -11, '#991b1b'];
  return html`<path d="M${short(atX)} ${short(atY + tip)}l-4 ${base - tip}h8z" fill="${color}"/>`;
}

export type ChartBar = { readonly label: string; readonly count: number };

/** Draws counts as bars. */
export function barChart(title: string, bars: readonly ChartBar[]): Html {
  const most = bars.reduce((max, { count }) => Math.max(max, count), 0);
  if (most === 0) return html`<p>${title}: there is nothing to count.</p>`;
  const width = (WIDTH - LEFT - 8) / bars.length;
  return html`<figure><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
${bars.map(({ label, count }, at) => {
  const height = (count / most) * (HEIGHT - BOTTOM - 24);
  const left = LEFT + at * width;
  const middle = short(left + width / 2);
  return html`<rect x="${short(left + 2)}" y="${short(HEIGHT - BOTTOM - height)}" width="${short(width - 4)}" height="${short(height)}" fill="#1d4ed8"/><text x="${middle}" y="${short(HEIGHT - BOTTOM - height - 4)}" text-anchor="middle">${count}</text><text x="${middle}" y="${HEIGHT - 6}" text-anchor="middle">${label}</text>
`;
})}</svg></figure>`;
}
