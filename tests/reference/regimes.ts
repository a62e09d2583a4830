import type { Bars } from '../support/bars.ts';

const DAY_MS = 86_400_000;

/** Returns the regime of the day of an instant, by a loop over the last closes of days; a coin is held from its first close on. */
export function regimesFromCloses(
  { columns, count }: Bars,
  fromMs: number,
  toMs: number,
): (atMs: number) => string {
  const closes: { day: number; close: number }[] = [];
  let first = Number.NaN;
  for (let row = 0; row < count; row++) {
    const [endMs = 0, close = 0] = [columns.closeTimeMs[row], columns.close[row]];
    if (endMs + 1 <= fromMs || endMs + 1 > toMs) continue;
    if (Number.isNaN(first)) first = close;
    const day = Math.floor(endMs / DAY_MS);
    if (closes.at(-1)?.day === day) closes.pop();
    closes.push({ day, close });
  }
  const weeks = closes.flatMap(({ day }, index) => {
    if (index < 7) return [];
    const start = index === 7 ? first : (closes[index - 8]?.close ?? 0);
    let [before, sum, squares] = [start, 0, 0];
    for (let back = 7; back >= 1; back--) {
      const close = closes[index - back]?.close ?? 0;
      const change = close / before - 1;
      sum += change;
      squares += change * change;
      before = close;
    }
    return [{ day, isRising: before >= start, variance: (squares - (sum * sum) / 7) / 6 }];
  });
  const variances = weeks.map(({ variance }) => variance).sort((a, b) => a - b);
  const half = variances.length >> 1;
  const roots = [variances[half] ?? 0, variances[variances.length % 2 === 1 ? half : half - 1] ?? 0].map(
    Math.sqrt,
  );
  const middle = ((roots[0] ?? 0) + (roots[1] ?? 0)) / 2;
  return (atMs) => {
    const week = weeks.find(({ day }) => day === Math.floor(atMs / DAY_MS));
    if (week === undefined) return 'unknown';
    return `${week.isRising ? 'rising' : 'falling'}_${Math.sqrt(week.variance) > middle ? 'volatile' : 'calm'}`;
  };
}
