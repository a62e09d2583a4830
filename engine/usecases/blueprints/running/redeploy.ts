import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../../db/json.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { requireReviewedVersion } from '../../../platform/reviewed-version.ts';
import { type BlueprintRow, readBlueprint } from '../drafts/row.ts';
import { storeEdit } from '../drafts/update.ts';
import { compileToRun, type DeployOptions, lockToDeploy, replaceDeployment } from './deploy.ts';

/** A graph to run in place of the present one, and a new name if there is one. */
export type Replacement = { visual: Json; name?: string | undefined };

/**
 * Compiles the graph that is to replace a blueprint's. It takes long, because venues are asked, and changes nothing.
 * Returns the instruments that its plan reads.
 *
 * @throws DomainError `not_found`, `precondition_failed`, `blueprint_invalid`.
 */
export async function compileReplacement(
  work: Work,
  id: string,
  { visual }: Replacement,
  options: DeployOptions,
): Promise<string[]> {
  const { version } = await readBlueprint(work, id);
  requireReviewedVersion(version, options.reviewedVersion);
  return compileToRun(work, visual, options);
}

/**
 * Stores a compiled graph and runs it as the next release, in one transaction: at each instant one deployment guards the
 * positions of the blueprint. A blueprint that runs this graph already keeps its deployment.
 *
 * @throws DomainError `not_found`, `precondition_failed`, `quota_exceeded`, and those of a deploy.
 */
export async function redeployCompiled(
  work: Work,
  id: string,
  { visual, name, tokenIds }: Replacement & { tokenIds: string[] },
  options: DeployOptions,
): Promise<BlueprintRow> {
  return underAccountLock(work, async (tx, at) => {
    const locked = await lockToDeploy(tx, id, options);
    const before = await readBlueprint(tx, id);
    const isSameGraph = isDeepStrictEqual(before.visual, visual);
    const isRenamed = name !== undefined && name !== before.name;
    const row =
      isSameGraph && !isRenamed
        ? before
        : await storeEdit(tx, locked, { name, ...(!isSameGraph && { visual }) }, at);
    if (isSameGraph && before.status === 'running') return row;
    return replaceDeployment(tx, at, row, tokenIds, options);
  });
}
