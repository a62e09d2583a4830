import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { pauseRound } from '../../kernel/rounds/idle-gate.ts';
import type { LogOnce } from '../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../kernel/rounds/options.ts';
import { withDeadline } from '../../kernel/rounds/with-deadline.ts';
import { isOneClock } from './market/feed-time-converter.ts';
import { MarketView } from './market/market-view.ts';
import { IntentProcessor } from './orders/intents.ts';
import { AccountSizingCache } from './shards/account-sizing-cache.ts';
import {
  claimFreeShards,
  ensureShards,
  extendLeases,
  type Lease,
  releaseShards,
  restShard,
  takeFromLargestOwner,
} from './shards/leases.ts';
import { PlanCache } from './shards/plans.ts';
import { type FollowUp, ShardTicker, type SharedParts } from './shards/tick.ts';
import { tickInstantAt, tickPhaseOf, ticksBetween } from './shards/tick-times.ts';

/** Free shards are looked for this many times in the life of a lease. So a dead process's work waits little longer. */
const CLAIMS_PER_LEASE = 16;
/** Leases are extended this many times in their life, in addition to every tick. */
const RENEWALS_PER_LEASE = 4;
/** Shards that evaluate or store at the same time: evaluation uses one core, storing waits for the database. */
const CONCURRENCY = 4;
/** Transactions with cancels at the same time: one that waits for its account's lock leaves others to the rest. */
const CANCELS_CONCURRENCY = 4;
/** Timers may fire this much early, which would be the previous instant. */
const TIMER_EARLY_MS = 1;

/** One process's share of the running blueprints: it claims shards, ticks them on the grid and hands them over. */
export class Runner {
  readonly #context: RunnerContext;
  readonly #parts: SharedParts;
  readonly #tickers = new Map<number, ShardTicker>();
  readonly #lanes = new PQueue({ concurrency: CONCURRENCY });
  readonly #loops = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #log: LogOnce;
  #renewedMs = Number.NEGATIVE_INFINITY;

  constructor(context: RunnerContext, log: LogOnce) {
    this.#context = context;
    this.#log = log;
    const view = new MarketView(this.#context, this.#log);
    this.#parts = {
      context: this.#context,
      view,
      plans: new PlanCache(this.#context.db, view.instruments),
      accounts: new AccountSizingCache(this.#context, this.#log),
      intentProcessor: new IntentProcessor(this.#context, this.#log, (refusal) => {
        for (const ticker of this.#tickers.values()) ticker.refuse(refusal);
      }),
      cancels: new PQueue({ concurrency: CANCELS_CONCURRENCY }),
      log: this.#log,
    };
  }

  /** Closed candles that strategies here read. */
  get candles(): MarketView['candles'] {
    return this.#parts.view.candles;
  }

  /** The shards this process has a lease on. */
  get shards(): number[] {
    return [...this.#tickers.keys()];
  }

  start(): void {
    this.#parts.intentProcessor.start();
    this.#track(this.#claimForever());
  }

  /** Starts no tick, finishes those in progress, and hands the shards over. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // Undecided intents are stored: the next process decides them.
    await Promise.all([this.#parts.intentProcessor.stop(), ...this.#loops]);
    this.#parts.cancels.clear();
    await this.#parts.cancels.onIdle();
    const leases = [...this.#tickers.values()].map(({ lease }) => lease);
    this.#tickers.clear();
    await releaseShards(this.#context.db, leases);
  }

  /**
   * Claims free shards and ticks every shard of this process once, including all that follows. For tests and tools; a started
   * runner does this automatically.
   */
  async tick(instantMs = Date.now(), feedNow = this.#context.market.now()): Promise<void> {
    await this.#ensureShards();
    for (const lease of await claimFreeShards(
      this.#context.db,
      this.#context.holder.id,
      this.#context.leaseMs,
    )) {
      this.#tickers.set(lease.shard, new ShardTicker(this.#parts, lease));
    }
    for (const ticker of [...this.#tickers.values()]) {
      await this.#tickOnce(ticker, { instantMs, skipped: 0 }, feedNow).then((aftermath) => aftermath?.());
    }
    await this.#parts.intentProcessor.idle();
    await this.#parts.cancels.onIdle();
  }

  /** Decides intents that no tick has decided. For tests and tools; a started runner does this automatically. */
  async sweep(): Promise<void> {
    await this.#parts.intentProcessor.sweep();
    await this.#parts.intentProcessor.idle();
  }

  async #claimForever(): Promise<void> {
    const { signal } = this.#stopping;
    let hasShards = false;
    while (!signal.aborted) {
      try {
        if (!hasShards) await withDeadline(this.#context.log, 'making shards', () => this.#ensureShards());
        hasShards = true;
        await withDeadline(this.#context.log, 'keeping leases', () => this.#renewLeases());
        for (const lease of await withDeadline(this.#context.log, 'claiming shards', () => this.#claim()))
          this.#own(lease);
        this.#log.recovered('shard leases');
      } catch (error) {
        this.#log.failed('shard leases', error);
      }
      const { leaseMs, idle } = this.#context;
      await pauseRound(leaseMs / CLAIMS_PER_LEASE, signal, { idle, kind: 'shards' });
    }
  }

  #ensureShards(): Promise<void> {
    return ensureShards(this.#context.db, this.#context.shardCount);
  }

  async #renewLeases(): Promise<void> {
    const { db, leaseMs } = this.#context;
    const nowMs = performance.now();
    if (nowMs - this.#renewedMs < leaseMs / RENEWALS_PER_LEASE) return;
    await extendLeases(
      db,
      [...this.#tickers.values()].map(({ lease }) => lease),
      leaseMs,
    );
    this.#renewedMs = nowMs;
  }

  async #claim(): Promise<Lease[]> {
    const { db, leaseMs, holder } = this.#context;
    if (holder.isDraining) return [];
    const free = await claimFreeShards(db, holder.id, leaseMs);
    return free.length > 0 ? free : takeFromLargestOwner(db, holder.id, leaseMs);
  }

  #own(lease: Lease): void {
    const ticker = new ShardTicker(this.#parts, lease);
    this.#tickers.set(lease.shard, ticker);
    this.#context.log.info({ shard: lease.shard }, 'took a shard');
    this.#track(this.#tickForever(ticker));
  }

  #track(loop: Promise<void>): void {
    this.#loops.add(loop);
    void loop.finally(() => this.#loops.delete(loop));
  }

  /**
   * Ticks at once, then on the grid. A tick that is longer than the period stretches it: instants are skipped, and counted like
   * those whose tick failed.
   */
  async #tickForever(ticker: ShardTicker): Promise<void> {
    const { periodMs, shardCount } = this.#context;
    const phaseMs = tickPhaseOf(ticker.lease.shard, shardCount, periodMs);
    const subject = `shard ${ticker.lease.shard}`;
    let lastMs = ticker.lease.lastTickMs;
    while (!this.#stopping.signal.aborted && this.#tickers.get(ticker.lease.shard) === ticker) {
      const instantMs = tickInstantAt(Date.now(), periodMs, phaseMs);
      const skipped = lastMs === null ? 0 : ticksBetween(lastMs, instantMs, periodMs);
      lastMs ??= instantMs - periodMs;
      try {
        const aftermath = await this.#lanes.add(() => this.#tickInTime(ticker, { instantMs, skipped }));
        lastMs = instantMs;
        await aftermath?.();
        this.#log.recovered(subject);
      } catch (error) {
        this.#log.failed(subject, error);
      }
      if (this.#context.holder.isDraining) await this.#giveAway(ticker);
      const nowMs = Date.now();
      await this.#pause(tickInstantAt(nowMs, periodMs, phaseMs) + periodMs - nowMs + TIMER_EARLY_MS);
    }
  }

  /** Gives a shard to the other processes, between two ticks. */
  async #giveAway(ticker: ShardTicker): Promise<void> {
    this.#forget(ticker);
    await withDeadline(this.#context.log, 'giving a shard away', () =>
      releaseShards(this.#context.db, [ticker.lease]),
    ).catch((error: unknown) => this.#log.failed('shard leases', error));
  }

  /** A tick that does not end loses its shard, which is then claimed again, here or elsewhere, with another fence. */
  async #tickInTime(
    ticker: ShardTicker,
    mark: { instantMs: number; skipped: number },
  ): Promise<FollowUp | null> {
    const { shard } = ticker.lease;
    return withDeadline(this.#context.log, `a tick of shard ${shard}`, async (signal) => {
      signal.addEventListener('abort', () => this.#forget(ticker), { once: true });
      return this.#tickOnce(ticker, mark, this.#feedNow(mark.instantMs));
    });
  }

  #forget(ticker: ShardTicker): void {
    if (this.#tickers.get(ticker.lease.shard) === ticker) this.#tickers.delete(ticker.lease.shard);
  }

  /** Returns the follow-up work, or null if this process no longer has the shard. */
  async #tickOnce(
    ticker: ShardTicker,
    mark: { instantMs: number; skipped: number },
    feedNow: number,
  ): Promise<FollowUp | null> {
    const { result, aftermath } = await ticker.tick(mark, feedNow);
    if (result === 'stored') return aftermath;
    const { shard } = ticker.lease;
    this.#forget(ticker);
    if (result === 'idle') await restShard(this.#context.db, ticker.lease);
    this.#context.log.info({ shard }, result === 'idle' ? 'a shard has nothing to run' : 'lost a shard');
    return null;
  }

  /** The step is the instant of the grid, unless the feed's clock differs. */
  #feedNow(instantMs: number): number {
    const feedMs = this.#context.market.now();
    return isOneClock(feedMs, instantMs) ? instantMs : feedMs;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(Math.max(0, ms), undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
