import { type Pool, systemDb } from '../../../../db/pool.ts';
import type { Db } from '../../../../db/tables.ts';
import { type Clock, systemWork, type Work } from '../../../../engine/platform/context.ts';
import { newId } from '../../../../engine/platform/ids.ts';
import { readBreakerFacts } from '../../../../engine/trading/connections/breaker-facts.ts';
import { readSealed } from '../../../../engine/trading/connections/credential-store.ts';
import { CredentialError } from '../../../../engine/trading/connections/credentials/credential-error.ts';
import { withOpened } from '../../../../engine/trading/connections/credentials/encryption.ts';
import type { KeyWrapper } from '../../../../engine/trading/connections/credentials/key-ring.ts';
import {
  type ConnectionLease,
  claimConnections,
  releaseConnections,
  renewConnections,
} from '../../../../engine/trading/connections/lease.ts';
import type { ConnectionRow } from '../../../../engine/trading/connections/row.ts';
import { releaseVenueAccounts } from '../../../../engine/trading/connections/venue-account-claims.ts';
import type { Brokers } from '../../../../engine/trading/orders/execution/brokers.ts';
import type { Broker } from '../../../../venues/broker.ts';
import { openBroker } from '../../../../venues/open-broker.ts';
import { ParseErrorLog } from '../../../../venues/parse-error-log.ts';
import type { MarketData } from '../../../../venues/port.ts';
import { ALWAYS_AWAKE, type IdleGate } from '../../../kernel/rounds/idle-gate.ts';
import { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { LeaseHolder, RunnerLog } from '../../../kernel/rounds/options.ts';
import { type Rounds, startRounds } from '../../../kernel/rounds/rounds.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { livePoolShares } from '../live-pool-shares.ts';
import { DecisionClock } from './decision-clock.ts';
import { DIRECTORY } from './directory-claims.ts';
import { HeldConnection } from './held-connection.ts';
import { type ConnectionIntervals, INTERVALS } from './intervals.ts';

export type ConnectionsOptions = {
  pool: Pool;
  clock: Clock;
  log: RunnerLog;
  market: Pick<MarketData, 'instrument' | 'quotes'>;
  /** Keys that open credentials; null: none can be opened. */
  keys: KeyWrapper | null;
  /** Address of the simulated venues; null: the real venues. */
  simulatorUrl: string | null;
  isLiveOn: boolean;
  /** The database of cell 0, which this closes at its end; null: its address is not set. That of `pool`, unless given. */
  directory?: Directory | null;
  /** When rounds rest; never, unless given. */
  idle?: IdleGate | undefined;
  /** Names this process on its leases, and says when it gives them away; it never does, unless given. */
  holder?: LeaseHolder | undefined;
  /** Those of the service, unless given. */
  paces?: Partial<ConnectionIntervals> | undefined;
};

type Directory = { readonly db: Db; close(): Promise<void> };

/**
 * The connections to venue accounts that this process trades through: those that no other process holds. With LIVE_TRADING off
 * it still follows, fills and cancels open orders; only buys are refused.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #owner: string;
  readonly #held = new Map<string, HeldConnection>();
  readonly #clock = new DecisionClock();
  readonly #parseErrors: ParseErrorLog;
  readonly #failures: LogOnce;
  readonly #paces: ConnectionIntervals;
  #rounds: readonly Rounds[] = [];
  #breakersAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#owner = options.holder?.id ?? newId();
    this.#paces = { ...INTERVALS, ...options.paces };
    this.#parseErrors = new ParseErrorLog(options.log);
    this.#failures = new LogOnce(options.log);
  }

  /** The brokers of these connections' orders. */
  get brokers(): Brokers {
    return {
      of: (_books, _venue, connectionId) => this.#heldBy(connectionId).broker(),
      held: {
        isLiveOn: this.#options.isLiveOn,
        ids: () =>
          [...this.#held.values()].filter(({ isOpen }) => isOpen).map(({ lease }) => lease.connectionId),
        epochOf: (id) => {
          const held = this.#held.get(id);
          return held?.isOpen ? held.lease.epoch : null;
        },
        comparedFrom: (id) => this.#held.get(id)?.comparedFrom ?? null,
        isPaused: (id) => this.#held.get(id)?.isPaused ?? false,
      },
    };
  }

  start(): void {
    const { log, idle = ALWAYS_AWAKE } = this.#options;
    const { periodMs, releaseEveryMs } = this.#paces;
    const start = (subject: string, everyMs: number, round: () => Promise<void>) =>
      startRounds(() => this.#failures.attempt(subject, () => withDeadline(log, subject, round)), everyMs, {
        idle,
        kind: 'connections',
      });
    const stores = { db: this.#db, directory: this.#directory };
    this.#rounds = [
      start('connections to venues', periodMs, () => this.#round()),
      start(`${DIRECTORY}, releases`, releaseEveryMs, () => releaseVenueAccounts(stores)),
    ];
  }

  /** Hands the connections over to other processes. */
  async stop(): Promise<void> {
    await Promise.all(this.#rounds.map((rounds) => rounds.stop()));
    await this.#giveAway();
    await this.#options.directory?.close();
  }

  async #giveAway(): Promise<void> {
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    this.#held.clear();
    await Promise.all(held.map((connection) => connection.stop()));
    await releaseConnections(
      this.#db,
      held.map(({ lease }) => lease),
    );
  }

  get #db() {
    return systemDb(this.#options.pool);
  }

  get #directory(): Db | null {
    const { directory } = this.#options;
    return directory === undefined ? this.#db : (directory?.db ?? null);
  }

  async #round(): Promise<void> {
    const requestedMs = performance.now();
    this.#clock.set(await this.#options.clock(this.#db), requestedMs);
    if (this.#options.holder?.isDraining) return this.#giveAway();
    await this.#renew();
    await this.#claim();
    const rows = await this.#read();
    const neighbors = ({ venue }: ConnectionRow) => rows.filter((row) => row.venue === venue).length;
    for (const row of rows) this.#held.get(row.id)?.startDueTasks(row, neighbors(row));
    await this.#applyBreakers(rows);
  }

  /** Applies the circuit breakers of all connections, with one statement. */
  async #applyBreakers(rows: readonly ConnectionRow[]): Promise<void> {
    if (performance.now() - this.#breakersAtMs < this.#paces.breakersEveryMs) return;
    this.#breakersAtMs = performance.now();
    const ids = rows.map(({ id }) => id);
    const facts = await readBreakerFacts(this.#db, ids, new Date(this.#clock.now()));
    for (const row of rows) {
      const stored = facts.get(row.id);
      if (stored !== undefined) this.#held.get(row.id)?.applyBreakers(row, stored);
    }
  }

  /** A connection that is no longer held ends at once: its stream, its heartbeat, its orders. */
  async #renew(): Promise<void> {
    const untilMs = performance.now() + this.#paces.leaseMs;
    const mine = [...this.#held.values()];
    const renewed = await renewConnections(
      this.#db,
      mine.map(({ lease }) => lease),
      this.#paces.leaseMs,
    );
    const renewedIds = new Set(renewed.map(({ connectionId }) => connectionId));
    for (const connection of mine) {
      const { connectionId } = connection.lease;
      if (renewedIds.has(connectionId)) connection.extend(untilMs);
      else this.#drop(connectionId, connection);
    }
  }

  #drop(id: string, connection: HeldConnection): void {
    this.#held.delete(id);
    this.#options.log.warn({ connectionId: id, code: 'lease_lost' }, 'a connection is no longer held');
    connection.stop().catch((error: unknown) => this.#failures.failed(`releasing connection ${id}`, error));
  }

  async #claim(): Promise<void> {
    const untilMs = performance.now() + this.#paces.leaseMs;
    for (const lease of await claimConnections(this.#db, this.#owner, this.#paces.leaseMs)) {
      this.#held.set(lease.connectionId, new HeldConnection(this.#heldOptions(lease), untilMs));
    }
  }

  #heldOptions(lease: ConnectionLease) {
    const { pool, clock, log, market } = this.#options;
    const work = systemWork(livePoolShares(pool).work, { accountId: lease.accountId, mode: 'live' }, clock);
    return {
      lease,
      work,
      db: this.#db,
      directory: this.#directory,
      market,
      open: (row: ConnectionRow, more?: { usesWrongKey: boolean }) => this.#open(work, row, more),
      now: () => new Date(this.#clock.now()),
      log,
      failures: this.#failures,
      paces: this.#paces,
    };
  }

  #read(): Promise<ConnectionRow[]> {
    const ids = [...this.#held.keys()];
    if (ids.length === 0) return Promise.resolve([]);
    return this.#db.selectFrom('venue_connection').selectAll().where('id', 'in', ids).execute();
  }

  async #open(work: Work, row: ConnectionRow, more: { usesWrongKey?: boolean } = {}): Promise<Broker> {
    const { keys, simulatorUrl } = this.#options;
    const { sealed, owner } = await readSealed(work.db, row);
    if (keys === null) throw CredentialError.locked(sealed.keyId);
    return withOpened(sealed, owner, keys, (plain) =>
      openBroker(row.venue, plain, {
        environment: row.environment,
        simulatorUrl,
        clock: this.#clock,
        feesOf: async (tokenId) => (await this.#options.market.instrument(tokenId))?.feeSchedule ?? null,
        parseErrors: this.#parseErrors,
        ...more,
      }),
    );
  }

  /** @throws Error if another process holds it: its orders wait for that process. */
  #heldBy(connectionId: string | null): HeldConnection {
    const held = connectionId === null ? undefined : this.#held.get(connectionId);
    if (held === undefined) throw new Error(`Connection ${connectionId} is not held here.`);
    return held;
  }
}
