/** A past that no recording of some minutes has. It starts at the first stored value, and ends near it: the sums of the page stay true. */

const HOUR_MS = 3_600_000;
const MONTH_HOURS = 30 * 24;
const WEEK_POINTS = 28;

/** Waves that are 0 at both ends: 0 to 1 of the way. */
const wave = (part: number): number =>
  Math.sin(Math.PI * part) *
  (0.6 * Math.sin(9 * part) +
    0.25 * Math.sin(31 * part) +
    0.15 * Math.sin(83 * part) +
    0.1 * Math.sin(401 * part) * Math.sin(97 * part));

type Point = { at: string; equity: number };

/** The equity of an account, an hour a point, since 30 days before its first. */
export const withMonth = (answer: string): string =>
  answer.replace(/\[\{"at".*\}\]/, (stored) => {
    const points = JSON.parse(stored) as Point[];
    const [first] = points;
    if (!first) return stored;
    const before = Array.from({ length: MONTH_HOURS }, (_, hour) => ({
      ...first,
      at: new Date(Date.parse(first.at) - (MONTH_HOURS - hour) * HOUR_MS).toISOString(),
      equity: Number((first.equity + 160 * wave(hour / MONTH_HOURS)).toFixed(2)),
    }));
    return JSON.stringify([...before, ...points]);
  });

/** The profit of these strategies over the last week, in USD. */
export const withWeeks =
  (ids: readonly (string | undefined)[]) =>
  (answer: string): string =>
    answer.replace(/\[.*\]/, () =>
      JSON.stringify(
        ids.map((blueprintId, index) => ({
          blueprintId,
          made: Array.from(
            { length: WEEK_POINTS },
            (_, point) => 0.1 * wave((point / WEEK_POINTS + index) / 2),
          ),
        })),
      ),
    );
