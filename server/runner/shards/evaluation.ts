import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { nameOf } from '../../../engine/context.ts';
import { Stepper } from '../../../engine/graph/run/evaluate.ts';
import type { AccountFacts, Evaluation, Intent, Notification } from '../../../engine/graph/types.ts';
import type { MarketView } from '../market/market-view.ts';
import { buyingOf, type FencedDeployment, nodeOrdersOf } from './deployment.ts';
import type { Change } from './store.ts';
import { whatToStore } from './what-to-store.ts';

/** Requests and timers of the process get their turn after this much evaluating. */
const SLICE_MS = 10;

/** What one deployment's evaluation says there is to do. */
export type Outcome = {
  deployment: FencedDeployment;
  /** Null where the evaluation itself threw: then nothing of it is stored. */
  evaluation: Pick<Evaluation, 'memory' | 'signature'> | null;
  /** What goes to the database; null if nothing does. */
  change: Change | null;
  intents: readonly Intent[];
  notifications: readonly Notification[];
  /** Why the blueprint is in error from now on; null if it is not, or was before. */
  failure: string | null;
};

export type EvaluateOptions = {
  view: MarketView;
  /** The feed's clock at this step. */
  now: number;
  /** Since when the shard has been ticked without a pause, on the same clock. */
  observedSince: number;
  accounts: ReadonlyMap<string, AccountFacts>;
};

/** Says what every deployment will read, so that the next refresh of the view fetches it. */
export function announceNeeds(deployments: readonly FencedDeployment[], view: MarketView): void {
  for (const { plan, memory } of deployments) {
    try {
      view.want(plan, memory);
    } catch {
      // A memory that cannot be read fails its own evaluation, where the blueprint is told.
    }
  }
}

/** Evaluates every deployment by itself: what one of them throws is its own affair. */
export async function evaluateAll(
  deployments: readonly FencedDeployment[],
  options: EvaluateOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const deployment of deployments) {
    outcomes.push(evaluateOne(deployment, options));
    if (performance.now() < sliceEndMs) continue;
    await yieldToEventLoop();
    sliceEndMs = performance.now() + SLICE_MS;
  }
  return outcomes;
}

function evaluateOne(deployment: FencedDeployment, options: EvaluateOptions): Outcome {
  const { view, now, observedSince, accounts } = options;
  const { plan, memory } = deployment;
  try {
    const isCovered = view.want(plan, memory);
    const evaluation = stepperOf(deployment).step(
      {
        ...view.worldFor(plan, memory, isCovered),
        account: accounts.get(nameOf(deployment)) ?? null,
        positions: deployment.positions,
        buying: buyingOf(deployment),
        orders: nodeOrdersOf(deployment, view.time),
        isHalted: deployment.isHalted,
        observedSince,
      },
      memory,
      now,
    );
    return judge(deployment, evaluation);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = `The blueprint could not be evaluated: ${message}. ${WHAT_NOW}`;
    return {
      deployment,
      evaluation: null,
      change: null,
      intents: [],
      notifications: [],
      failure: unlessHalted(deployment, failure),
    };
  }
}

/** A deployment of which only the exits are left goes on with another plan. */
function stepperOf(deployment: FencedDeployment): Stepper {
  if (deployment.stepper.plan !== deployment.plan) deployment.stepper = new Stepper(deployment.plan);
  return deployment.stepper;
}

/** A blueprint that fails in this very step keeps what reduces and raises nothing else. */
function judge(deployment: FencedDeployment, evaluation: Evaluation): Outcome {
  const { memory, signature, notifications } = evaluation;
  const failure = unlessHalted(deployment, failureOf(deployment, evaluation));
  const intents =
    failure === null ? evaluation.intents : evaluation.intents.filter(({ side }) => side === 'sell');
  return {
    deployment,
    evaluation: { memory, signature },
    change: changeOf(deployment, evaluation, intents),
    intents,
    notifications,
    failure,
  };
}

function changeOf(
  deployment: FencedDeployment,
  evaluation: Evaluation,
  intents: readonly Intent[],
): Change | null {
  const write = whatToStore(deployment, evaluation, performance.now());
  if (!write.memory && !write.nodeStates && intents.length === 0) return null;
  return {
    accountId: deployment.accountId,
    deploymentId: deployment.id,
    memory: write.memory ? JSON.stringify(evaluation.memory) : null,
    nodeStates: write.nodeStates ? JSON.stringify(evaluation.nodeStates) : null,
    intents,
  };
}

const WHAT_NOW = 'Entries are halted, exits keep guarding. Correct the drawing, then deploy it again.';

function failureOf({ problem }: FencedDeployment, { failures: [first, ...more] }: Evaluation): string | null {
  if (problem !== null) return `Its release does not compile any more: ${problem} ${WHAT_NOW}`;
  if (first === undefined) return null;
  const others = more.length > 0 ? ` (${more.length} more failed)` : '';
  return `Node ${first.nodeId} failed: ${first.message}${others}. ${WHAT_NOW}`;
}

const unlessHalted = ({ isHalted }: FencedDeployment, failure: string | null): string | null =>
  isHalted ? null : failure;
