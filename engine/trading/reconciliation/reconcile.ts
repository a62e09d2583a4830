import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from '../../../venues/broker.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { createLiveTradingAccount } from '../accounts/provision-account.ts';
import { type ConnectionRow, loadConnection, writeConnection } from '../connections/row.ts';
import type { AccountToReconcile } from './account-to-reconcile.ts';
import { RECONCILIATION_PARTS, type ReconciliationPart } from './due-parts.ts';
import { evaluateDifferences } from './evaluate-differences.ts';
import { readPartsDone } from './progress.ts';
import { reconcileBooks } from './reconcile-books.ts';
import { reconcileFills } from './reconcile-fills.ts';
import { reconcileOrders } from './reconcile-orders.ts';

const PAUSE_MS = 1_500;

export type ReconcileOptions = {
  /** Parts to reconcile; default all. */
  readonly parts?: readonly ReconciliationPart[];
  /** Pause between two reads of the same values; the default exceeds the lag between writes and reads of every venue. */
  readonly pauseMs?: number;
  /** Returns whether nothing else blocks entries: no check, no breaker. Called after the reconciliation; default true. */
  readonly isElseSound?: () => boolean;
};

/** Result. `isWhole`: all requested parts were completed. `connection`: its state afterwards. */
export type Reconciled = { readonly isWhole: boolean; readonly connection: ConnectionRow };

/**
 * Reconciles a venue account with its books: open orders both ways, fills since the last run, holdings and cash. Missing fills
 * of ours are booked like any report. Other differences are stored; only explained ones are booked. It can be stopped anywhere
 * and called again: progress is stored.
 *
 * Call at open, after a gap of the stream, at resume, and for `dueParts` in between. `isReconciled` of the connection allows
 * entries: it is true once every part was reconciled since the connection was opened.
 *
 * @throws VenueError if the venue could not be read, which is no evidence.
 */
export async function reconcileConnection(
  work: Work,
  connectionId: string,
  broker: Broker,
  { parts = RECONCILIATION_PARTS, pauseMs = PAUSE_MS, isElseSound = () => true }: ReconcileOptions = {},
): Promise<Reconciled> {
  const live: Work = { ...work, mode: 'live' };
  const connection = await loadConnection(live, connectionId);
  await underAccountLock(live, (tx, now) => createLiveTradingAccount(tx, now));
  const account: AccountToReconcile = {
    work: live,
    connection,
    broker,
    pause: () => sleep(pauseMs),
  };
  let isWhole = true;
  for (const part of RECONCILIATION_PARTS.filter((each) => parts.includes(each)))
    isWhole = (await RECONCILE_PART[part](account)) && isWhole;
  return {
    isWhole,
    connection: await underAccountLock(live, async (tx, now) =>
      evaluateDifferences(tx, await storeReconciledAt(tx, connectionId, now), now, isElseSound()),
    ),
  };
}

/** Stores `reconciled_at`: the time of the part that was reconciled longest ago. */
async function storeReconciledAt(tx: Work, connectionId: string, now: Date): Promise<ConnectionRow> {
  const row = await loadConnection(tx, connectionId);
  const done = Object.values(await readPartsDone(tx, connectionId)).filter((at) => at !== null);
  if (done.length < RECONCILIATION_PARTS.length) return row;
  const reconciledAt = new Date(Math.min(...done.map((at) => at.getTime()))).toISOString();
  return writeConnection(tx, connectionId, { reconciled_at: reconciledAt }, now);
}

const RECONCILE_PART: Readonly<
  Record<ReconciliationPart, (account: AccountToReconcile) => Promise<boolean>>
> = {
  orders: async (account) => {
    await reconcileOrders(account);
    return true;
  },
  fills: reconcileFills,
  books: reconcileBooks,
};
