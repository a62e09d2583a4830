import { z } from 'zod';

const DAY_MS = 86_400_000;
const PART = /^(?:(\d{1,2})(?:-(\d{1,2}))?|last(?: (\d{1,2}))?)$/;

/** Whether a date, given by its 00:00 as if in UTC, is such a day of its month. */
type MonthDayRule = (dateMs: number) => boolean;

const isDay = (day: number): boolean => day >= 1 && day <= 31;

/** Reads `1`, `15-21`, `last` or `last 7`; `null` if it is none of these. */
function ruleOf(part: string): MonthDayRule | null {
  const found = PART.exec(part.trim());
  if (found === null) return null;
  const [, first, end, count] = found;
  if (first === undefined) {
    const days = Number(count ?? 1);
    return isDay(days) ? (dateMs) => isLast(days, dateMs) : null;
  }
  const from = Number(first);
  const to = Number(end ?? first);
  if (!isDay(from) || !isDay(to) || from > to) return null;
  return (dateMs) => {
    const day = new Date(dateMs).getUTCDate();
    return day >= from && day <= to;
  };
}

/** Whether the month ends within this number of days, the date included. */
const isLast = (days: number, dateMs: number): boolean =>
  new Date(dateMs + days * DAY_MS).getUTCMonth() !== new Date(dateMs).getUTCMonth();

const rulesOf = (text: string) => text.split(',').map(ruleOf);

export const monthDays = z
  .string()
  .max(100)
  .refine((text) => rulesOf(text).every((rule) => rule !== null), {
    error: 'Write days of the month from 1 to 31 and separate them by commas: 1, 15-21, last, last 7.',
  })
  .meta({
    description:
      'Days of the month on which the window starts: 1, 15-21, last or last 7, separated by commas; all if absent. With one of `days`, 15-21 is its third in the month and last 7 its last.',
    examples: ['1, 15', 'last'],
  });

/** Returns whether a date is one of these days of its month. The text must have passed {@link monthDays}. */
export function monthDayRule(text: string): MonthDayRule {
  const rules = rulesOf(text);
  return (dateMs) => rules.some((rule) => rule?.(dateMs));
}
