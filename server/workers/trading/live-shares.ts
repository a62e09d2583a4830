import type { Handles, Pool } from '../../../db/pool.ts';

/** What work with real money takes of the connections to the database: of each kind no more than this part of all. */
const PART = 1 / 4;

export type LiveShares = {
  /** Sending, looking for, comparing, checking. */
  readonly work: Handles;
  /** Taking orders back: it never waits behind the work. */
  readonly brakes: Handles;
};

const shares = new WeakMap<Pool, LiveShares>();

/**
 * The shares of a pool that work with real money goes by, those of all venue accounts together: hundreds of busy ones leave
 * connections for requests, paper and leases. Within a share one account after the other is served.
 */
export function liveShares(pool: Pool): LiveShares {
  const known = shares.get(pool);
  if (known !== undefined) return known;
  const max = Math.max(1, Math.floor(pool.max * PART));
  const made = { work: pool.share(max), brakes: pool.share(max) };
  shares.set(pool, made);
  return made;
}
