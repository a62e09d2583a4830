import type { Json } from '../../db/json.ts';
import type { BlueprintRow } from '../blueprints/row.ts';
import { updateBlueprint } from '../blueprints/update.ts';
import type { Work } from '../context.ts';
import { DomainError, notFound } from '../errors.ts';
import { type Combination, drawingOf } from '../sweep/space.ts';
import { readSweep } from './row.ts';

/**
 * Writes the drawing of a trial as the draft of the blueprint. Never a release: what runs goes on as it was deployed.
 *
 * @throws DomainError `not_found`, `invalid_state` of a sweep without a blueprint, and what an edit throws.
 */
export async function applyTrial(
  work: Work,
  id: string,
  number: number,
  reviewedVersion?: number,
): Promise<BlueprintRow> {
  const { blueprint_id, visual, request } = await readSweep(work, id);
  const trial = await work.db
    .selectFrom('sweep_trial')
    .select('combination')
    .where('account_id', '=', work.accountId)
    .where('sweep_id', '=', id)
    .where('stage', '=', 'whole')
    .where('fold', '=', 0)
    .where('number', '=', number)
    .executeTakeFirst();
  if (trial === undefined) throw notFound();
  if (blueprint_id === null) {
    throw new DomainError(
      'invalid_state',
      'The sweep is of a drawing alone, or its blueprint is gone: there is no draft to write.',
    );
  }
  const drawing = drawingOf(visual, request.space, trial.combination as unknown as Combination);
  return updateBlueprint(work, blueprint_id, { visual: drawing as Json }, reviewedVersion);
}
