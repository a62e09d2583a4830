/** Days such as `2026-11-22`, both inclusive; in UTC. */
type Days = { from: string | undefined; to: string | undefined };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** The instants of a range of days for the service; invalid days of an address are ignored. */
export function dayRangeInstants({ from, to }: Days): {
  from?: string;
  to?: string;
} {
  const start = (day: string | undefined) =>
    day !== undefined && DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  const [first, last] = [start(from), start(to)];
  return {
    ...(Number.isFinite(first) && { from: new Date(first).toISOString() }),
    ...(Number.isFinite(last) && { to: new Date(last + DAY_MS).toISOString() }),
  };
}
