/**
 * What the drawdown stop remembers: how high an account stood, and since when it stands higher or too low. Pure.
 *
 * Height is profit, realized and at marks, so that money paid in or out changes nothing. One quote that is wrong may neither raise
 * the mark for good nor stop an account: what it leads to has to last longer than a mark may be old.
 */
import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { Decimal, type Exact, exact, ZERO } from '../platform/decimal.ts';
import type { Drawdown } from './facts.ts';
import { MARK_MAX_AGE_SEC } from './mark-age.ts';
import { isDrawdownReached } from './rules/max-drawdown.ts';

/** The stored columns of a watch, without whose it is. */
export type WatchRow = Omit<Selectable<Database['drawdown_watch']>, 'account_id' | 'mode'>;

/** Of an account whose rule is on. Profits in USD. */
export type Watch = {
  /** When the rule was turned on. */
  readonly since: Date;
  readonly highWaterMark: Exact;
  /** The lowest profit since it has been above the mark, and since when that is; null where it is not. */
  readonly rising: { readonly to: Exact; readonly since: Date } | null;
  /** Since when the limit is reached; null where it is not. */
  readonly beyondSince: Date | null;
  /** When it stopped the account; null where it has not since the rule was last changed. */
  readonly trippedAt: Date | null;
};

const LASTS_MS = MARK_MAX_AGE_SEC * 1_000;

/** From where an account stands. */
export const watchFrom = (profit: Exact, since: Date): Watch => ({
  since,
  highWaterMark: profit,
  rising: null,
  beyondSince: null,
  trippedAt: null,
});

/** After a change of the limit: the mark stays, what followed from the old limit does not. */
export const watchAnew = (watch: Watch): Watch => ({ ...watch, beyondSince: null, trippedAt: null });

/** USD that a profit is below the mark; none above it. */
const belowMark = ({ highWaterMark }: Watch, profit: Exact): Exact =>
  Decimal.max(highWaterMark.minus(profit), ZERO);

/** What the rule is judged by. */
export const drawdownOf = (watch: Watch, profit: Exact): Drawdown => ({
  below: belowMark(watch, profit),
  trippedAt: watch.trippedAt,
});

/** What a look sees: profit, realized and at marks, and whether one of those is too old to buy by. */
export type Height = { readonly profit: Exact; readonly isStale: boolean };

/** The watch after a look at `now`, by a limit; the same value where nothing is to be remembered. */
export function lookedAt(watch: Watch, limit: Exact, { profit, isStale }: Height, now: Date): Watch {
  return isStale ? doubting(watch) : beyondAt(risenTo(watch, profit, now), profit, limit, now);
}

/** What is priced by marks too old to buy by tells nothing: neither that something lasts. */
const doubting = (watch: Watch): Watch =>
  watch.rising === null && watch.beyondSince === null ? watch : { ...watch, rising: null, beyondSince: null };

function risenTo(watch: Watch, profit: Exact, now: Date): Watch {
  const { rising, highWaterMark } = watch;
  if (profit.lte(highWaterMark)) return rising === null ? watch : { ...watch, rising: null };
  const anew = { to: profit, since: now };
  if (rising === null || !isWatched(rising.since, now)) return { ...watch, rising: anew };
  const to = Decimal.min(rising.to, profit);
  if (hasLasted(rising.since, now))
    return { ...watch, highWaterMark: to, rising: profit.gt(to) ? anew : null };
  return to.eq(rising.to) ? watch : { ...watch, rising: { ...rising, to } };
}

function beyondAt(watch: Watch, profit: Exact, limit: Exact, now: Date): Watch {
  const { beyondSince, trippedAt } = watch;
  if (!isDrawdownReached(limit, belowMark(watch, profit)))
    return beyondSince === null ? watch : { ...watch, beyondSince: null };
  if (trippedAt !== null) return watch;
  if (beyondSince === null || !isWatched(beyondSince, now)) return { ...watch, beyondSince: now };
  return hasLasted(beyondSince, now) ? { ...watch, trippedAt: now } : watch;
}

const hasLasted = (since: Date, now: Date): boolean => now.getTime() - since.getTime() > LASTS_MS;

/** What began that long ago was not looked at in between, or a clock went back: it begins again. */
function isWatched(since: Date, now: Date): boolean {
  const ms = now.getTime() - since.getTime();
  return ms >= 0 && ms <= 2 * LASTS_MS;
}

/** The watch a row says. */
export const watchOf = (row: WatchRow): Watch => ({
  since: new Date(row.since),
  highWaterMark: exact(row.high_water_mark),
  rising:
    row.rising_to === null || row.rising_since === null
      ? null
      : { to: exact(row.rising_to), since: new Date(row.rising_since) },
  beyondSince: row.beyond_since === null ? null : new Date(row.beyond_since),
  trippedAt: row.tripped_at === null ? null : new Date(row.tripped_at),
});

/** The row that keeps a watch. */
export const rowOfWatch = ({ since, highWaterMark, rising, beyondSince, trippedAt }: Watch): WatchRow => ({
  since: since.toISOString(),
  high_water_mark: highWaterMark.toFixed(),
  rising_to: rising?.to.toFixed() ?? null,
  rising_since: rising?.since.toISOString() ?? null,
  beyond_since: beyondSince?.toISOString() ?? null,
  tripped_at: trippedAt?.toISOString() ?? null,
});
