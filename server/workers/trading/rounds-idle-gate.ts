import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Pool, systemDb } from '../../../db/pool.ts';
import { type Clock, databaseClock } from '../../../engine/platform/context.ts';
import { committedEvents } from '../../../engine/platform/events/events.ts';
import type { IdleGate, RoundKind } from '../../kernel/rounds/idle-gate.ts';
import { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerLog } from '../../kernel/rounds/options.ts';
import { workChecks } from '../../kernel/rounds/runner-events.ts';
import { withDeadline } from '../../kernel/rounds/with-deadline.ts';

/** The time between two checks for work, in addition to those after an announcement. */
const CHECK_MS = 2_000;
/** Rounds at rest still run this often, in case a check missed work. */
const REST_MS = 120_000;
/** How long all rounds stay awake after a wake: each of the quick ones starts again within it. */
const AWAKE_MS = 3_000;
/** Work due before the check after next: its rounds are awake in time. */
const AHEAD_MS = 2 * CHECK_MS;

const soon = (now: RawBuilder<unknown>) => sql`(${now} + ${sql.lit(AHEAD_MS)} * interval '1 millisecond')`;

/** Statements that find one kind of work each. */
const WORK_QUERIES = {
  deployments: () => sql`select from deployment where ended_at is null`,
  intents: () => sql`select from intent_request`,
  orders: () =>
    sql`select from trade_order where status in ('queued', 'submitted', 'unknown', 'open', 'partially_filled')`,
  pending: () => sql`select from trade_order where status = 'pending'`,
  lapsing: (now) => sql`select from trade_order where status = 'pending' and expires_at <= ${soon(now)}`,
  missingFills: () => sql`select from order_dispatch where fills_missing_since is not null`,
  positions: () => sql`select from position where amount > 0`,
  drawdowns: () =>
    sql`select from drawdown_watch where rising_since is not null or (beyond_since is not null and tripped_at is null)`,
  connections: () => sql`select from venue_connection where state <> 'revoked'`,
  events: () =>
    sql`select from notification_cursor c join account a on a.id = c.account_id where a.event_seq > c.seq`,
  channels: () =>
    sql`select from notification_channel where state = 'on' and due_at <= ${soon(sql`clock_timestamp()`)}`,
  backtests: () => sql`select from backtest where status in ('queued', 'running')`,
  sweeps: () => sql`select from sweep where status in ('queued', 'running')`,
  imports: () => sql`select from history_import where status in ('queued', 'running')`,
} satisfies Record<string, (now: RawBuilder<unknown>) => RawBuilder<unknown>>;
type Sight = keyof typeof WORK_QUERIES;

/** Kinds of rounds, and the kinds of work that keep them awake. */
const KINDS = {
  orders: ['orders'],
  books: ['orders', 'lapsing', 'missingFills', 'positions'],
  losses: ['orders', 'positions', 'drawdowns'],
  market: ['deployments', 'orders', 'pending', 'positions'],
  shards: ['deployments', 'intents'],
  ledger: ['deployments', 'connections'],
  connections: ['connections'],
  comparing: ['orders', 'connections'],
  notifications: ['events', 'channels'],
  jobs: ['backtests', 'sweeps'],
  imports: ['imports'],
} as const satisfies Record<RoundKind, readonly Sight[]>;
const ALL = Object.keys(KINDS) as RoundKind[];

export type RoundsIdleOptions = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly log: RunnerLog;
  /** Shorter in tests. */
  readonly checkMs?: number;
  readonly awakeMs?: number;
};

/**
 * Lets the rounds of a process rest while there is no work. Any commit here, or an announcement of another process, wakes all
 * of them at once. One check, a statement, then decides which continue. An awake round runs at its own pace. Without the
 * connection for announcements none rests, nor while checks fail.
 */
export class RoundsIdleGate implements IdleGate {
  readonly #options: RoundsIdleOptions;
  readonly #log: LogOnce;
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<RoundKind, Set<() => void>>();
  #awake: ReadonlySet<RoundKind> = new Set(ALL);
  /** Counts announcements: a check that began before one does not cover it. */
  #announcements = 0;
  #isDeaf = true;
  #awakeUntilMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> = Promise.resolve();
  readonly #wake = () => this.wake();

  constructor(options: RoundsIdleOptions) {
    this.#options = options;
    this.#log = new LogOnce(options.log);
  }

  start(): void {
    const commits = committedEvents(this.#options.pool);
    commits.on('account', this.#wake);
    commits.on('work', this.#wake);
    this.#checking = this.#checkUntilStopped();
  }

  async stop(): Promise<void> {
    const commits = committedEvents(this.#options.pool);
    commits.off('account', this.#wake);
    commits.off('work', this.#wake);
    this.#stopping.abort();
    await this.#checking;
  }

  /** Wakes all rounds, because there may be work. */
  wake(): void {
    this.#announcements += 1;
    this.#awakeUntilMs = performance.now() + (this.#options.awakeMs ?? AWAKE_MS);
    if (this.#awake.size < ALL.length) this.#set(ALL);
  }

  /** Sets whether announcements of other processes can be received. */
  listens(isListening: boolean): void {
    this.#isDeaf = !isListening;
    this.wake();
  }

  isAwake(kind: RoundKind): boolean {
    return this.#awake.has(kind);
  }

  over(kind: RoundKind, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.isAwake(kind)) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(kind) ?? new Set();
    this.#waiting.set(kind, waiting.add(resolve));
    const timer = setTimeout(resolve, REST_MS);
    signal.addEventListener('abort', () => resolve(), { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      waiting.delete(resolve);
    });
  }

  #set(awake: readonly RoundKind[]): void {
    this.#awake = new Set(awake);
    for (const kind of awake) for (const resolve of this.#waiting.get(kind) ?? []) resolve();
  }

  async #checkUntilStopped(): Promise<void> {
    const { signal } = this.#stopping;
    const { log, checkMs = CHECK_MS } = this.#options;
    const subject = 'looking for work';
    while (!signal.aborted) {
      await this.#log.attempt(subject, () => withDeadline(log, subject, () => this.#check()));
      await sleep(checkMs, undefined, { signal }).catch(() => {});
    }
  }

  async #check(): Promise<void> {
    const announcements = this.#announcements;
    try {
      const seen = await this.#see();
      if (this.#isDeaf || this.#announcements !== announcements || performance.now() < this.#awakeUntilMs)
        return;
      this.#set(ALL.filter((kind) => KINDS[kind].some((sight) => seen.has(sight))));
      workChecks.publish({ awake: [...this.#awake] });
    } catch (error) {
      this.wake();
      throw error;
    }
  }

  async #see(): Promise<ReadonlySet<Sight>> {
    const { pool, clock } = this.#options;
    const db = systemDb(pool);
    const now =
      clock === databaseClock ? sql`clock_timestamp()` : sql`${(await clock(db)).toISOString()}::timestamptz`;
    const questions = Object.entries(WORK_QUERIES).map(
      ([name, query]) => sql`case when exists (${query(now)}) then ${sql.lit(name)} end`,
    );
    const { rows } = await sql<{ seen: Sight[] }>`
      select array_remove(array[${sql.join(questions)}], null) as seen`.execute(db);
    return new Set(rows[0]?.seen);
  }
}
