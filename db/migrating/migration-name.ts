/** The file name of a migration: its instant, in UTC to the second, and its purpose. */
const NAME = /^Migration(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})_[a-z0-9_]+$/;

/** Names a new migration by `now`, or a second after the newest, so that it runs after all of them. */
export function nameMigration(what: string, existing: readonly string[], now: Date): string {
  const newestMs = Math.max(...existing.map((name) => instantOf(name).getTime()));
  return `Migration${digitsOf(new Date(Math.max(now.getTime(), newestMs + 1_000)))}_${what}`;
}

/** Returns each name without a valid time up to `now` and words after it. Of two names with one time, it returns the second. */
export function findWrongNames(existing: readonly string[], now: Date): string[] {
  const names = existing.toSorted();
  return names.filter((name, index) => {
    if (!NAME.test(name) || stampOf(name) === stampOf(names[index - 1] ?? '')) return true;
    return stampOf(name) > digitsOf(now) || digitsOf(instantOf(name)) !== stampOf(name);
  });
}

const stampOf = (name: string): string => name.slice('Migration'.length).split('_')[0] ?? '';

/** Carries an hour past 23 into the next day, so that only a valid time is unchanged. */
function instantOf(name: string): Date {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] =
    NAME.exec(name)?.slice(1).map(Number) ?? [];
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

const digitsOf = (at: Date): string => at.toISOString().replace(/\D/g, '').slice(0, 14);
