import type { Stepper } from '../graph/run/evaluate.ts';
import type { Evaluation, Intent, Memory, World } from '../graph/types.ts';

/** A deployment as far as a step of it goes by it. */
export type SteppedDeployment = {
  readonly stepper: Stepper;
  readonly memory: Memory | null;
  /** Why the release does not compile any more; its plan is then its exits alone. */
  readonly problem: string | null;
  /** The blueprint is in error: entries halt. */
  readonly isHalted: boolean;
};

/** What one step of a deployment comes to. */
export type Step = {
  /** Null where the evaluation itself threw: then nothing of it counts. */
  readonly evaluation: Evaluation | null;
  readonly intents: readonly Intent[];
  /** Why the blueprint is in error from now on; null if it is not, or was before. */
  readonly failure: string | null;
};

const WHAT_NOW = 'Entries are halted, exits keep guarding. Correct the drawing, then deploy it again.';

/**
 * Evaluates a deployment in a world, at the feed's clock `now`. One that fails in this very step keeps what reduces and raises
 * nothing else. What live trading and a backtest step by. Never throws, nor does it where `worldOf` throws.
 */
export function stepDeployment(deployment: SteppedDeployment, worldOf: () => World, now: number): Step {
  try {
    const evaluation = deployment.stepper.step(worldOf(), deployment.memory, now);
    const failure = unlessHalted(deployment, failureOf(deployment, evaluation));
    const { intents } = evaluation;
    return {
      evaluation,
      intents: failure === null ? intents : intents.filter(({ side }) => side === 'sell'),
      failure,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = `The blueprint could not be evaluated: ${message}. ${WHAT_NOW}`;
    return { evaluation: null, intents: [], failure: unlessHalted(deployment, failure) };
  }
}

function failureOf(
  { problem }: SteppedDeployment,
  { failures: [first, ...more] }: Evaluation,
): string | null {
  if (problem !== null) return `Its release does not compile any more: ${problem} ${WHAT_NOW}`;
  if (first === undefined) return null;
  const others = more.length > 0 ? ` (${more.length} more failed)` : '';
  return `Node ${first.nodeId} failed: ${first.message}${others}. ${WHAT_NOW}`;
}

const unlessHalted = ({ isHalted }: SteppedDeployment, failure: string | null): string | null =>
  isHalted ? null : failure;
