import type { Pool, Share } from '../../db/pool.ts';
import { ALL_ACCOUNTS, ANY_SCOPE } from '../../db/scope.ts';
import type { AccountCpuMeter } from '../kernel/account-cpu-meter.ts';
import { TIMEOUTS } from '../kernel/capacity.ts';

/** The part of the connections that requests may hold. The rest is for urgent requests, and for the runner of the process. */
const PART = 3 / 5;

/** The share of the pool for all but urgent requests, accounts in turn. Each answer resumes work for its account. */
export const requestPoolShare = (pool: Pool, meter: AccountCpuMeter): Share =>
  pool.share(Math.max(1, Math.floor(pool.max * PART)), {
    waitMs: TIMEOUTS.slotMs,
    onAnswer: (scope) => meter.mark(scope === ANY_SCOPE || scope === ALL_ACCOUNTS ? null : scope),
  });
