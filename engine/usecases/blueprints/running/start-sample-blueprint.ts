import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { templateGraph } from '../../../strategy/graph/templates/graphs.ts';
import { createBlueprint } from '../drafts/create.ts';
import type { BlueprintRow } from '../drafts/row.ts';
import { compileToRun, type DeployOptions, startDeployment } from './deploy.ts';

/** The name of the blueprint that runs in a new account from its first minute: small, on paper, and soon at its limit. */
export const SAMPLE_NAME = 'Sample: small steps';

/**
 * Gives an account without blueprints a small one that runs on paper, to be watched. It is made and deployed in one step, under
 * the account's lock. Two concurrent requests get one blueprint; if it cannot run, there is none.
 *
 * @throws DomainError `invalid_state` in another mode, or if the account has a blueprint; also the errors of a deploy.
 */
export async function startSampleBlueprint(work: Work, options: DeployOptions): Promise<BlueprintRow> {
  if (work.mode === 'live')
    throw new DomainError('invalid_state', 'The sample runs on paper only. Switch to paper mode.');
  const visual = templateGraph('sample');
  const reads = await compileToRun(work, { id: null, visual }, options);
  return underAccountLock(work, async (tx, at) => {
    await refuseUnlessEmpty(tx);
    const draft = await createBlueprint(tx, { name: SAMPLE_NAME, visual });
    const running = await startDeployment(tx, at, draft, reads, options);
    if (!running) throw new Error('What was written is not what was read.');
    return running;
  });
}

async function refuseUnlessEmpty({ db, accountId }: Work): Promise<void> {
  const { blueprint_count: known } = await db
    .selectFrom('account')
    .select('blueprint_count')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (known > 0)
    throw new DomainError(
      'invalid_state',
      `The account has ${known} blueprints; the sample needs an account without any.`,
    );
}
