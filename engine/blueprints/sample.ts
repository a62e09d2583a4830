import type { MarketData } from '../../venues/port.ts';
import { underAccountLock } from '../account-lock.ts';
import type { Work } from '../context.ts';
import { DomainError } from '../errors.ts';
import { SAMPLE } from '../graph/templates/sample.ts';
import { createBlueprint } from './create.ts';
import { type DeployOptions, deployBlueprint } from './deploy.ts';
import { exampleInstruments } from './example-instruments.ts';
import type { BlueprintRow } from './row.ts';

/**
 * Gives an account without blueprints a small one that runs on paper, to be watched. It is made under the account's lock, so
 * that two who ask at once get one.
 *
 * @throws DomainError `invalid_state` in another mode, or where the account has a blueprint.
 */
export async function startSample(
  work: Work,
  options: DeployOptions & { market: MarketData },
): Promise<BlueprintRow> {
  if (work.mode === 'live') throw new DomainError('invalid_state', 'The sample runs on paper alone.');
  const visual = SAMPLE.visual(await exampleInstruments(options.market));
  const { id } = await underAccountLock(work, async (tx) => {
    const { blueprint_count: known } = await tx.db
      .selectFrom('account')
      .select('blueprint_count')
      .where('id', '=', tx.accountId)
      .executeTakeFirstOrThrow();
    if (known > 0)
      throw new DomainError(
        'invalid_state',
        `The account has ${known} blueprints; the sample is for an empty one.`,
      );
    return createBlueprint(tx, { name: SAMPLE.name, visual });
  });
  return deployBlueprint(work, id, options);
}
