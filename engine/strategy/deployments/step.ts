import type { PlanEvaluator } from '../graph/run/evaluate.ts';
import type { Cancellation, Evaluation, Intent, Memory, World } from '../graph/types.ts';

/** The part of a deployment that a step depends on. */
export type SteppedDeployment = {
  readonly stepper: PlanEvaluator;
  readonly memory: Memory | null;
  /** Why the release no longer compiles; its plan then holds only its exits. */
  readonly problem: string | null;
  /** The blueprint is in error: entries halt. */
  readonly isHalted: boolean;
};

/** Result of one step of a deployment. */
export type DeploymentStep = {
  /** Null if the evaluation itself threw: then none of its results count. */
  readonly evaluation: Evaluation | null;
  readonly intents: readonly Intent[];
  readonly cancellations: readonly Cancellation[];
  /** Why the blueprint enters `error` in this step; null if it does not, or was in it before. */
  readonly failure: string | null;
};

const WHAT_NOW = 'Entries are halted, exits keep guarding. Correct the graph, then deploy it again.';

/**
 * Evaluates a deployment in a world, at the feed's clock `now`. If it fails in this step, only its reducing intents are raised.
 * Live trading and backtests both step by it. Never throws, even if `worldOf` throws.
 */
export function stepDeployment(
  deployment: SteppedDeployment,
  worldOf: () => World,
  now: number,
): DeploymentStep {
  try {
    const evaluation = deployment.stepper.step(worldOf(), deployment.memory, now);
    const failure = unlessHalted(deployment, failureOf(deployment, evaluation));
    const { intents, cancellations } = evaluation;
    return {
      evaluation,
      intents: failure === null ? intents : intents.filter(({ side }) => side === 'sell'),
      cancellations,
      failure,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = `The blueprint could not be evaluated: ${message}. ${WHAT_NOW}`;
    return { evaluation: null, intents: [], cancellations: [], failure: unlessHalted(deployment, failure) };
  }
}

function failureOf({ problem }: SteppedDeployment, { failures }: Evaluation): string | null {
  if (problem !== null) return `Its release no longer compiles: ${problem} ${WHAT_NOW}`;
  const first = failures[0];
  if (first === undefined) return null;
  const others = failures.length > 1 ? ` (${failures.length - 1} more failed)` : '';
  return `Node ${first.nodeId} failed: ${first.message}${others}. ${WHAT_NOW}`;
}

const unlessHalted = ({ isHalted }: SteppedDeployment, failure: string | null): string | null =>
  isHalted ? null : failure;
