import type { Handles, Pool } from '../../../db/pool.ts';

/** The largest share of database connections for live trading, of each kind of work. */
const PART = 1 / 4;

export type LivePoolShares = {
  /** Sending, finding again, reconciling, checking. */
  readonly work: Handles;
  /** Canceling orders: it never waits behind the work. */
  readonly cancels: Handles;
};

const shares = new WeakMap<Pool, LivePoolShares>();

/**
 * Shares of a pool for live trading, for all venue accounts together. So hundreds of busy accounts leave connections for
 * requests, paper trading and leases. Within a share accounts take turns.
 */
export function livePoolShares(pool: Pool): LivePoolShares {
  const known = shares.get(pool);
  if (known !== undefined) return known;
  const max = Math.max(1, Math.floor(pool.max * PART));
  const made = { work: pool.share(max), cancels: pool.share(max) };
  shares.set(pool, made);
  return made;
}
