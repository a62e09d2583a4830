import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Json } from '../../../../db/json.ts';
import type { Work } from '../../../platform/context.ts';

/** A graph in the stored form of releases, and the hash that equal ones share. */
export function releaseBodyOf(visual: Json): { body: string; hash: string } {
  const body = JSON.stringify(visual);
  return { body, hash: createHash('sha256').update(body).digest('hex') };
}

/**
 * Freezes a graph as the blueprint's next release and returns its number. Equal graphs share one body.
 * Call under the blueprint's lock, so that numbers have no gaps and no twins.
 */
export async function freezeRelease(
  tx: Work,
  blueprint: { id: string; name: string; visual: Json },
  at: Date,
): Promise<number> {
  const { db } = tx;
  const { body, hash } = releaseBodyOf(blueprint.visual);
  await db
    .insertInto('release_body')
    .values({ account_id: tx.accountId, hash, visual: blueprint.visual === null ? null : body })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { number } = await db
    .insertInto('release')
    .columns(['account_id', 'blueprint_id', 'number', 'body_hash', 'name', 'deployed_by', 'created_at'])
    .expression((select) =>
      select
        .selectFrom('release')
        .select([
          sql<string>`${tx.accountId}::uuid`.as('account_id'),
          sql<string>`${blueprint.id}::uuid`.as('blueprint_id'),
          sql<number>`coalesce(max(number), 0) + 1`.as('number'),
          sql<string>`${hash}::text`.as('body_hash'),
          sql<string>`${blueprint.name}::text`.as('name'),
          sql<string>`${tx.actor}::text`.as('deployed_by'),
          sql<string>`${at.toISOString()}::timestamptz`.as('created_at'),
        ])
        .where('account_id', '=', tx.accountId)
        .where('blueprint_id', '=', blueprint.id),
    )
    .returning('number')
    .executeTakeFirstOrThrow();
  return number;
}
