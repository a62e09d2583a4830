const DAY_MS = 86_400_000;
const WEEK = 7;

export type CalendarDay = { day: string; pnl: number | null };

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whole weeks from Monday on that contain the last `count` days, oldest first; an unknown day has no number. */
export function weeksOf(
  days: readonly { day: string; pnl: number }[],
  today: string,
  count: number,
): CalendarDay[][] {
  const known = new Map(days.map(({ day, pnl }) => [day, pnl]));
  const todayMs = Date.parse(`${today}T00:00:00Z`);
  const monday = todayMs - ((new Date(todayMs).getUTCDay() + WEEK - 1) % WEEK) * DAY_MS;
  return Array.from({ length: count }, (_, week) => {
    const first = monday - (count - 1 - week) * WEEK * DAY_MS;
    return Array.from({ length: WEEK }, (_, offset) => {
      const day = dayAt(first + offset * DAY_MS);
      return { day, pnl: known.get(day) ?? null };
    });
  });
}
