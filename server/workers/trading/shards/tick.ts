import type PQueue from 'p-queue';
import { isDataError } from '../../../../db/database-errors.ts';
import { booksName } from '../../../../engine/platform/context.ts';
import { WITHOUT_ORDER } from '../../../../engine/strategy/deployments/node-orders.ts';
import type { AccountFacts } from '../../../../engine/strategy/graph/types.ts';
import { cancelNodeOrders } from '../../../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { failDeployment } from '../../../../engine/usecases/blueprints/running/fail.ts';
import type { LogOnce } from '../../../kernel/rounds/log-once.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { type Tick, ticks } from '../../../kernel/rounds/runner-events.ts';
import type { MarketView } from '../market/market-view.ts';
import type { IntentProcessor, IntentRefusal, RequestKey } from '../orders/intents.ts';
import type { AccountSizingCache } from './account-sizing-cache.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';
import { announceNeeds, type EvaluationOutcome, evaluateDeployments } from './evaluate-deployments.ts';
import { type Lease, refreshFence, type TickMark } from './leases.ts';
import type { PlanCache } from './plans.ts';
import { readSignals } from './read-signals.ts';
import { failDeploymentWithForeignIntent, refuseForeignIntents } from './refuse-foreign-intents.ts';
import { ShardState } from './shard-state.ts';
import { hasNothingToTrade, stopSettled } from './stop-settled.ts';
import { storeNotifications } from './store-notifications.ts';
import { type DeploymentStepChange, type StoreOptions, storeTick } from './store-tick.ts';

/** Parts that all shards of a process share. */
export type SharedParts = {
  context: RunnerContext;
  view: MarketView;
  plans: PlanCache;
  accounts: AccountSizingCache;
  intentProcessor: IntentProcessor;
  /** Cancels that nodes raised, on behalf of all shards. */
  cancels: PQueue;
  log: LogOnce;
};

/** `kept`: the lease continues. `lost`: another owner has it. `idle`: there is nothing to tick. */
export type TickResult = 'stored' | 'lost' | 'idle';

type Ticked = { result: TickResult; aftermath: FollowUp };

/** The work after a stored tick, once other shards may have their turn; its intents are decided concurrently. */
export type FollowUp = () => Promise<void>;

/** Instants further apart than this are a pause: the time in between was not observed. */
const PAUSE_MS = 10_000;

/** One shard this process owns: its deployments, and one step of all of them at a time. */
export class ShardTicker {
  readonly #parts: SharedParts;
  readonly #state: ShardState;
  #lease: Lease;
  /** Whether the last write is known to have succeeded or failed. */
  #isSettled = true;
  #lastInstantMs: number;
  #observedSince = 0;
  /** Accounts whose cancels wait or run. */
  readonly #canceling = new Set<string>();

  constructor(parts: SharedParts, lease: Lease) {
    this.#parts = parts;
    this.#lease = lease;
    this.#lastInstantMs = lease.lastTickMs ?? Number.NEGATIVE_INFINITY;
    const { view, plans, context } = parts;
    this.#state = new ShardState({ db: context.db, shard: lease.shard, plans, view });
  }

  get lease(): Lease {
    return this.#lease;
  }

  /**
   * Runs one step: read, evaluate outside any transaction, store in one. Intents, failures and notifications follow from the
   * stored step. They are left to the caller, because they take accounts' locks and other shards need not wait.
   */
  tick(mark: Omit<TickMark, 'lagMs'>, feedNow: number): Promise<Ticked> {
    const { shard, fence } = this.#lease;
    const seen: Tick = {
      shard,
      fence,
      skipped: mark.skipped,
      lagMs: null,
      deployments: 0,
      stored: 0,
      raised: [],
    };
    return ticks.tracePromise(() => this.#tick(mark, feedNow, seen), seen);
  }

  async #tick(mark: Omit<TickMark, 'lagMs'>, feedNow: number, seen: Tick): Promise<Ticked> {
    const { view, context } = this.#parts;
    try {
      if (!(await this.#settle())) return { result: 'lost', aftermath: async () => {} };
      seen.fence = this.#lease.fence;
      await view.time.sync();
      const deployments = await this.#state.refresh();
      if (deployments.length === 0) return { result: 'idle', aftermath: async () => {} };
      announceNeeds(deployments, view);
      await view.refresh();
      const accounts = await this.#accountFacts(deployments, feedNow);
      const signals = await readSignals(context.db, deployments, view.time);
      if (mark.instantMs - this.#lastInstantMs > PAUSE_MS) this.#observedSince = feedNow;
      const options = { view, now: feedNow, observedSince: this.#observedSince, accounts, signals };
      const outcomes = await evaluateDeployments(deployments, options);
      const { storable, refused } = refuseForeignIntents(outcomes, this.#parts.context);
      this.#isSettled = false;
      const stored = await this.#store(storable, mark);
      this.#isSettled = true;
      if (stored === null) return { result: 'lost', aftermath: async () => {} };
      this.#lastInstantMs = mark.instantMs;
      this.#see(seen, stored, mark);
      return { result: 'stored', aftermath: () => this.#follow(stored, refused) };
    } catch (error) {
      // The result of the commit is unknown: the next tick starts from the stored state.
      this.#state.forget();
      throw error;
    }
  }

  /**
   * A commit without an answer may still arrive. State read before it would raise the same intents again, under the same fence.
   * False: the lease is lost.
   */
  async #settle(): Promise<boolean> {
    if (this.#isSettled) return true;
    const { db, leaseMs } = this.#parts.context;
    const lease = await refreshFence(db, this.#lease, leaseMs);
    if (lease === null) return false;
    this.#lease = lease;
    this.#isSettled = true;
    return true;
  }

  #see(seen: Tick, stored: readonly EvaluationOutcome[], { instantMs }: Pick<TickMark, 'instantMs'>): void {
    seen.lagMs = Date.now() - instantMs;
    seen.deployments = stored.length;
    seen.stored = changesOf(stored).length;
    if (ticks.hasSubscribers) seen.raised = stored.flatMap(requestsOf);
  }

  /** An intent ended without an order: reports it to its node, like a denial. */
  refuse({ accountId, deploymentId, nodeId, stepAt, message, at }: IntentRefusal): void {
    const deployment = this.#state.find(accountId, deploymentId);
    if (deployment === undefined) return;
    const endedAt = this.#parts.view.time.toFeed(at.getTime());
    const id = `refused ${stepAt.toISOString()}`;
    deployment.refusals = new Map([
      ...deployment.refusals,
      [nodeId, { ...WITHOUT_ORDER, id, status: 'denied', endedAt, message }],
    ]);
  }

  async #accountFacts(
    deployments: readonly DeploymentInMemory[],
    feedNow: number,
  ): Promise<Map<string, AccountFacts>> {
    const facts = new Map<string, AccountFacts>();
    for (const deployment of deployments) {
      const books = booksName(deployment);
      if (!deployment.plan.needs.account || facts.has(books)) continue;
      const eventSeq = this.#state.eventSeqOf(deployment.accountId);
      const known = await this.#parts.accounts.of(deployment, eventSeq, feedNow);
      if (known !== null) facts.set(books, known);
    }
    return facts;
  }

  /** Returns the stored outcomes; null if the lease is lost. */
  async #store(
    outcomes: readonly EvaluationOutcome[],
    mark: Omit<TickMark, 'lagMs'>,
  ): Promise<EvaluationOutcome[] | null> {
    const { context, view } = this.#parts;
    const options = {
      db: context.db,
      lease: this.#lease,
      mark: { ...mark, lagMs: Date.now() - mark.instantMs },
      leaseMs: context.leaseMs,
      now: new Date(view.time.databaseNow()),
    };
    const together = outcomes.filter(({ deployment }) => !deployment.isStoredSeparately);
    const separate = outcomes.filter(({ deployment }) => deployment.isStoredSeparately);
    try {
      if (!(await storeTick(options, changesOf(together)))) return null;
      for (const outcome of together) this.#take(outcome);
      return [...together, ...(await this.#storeOneByOne(options, separate))];
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (!(await storeTick(options, []))) return null;
      return this.#storeOneByOne(options, outcomes);
    }
  }

  /** Stores each outcome separately after the batch failed, so that only the one at fault is missing. */
  async #storeOneByOne(
    options: StoreOptions,
    outcomes: readonly EvaluationOutcome[],
  ): Promise<EvaluationOutcome[]> {
    const mark = { ...options.mark, skipped: 0 };
    const stored: EvaluationOutcome[] = [];
    for (const outcome of outcomes) {
      const { change, deployment } = outcome;
      try {
        const isStored = change === null || (await storeTick({ ...options, mark }, [change]));
        if (!isStored) return stored;
        this.#take(outcome);
        stored.push(outcome);
      } catch (error) {
        if (!isDataError(error)) throw error;
        deployment.isStoredSeparately = true;
        await this.#failStored(deployment, error);
      }
    }
    return stored;
  }

  async #failStored(deployment: DeploymentInMemory, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    this.#parts.log.failed(`deployment ${deployment.id}`, error);
    if (deployment.isHalted) return;
    const message = `Its state could not be stored: ${reason}. Entries are halted. Change the graph, then deploy it again.`;
    await failDeployment(this.#parts.context.workOf(deployment), deployment.id, message);
    deployment.isHalted = true;
  }

  /** Takes over the stored state. */
  #take({ deployment, evaluation, intents, change }: EvaluationOutcome): void {
    if (evaluation === null) return;
    deployment.memory = evaluation.memory;
    deployment.signature = evaluation.signature;
    if (change?.nodeStates != null) deployment.statesWrittenMs = performance.now();
    if (intents.length === 0) return;
    deployment.undecided = new Map([
      ...deployment.undecided,
      ...intents.map((intent) => [intent.nodeId, intent] as const),
    ]);
  }

  async #follow(
    outcomes: readonly EvaluationOutcome[],
    refused: readonly DeploymentInMemory[],
  ): Promise<void> {
    const { context, intentProcessor, view, log } = this.#parts;
    for (const deployment of refused)
      await log.attempt(`deployment ${deployment.id}`, () =>
        failDeploymentWithForeignIntent(context, deployment),
      );
    // Both run in the background: the next tick knows the undecided intents, and a slow decision delays no tick.
    void intentProcessor.decide(outcomes.flatMap(requestsOf));
    this.#cancelSoon(outcomes);
    for (const { deployment, evaluation, failure } of outcomes) {
      // Nearly all of them: a task for each would take a good part of a large tick.
      if (failure === null && evaluation !== null) {
        log.recovered(`deployment ${deployment.id}`);
        continue;
      }
      await log.attempt(`deployment ${deployment.id}`, async () => {
        if (failure !== null) await this.#fail(deployment, failure);
        if (evaluation === null) await this.#keepExits(deployment);
      });
    }
    await storeNotifications(context, outcomes.flatMap(notesOf));
    for (const { deployment } of outcomes) {
      if (hasNothingToTrade(deployment, view.instruments.settled)) await stopSettled(context, deployment);
    }
    const changed = new Set(changesOf(outcomes).map(({ accountId }) => accountId));
    if (changed.size > 0) context.onChange([...changed]);
  }

  /**
   * Requests cancels, one account's in one task: while its lock is taken the other tasks serve the others. Cancels that fail, or
   * come while earlier ones of the account wait, are raised again by a later step.
   */
  #cancelSoon(outcomes: readonly EvaluationOutcome[]): void {
    const { context, cancels, log } = this.#parts;
    const raising = outcomes.filter(({ cancellations }) => cancellations.length > 0);
    for (const [accountId, own] of Map.groupBy(raising, ({ deployment }) => deployment.accountId)) {
      if (this.#canceling.has(accountId)) continue;
      this.#canceling.add(accountId);
      const cancelAll = async () => {
        for (const { deployment, cancellations } of own)
          await log.attempt(`cancels of deployment ${deployment.id}`, () =>
            cancelNodeOrders(context.workOf(deployment), deployment.blueprintId, cancellations),
          );
      };
      void cancels.add(cancelAll).finally(() => this.#canceling.delete(accountId));
    }
  }

  /** If the whole plan cannot be evaluated, its exits still guard the positions. */
  async #keepExits(deployment: DeploymentInMemory): Promise<void> {
    if (deployment.isExitsOnly) return;
    deployment.plan = await this.#parts.plans.exitsOf(deployment);
    deployment.memory = null;
    deployment.isExitsOnly = true;
  }

  async #fail(deployment: DeploymentInMemory, failure: string): Promise<void> {
    const { context } = this.#parts;
    context.log.warn({ deployment: deployment.id, failure }, 'a blueprint is in error');
    await failDeployment(context.workOf(deployment), deployment.id, failure);
    deployment.isHalted = true;
  }
}

const changesOf = (outcomes: readonly EvaluationOutcome[]): DeploymentStepChange[] =>
  outcomes.flatMap(({ change }) => (change === null ? [] : [change]));

const requestsOf = ({ deployment: { accountId, mode, id }, intents }: EvaluationOutcome): RequestKey[] =>
  intents.map(({ nodeId, stepAt }) => ({
    accountId,
    mode,
    deploymentId: id,
    nodeId,
    stepAt: new Date(stepAt),
  }));

const notesOf = ({ deployment: { accountId, mode, id, blueprintId }, notifications }: EvaluationOutcome) =>
  notifications.map((note) => ({ ...note, accountId, mode, blueprintId, deploymentId: id }));
