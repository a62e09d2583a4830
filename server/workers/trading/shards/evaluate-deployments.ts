import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { booksName } from '../../../../engine/platform/context.ts';
import { nodeOrdersOf, unfilledBuyUnitsOf } from '../../../../engine/strategy/deployments/node-orders.ts';
import { stepDeployment } from '../../../../engine/strategy/deployments/step.ts';
import { PlanEvaluator } from '../../../../engine/strategy/graph/run/evaluate.ts';
import type {
  AccountFacts,
  Cancellation,
  Evaluation,
  Intent,
  Notification,
  SignalArrival,
} from '../../../../engine/strategy/graph/types.ts';
import type { MarketView } from '../market/market-view.ts';
import { decideWhatToStore } from './decide-what-to-store.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';
import type { DeploymentStepChange } from './store-tick.ts';

/** Requests and timers of the process get their turn after this much evaluation. */
const SLICE_MS = 10;

/** The result of one deployment's evaluation. */
export type EvaluationOutcome = {
  deployment: DeploymentInMemory;
  /** Null if the evaluation threw: then none of it is stored. */
  evaluation: Pick<Evaluation, 'memory' | 'signature'> | null;
  /** The change for the database; null if there is none. */
  change: DeploymentStepChange | null;
  intents: readonly Intent[];
  cancellations: readonly Cancellation[];
  notifications: readonly Notification[];
  /** Why the blueprint is in error from now on; null if it is not, or was before. */
  failure: string | null;
};

/** The part of the market view that an evaluation reads. */
export type SeenMarkets = Pick<MarketView, 'want' | 'worldFor'> & {
  readonly time: Pick<MarketView['time'], 'databaseNow' | 'toFeed'>;
};

export type EvaluateOptions = {
  view: SeenMarkets;
  /** The feed's clock at this step. */
  now: number;
  /** Since when the shard has been ticked without a pause, on the same clock. */
  observedSince: number;
  accounts: ReadonlyMap<string, AccountFacts>;
  /** By books: the newest values of the account's signals that this mode may read. */
  signals: ReadonlyMap<string, ReadonlyMap<string, SignalArrival>>;
};

const NO_SIGNALS: ReadonlyMap<string, never> = new Map<string, never>();

/** Registers the needs of every deployment, so that the next refresh of the view fetches them. */
export function announceNeeds(deployments: readonly DeploymentInMemory[], view: MarketView): void {
  for (const { plan, memory } of deployments) {
    try {
      view.want(plan, memory);
    } catch {
      // An unreadable memory fails in its own evaluation, which reports it to the blueprint.
    }
  }
}

/** Evaluates every deployment separately: an error in one does not affect the others. */
export async function evaluateDeployments(
  deployments: readonly DeploymentInMemory[],
  options: EvaluateOptions,
): Promise<EvaluationOutcome[]> {
  const outcomes: EvaluationOutcome[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const deployment of deployments) {
    outcomes.push(evaluateOne(deployment, options));
    if (performance.now() < sliceEndMs) continue;
    await yieldToEventLoop();
    sliceEndMs = performance.now() + SLICE_MS;
  }
  return outcomes;
}

function evaluateOne(deployment: DeploymentInMemory, options: EvaluateOptions): EvaluationOutcome {
  const { view, now, observedSince, accounts, signals } = options;
  const { plan, memory } = deployment;
  const { evaluation, intents, cancellations, failure } = stepDeployment(
    { ...deployment, stepper: stepperOf(deployment) },
    () => {
      const isCovered = view.want(plan, memory);
      const { time } = view;
      return {
        ...view.worldFor(plan, memory, isCovered),
        account: accounts.get(booksName(deployment)) ?? null,
        signals: signals.get(booksName(deployment)) ?? NO_SIGNALS,
        positions: deployment.positions,
        buying: unfilledBuyUnitsOf(deployment.buying, deployment),
        orders: nodeOrdersOf(deployment, { nowMs: time.databaseNow(), toFeed: (ms) => time.toFeed(ms) }),
        isHalted: deployment.isHalted,
        observedSince,
      };
    },
    now,
  );
  if (evaluation === null)
    return { deployment, evaluation, change: null, intents, cancellations, notifications: [], failure };
  const { memory: next, signature, notifications } = evaluation;
  return {
    deployment,
    evaluation: { memory: next, signature },
    change: changeOf(deployment, evaluation, intents),
    intents,
    cancellations,
    notifications,
    failure,
  };
}

/** Returns the stepper of the exits alone if only they are left. */
function stepperOf(deployment: DeploymentInMemory): PlanEvaluator {
  if (deployment.stepper.plan !== deployment.plan) deployment.stepper = new PlanEvaluator(deployment.plan);
  return deployment.stepper;
}

function changeOf(
  deployment: DeploymentInMemory,
  evaluation: Evaluation,
  intents: readonly Intent[],
): DeploymentStepChange | null {
  const write = decideWhatToStore(deployment, evaluation, performance.now());
  if (!write.memory && !write.nodeStates && intents.length === 0) return null;
  return {
    accountId: deployment.accountId,
    deploymentId: deployment.id,
    memory: write.memory ? JSON.stringify(evaluation.memory) : null,
    nodeStates: write.nodeStates ? JSON.stringify(evaluation.nodeStates) : null,
    intents,
  };
}
