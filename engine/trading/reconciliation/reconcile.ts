import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '../../../venues/broker.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { openLiveBooks } from '../accounts/open.ts';
import { type ConnectionRow, loadConnection, writeConnection } from '../connections/row.ts';
import { readDone } from './cursor.ts';
import { judgeDifferences } from './judge.ts';
import type { VenueAccount } from './look.ts';
import { lookAtBooks } from './look-at-books.ts';
import { lookAtFills } from './look-at-fills.ts';
import { lookAtOrders } from './look-at-orders.ts';
import { PARTS, type Part } from './schedule.ts';

const PAUSE_MS = 1_500;

export type ReconcileOptions = {
  /** What to look at; everything, unless told otherwise. */
  readonly parts?: readonly Part[];
  /** Between two reads of the same; longer than reads of any venue lag behind its writes, unless told otherwise. */
  readonly pauseMs?: number;
  /** Whether nothing else keeps entries out: no check, no brake. Asked once all is compared; true, unless told otherwise. */
  readonly isElseSound?: () => boolean;
};

/** `isWhole`: all that was asked for was done. The connection is as it is after it. */
export type Reconciled = { readonly isWhole: boolean; readonly connection: ConnectionRow };

/**
 * Compares an account at a venue with its books: open orders both ways, fills since the last look, holdings and money. Missed
 * fills of ours are booked as every answer is; everything else that differs is written down, and only what explains itself is
 * booked. Safe to stop anywhere and to call again: progress is kept.
 *
 * Call at open, after a gap of the stream, at resume, and for `dueParts` in between. `isReconciled` of the connection tells
 * whether entries may leave: it is true once every part was looked at since the connection was opened.
 *
 * @throws VenueError where the venue could not be read: nothing is concluded from that.
 */
export async function reconcileConnection(
  work: Work,
  connectionId: string,
  broker: Broker,
  { parts = PARTS, pauseMs = PAUSE_MS, isElseSound = () => true }: ReconcileOptions = {},
): Promise<Reconciled> {
  const live: Work = { ...work, mode: 'live' };
  const connection = await loadConnection(live, connectionId);
  await underAccountLock(live, (tx, now) => openLiveBooks(tx, now));
  const account: VenueAccount = {
    work: live,
    connection,
    broker,
    pause: () => sleep(pauseMs),
  };
  let isWhole = true;
  for (const part of PARTS.filter((each) => parts.includes(each)))
    isWhole = (await LOOKS[part](account)) && isWhole;
  return {
    isWhole,
    connection: await underAccountLock(live, async (tx, now) =>
      judgeDifferences(tx, await keepReconciledAt(tx, connectionId, now), now, isElseSound()),
    ),
  };
}

/** A connection is reconciled as of the part that was looked at longest ago. */
async function keepReconciledAt(tx: Work, connectionId: string, now: Date): Promise<ConnectionRow> {
  const row = await loadConnection(tx, connectionId);
  const done = Object.values(await readDone(tx, connectionId)).filter((at) => at !== null);
  if (done.length < PARTS.length) return row;
  const reconciledAt = new Date(Math.min(...done.map((at) => at.getTime()))).toISOString();
  return writeConnection(tx, connectionId, { reconciled_at: reconciledAt }, now);
}

const LOOKS: Readonly<Record<Part, (account: VenueAccount) => Promise<boolean>>> = {
  orders: async (account) => {
    await lookAtOrders(account);
    return true;
  },
  fills: lookAtFills,
  books: lookAtBooks,
};
