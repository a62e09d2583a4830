import { sql } from 'kysely';
import PQueue from 'p-queue';
import type { Mode } from '../../../db/vocabulary.ts';
import { underAccountLock } from '../../../engine/account-lock.ts';
import type { BooksKey, Work } from '../../../engine/context.ts';
import { DomainError, type ErrorCode } from '../../../engine/errors.ts';
import { recordEvents } from '../../../engine/events.ts';
import type { Intent } from '../../../engine/graph/types.ts';
import { proposalOf } from '../../../engine/orders/entry/proposal.ts';
import { proposeIntent } from '../../../engine/orders/entry/propose.ts';
import type { OrderRow } from '../../../engine/orders/row.ts';
import { inTime } from '../in-time.ts';
import type { LogOnce } from '../log-once.ts';
import { decisions } from '../observed.ts';
import type { RunnerContext } from '../options.ts';

/** Accounts decided for at the same time, so that the pool has connections left for everybody else. */
const CONCURRENCY = 6;
/** Intents one account gets decided before the next account has its turn. */
const TURN_MAX = 20;
const SWEEP_PERIOD_MS = 1_000;
/** What the tick itself did not decide within this time is left to the sweeper. */
const SWEEP_AFTER_MS = 1_000;
const SWEEP_MAX = 1_000;
/** An intent that could not be decided within this time is over, and so is any buy: nobody wants it this late. */
const DECIDE_WITHIN_MS = 60_000;
const WAITED = `It waited longer than ${DECIDE_WITHIN_MS / 1_000} s`;
/** A refused node says so in Activity once a minute at most. */
const NOTICE_PERIOD_MS = 60_000;

/** Refusals that a moment may mend: no fresh quote yet, a busy database. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'quote_unavailable',
  'upstream_unavailable',
  'database_unavailable',
  'overloaded',
]);

/** Which intent: the key of its row. */
export type RequestKey = BooksKey & { deploymentId: string; nodeId: string; stepAt: Date };

/** An intent that ended without becoming an order, and why. */
export type Refusal = RequestKey & { message: string; at: Date };

type Request = RequestKey & {
  blueprintId: string;
  releaseNumber: number;
  isLive: boolean;
  intent: Intent;
  ageMs: number;
};

type Decision =
  | { decided: 'order'; order: OrderRow }
  | { decided: 'nothing' }
  | { decided: 'refused'; refusal: Refusal };

/**
 * What waits of one account, in the order it came, each once however often it is told of. A node raises nothing while an
 * intent of its own waits, so there are never more than nodes.
 */
type Line = { waiting: Map<string, RequestKey>; done: Promise<void> };

const idOf = ({ deploymentId, nodeId, stepAt }: RequestKey): string =>
  JSON.stringify([deploymentId, nodeId, stepAt]);

/**
 * Turns the intents that ticks stored into orders, each in a transaction of its own under its account's lock: the
 * request goes in the same transaction in which the order comes, so none is lost and none becomes two.
 */
export class IntentProcessor {
  readonly #context: RunnerContext;
  readonly #log: LogOnce;
  readonly #onRefused: (refusal: Refusal) => void;
  readonly #queue = new PQueue({ concurrency: CONCURRENCY });
  readonly #lines = new Map<string, Line>();
  readonly #noticedMs = new Map<string, number>();
  readonly #stopping = new AbortController();
  #sweeper: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> | null = null;

  constructor(context: RunnerContext, log: LogOnce, onRefused: (refusal: Refusal) => void) {
    this.#context = context;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  start(): void {
    this.#sweeper = setInterval(() => {
      this.#sweeping ??= this.sweep().finally(() => {
        this.#sweeping = null;
      });
    }, SWEEP_PERIOD_MS);
  }

  /** Finishes the decisions under way. What waits is stored, and is for whoever starts next. */
  async stop(): Promise<void> {
    if (this.#sweeper) clearInterval(this.#sweeper);
    this.#stopping.abort();
    await this.#sweeping;
    await this.#queue.onIdle();
  }

  /**
   * Decides these, those of one account in the order given and after what waits of it. One that fails stays for the
   * sweeper and holds up no other, and so does what is not begun at a stop.
   */
  async decide(keys: readonly RequestKey[]): Promise<void> {
    const byAccount = Map.groupBy(keys, ({ accountId }) => accountId);
    await Promise.all([...byAccount].map(([accountId, own]) => this.#join(accountId, own)));
  }

  /** Resolves once nothing waits. */
  async idle(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map(({ done }) => done));
  }

  #join(accountId: string, keys: readonly RequestKey[]): Promise<void> {
    const known = this.#lines.get(accountId);
    const line: Line = known ?? { waiting: new Map(), done: Promise.resolve() };
    for (const key of keys) if (!line.waiting.has(idOf(key))) line.waiting.set(idOf(key), key);
    if (known === undefined) {
      this.#lines.set(accountId, line);
      line.done = this.#work(accountId, line);
    }
    return line.done;
  }

  async #work(accountId: string, { waiting }: Line): Promise<void> {
    try {
      while (waiting.size > 0 && !this.#stopping.signal.aborted)
        await this.#queue.add(() => this.#decideOfAccount(accountId, waiting));
    } catch (error) {
      this.#log.trouble(`intents of account ${accountId}`, error);
    } finally {
      this.#lines.delete(accountId);
    }
  }

  /**
   * Tells the accounts' lines what no tick decided: its process died, or the moment was bad. No account waits for what
   * another has: of each come the oldest first, and nobody's decisions are waited for.
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

  async #decideOfAccount(accountId: string, waiting: Map<string, RequestKey>): Promise<void> {
    let orders = 0;
    for (const [id, key] of [...waiting].slice(0, TURN_MAX)) {
      if (this.#stopping.signal.aborted) break;
      const subject = `intent of ${key.deploymentId} ${key.nodeId}`;
      const startedMs = performance.now();
      try {
        const decision = await inTime(this.#context.log, subject, () => this.#decideOne(key));
        tell(key, decision, performance.now() - startedMs);
        if (decision.decided === 'order') orders += 1;
        if (decision.decided === 'refused') this.#onRefused(decision.refusal);
        this.#log.recovered(subject);
      } catch (error) {
        this.#log.trouble(subject, error);
      }
      waiting.delete(id);
    }
    if (orders === 0) return;
    this.#context.nudgeOrders();
    this.#context.onChange([accountId]);
  }

  #decideOne(key: RequestKey): Promise<Decision> {
    return underAccountLock(this.#context.workOf(key), async (tx, now): Promise<Decision> => {
      const request = await takeRequest(tx, key);
      // Decided by somebody else, or of a deployment that has ended: nothing is made of it.
      if (request === null || !request.isLive) return { decided: 'nothing' };
      if (isTooLate(request))
        return this.#refuse(
          tx,
          request,
          `${WAITED}: the service was down, or busy. The signal is left out.`,
          now,
        );
      try {
        const order = await proposeIntent(tx, proposalOf(request.intent, request), this.#context.trading);
        return { decided: 'order', order };
      } catch (error) {
        const message = whyRefused(error, request.ageMs);
        if (message === null) throw error;
        return this.#refuse(tx, request, message, now);
      }
    });
  }

  async #refuse(tx: Work, request: Request, message: string, at: Date): Promise<Decision> {
    const { accountId, mode, deploymentId, nodeId, stepAt } = request;
    const refusal = { accountId, mode, deploymentId, nodeId, stepAt, message, at };
    await this.#notice(tx, refusal, request.blueprintId);
    return { decided: 'refused', refusal };
  }

  /** Tells the account what was refused, in the transaction that ends the intent. */
  async #notice(
    tx: Work,
    { deploymentId, nodeId, message, at }: Refusal,
    blueprintId: string,
  ): Promise<void> {
    const node = `${deploymentId} ${nodeId}`;
    const nowMs = performance.now();
    if (nowMs - (this.#noticedMs.get(node) ?? Number.NEGATIVE_INFINITY) < NOTICE_PERIOD_MS) return;
    for (const [known, sinceMs] of this.#noticedMs) {
      if (nowMs - sinceMs >= NOTICE_PERIOD_MS) this.#noticedMs.delete(known);
    }
    this.#noticedMs.set(node, nowMs);
    const text = `No order was made: ${message}`;
    const payload = { kind: 'refused', blueprintId, deploymentId, nodeId, at: at.toISOString(), text };
    await recordEvents(tx, at, [{ type: 'notification', payload }]);
  }
}

/** Says what became of an intent. */
function tell({ accountId, deploymentId, nodeId, stepAt }: RequestKey, decision: Decision, ms: number): void {
  const order = decision.decided === 'order' ? decision.order : null;
  const { status, id: orderId } = order ?? { status: decision.decided, id: null };
  const verdict = status === 'order' ? 'nothing' : status;
  const deniedBy = status === 'denied' ? (order?.reason_code ?? null) : null;
  decisions.publish({ accountId, deploymentId, nodeId, stepAt, verdict, deniedBy, orderId, ms });
}

/** Deletes the request and answers what it was; null if it is gone already. Call under the account's lock. */
async function takeRequest(tx: Work, key: RequestKey): Promise<Request | null> {
  const { rows } = await sql<{
    blueprint_id: string;
    release_number: number;
    is_live: boolean;
    intent: Intent;
    age_ms: string;
  }>`
    delete from intent_request r using deployment d
    where r.account_id = ${tx.accountId} and d.mode = ${tx.mode} and r.deployment_id = ${key.deploymentId} and r.node_id = ${key.nodeId}
      and r.step_at = ${key.stepAt} and d.account_id = r.account_id and d.id = r.deployment_id
    returning d.blueprint_id, d.release_number, d.ended_at is null as is_live, r.intent,
      extract(epoch from clock_timestamp() - r.created_at) * 1000 as age_ms`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return null;
  const { blueprint_id, release_number, is_live, intent, age_ms } = row;
  return {
    ...key,
    blueprintId: blueprint_id,
    releaseNumber: release_number,
    isLive: is_live,
    intent,
    ageMs: Number(age_ms),
  };
}

/** A buy on a signal this old is a bet on another market. What ends a position is wanted as long as the position is there. */
const isTooLate = ({ intent, ageMs }: Request): boolean => intent.side === 'buy' && ageMs >= DECIDE_WITHIN_MS;

/** Why an intent is refused for good; null where trying again may help. */
function whyRefused(error: unknown, ageMs: number): string | null {
  const isDomain = error instanceof DomainError;
  if (isDomain && !PASSING.has(error.code)) return error.message;
  if (ageMs < DECIDE_WITHIN_MS) return null;
  const why = isDomain ? error.message : 'it could not be decided.';
  return `${WAITED}: ${why}`;
}
