/** Rejects intents that their deployment did not fire: of another deployment, or of none. */

import {
  FOREIGN_INTENT,
  findUnfiredIntent,
  type Unfired,
} from '../../../../engine/strategy/deployments/unfired-intent.ts';
import { failDeployment } from '../../../../engine/usecases/blueprints/running/fail.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { foreignIntents } from '../../../kernel/rounds/runner-events.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';
import type { EvaluationOutcome } from './evaluate-deployments.ts';

/** The outcomes that may be stored, and the deployments of which none may be. */
export type SortedOutcomes = {
  readonly own: readonly EvaluationOutcome[];
  readonly foreign: readonly DeploymentInMemory[];
};

/**
 * Sorts the outcomes of a tick by whether their own deployment fired all raised intents in this very step. Call right before
 * storing them, because memories are compared with the last stored ones.
 */
export function separateForeignIntents(
  outcomes: readonly EvaluationOutcome[],
  { log }: Pick<RunnerContext, 'log'>,
): SortedOutcomes {
  const own: EvaluationOutcome[] = [];
  const foreign: DeploymentInMemory[] = [];
  for (const outcome of outcomes) {
    const { deployment } = outcome;
    const found = unfiredIn(outcome);
    if (found !== null) report(deployment, found, log);
    deployment.foreign = found ?? deployment.foreign;
    if (deployment.foreign === null) own.push(outcome);
    else foreign.push(deployment);
  }
  return { own, foreign };
}

function unfiredIn({ deployment, evaluation, intents, notifications }: EvaluationOutcome): Unfired | null {
  if (evaluation === null) return null;
  return findUnfiredIntent(deployment.memory, evaluation.memory, [...intents, ...notifications]);
}

function report(
  { accountId, mode, blueprintId, id }: DeploymentInMemory,
  found: Unfired,
  log: RunnerContext['log'],
): void {
  log.error(
    { code: FOREIGN_INTENT, accountId, mode, blueprintId, deploymentId: id, ...found },
    'a strategy raised an intent that it did not fire: its step is not stored',
  );
  foreignIntents.publish({ accountId, mode, deploymentId: id, ...found });
}

/** Puts a deployment into error; until that is stored, none of its steps is. */
export async function failForeignDeployment(
  { workOf }: Pick<RunnerContext, 'workOf'>,
  deployment: DeploymentInMemory,
): Promise<void> {
  const { foreign } = deployment;
  if (foreign === null) return;
  await failDeployment(workOf(deployment), deployment.id, messageOf(foreign), FOREIGN_INTENT);
  deployment.isHalted = true;
  deployment.foreign = null;
}

const messageOf = ({ nodeId, raised, fired }: Unfired): string =>
  `Node ${nodeId} raised ${raised} and fired ${fired} in one step (${FOREIGN_INTENT}): an intent is not this strategy's own. ` +
  'Nothing of the step was stored. Entries are halted, exits keep guarding. Report it to the operator, then deploy again.';
