import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../db/tables.ts';
import type { Broker } from '../../../venues/broker.ts';
import { DEFAULT_RETRY_AFTER_SEC, VenueError } from '../../../venues/errors.ts';

/** How often everything is asked to end before it is said that something is left: about five seconds of a quick venue. */
const SWEEPS_MAX = 12;
const PAUSE_MS = 400;
/** Nothing rests once so many sweeps in a row have found nothing: what a venue shows may be half a second old. */
const EMPTY_SWEEPS = 2;
/** A venue that fails so often in a row is given up: each failure may have taken as long as an answer is waited for. */
const FAILURES_MAX = 3;
/** Rates are counted by the minute. */
const REST_MAX_MS = 60_000;

/** What became of the wish that nothing rests at a venue account any more. */
export type Emptied =
  | { readonly kind: 'empty' }
  | { readonly kind: 'left'; readonly orders: number }
  /** Nothing rests, but a request that left before may arrive until then. */
  | { readonly kind: 'arriving'; readonly until: Date }
  | { readonly kind: 'unreachable'; readonly reason: string };

export type Emptying = {
  readonly broker: Pick<Broker, 'cancelAll' | 'listOpen'>;
  /** Until when a request that has left may still arrive; null where none can. */
  readonly arrivingUntil: () => Promise<Date | null>;
  readonly pauseMs?: number;
};

/**
 * Asks a venue to end every open order of the account, whoever placed it, and looks until nothing rests and nothing can come any
 * more. It asks again and again, because an order may come in between, and at most {@link SWEEPS_MAX} times.
 */
export async function emptyVenue({ broker, arrivingUntil, pauseMs = PAUSE_MS }: Emptying): Promise<Emptied> {
  let last: Emptied = { kind: 'unreachable', reason: 'it was not asked' };
  let inARow = { failures: 0, empty: 0 };
  let waitMs = 0;
  const failed = (error: unknown): Emptied => {
    waitMs = Math.max(waitMs, askedWaitMs(error));
    return { kind: 'unreachable', reason: error instanceof Error ? error.message : String(error) };
  };
  const goesOn = (sweep: number) => sweep < SWEEPS_MAX || last.kind === 'empty';
  for (let sweep = 0; goesOn(sweep) && inARow.failures < FAILURES_MAX; sweep += 1) {
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

/** A venue that wants fewer requests says for how long; asking on would get the address banned. */
function askedWaitMs(error: unknown): number {
  const seconds = error instanceof VenueError ? (error.retryAfterSec ?? 0) : 0;
  return seconds > DEFAULT_RETRY_AFTER_SEC ? Math.min(seconds * 1_000, REST_MAX_MS) : 0;
}

/** What can still come is read first: whatever arrives after that is listed, or is known to come. */
async function sweepOnce(
  broker: Emptying['broker'],
  arrivingUntil: Emptying['arrivingUntil'],
): Promise<Emptied> {
  const until = await arrivingUntil();
  await broker.cancelAll();
  const open = await broker.listOpen();
  if (open.length > 0) return { kind: 'left', orders: open.length };
  return until === null ? { kind: 'empty' } : { kind: 'arriving', until };
}

/** Until when a request that left through a connection may still arrive at its venue, where nobody knows yet what became of it. */
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
