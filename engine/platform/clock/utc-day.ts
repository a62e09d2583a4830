const DAY_MS = 86_400_000;
let cached = { number: Number.NaN, day: '' };

/** Returns the day of an instant, `YYYY-MM-DD`. Days begin at 00:00 UTC for all accounts. The last result is cached. */
export function utcDay(moment: Date): string {
  const number = Math.floor(moment.getTime() / DAY_MS);
  if (cached.number !== number) cached = { number, day: moment.toISOString().slice(0, 10) };
  return cached.day;
}
