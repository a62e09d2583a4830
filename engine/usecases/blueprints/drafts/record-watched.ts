import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';
import { type NodeValues, readBlueprint, readNodeValues } from './row.ts';

/** A read of a blueprint counts as watching for this long. During it the runner writes the blueprint's values. */
const WATCH_SEC = 60;

/** Reads the node states of a blueprint, and records that it is watched. The record is renewed after half of its time. */
export async function readStatesAndMarkWatched(work: Work, id: string): Promise<Json> {
  const row = await readBlueprint(work, id);
  if (row.status === 'running' || row.status === 'error') await recordWatched(work, row.deployment_id);
  return row.node_states;
}

/** Does the same for several blueprints at once. Missing, deleted and foreign ones are left out. */
export async function readNodeValuesAndMarkWatched(
  work: Work,
  ids: readonly string[],
): Promise<NodeValues[]> {
  const rows = await readNodeValues(work, ids);
  for (const { status, deployment_id } of rows)
    if (status === 'running' || status === 'error') await recordWatched(work, deployment_id);
  return rows;
}

/** Records that a deployment is watched. Writes at most twice a minute, however often it is called. */
export async function recordWatched(work: Work, deploymentId: string | null): Promise<void> {
  if (deploymentId === null) return;
  await work.db
    .updateTable('deployment_state')
    .set({ watched_until: sql<string>`clock_timestamp() + make_interval(secs => ${WATCH_SEC})` })
    .where('account_id', '=', work.accountId)
    .where('deployment_id', '=', deploymentId)
    .where(
      sql<boolean>`(watched_until is null or watched_until < clock_timestamp() + make_interval(secs => ${WATCH_SEC / 2}))`,
    )
    .execute();
}
