import { sql } from 'kysely';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { lockFreeAccounts, underAccountLock } from '../../../../engine/platform/account-lock.ts';
import { DomainError, type ErrorCode } from '../../../../engine/platform/errors.ts';
import { announceAccounts } from '../../../../engine/platform/events/events.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../../kernel/rounds/rounds.ts';
import { decisions } from '../../../kernel/rounds/runner-events.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { type Decided, type Decision, decideIntents } from './decide-intents.ts';
import { IntentBatchSize } from './intent-batch-size.ts';
import { type IntentRefusal, idOf, type RequestKey } from './intent-requests.ts';
import { RefusedIntentNotices } from './refused-intent-notices.ts';

export type { IntentRefusal, RequestKey } from './intent-requests.ts';

/** The most transactions at once, so that the pool has connections left for other work. */
const CONCURRENCY = 4;
const SWEEP_PERIOD_MS = 1_000;
/** An intent that its tick did not decide within this time is left to the sweeper. */
const SWEEP_AFTER_MS = 1_000;
const SWEEP_MAX = 1_000;

/** Refusals of an account's lock: its intents are found again by a sweep. */
const BUSY: ReadonlySet<ErrorCode> = new Set(['overloaded', 'account_moving']);

/** Whether decisions in this mode need no reads for each order. */
const isDecidedTogether = ({ mode }: RequestKey): boolean => mode !== 'live';

/**
 * The queued intents of one account, in the order of arrival, each once. A node raises nothing while an intent of its own
 * waits, so there are never more intents than nodes.
 */
class IntentQueue {
  readonly accountId: string;
  readonly waiting = new Map<string, RequestKey>();
  readonly emptied = Promise.withResolvers<void>();
  /** Another transaction holds the account's lock: its intents wait for it in a batch of their own. */
  isHeldUp = false;
  /** The number of next intents to decide one by one. */
  oneByOne = 0;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  /** Takes the next intents to decide, at most `most`. */
  take(most: number): Share {
    const keys = [...this.waiting.values()];
    const together = keys.findIndex((key) => !isDecidedTogether(key));
    const oneByOne = together === 0 ? Math.max(this.oneByOne, 1) : this.oneByOne;
    if (oneByOne > 0) return { queue: this, keys: keys.slice(0, oneByOne), isOneByOne: true };
    const upTo = together < 0 ? most : Math.min(most, together);
    return { queue: this, keys: keys.slice(0, upTo), isOneByOne: false };
  }
}

/** The part of a queue that is decided now. */
type Share = {
  readonly queue: IntentQueue;
  readonly keys: readonly RequestKey[];
  readonly isOneByOne: boolean;
};

/**
 * Turns the intents that ticks stored into orders. A request is deleted in the transaction that stores its order, so none is
 * lost and none becomes two. Waiting intents are decided together, for one account or several. If a batch fails, its intents
 * are decided one by one, so that none suffers for another.
 */
export class IntentProcessor {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #onRefused: (refusal: IntentRefusal) => void;
  readonly #queues = new Map<string, IntentQueue>();
  /** Queues without a decision in progress, the longest waiting first. */
  readonly #free: IntentQueue[] = [];
  readonly #batches = new Set<Promise<void>>();
  readonly #size = new IntentBatchSize();
  readonly #notices = new RefusedIntentNotices();
  readonly #stopping = new AbortController();
  #sweeps: Rounds | null = null;

  constructor(context: RunnerContext, log: LogOnce, onRefused: (refusal: IntentRefusal) => void) {
    this.#context = context;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  start(): void {
    const idleOptions = { idle: this.#context.idle, kind: 'shards' } as const;
    this.#sweeps = startRounds(() => this.sweep(), SWEEP_PERIOD_MS, idleOptions);
  }

  /** Finishes the decisions in progress. Waiting intents are stored, and the next process decides them. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#begin();
    await this.#sweeps?.stop();
    await Promise.all(this.#batches);
  }

  /**
   * Decides these intents, per account in the given order and after its waiting ones. A failed one stays for the sweeper and
   * does not delay the others; the same for one not begun at a stop.
   */
  async decide(keys: readonly RequestKey[]): Promise<void> {
    const queues = new Set<IntentQueue>();
    for (const key of keys) {
      const queue = this.#queueOf(key.accountId);
      const id = idOf(key);
      if (!queue.waiting.has(id)) queue.waiting.set(id, key);
      queues.add(queue);
    }
    this.#begin();
    await Promise.all([...queues].map(({ emptied }) => emptied.promise));
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0)
      await Promise.all([...this.#queues.values()].map(({ emptied }) => emptied.promise));
  }

  /**
   * Queues the intents that no tick decided: its process died, or the failure was temporary. Accounts do not wait for each
   * other: the oldest intents of each come first, and the sweep does not wait for decisions.
   */
  async sweep(): Promise<void> {
    try {
      const { rows } = await sql<{
        account_id: string;
        mode: Mode;
        deployment_id: string;
        node_id: string;
        step_at: string;
      }>`
        select r.account_id, d.mode, r.deployment_id, r.node_id, r.step_at from intent_request r
        join deployment d on d.account_id = r.account_id and d.id = r.deployment_id
        where r.created_at < clock_timestamp() - ${SWEEP_AFTER_MS} * interval '1 millisecond'
        order by row_number() over (partition by r.account_id order by r.step_at, r.position), r.step_at
        limit ${SWEEP_MAX}`.execute(this.#context.db);
      void this.decide(
        rows.map((row) => ({
          accountId: row.account_id,
          mode: row.mode,
          deploymentId: row.deployment_id,
          nodeId: row.node_id,
          stepAt: new Date(row.step_at),
        })),
      );
      this.#log.recovered('waiting intents');
    } catch (error) {
      this.#log.failed('waiting intents', error);
    }
  }

  #queueOf(accountId: string): IntentQueue {
    const known = this.#queues.get(accountId);
    if (known !== undefined) return known;
    const queue = new IntentQueue(accountId);
    this.#queues.set(accountId, queue);
    this.#free.push(queue);
    return queue;
  }

  /** Begins as many batches as allowed. */
  #begin(): void {
    while (this.#free.length > 0 && (this.#isStopping || this.#batches.size < CONCURRENCY)) {
      if (this.#isStopping) {
        for (const queue of this.#free.splice(0)) this.#close(queue);
        return;
      }
      const batch = this.#decideBatch(this.#nextShares()).finally(() => {
        this.#batches.delete(batch);
        this.#begin();
      });
      this.#batches.add(batch);
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Takes one batch from the longest waiting queues. An intent that needs its own batch gets one. */
  #nextShares(): Share[] {
    const shares: Share[] = [];
    let room = this.#size.intents;
    for (let queue = this.#free[0]; queue !== undefined && room > 0; queue = this.#free[0]) {
      const share = queue.take(room);
      const isByItself = queue.isHeldUp || share.isOneByOne;
      if (isByItself && shares.length > 0) break;
      this.#free.shift();
      shares.push(share);
      room -= share.keys.length;
      if (isByItself) break;
    }
    return shares;
  }

  async #decideBatch(shares: readonly Share[]): Promise<void> {
    const isOneByOne = shares.some((share) => share.isOneByOne);
    await (isOneByOne ? this.#decideOneByOne(shares) : this.#decideTogether(shares));
    for (const { queue } of shares) {
      if (queue.waiting.size === 0) this.#close(queue);
      else this.#free.push(queue);
    }
  }

  #close(queue: IntentQueue): void {
    this.#queues.delete(queue.accountId);
    queue.emptied.resolve();
  }

  async #decideTogether(shares: readonly Share[]): Promise<void> {
    const keys = shares.flatMap((share) => share.keys);
    const subject = shares.length === 1 ? `intents of account ${shares[0]?.queue.accountId}` : 'intents';
    const startedMs = performance.now();
    try {
      const task = () => (shares.length === 1 ? this.#underLock(keys) : this.#underFreeLocks(keys));
      const { decided, locked, heldMs } = await withDeadline(this.#context.log, subject, task);
      this.#follow(decided, performance.now() - startedMs);
      if (locked.size > 0) this.#size.held(decided.length, heldMs);
      for (const { queue } of shares) queue.isHeldUp = !locked.has(queue.accountId);
      this.#log.recovered(subject);
    } catch (error) {
      this.#log.failed(subject, error);
      const isBusy = error instanceof DomainError && BUSY.has(error.code);
      for (const share of shares) {
        if (isBusy) for (const key of share.keys) share.queue.waiting.delete(idOf(key));
        else share.queue.oneByOne = share.keys.length;
      }
    }
  }

  /** Decides intents of one account: waits for its turn and its lock like all other work. */
  async #underLock(keys: readonly RequestKey[]): Promise<DecidedUnderLocks> {
    const [first] = keys;
    if (first === undefined) return NOTHING_LOCKED;
    let lockedMs = 0;
    const decided = await underAccountLock(this.#context.workOf(first), ({ db }, now) => {
      lockedMs = performance.now();
      return decideIntents(this.#context, { db, now }, keys, this.#notices);
    });
    return { decided, locked: new Set([first.accountId]), heldMs: performance.now() - lockedMs };
  }

  /** Decides intents of several accounts: of those whose lock is free. */
  async #underFreeLocks(keys: readonly RequestKey[]): Promise<DecidedUnderLocks> {
    const { db, clock, pool } = this.#context;
    const accountIds = [...new Set(keys.map(({ accountId }) => accountId))];
    let lockedMs = 0;
    const result = await inTransaction(db, async (tx): Promise<DecidedUnderLocks> => {
      const locks = await lockFreeAccounts(tx, accountIds, clock);
      if (locks === null) return NOTHING_LOCKED;
      lockedMs = performance.now();
      const own = keys.filter(({ accountId }) => locks.accountIds.has(accountId));
      const decided = await decideIntents(this.#context, { db: tx, now: locks.now }, own, this.#notices);
      return { decided, locked: locks.accountIds, heldMs: 0 };
    });
    announceAccounts(pool, result.locked);
    return { ...result, heldMs: performance.now() - lockedMs };
  }

  async #decideOneByOne(shares: readonly Share[]): Promise<void> {
    for (const { queue, keys } of shares) {
      queue.oneByOne = 0;
      for (const key of keys) {
        if (this.#isStopping) return;
        const subject = subjectOf(key);
        const startedMs = performance.now();
        try {
          const { decided } = await withDeadline(this.#context.log, subject, () => this.#underLock([key]));
          this.#follow(decided, performance.now() - startedMs);
        } catch (failed) {
          this.#follow([{ key, failed }], performance.now() - startedMs);
        }
      }
    }
  }

  /** Removes decided intents from the queues; failed ones are for the sweeper. `ms`: the duration of the whole batch. */
  #follow(decided: readonly Decided[], ms: number): void {
    const withOrders = new Set<string>();
    for (const each of decided) {
      const { key } = each;
      this.#queues.get(key.accountId)?.waiting.delete(idOf(key));
      if ('failed' in each) {
        this.#log.failed(subjectOf(key), each.failed);
        continue;
      }
      this.#log.recovered(subjectOf(key));
      publish(key, each.decision, ms);
      if (each.decision === null) continue;
      if ('order' in each.decision) withOrders.add(key.accountId);
      else this.#refused(each.decision.refusal);
    }
    if (withOrders.size === 0) return;
    this.#context.wakeOrders();
    this.#context.onChange([...withOrders]);
  }

  #refused(refusal: IntentRefusal): void {
    this.#notices.markPublished(refusal);
    this.#onRefused(refusal);
  }
}

type DecidedUnderLocks = {
  readonly decided: readonly Decided[];
  /** Decided for these accounts; the others are unchanged. */
  readonly locked: ReadonlySet<string>;
  /** How long these were locked. */
  readonly heldMs: number;
};
const NOTHING_LOCKED: DecidedUnderLocks = { decided: [], locked: new Set(), heldMs: 0 };

/** Publishes the result of an intent. */
function publish(
  { accountId, deploymentId, nodeId, stepAt }: RequestKey,
  decision: Decision,
  ms: number,
): void {
  const intent = { accountId, deploymentId, nodeId, stepAt, ms };
  const order = decision !== null && 'order' in decision ? decision.order : null;
  const ended = decision === null ? 'nothing' : 'refused';
  const deniedBy = order?.status === 'denied' ? order.reason_code : null;
  decisions.publish({ ...intent, verdict: order?.status ?? ended, deniedBy, orderId: order?.id ?? null });
}

const subjectOf = ({ deploymentId, nodeId }: RequestKey): string => `intent of ${deploymentId} ${nodeId}`;
