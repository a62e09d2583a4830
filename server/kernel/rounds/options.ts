import { type Pool, systemDb } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import type { Retention } from '../../../engine/history/quote-log.ts';
import { type BooksKey, type Clock, systemWork, type Work } from '../../../engine/platform/context.ts';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../../../engine/trading/orders/settings.ts';
import type { MarketData } from '../../../venues/port.ts';
import { DEFAULT_RETENTION, type RetentionHours } from '../retention.ts';
import { RESTLESS, type Rest } from './rest.ts';

/** What is needed of a logger; pino fits. */
export type RunnerLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export type RunnerOptions = {
  pool: Pool;
  market: MarketData;
  /** What decisions and quotes read the time from. Leases always go by the database's own clock. */
  clock: Clock;
  log: RunnerLog;
  /** How many leases the running deployments are spread over. The same in every process. */
  shardCount: number;
  /** How intents are priced and how long they wait for approval; the usual settings unless given. */
  trading?: TradingSettings;
  /** Time between two ticks of a shard, default 2,000. */
  periodMs?: number;
  /** A lease that is not renewed for this long is free for others, default 8,000. */
  leaseMs?: number;
  /** Time between two polls of a venue, default 1,000. */
  quotePeriodMs?: number;
  /** How long and how much of quotes is kept; null, unless given: none is. */
  quoteLog?: Retention | null;
  /** What imported histories may take; without an end unless given. */
  historyMaxBytes?: number;
  /** How long what passes is kept; the usual times unless given. */
  retention?: RetentionHours;
  /** Something was queued or asked back: the order work should look now. */
  nudgeOrders: () => void;
  /** When rounds rest; never, unless given. */
  rest?: Rest;
  /** Node states or orders of these accounts changed and are committed. */
  onChange?: (accountIds: readonly string[]) => void;
};

/** The options with their defaults, and the two handles on the database everybody needs. */
export type RunnerContext = Required<Omit<RunnerOptions, 'shardCount'>> & {
  shardCount: number;
  /** Over all accounts. */
  db: Db;
  /** On behalf of an account's books, as the service itself. */
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
    rest: RESTLESS,
    trading: DEFAULT_TRADING_SETTINGS,
    onChange: () => {},
    ...options,
    db: systemDb(pool),
    workOf: (books) => systemWork(pool, books, clock),
  };
}
