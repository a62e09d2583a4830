import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/tables.ts';
import type { Broker } from '../../../venues/broker.ts';
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from '../../../venues/errors.ts';

/** Cancel-all sweeps before the result is `left`: about five seconds at a fast venue. */
const SWEEPS_MAX = 12;
const PAUSE_MS = 400;
/** Consecutive sweeps without open orders that prove emptiness: a venue's list may be half a second old. */
const EMPTY_SWEEPS = 2;
/** Consecutive failures after which the venue counts as unreachable: each may take a full request timeout. */
const FAILURES_MAX = 3;
/** Longest wait for a rate limit: venues count requests per minute. */
const REST_MAX_MS = 60_000;

/** Result of emptying a venue account of open orders. */
export type CancelAllResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'left'; readonly orders: number }
  /** No order is open, but a request sent earlier may arrive until then. */
  | { readonly kind: 'arriving'; readonly until: Date }
  | { readonly kind: 'unreachable'; readonly reason: string };

export type CancelAllOptions = {
  readonly broker: Pick<Broker, 'cancelAll' | 'listOpen'>;
  /** Returns until when a sent request may still arrive; null if none can. */
  readonly arrivingUntil: () => Promise<Date | null>;
  readonly pauseMs?: number;
};

/**
 * Cancels every open order of a venue account, including orders placed outside this service. Repeats until no order is open
 * and none can arrive, at most {@link SWEEPS_MAX} times: an order may arrive between two sweeps.
 */
export async function cancelUntilNoneOpen({
  broker,
  arrivingUntil,
  pauseMs = PAUSE_MS,
}: CancelAllOptions): Promise<CancelAllResult> {
  let last: CancelAllResult = { kind: 'unreachable', reason: 'no request was sent' };
  let inARow = { failures: 0, empty: 0 };
  let waitMs = 0;
  const failed = (error: unknown): CancelAllResult => {
    waitMs = Math.max(waitMs, requestedWaitMs(error));
    return { kind: 'unreachable', reason: error instanceof Error ? error.message : String(error) };
  };
  const mayContinue = (sweep: number) => sweep < SWEEPS_MAX || last.kind === 'empty';
  for (let sweep = 0; mayContinue(sweep) && inARow.failures < FAILURES_MAX; sweep += 1) {
    await sleep(waitMs);
    waitMs = pauseMs;
    last = await sweepOnce(broker, arrivingUntil).catch(failed);
    inARow = {
      failures: last.kind === 'unreachable' ? inARow.failures + 1 : 0,
      empty: last.kind === 'empty' ? inARow.empty + 1 : 0,
    };
    if (inARow.empty === EMPTY_SWEEPS) return last;
  }
  return last;
}

/** Returns the wait that a rate limited venue requests, ms: further requests would get our address banned. */
function requestedWaitMs(error: unknown): number {
  const seconds = error instanceof VenueError ? (error.retryAfterSec ?? 0) : 0;
  return seconds > DEFAULT_RETRY_AFTER_SEC ? Math.min(seconds * 1_000, REST_MAX_MS) : 0;
}

/** Sweeps once. Reads the latest arrival first, so that an order arriving later is either listed or expected. */
async function sweepOnce(
  broker: CancelAllOptions['broker'],
  arrivingUntil: CancelAllOptions['arrivingUntil'],
): Promise<CancelAllResult> {
  const until = await arrivingUntil();
  await broker.cancelAll();
  const open = await broker.listOpen();
  if (open.length > 0) return { kind: 'left', orders: open.length };
  return until === null ? { kind: 'empty' } : { kind: 'arriving', until };
}

/** Returns the latest arrival of requests through a connection whose result is still unknown; null if none can arrive. */
export async function readArrivingUntil(
  db: Db,
  { accountId, connectionId }: { readonly accountId: string; readonly connectionId: string },
  now: Date,
): Promise<Date | null> {
  const row = await db
    .selectFrom('trade_order as o')
    .innerJoin('order_dispatch as d', (join) =>
      join.onRef('d.account_id', '=', 'o.account_id').onRef('d.order_id', '=', 'o.id'),
    )
    .select(({ fn }) => fn.max('d.arrives_by').as('until'))
    .where('o.account_id', '=', accountId)
    .where('o.status', 'in', ['submitted', 'unknown'])
    .where('d.connection_id', '=', connectionId)
    .where('d.arrives_by', '>', now.toISOString())
    .executeTakeFirst();
  return row?.until == null ? null : new Date(row.until);
}
