/**
 * State of the drawdown stop: the high-water mark, and since when profit is above it or too far below it. Pure.
 *
 * The mark is of profit, realized plus unrealized, so that deposits and withdrawals change nothing. One wrong quote can neither
 * raise the mark nor stop the account: a new level counts only after it lasts longer than the maximum age of a mark.
 */
import type { Selectable } from 'kysely';
import type { Database } from '../../db/tables.ts';
import { Exact, exact, ZERO } from '../platform/decimal.ts';
import { MARK_MAX_AGE_SEC } from './mark-age.ts';
import type { Drawdown } from './risk-inputs.ts';
import { isDrawdownReached } from './rules/max-drawdown.ts';

/** The stored columns of a watch, without its key. */
export type DrawdownStateRow = Omit<Selectable<Database['drawdown_watch']>, 'account_id' | 'mode'>;

/** State of the drawdown stop of an account whose rule is on. Profits in USD. */
export type DrawdownState = {
  /** When the rule was turned on. */
  readonly since: Date;
  readonly highWaterMark: Exact;
  /** The lowest profit since profit rose above the mark, and when it rose; null while it is not above. */
  readonly rising: { readonly to: Exact; readonly since: Date } | null;
  /** Since when the limit is reached; null while it is not. */
  readonly beyondSince: Date | null;
  /** When it stopped the account; null if it has not since the rule was last changed. */
  readonly trippedAt: Date | null;
};

const LASTS_MS = MARK_MAX_AGE_SEC * 1_000;

/** Starts a watch at the current profit. */
export const startDrawdownState = (profit: Exact, since: Date): DrawdownState => ({
  since,
  highWaterMark: profit,
  rising: null,
  beyondSince: null,
  trippedAt: null,
});

/** Resets a watch after a change of the limit: the mark stays, the consequences of the old limit are cleared. */
export const resetDrawdownState = (watch: DrawdownState): DrawdownState => ({
  ...watch,
  beyondSince: null,
  trippedAt: null,
});

/** USD that a profit is below the mark; 0 above it. */
const belowMark = ({ highWaterMark }: DrawdownState, profit: Exact): Exact =>
  Exact.max(highWaterMark.minus(profit), ZERO);

/** Returns the drawdown that the rule checks. */
export const drawdownOf = (watch: DrawdownState, profit: Exact): Drawdown => ({
  below: belowMark(watch, profit),
  trippedAt: watch.trippedAt,
});

/** One measurement: realized plus unrealized profit, and whether a mark in it is too old to allow buys. */
export type ProfitMeasurement = { readonly profit: Exact; readonly isStale: boolean };

/** Returns the watch after a measurement at `now`, for a limit. Returns the same object if nothing changes. */
export function drawdownStateAfter(
  watch: DrawdownState,
  limit: Exact,
  { profit, isStale }: ProfitMeasurement,
  now: Date,
): DrawdownState {
  return isStale ? withoutTimers(watch) : beyondAt(risenTo(watch, profit, now), profit, limit, now);
}

/** Restarts both timers: a measurement with stale marks is no evidence, not even that a level lasts. */
const withoutTimers = (watch: DrawdownState): DrawdownState =>
  watch.rising === null && watch.beyondSince === null ? watch : { ...watch, rising: null, beyondSince: null };

function risenTo(watch: DrawdownState, profit: Exact, now: Date): DrawdownState {
  const { rising, highWaterMark } = watch;
  if (profit.lte(highWaterMark)) return rising === null ? watch : { ...watch, rising: null };
  const restarted = { to: profit, since: now };
  if (rising === null || !isWatched(rising.since, now)) return { ...watch, rising: restarted };
  const to = Exact.min(rising.to, profit);
  if (hasLasted(rising.since, now))
    return { ...watch, highWaterMark: to, rising: profit.gt(to) ? restarted : null };
  return to.eq(rising.to) ? watch : { ...watch, rising: { ...rising, to } };
}

function beyondAt(watch: DrawdownState, profit: Exact, limit: Exact, now: Date): DrawdownState {
  const { beyondSince, trippedAt } = watch;
  if (!isDrawdownReached(limit, belowMark(watch, profit)))
    return beyondSince === null ? watch : { ...watch, beyondSince: null };
  if (trippedAt !== null) return watch;
  if (beyondSince === null || !isWatched(beyondSince, now)) return { ...watch, beyondSince: now };
  return hasLasted(beyondSince, now) ? { ...watch, trippedAt: now } : watch;
}

const hasLasted = (since: Date, now: Date): boolean => now.getTime() - since.getTime() > LASTS_MS;

/** False if a level began too long ago to have been measured in between, or a clock went back: its timer restarts. */
function isWatched(since: Date, now: Date): boolean {
  const ms = now.getTime() - since.getTime();
  return ms >= 0 && ms <= 2 * LASTS_MS;
}

/** Parses a row. */
export const parseDrawdownState = (row: DrawdownStateRow): DrawdownState => ({
  since: new Date(row.since),
  highWaterMark: exact(row.high_water_mark),
  rising:
    row.rising_to === null || row.rising_since === null
      ? null
      : { to: exact(row.rising_to), since: new Date(row.rising_since) },
  beyondSince: row.beyond_since === null ? null : new Date(row.beyond_since),
  trippedAt: row.tripped_at === null ? null : new Date(row.tripped_at),
});

/** Returns the row that stores a watch. */
export const rowOfDrawdownState = ({
  since,
  highWaterMark,
  rising,
  beyondSince,
  trippedAt,
}: DrawdownState): DrawdownStateRow => ({
  since: since.toISOString(),
  high_water_mark: highWaterMark.toFixed(),
  rising_to: rising?.to.toFixed() ?? null,
  rising_since: rising?.since.toISOString() ?? null,
  beyond_since: beyondSince?.toISOString() ?? null,
  tripped_at: trippedAt?.toISOString() ?? null,
});
