import type { MarketData } from '../../../../venues/port.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { SAMPLE_BLUEPRINT } from '../../../strategy/graph/templates/sample-blueprint.ts';
import { createBlueprint } from '../drafts/create.ts';
import type { BlueprintRow } from '../drafts/row.ts';
import { pickTemplateInstruments } from '../template-instruments.ts';
import { compileToRun, type DeployOptions, startDeployment } from './deploy.ts';

/**
 * Gives an account without blueprints a small one that runs on paper, to be watched. It is made and deployed in one step, under
 * the account's lock. Two concurrent requests get one blueprint; if it cannot run, there is none.
 *
 * @throws DomainError `invalid_state` in another mode, or if the account has a blueprint; also the errors of a deploy.
 */
export async function startSampleBlueprint(
  work: Work,
  options: DeployOptions & { market: MarketData },
): Promise<BlueprintRow> {
  if (work.mode === 'live')
    throw new DomainError('invalid_state', 'The sample runs on paper only. Switch to paper mode.');
  const visual = SAMPLE_BLUEPRINT.visual(await pickTemplateInstruments(options.market));
  const tokenIds = await compileToRun(work, visual, options);
  return underAccountLock(work, async (tx, at) => {
    await refuseUnlessEmpty(tx);
    const draft = await createBlueprint(tx, { name: SAMPLE_BLUEPRINT.name, visual });
    const running = await startDeployment(tx, at, draft, tokenIds, options);
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
