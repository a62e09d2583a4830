const DAY_MS = 86_400_000;
const WEEK = 7;

export type CalendarDay = {
  day: string;
  /** Null: nothing was held or traded, as far as is known. */
  pnl: number | null;
  /** Whether it lies between the first known day and today. */
  isWithin: boolean;
};

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const mondayOf = (ms: number): number => ms - ((new Date(ms).getUTCDay() + WEEK - 1) % WEEK) * DAY_MS;

/** Whole weeks from Monday on, oldest first: from the one with the first known day to that of today, at most `most`. */
export function weeksOf(
  days: readonly { day: string; pnl: number }[],
  today: string,
  most: number,
): CalendarDay[][] {
  const known = new Map(days.map(({ day, pnl }) => [day, pnl]));
  const start = days[0]?.day ?? today;
  const monday = mondayOf(msOf(today));
  const spanned = 1 + (monday - mondayOf(msOf(start))) / (WEEK * DAY_MS);
  const count = Math.max(1, Math.min(most, spanned));
  return Array.from({ length: count }, (_, week) => {
    const first = monday - (count - 1 - week) * WEEK * DAY_MS;
    return Array.from({ length: WEEK }, (_, offset) => {
      const day = dayAt(first + offset * DAY_MS);
      return { day, pnl: known.get(day) ?? null, isWithin: day >= start && day <= today };
    });
  });
}
