import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../../db/json.ts';
import { underAccountLock } from '../../../platform/account-lock.ts';
import type { Work } from '../../../platform/context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { requireReviewedVersion } from '../../../platform/reviewed-version.ts';
import { inheritedMemory } from '../../../strategy/deployments/inherited-memory.ts';
import { lostMemory } from '../../../strategy/deployments/lost-memory.ts';
import { type ParameterValues, withParameterValues } from '../../../strategy/graph/parameter-values.ts';
import { withMembers } from '../../../strategy/graph/series-lists.ts';
import type { Memory } from '../../../strategy/graph/types.ts';
import { type BlueprintRow, readBlueprint } from '../drafts/row.ts';
import { storeEdit } from '../drafts/update.ts';
import {
  compileToRun,
  type DeployOptions,
  lockToDeploy,
  type PlanReads,
  replaceDeployment,
} from './deploy.ts';

/** A graph to run in place of the present one, with these values of its parameters. Undefined is the stored graph. */
export type Replacement = { visual: Json | undefined; parameters: ParameterValues };

/** @property basis the version of the stored graph that it was made from; undefined for a graph that was sent */
export type CompiledReplacement = PlanReads & { visual: Json; basis: number | undefined };

/**
 * Compiles the graph that is to replace a blueprint's. It takes long, because venues are asked, and changes nothing.
 *
 * @throws DomainError `not_found`, `precondition_failed`, `blueprint_invalid`, `validation_failed` for unknown parameters.
 */
export async function compileReplacement(
  work: Work,
  id: string,
  { visual: sent, parameters }: Replacement,
  options: DeployOptions,
): Promise<CompiledReplacement> {
  const stored = await readBlueprint(work, id);
  requireReviewedVersion(stored.version, options.reviewedVersion);
  const visual = withParameterValues(sent === undefined ? stored.visual : sent, parameters);
  const reads = await compileToRun(work, { id, visual }, options);
  return { ...reads, visual, basis: sent === undefined ? stored.version : undefined };
}

/**
 * Stores a compiled graph and runs it as the next release, in one transaction: at each instant one deployment guards the
 * positions of the blueprint. A blueprint that runs this graph already keeps its deployment. The next deployment continues the
 * actions of the last one: see `inheritedMemory`. A graph that would lose their memory is refused: see `lostMemory`.
 *
 * @throws DomainError `not_found`, `precondition_failed`, `quota_exceeded`, `invalid_state`, and those of a deploy.
 */
export async function redeployCompiled(
  work: Work,
  id: string,
  { visual, basis, name, ...reads }: CompiledReplacement & { name?: string | undefined },
  options: DeployOptions,
): Promise<BlueprintRow> {
  return underAccountLock(work, async (tx, at) => {
    const locked = await lockToDeploy(tx, at, id, {
      ...options,
      reviewedVersion: options.reviewedVersion ?? basis,
    });
    const before = await readBlueprint(tx, id);
    const isSameGraph = isDeepStrictEqual(before.visual, visual);
    const isRenamed = name !== undefined && name !== before.name;
    const replaced = await readMemory(tx, before.deployment_id);
    const graph = withMembers(visual, reads.members);
    const [lost] = isSameGraph ? [] : lostMemory(replaced, graph);
    if (lost !== undefined) throw new DomainError('invalid_state', lost.message);
    const row =
      isSameGraph && !isRenamed
        ? before
        : await storeEdit(tx, locked, { name, ...(!isSameGraph && { visual }) }, at);
    if (isSameGraph && before.status === 'running') return row;
    const memory = inheritedMemory(replaced, graph);
    return replaceDeployment(tx, at, row, { ...reads, memory }, options);
  });
}

/** Reads the memory of a blueprint's deployment; null without one, after its end, or before its first evaluation. */
export async function readMemory(
  { db, accountId }: Work,
  deploymentId: string | null,
): Promise<Memory | null> {
  if (deploymentId === null) return null;
  const stored = await db
    .selectFrom('deployment_state as state')
    .innerJoin('deployment as d', (join) =>
      join.onRef('d.account_id', '=', 'state.account_id').onRef('d.id', '=', 'state.deployment_id'),
    )
    .select('state.memory')
    .where('state.account_id', '=', accountId)
    .where('state.deployment_id', '=', deploymentId)
    .where('d.ended_at', 'is', null)
    .executeTakeFirst();
  return (stored?.memory ?? null) as Memory | null;
}
