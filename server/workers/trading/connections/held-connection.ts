import type { Db } from '../../../../db/tables.ts';
import type { ConnectionState } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../../engine/platform/context.ts';
import {
  applyBreakerFinding,
  changeBy,
} from '../../../../engine/trading/connections/apply-breaker-finding.ts';
import type { StoredBreakerFacts } from '../../../../engine/trading/connections/breaker-facts.ts';
import { breakerFindingOf, worstFinding } from '../../../../engine/trading/connections/breakers.ts';
import {
  cancelUntilNoneOpen,
  readArrivingUntil,
} from '../../../../engine/trading/connections/cancel-until-none-open.ts';
import { ConnectionHealth } from '../../../../engine/trading/connections/connection-health.ts';
import { CredentialError } from '../../../../engine/trading/connections/credentials/credential-error.ts';
import { isReconciled } from '../../../../engine/trading/connections/is-reconciled.ts';
import { recordCancelAllResult } from '../../../../engine/trading/connections/kill-switch.ts';
import type { ConnectionLease } from '../../../../engine/trading/connections/lease.ts';
import type { ConnectionRow } from '../../../../engine/trading/connections/row.ts';
import { type Finding, mayCancel } from '../../../../engine/trading/connections/states.ts';
import { isVenuePause } from '../../../../engine/trading/connections/venue-pause.ts';
import { applyVenueEvent } from '../../../../engine/trading/orders/execution/venue-events.ts';
import { dueParts, RECONCILIATION_PARTS } from '../../../../engine/trading/reconciliation/due-parts.ts';
import { readDifferencesFinding } from '../../../../engine/trading/reconciliation/evaluate-differences.ts';
import { readPartsDone } from '../../../../engine/trading/reconciliation/progress.ts';
import { reconcileConnection } from '../../../../engine/trading/reconciliation/reconcile.ts';
import type { Broker, VenueEvent } from '../../../../venues/broker.ts';
import { VENUES } from '../../../../venues/catalogue.ts';
import { VenueError } from '../../../../venues/errors.ts';
import type { MarketData } from '../../../../venues/port.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerLog } from '../../../kernel/rounds/options.ts';
import { withDeadline } from '../../../kernel/rounds/with-deadline.ts';
import { checkConnection, checkResultColumns } from './check-connection.ts';
import { DirectoryClaims } from './directory-claims.ts';
import { dryRunOrder, reservedTakerRate } from './dry-run-order.ts';
import type { ConnectionIntervals } from './intervals.ts';

/** Lifetime of an opened signer; after it, the signer is built again from the sealed credentials. */
const OPEN_FOR_MS = 5 * 60_000;
const CHECK_EVERY_MS = 5 * 60_000;
/** A failed check may be temporary: interval until the next one. */
const CHECK_AGAIN_MS = 30_000;
/** After this number of missed heartbeats the venue may have canceled open orders. */
const HEARTBEATS_MISSED = 2;

type CheckKind = 'checks' | 'breakers';
type Columns = Parameters<typeof applyBreakerFinding>[3];

export type HeldOptions = {
  readonly lease: ConnectionLease;
  readonly work: Work;
  /** For all accounts. */
  readonly db: Db;
  /** The database of cell 0, for all accounts; null: its address is not set. */
  readonly directory: Db | null;
  readonly market: Pick<MarketData, 'instrument' | 'quotes'>;
  readonly open: (row: ConnectionRow, more?: { usesWrongKey: boolean }) => Promise<Broker>;
  readonly now: () => Date;
  readonly log: RunnerLog;
  readonly failures: LogOnce;
  readonly paces: ConnectionIntervals;
};

type Opened = {
  readonly broker: Broker;
  readonly version: number;
  readonly atMs: number;
  readonly stream: { stop(): Promise<void> } | null;
};

/** One connection while this process holds its lease: opened, checked, subscribed, reconciled, and released. */
export class HeldConnection {
  readonly lease: ConnectionLease;
  readonly #options: HeldOptions;
  readonly #claims: DirectoryClaims;
  readonly #jobs = new Map<string, Promise<void>>();
  readonly #restUntilMs = new Map<string, number>();
  readonly #doneAtMs = new Map<string, number>();
  #untilMs: number;
  #isStopped = false;
  #opened: Opened | null = null;
  #isStreamUp = false;
  #heartbeatAtMs: number | null = null;
  /** The venue must have been reconciled since then: no buys before, because events may have been missed. */
  #comparedFrom: Date;
  #health: ConnectionHealth;
  /** The last finding of each check. */
  readonly #found: Record<CheckKind, Finding | null> = { checks: null, breakers: null };
  /** Events in the order of arrival. */
  #eventQueue: Promise<void> = Promise.resolve();

  constructor(options: HeldOptions, untilMs: number) {
    this.lease = options.lease;
    this.#options = options;
    this.#claims = new DirectoryClaims(options);
    this.#untilMs = untilMs;
    this.#comparedFrom = options.now();
    this.#health = new ConnectionHealth(options.now);
  }

  /** Uses this process's own clock, so that it also works while the database does not answer. */
  get isHeld(): boolean {
    return !this.#isStopped && performance.now() < this.#untilMs;
  }

  get isOpen(): boolean {
    return this.isHeld && this.#opened !== null;
  }

  get comparedFrom(): Date {
    return this.#comparedFrom;
  }

  /** Whether its venue is temporarily closed for orders, as a check or a refused order has shown. */
  get isPaused(): boolean {
    return isVenuePause(this.#found.checks) || isVenuePause(this.#found.breakers);
  }

  /** The lease was extended until then, in process time. */
  extend(untilMs: number): void {
    this.#untilMs = untilMs;
  }

  /** Starts all due tasks, and waits for none. `neighbors`: connections to its venue that share our address. */
  startDueTasks(row: ConnectionRow, neighbors: number): void {
    if (this.#isOpenDue(row)) this.#begin('opening', () => this.#open(row));
    const opened = this.#opened;
    if (opened === null) return;
    // The result of a replaced key is not valid for the new one.
    const isCurrent = opened.version === row.credential_version;
    if (isCurrent && (row.check_requested_at !== null || this.#isDue('checking', this.#checkEveryMs)))
      this.#begin('checking', () => this.#check(row));
    const { fingerprint } = row;
    if (fingerprint !== null && this.#isDue('claiming', this.#claims.everyMs))
      this.#begin('claiming', () => this.#claims.claimAgain(row, fingerprint));
    if (row.cancel_all_requested_at !== null && mayCancel(row.state))
      this.#begin('canceling all orders', () => this.#cancelAll(row));
    if (row.fingerprint !== null && this.#isDue('comparing', this.#options.paces.compareEveryMs))
      this.#begin('comparing', () => this.#compare(row, neighbors));
    if (
      row.fingerprint !== null &&
      mayCancel(row.state) &&
      this.#isDue('beating', this.#options.paces.heartbeatEveryMs)
    )
      this.#begin('beating', () => this.#heartbeat());
  }

  /** Evaluates the known facts. While a requested check is pending, only grave findings are applied. */
  applyBreakers(row: ConnectionRow, stored: StoredBreakerFacts): void {
    if (!this.isOpen) return;
    const { now } = this.#options;
    const { checks } = this.#found;
    const since = row.resumed_at === null ? null : new Date(row.resumed_at);
    const health = this.#health.factsSince(since);
    // A key that its venue never accepted cannot become one that it no longer accepts.
    const keyRefusals = row.state === 'unverified' ? 0 : health.keyRefusals;
    this.#found.breakers = breakerFindingOf({ ...stored, ...health, keyRefusals }, now());
    const { breakers } = this.#found;
    const isGrave = breakers.kind === 'broken' || breakers.kind === 'expired';
    if (row.check_requested_at !== null && !isGrave) return;
    const together = worstFinding([checks, breakers]);
    if (together === null || changeBy(row, together) === null) return;
    // A temporary problem must not let exits out of a connection that no check has verified.
    if (row.state === 'unverified' && checks === null && !isGrave) return;
    // Confirming that it may continue takes a lock, so it is not done at every check.
    if (together.kind === 'sound' && !this.#isDue('braking', this.#options.paces.restMs)) return;
    this.#begin('braking', () => this.#apply(together, { from: row.state }));
  }

  /** Sends and receives nothing more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const opened = this.#opened;
    this.#opened = null;
    await opened?.stream?.stop();
    await Promise.allSettled(this.#jobs.values());
    await this.#eventQueue;
  }

  /** @throws Error if it is not open: its orders wait. */
  broker(): Broker {
    if (!this.isHeld || this.#opened === null)
      throw new Error(`Connection ${this.lease.connectionId} is not open here.`);
    return this.#opened.broker;
  }

  #isOpenDue({ credential_version, state }: ConnectionRow): boolean {
    if (state === 'revoked') return false;
    const opened = this.#opened;
    if (opened === null || opened.version !== credential_version) return true;
    return performance.now() - opened.atMs >= OPEN_FOR_MS;
  }

  get #checkEveryMs(): number {
    const kind = this.#found.checks?.kind;
    // Only a check shows that the venue is open again.
    return kind === 'impaired' || kind === 'unproven' || this.isPaused ? CHECK_AGAIN_MS : CHECK_EVERY_MS;
  }

  #isDue(name: string, everyMs: number): boolean {
    const doneMs = this.#doneAtMs.get(name);
    return doneMs === undefined || performance.now() - doneMs >= everyMs;
  }

  /** One of a kind at a time; a failed one pauses, and is logged once. */
  #begin(name: string, task: () => Promise<void>): void {
    const isResting = performance.now() < (this.#restUntilMs.get(name) ?? 0);
    if (this.#jobs.has(name) || isResting || !this.isHeld) return;
    const { log, failures, paces } = this.#options;
    const subject = `${name}, connection ${this.lease.connectionId}`;
    const job = withDeadline(log, subject, task)
      .then(
        () => failures.recovered(subject),
        (error: unknown) => {
          this.#restUntilMs.set(name, performance.now() + paces.restMs);
          failures.failed(subject, error);
        },
      )
      .finally(() => {
        this.#doneAtMs.set(name, performance.now());
        this.#jobs.delete(name);
      });
    this.#jobs.set(name, job);
  }

  /** The next stream is open before the last one ends, so that no event is missed between them. */
  async #open(row: ConnectionRow): Promise<void> {
    const last = this.#opened;
    const isOther = last?.version !== row.credential_version;
    // Refusals of other credentials do not apply to these.
    if (isOther) this.#health = new ConnectionHealth(this.#options.now);
    try {
      const broker = this.#health.observe(await this.#options.open(row));
      // If it fails, no buys until a reconciliation has seen the account.
      await broker.recordOpenOrders?.().catch(() => this.#missed());
      if (!this.isHeld) return;
      const stream = broker.stream?.((event) => this.#handleEvent(event)) ?? null;
      this.#opened = { broker, stream, version: row.credential_version, atMs: performance.now() };
      // Nor do findings with them, from a check that may have ended only now.
      if (isOther) {
        this.#found.checks = null;
        this.#found.breakers = null;
      }
      this.#doneAtMs.delete('checking');
    } catch (error) {
      const finding = whyNotOpened(error, row);
      this.#opened = null;
      await this.#find(finding, row);
      throw error;
    } finally {
      await last?.stream?.stop();
    }
  }

  #handleEvent(event: VenueEvent): void {
    if (!this.isHeld) return;
    if (event.kind === 'gap') {
      this.#isStreamUp = true;
      this.#missed();
    } else if (event.kind === 'unreadable') {
      this.#options.log.warn(
        { connectionId: this.lease.connectionId, about: event.about },
        'an event of a venue cannot be read',
      );
      this.#missed();
    } else {
      this.#eventQueue = this.#eventQueue
        .then(() => applyVenueEvent(this.#options.work, this.lease.connectionId, event))
        .then(
          () => undefined,
          (error: unknown) => {
            this.#options.failures.failed(`events of connection ${this.lease.connectionId}`, error);
            this.#missed();
          },
        );
    }
  }

  /** An event was missed or not understood: the lists of the venue must be read. */
  #missed(): void {
    this.#comparedFrom = this.#options.now();
  }

  async #heartbeat(): Promise<void> {
    const broker = this.broker();
    if (broker.sendHeartbeat === undefined) return;
    await broker.sendHeartbeat();
    const [lastMs, nowMs] = [this.#heartbeatAtMs, performance.now()];
    this.#heartbeatAtMs = nowMs;
    const silentMs = HEARTBEATS_MISSED * this.#options.paces.heartbeatEveryMs;
    if (lastMs !== null && nowMs - lastMs > silentMs) this.#missed();
  }

  async #check(row: ConnectionRow): Promise<void> {
    const { work, db, open, market, now } = this.#options;
    // The owner requested a check: earlier findings of the circuit breakers may be resolved.
    if (row.check_requested_at !== null) this.#found.breakers = null;
    const checked = await checkConnection({
      work,
      db,
      claim: (fingerprint) => this.#claims.claim(row, fingerprint),
      row,
      broker: this.broker(),
      spoiled: () => open(row, { usesWrongKey: true }),
      isStreamUp: () => this.#isStreamUp,
      reservedRate: () => reservedTakerRate(market),
      dryRunOrder: () => dryRunOrder(work, row.venue, this.broker(), market, now()),
      now,
    });
    await this.#find(checked.finding, row, checkResultColumns(checked, row));
  }

  async #cancelAll(row: ConnectionRow): Promise<void> {
    const { work } = this.#options;
    const { accountId } = work;
    const emptied = await cancelUntilNoneOpen({
      broker: this.broker(),
      arrivingUntil: async () =>
        readArrivingUntil(work.db, { accountId, connectionId: row.id }, await work.clock(work.db)),
    });
    await recordCancelAllResult(work, row, emptied);
    if (emptied.kind !== 'empty')
      throw new Error(`some of its orders could not be canceled: ${emptied.kind}`);
  }

  async #compare(row: ConnectionRow, neighbors: number): Promise<void> {
    const { work, now, paces } = this.#options;
    const isMissing = !isReconciled(row.reconciled_at, this.#comparedFrom);
    const parts = isMissing
      ? RECONCILIATION_PARTS
      : dueParts(await readPartsDone(work, row.id), now(), {
          isStreaming: this.#isStreamUp,
          booksEveryMs: neighbors * VENUES[row.venue].clearing.booksEveryMs,
        });
    if (parts.length > 0)
      await reconcileConnection(work, row.id, this.broker(), {
        parts,
        pauseMs: paces.rereadMs,
        isElseSound: () => this.#isElseSound,
      });
  }

  get #isElseSound(): boolean {
    return worstFinding([this.#found.checks, this.#found.breakers])?.kind === 'sound';
  }

  async #find(
    finding: Finding,
    { credential_version: version }: ConnectionRow,
    columns?: Columns,
  ): Promise<void> {
    if (this.#opened !== null && this.#opened.version !== version) return;
    this.#found.checks = finding;
    await this.#apply(worstFinding([finding, this.#found.breakers]), { version, columns });
  }

  async #apply(
    finding: Finding | null,
    { from, version, columns }: { from?: ConnectionState; version?: number; columns?: Columns | undefined },
  ): Promise<void> {
    const { work, log } = this.#options;
    const { connectionId, epoch } = this.lease;
    const of = {
      id: connectionId,
      epoch,
      books: readDifferencesFinding,
      ...(from !== undefined && { from }),
      ...(version !== undefined && { version }),
    };
    const after = await applyBreakerFinding(work, of, finding, columns);
    if (after === null || from === undefined || after.state === from) return;
    const fields = { connectionId, state: after.state, code: after.state_code };
    if (after.state === 'ready') log.info(fields, 'a connection accepts orders again');
    else log.error(fields, 'a connection was stopped automatically');
  }
}

/** Halts only a connection that has traded; one that was never ready stays in its state and shows the reason. */
function whyNotOpened(error: unknown, { state }: ConnectionRow): Finding {
  if (error instanceof CredentialError) return { kind: 'broken', code: error.code, reason: error.message };
  const reason = error instanceof VenueError ? error.message : 'It could not be opened.';
  return { kind: state === 'unverified' ? 'unproven' : 'impaired', code: 'cannot_open', reason };
}
