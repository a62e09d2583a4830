import PQueue from 'p-queue';
import type { Work } from './context.ts';
import { DomainError } from './errors.ts';
import { boundLockWait, lockAccount, transact } from './transact.ts';

/** Tasks of one account that may wait in this process; whoever comes after them is told to come back. */
const WAITING_MAX = 1_000;
/** Turn and lock together are waited for this long; then it is better to say so than to keep somebody waiting. */
const WAIT_MAX_MS = 5_000;
/** Who had to wait for the turn gets at least this much for the lock: a brake more, because it may be all there is. */
const LOCK_WAIT_MIN_MS = 500;
const BRAKE_LOCK_WAIT_MIN_MS = 2_000;

/** `isBrake`: goes before everything that waits, and is not told to come back because many wait. */
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
 * @throws DomainError `overloaded` when too many wait already, or turn and lock cannot be had within five seconds.
 */
export async function underAccountLock<Result>(
  work: Work,
  task: (tx: Work, now: Date) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const locked = (tx: Work) => lockAccount(tx).then((now) => task(tx, now));
  return work.em.isInTransaction() ? transact(work, locked) : transactInTurn(work, locked, options);
}

/**
 * Runs `task` in one transaction when the account's tasks before it in this process are done. What it runs must not ask
 * for the turn again; `underAccountLock` inside a transaction does not.
 *
 * @throws DomainError `overloaded` when too many wait already, or it takes too long.
 */
export function transactInTurn<Result>(
  work: Work,
  task: (tx: Work) => Promise<Result>,
  options: TurnOptions = {},
): Promise<Result> {
  const askedMs = performance.now();
  return inTurn(work.accountId, options, () => {
    const waitedMs = performance.now() - askedMs;
    // Most do not wait at all: the server's own limit is theirs.
    if (waitedMs < LOCK_WAIT_MIN_MS) return transact(work, task);
    const leastMs = options.isBrake ? BRAKE_LOCK_WAIT_MIN_MS : LOCK_WAIT_MIN_MS;
    const lockWaitMs = Math.max(WAIT_MAX_MS - waitedMs, leastMs);
    return transact(work, async (tx) => {
      await boundLockWait(tx, lockWaitMs);
      return task(tx);
    });
  });
}

async function inTurn<Result>(
  accountId: string,
  { isBrake = false }: TurnOptions,
  task: () => Promise<Result>,
): Promise<Result> {
  const queue = turns.get(accountId) ?? new PQueue({ concurrency: 1 });
  if (queue.size >= WAITING_MAX && !isBrake) throw busy();
  turns.set(accountId, queue);
  const waiting = new AbortController();
  const late = setTimeout(() => waiting.abort(busy()), WAIT_MAX_MS);
  const start = () => {
    clearTimeout(late);
    return task();
  };
  try {
    return await queue.add(start, { priority: isBrake ? 1 : 0, signal: waiting.signal });
  } finally {
    clearTimeout(late);
    if (queue.size === 0 && queue.pending === 0) turns.delete(accountId);
  }
}

const busy = () =>
  new DomainError('overloaded', 'The account is busy. Try again in a moment.', { retryAfterSec: 1 });
