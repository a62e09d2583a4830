import type { MarketData } from '../../../../venues/port.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { SAMPLE } from '../../../strategy/graph/templates/sample.ts';
import { createBlueprint } from '../drafts/create.ts';
import type { BlueprintRow } from '../drafts/row.ts';
import { compileToRun, type DeployOptions, startDeployment } from './deploy.ts';
import { exampleInstruments } from './example-instruments.ts';

/**
 * Gives an account without blueprints a small one that runs on paper, to be watched. It is made and deployed at once, under
 * the account's lock: two who ask at once get one, and where it cannot run there is none.
 *
 * @throws DomainError `invalid_state` in another mode, or where the account has a blueprint; what a deploy throws.
 */
export async function startSample(
  work: Work,
  options: DeployOptions & { market: MarketData },
): Promise<BlueprintRow> {
  if (work.mode === 'live') throw new DomainError('invalid_state', 'The sample runs on paper alone.');
  const visual = SAMPLE.visual(await exampleInstruments(options.market));
  const tokenIds = await compileToRun(work, visual, options);
  return underAccountLock(work, async (tx, at) => {
    await refuseUnlessEmpty(tx);
    const draft = await createBlueprint(tx, { name: SAMPLE.name, visual });
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
      `The account has ${known} blueprints; the sample is for an empty one.`,
    );
}
