import type { Work } from '../../../platform/context.ts';
import { RELEASES_MAX } from './releases.ts';

/** Releases removed at one deploy: a deploy adds one, so the number never grows. */
const BATCH = 50;

/**
 * Deletes releases past the newest 200 that never led to an order, with their deployments. A graph without any release left is
 * deleted too. Releases with orders are history and stay. Call under the blueprint's lock.
 */
export async function pruneReleases(tx: Work, blueprintId: string, latest: number): Promise<void> {
  if (latest <= RELEASES_MAX) return;
  const { db } = tx;
  const doomed = await db
    .selectFrom('release as r')
    .select(['r.number', 'r.body_hash'])
    .where('r.account_id', '=', tx.accountId)
    .where('r.blueprint_id', '=', blueprintId)
    .where('r.number', '<=', latest - RELEASES_MAX)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('trade_order as o')
            .select('o.id')
            .whereRef('o.account_id', '=', 'r.account_id')
            .whereRef('o.blueprint_id', '=', 'r.blueprint_id')
            .whereRef('o.release_number', '=', 'r.number'),
        ),
      ),
    )
    .orderBy('r.number')
    .limit(BATCH)
    .execute();
  if (doomed.length === 0) return;
  const numbers = doomed.map(({ number }) => number);
  const deployments = db
    .selectFrom('deployment')
    .select('id')
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('release_number', 'in', numbers);
  for (const table of ['deployment_state', 'deployment_nodes'] as const)
    await db
      .deleteFrom(table)
      .where('account_id', '=', tx.accountId)
      .where('deployment_id', 'in', deployments)
      .execute();
  await db
    .deleteFrom('deployment')
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('release_number', 'in', numbers)
    .execute();
  await db
    .deleteFrom('release')
    .where('account_id', '=', tx.accountId)
    .where('blueprint_id', '=', blueprintId)
    .where('number', 'in', numbers)
    .execute();
  await db
    .deleteFrom('release_body as b')
    .where('b.account_id', '=', tx.accountId)
    .where(
      'b.hash',
      'in',
      doomed.map(({ body_hash }) => body_hash),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('release as r')
            .select('r.number')
            .whereRef('r.account_id', '=', 'b.account_id')
            .whereRef('r.body_hash', '=', 'b.hash'),
        ),
      ),
    )
    .execute();
}
