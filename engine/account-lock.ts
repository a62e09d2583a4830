import PQueue from 'p-queue';
import type { Work } from './context.ts';
import { DomainError } from './errors.ts';
import { lockAccount, transact } from './transact.ts';

/** Tasks of one account that may wait in this process; whoever comes after them is told to come back. */
const WAITING_MAX = 1_000;

/** `isBrake`: goes before everything that waits, and is never told to come back. */
export type TurnOptions = { isBrake?: boolean };

/** One account's tasks in this process, one after the other. Gone when nobody waits. */
const turns = new Map<string, PQueue>();

/**
 * Runs `task` in one transaction under the account's lock, with the moment read under it.
 *
 * The lock in the database is what keeps processes apart. Within this process, tasks of one account wait for each
 * other before they take a connection: a busy account then holds one connection, not all of them, and keeps no
 * other account waiting. Inside a transaction there is a connection already, and only the lock is waited for.
 *
 * @throws DomainError `overloaded` when too many wait already, or the lock cannot be had.
 */
export async function underAccountLock<Result>(
  work: Work,
  task: (tx: Work, now: Date) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const locked = () => transact(work, async (tx) => task(tx, await lockAccount(tx)));
  return work.em.isInTransaction() ? locked() : inTurn(work.accountId, locked, options);
}

/**
 * Runs `task` when the account's tasks before it in this process are done. What it runs inside one transaction must not
 * ask for the turn again; `underAccountLock` inside a transaction does not.
 *
 * @throws DomainError `overloaded` when too many wait already.
 */
export async function inTurn<Result>(
  accountId: string,
  task: () => Promise<Result>,
  { isBrake = false }: TurnOptions = {},
): Promise<Result> {
  const queue = turns.get(accountId) ?? new PQueue({ concurrency: 1 });
  if (queue.size >= WAITING_MAX && !isBrake) {
    throw new DomainError('overloaded', 'The account is busy. Try again in a moment.', { retryAfterSec: 1 });
  }
  turns.set(accountId, queue);
  try {
    return await queue.add(task, { priority: isBrake ? 1 : 0 });
  } finally {
    if (queue.size === 0 && queue.pending === 0) turns.delete(accountId);
  }
}
