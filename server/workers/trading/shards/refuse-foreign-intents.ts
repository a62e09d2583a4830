/** Refuses intents that their deployment did not fire: of another deployment, or of none. */

import {
  FOREIGN_INTENT,
  type ForeignIntent,
  findForeignIntent,
} from '../../../../engine/strategy/deployments/foreign-intent.ts';
import { failDeployment } from '../../../../engine/usecases/blueprints/running/fail.ts';
import type { RunnerContext } from '../../../kernel/rounds/options.ts';
import { foreignIntents } from '../../../kernel/rounds/runner-events.ts';
import type { DeploymentInMemory } from './deployment-in-memory.ts';
import type { EvaluationOutcome } from './evaluate-deployments.ts';

/** The outcomes that may be stored, and the deployments of which none may be. */
export type CheckedOutcomes = {
  readonly storable: readonly EvaluationOutcome[];
  readonly refused: readonly DeploymentInMemory[];
};

/**
 * Sorts the outcomes of a tick by whether their own deployment fired all raised intents in this very step. Call right before
 * storing them, because memories are compared with the last stored ones.
 */
export function refuseForeignIntents(
  outcomes: readonly EvaluationOutcome[],
  { log }: Pick<RunnerContext, 'log'>,
): CheckedOutcomes {
  const storable: EvaluationOutcome[] = [];
  const refused: DeploymentInMemory[] = [];
  for (const outcome of outcomes) {
    const { deployment } = outcome;
    const found = foreignIntentIn(outcome);
    if (found !== null) report(deployment, found, log);
    deployment.foreignIntent = found ?? deployment.foreignIntent;
    if (deployment.foreignIntent === null) storable.push(outcome);
    else refused.push(deployment);
  }
  return { storable, refused };
}

function foreignIntentIn({
  deployment,
  evaluation,
  intents,
  notifications,
}: EvaluationOutcome): ForeignIntent | null {
  if (evaluation === null) return null;
  return findForeignIntent(deployment.memory, evaluation.memory, [...intents, ...notifications]);
}

function report(
  { accountId, mode, blueprintId, id }: DeploymentInMemory,
  found: ForeignIntent,
  log: RunnerContext['log'],
): void {
  log.error(
    { code: FOREIGN_INTENT, accountId, mode, blueprintId, deploymentId: id, ...found },
    'a strategy raised an intent that it did not fire: its step is not stored',
  );
  foreignIntents.publish({ accountId, mode, deploymentId: id, ...found });
}

/** Puts a deployment into error; until that is stored, none of its steps is. */
export async function failDeploymentWithForeignIntent(
  { workOf }: Pick<RunnerContext, 'workOf'>,
  deployment: DeploymentInMemory,
): Promise<void> {
  const { foreignIntent } = deployment;
  if (foreignIntent === null) return;
  await failDeployment(workOf(deployment), deployment.id, messageOf(foreignIntent), FOREIGN_INTENT);
  deployment.isHalted = true;
  deployment.foreignIntent = null;
}

const messageOf = ({ nodeId, raised, fired }: ForeignIntent): string =>
  `Node ${nodeId} raised ${raised} and fired ${fired} in one step (${FOREIGN_INTENT}): an intent is not this strategy's own. ` +
  'Nothing of the step was stored. Entries are halted, exits keep guarding. Report it to the operator, then deploy again.';
