import { sql } from 'kysely';
import { inTransaction } from '../../../../db/transaction.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { lockFreeAccounts, underAccountLock } from '../../../../engine/platform/account-lock.ts';
import { DomainError } from '../../../../engine/platform/errors.ts';
import { announceAccounts } from '../../../../engine/platform/events/events.ts';
import { inTime } from '../../../kernel/rounds/in-time.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import { decisions } from '../../../kernel/rounds/observed.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../../kernel/rounds/rounds.ts';
import { BatchSize } from './batch-size.ts';
import { type Decided, type Decision, decideIntents } from './decide-intents.ts';
import { Notices } from './notices.ts';
import { idOf, type Refusal, type RequestKey } from './requests.ts';

export type { Refusal, RequestKey } from './requests.ts';

/** The most transactions at once, so that the pool has connections left for other work. */
const CONCURRENCY = 4;
const SWEEP_PERIOD_MS = 1_000;
/** An intent that its tick did not decide within this time is left to the sweeper. */
const SWEEP_AFTER_MS = 1_000;
const SWEEP_MAX = 1_000;

/** Whether decisions in this mode need no reads for each order. */
const isDecidedTogether = ({ mode }: RequestKey): boolean => mode !== 'live';

/**
 * The queued intents of one account, in the order of arrival, each once. A node raises nothing while an intent of its own
 * waits, so there are never more intents than nodes.
 */
class Line {
  readonly accountId: string;
  readonly waiting = new Map<string, RequestKey>();
  readonly emptied = Promise.withResolvers<void>();
  /** Another transaction holds the account's lock: its intents wait for it in a batch of their own. */
  isHeldUp = false;
  /** The number of next intents to decide one by one. */
  alone = 0;

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  /** Takes the next intents to decide, at most `most`. */
  take(most: number): Share {
    const keys = [...this.waiting.values()];
    const together = keys.findIndex((key) => !isDecidedTogether(key));
    const alone = together === 0 ? Math.max(this.alone, 1) : this.alone;
    if (alone > 0) return { line: this, keys: keys.slice(0, alone), isOneByOne: true };
    const upTo = together < 0 ? most : Math.min(most, together);
    return { line: this, keys: keys.slice(0, upTo), isOneByOne: false };
  }
}

/** The part of a queue that is decided now. */
type Share = { readonly line: Line; readonly keys: readonly RequestKey[]; readonly isOneByOne: boolean };

/**
 * Turns the intents that ticks stored into orders. A request is deleted in the transaction that stores its order, so none is
 * lost and none becomes two. Waiting intents are decided together, for one account or several. If a batch fails, its intents
 * are decided one by one, so that none suffers for another.
 */
export class IntentProcessor {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #onRefused: (refusal: Refusal) => void;
  readonly #lines = new Map<string, Line>();
  /** Queues without a decision in progress, the longest waiting first. */
  readonly #free: Line[] = [];
  readonly #batches = new Set<Promise<void>>();
  readonly #size = new BatchSize();
  readonly #notices = new Notices();
  readonly #stopping = new AbortController();
  #sweeps: Rounds | null = null;

  constructor(context: RunnerContext, log: LogOnce, onRefused: (refusal: Refusal) => void) {
    this.#context = context;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  start(): void {
    const resting = { rest: this.#context.rest, kind: 'shards' } as const;
    this.#sweeps = startRounds(() => this.sweep(), SWEEP_PERIOD_MS, resting);
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
    const lines = new Set<Line>();
    for (const key of keys) {
      const line = this.#lineOf(key.accountId);
      const id = idOf(key);
      if (!line.waiting.has(id)) line.waiting.set(id, key);
      lines.add(line);
    }
    this.#begin();
    await Promise.all([...lines].map(({ emptied }) => emptied.promise));
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0)
      await Promise.all([...this.#lines.values()].map(({ emptied }) => emptied.promise));
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
      this.#log.trouble('waiting intents', error);
    }
  }

  #lineOf(accountId: string): Line {
    const known = this.#lines.get(accountId);
    if (known !== undefined) return known;
    const line = new Line(accountId);
    this.#lines.set(accountId, line);
    this.#free.push(line);
    return line;
  }

  /** Begins as many batches as allowed. */
  #begin(): void {
    while (this.#free.length > 0 && (this.#isStopping || this.#batches.size < CONCURRENCY)) {
      if (this.#isStopping) {
        for (const line of this.#free.splice(0)) this.#close(line);
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
    for (let line = this.#free[0]; line !== undefined && room > 0; line = this.#free[0]) {
      const share = line.take(room);
      const isByItself = line.isHeldUp || share.isOneByOne;
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
    for (const { line } of shares) {
      if (line.waiting.size === 0) this.#close(line);
      else this.#free.push(line);
    }
  }

  #close(line: Line): void {
    this.#lines.delete(line.accountId);
    line.emptied.resolve();
  }

  async #decideTogether(shares: readonly Share[]): Promise<void> {
    const keys = shares.flatMap((share) => share.keys);
    const subject = shares.length === 1 ? `intents of account ${shares[0]?.line.accountId}` : 'intents';
    const startedMs = performance.now();
    try {
      const task = () => (shares.length === 1 ? this.#underLock(keys) : this.#underFreeLocks(keys));
      const { decided, locked, heldMs } = await inTime(this.#context.log, subject, task);
      this.#follow(decided, performance.now() - startedMs);
      if (locked.size > 0) this.#size.held(decided.length, heldMs);
      for (const { line } of shares) line.isHeldUp = !locked.has(line.accountId);
      this.#log.recovered(subject);
    } catch (error) {
      this.#log.trouble(subject, error);
      const isBusy = error instanceof DomainError && error.code === 'overloaded';
      for (const share of shares) {
        if (isBusy) for (const key of share.keys) share.line.waiting.delete(idOf(key));
        else share.line.alone = share.keys.length;
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
    for (const { line, keys } of shares) {
      line.alone = 0;
      for (const key of keys) {
        if (this.#isStopping) return;
        const subject = subjectOf(key);
        const startedMs = performance.now();
        try {
          const { decided } = await inTime(this.#context.log, subject, () => this.#underLock([key]));
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
      this.#lines.get(key.accountId)?.waiting.delete(idOf(key));
      if ('failed' in each) {
        this.#log.trouble(subjectOf(key), each.failed);
        continue;
      }
      this.#log.recovered(subjectOf(key));
      publish(key, each.decision, ms);
      if (each.decision === null) continue;
      if ('order' in each.decision) withOrders.add(key.accountId);
      else this.#refused(each.decision.refusal);
    }
    if (withOrders.size === 0) return;
    this.#context.nudgeOrders();
    this.#context.onChange([...withOrders]);
  }

  #refused(refusal: Refusal): void {
    this.#notices.told(refusal);
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
