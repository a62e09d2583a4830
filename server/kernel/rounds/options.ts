import { type Pool, systemDb } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import type { Retention } from '../../../engine/history/quote-log.ts';
import { type BooksKey, type Clock, systemWork, type Work } from '../../../engine/platform/context.ts';
import { newId } from '../../../engine/platform/ids.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../../engine/trading/orders/settings.ts';
import type { MarketData } from '../../../venues/port.ts';
import { DEFAULT_RETENTION, type RetentionHours } from '../retention.ts';
import { ALWAYS_AWAKE, type IdleGate } from './idle-gate.ts';

/** The logger's methods in use; pino fits. */
export type RunnerLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type RunnerOptions = {
  pool: Pool;
  market: MarketData;
  /** The clock of decisions and quotes. Leases always use the database's own clock. */
  clock: Clock;
  log: RunnerLog;
  /** The number of leases over which running deployments are distributed. The same in every process. */
  shardCount: number;
  /** Pricing of intents, and the time limit of their approval; the defaults unless given. */
  trading?: TradingSettings;
  /** Time between two ticks of a shard, default 2,000. */
  periodMs?: number;
  /** A lease that is not renewed for this long is free for others, default 8,000. */
  leaseMs?: number;
  /** Time between two polls of a venue, default 1,000. */
  quotePeriodMs?: number;
  /** How long and how much of quotes is stored; null, unless given: none. */
  quoteLog?: Retention | null;
  /** The most bytes of imported histories; unlimited unless given. */
  historyMaxBytes?: number;
  /** Retention of temporary rows; the defaults unless given. */
  retention?: RetentionHours;
  /** Wakes order work after an order was queued or a cancel requested. */
  wakeOrders: () => void;
  /** When rounds rest; never, unless given. */
  idle?: IdleGate;
  /** Names this process on its leases, and says when it gives them away; one of its own that never does, unless given. */
  holder?: LeaseHolder;
  /** Node states or orders of these accounts changed and are committed. */
  onChange?: (accountIds: readonly string[]) => void;
};

/** A process as others see it that want leases too. */
export type LeaseHolder = { readonly id: string; readonly isDraining: boolean };

/** The options with their defaults, and two shared database handles. */
export type RunnerContext = Required<Omit<RunnerOptions, 'shardCount'>> & {
  shardCount: number;
  /** For all accounts. */
  db: Db;
  /** For an account's books, as the service itself. */
  workOf: (books: BooksKey) => Work;
};

export function contextOf(options: RunnerOptions): RunnerContext {
  const { pool, clock } = options;
  return {
    periodMs: 2_000,
    leaseMs: 8_000,
    quotePeriodMs: 1_000,
    quoteLog: null,
    historyMaxBytes: Number.POSITIVE_INFINITY,
    retention: DEFAULT_RETENTION,
    idle: ALWAYS_AWAKE,
    trading: DEFAULT_TRADING_SETTINGS,
    onChange: () => {},
    holder: { id: newId(), isDraining: false },
    ...options,
    db: systemDb(pool),
    workOf: (books) => systemWork(pool, books, clock),
  };
}
