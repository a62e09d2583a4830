import { sql } from 'kysely';
import { type Pool, systemDb } from '../../db/pool.ts';
import { databaseClock, openWork } from '../../engine/platform/context.ts';
import type { CancelAllResult } from '../../engine/trading/connections/cancel-until-none-open.ts';
import { recordCancelAllResult } from '../../engine/trading/connections/kill-switch.ts';
import type { ConnectionRow } from '../../engine/trading/connections/row.ts';
import { LockSession } from '../kernel/rounds/lock-session.ts';
import type { RunnerLog } from '../kernel/rounds/options.ts';
import { cancelConnectionOrders, type OpenAdminBroker } from './admin-broker.ts';

/** One watchdog at a time is active; another takes over after this time without a heartbeat. */
const LEASE_MS = 15_000;
/** By then a missing runner has let its lease of 8 s expire: 30 s since its last heartbeat. */
const UNHELD_MAX_MS = 22_000;
/** Pause before another attempt to cancel at a venue. */
const RETRY_MS = 10_000;

export type WatchdogOptions = {
  readonly pool: Pool;
  readonly adminBroker: OpenAdminBroker;
  readonly log: RunnerLog;
  /** Process time, ms. Tests pass their own. */
  readonly uptimeMs?: () => number;
};

/** A connection without a runner, since when, and the result of canceling its orders. */
type UnheldConnection = {
  readonly epoch: string;
  readonly sinceMs: number;
  triedAtMs: number;
  emptied: CancelAllResult | null;
};

/**
 * Cancels every open order at the venues of connections that no runner has held for half a minute. Otherwise they could fill
 * unobserved. Uses its own clock from when it first saw a connection without a runner. So a wrong clock elsewhere cancels no
 * order too early.
 */
export class UnheldOrdersWatchdog {
  readonly #options: WatchdogOptions;
  readonly #session: LockSession;
  readonly #unheldById = new Map<string, UnheldConnection>();

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#session = new LockSession(options.pool, 'watchdog', LEASE_MS);
  }

  /** Checks once, if this process is the active watchdog. A failure at one venue does not affect the others. */
  async check(): Promise<void> {
    if (!(await this.#session.hold())) return this.#unheldById.clear();
    const rows = await this.#unheld();
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#unheldById.keys()) if (!ids.has(id)) this.#unheldById.delete(id);
    const due = rows.filter((row) => this.#isDue(row));
    await Promise.all(due.map((row) => this.#end(row)));
  }

  stop(): Promise<void> {
    return this.#session.close();
  }

  /** Reads connections that have traded before and have no runner now. */
  #unheld(): Promise<ConnectionRow[]> {
    return systemDb(this.#options.pool)
      .selectFrom('venue_connection')
      .selectAll()
      .where('state', '!=', 'revoked')
      .where('lease_epoch', '>', '0')
      .where(sql<boolean>`(leased_until > clock_timestamp()) is not true`)
      .execute();
  }

  #isDue({ id, lease_epoch: epoch }: ConnectionRow): boolean {
    const nowMs = this.#nowMs();
    const known = this.#unheldById.get(id);
    if (known === undefined || known.epoch !== epoch) {
      const unheld = { epoch, sinceMs: nowMs, triedAtMs: Number.NEGATIVE_INFINITY, emptied: null };
      this.#unheldById.set(id, unheld);
      return false;
    }
    const isLong = nowMs - known.sinceMs >= UNHELD_MAX_MS;
    return isLong && known.emptied?.kind !== 'empty' && nowMs - known.triedAtMs >= RETRY_MS;
  }

  async #end(row: ConnectionRow): Promise<void> {
    const { pool, adminBroker, log } = this.#options;
    const unheld = this.#unheldById.get(row.id);
    if (unheld === undefined) return;
    unheld.triedAtMs = this.#nowMs();
    const emptied = await cancelConnectionOrders({ pool, adminBroker }, row);
    const isNews = emptied.kind !== unheld.emptied?.kind;
    unheld.emptied = emptied;
    if (!isNews) return;
    const fields = { connectionId: row.id, code: 'watchdog', emptied: emptied.kind };
    if (emptied.kind === 'empty')
      log.warn(fields, 'no runner holds a connection: its open orders were canceled');
    else
      log.error(
        { ...fields, ...emptied },
        'no runner holds a connection, and some of its orders could not be canceled',
      );
    await recordCancelAllResult(this.#workOf(row), row, emptied).catch((error: unknown) =>
      log.error({ ...fields, error: String(error) }, 'the result of a watchdog could not be stored'),
    );
  }

  #workOf({ account_id: accountId }: ConnectionRow) {
    return openWork(this.#options.pool, {
      accountId,
      mode: 'live',
      actor: 'watchdog',
      requestId: null,
      clock: databaseClock,
    });
  }

  #nowMs(): number {
    return (this.#options.uptimeMs ?? performance.now.bind(performance))();
  }
}
