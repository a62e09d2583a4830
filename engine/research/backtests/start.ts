import { sql } from 'kysely';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { requireQueueSpace } from '../../platform/jobs/queue-limit.ts';
import type { PreparedBacktest } from './prepare.ts';
import { type BacktestRow, backtestOf } from './row.ts';

/** Limit of queued backtests of one account; running ones do not count. */
export const WAITING_MAX = 10;
/** Limit of stored backtests of one account: the oldest ended and unpinned one is deleted for a new one. */
export const STORED_MAX = 200;
/** Limit of the stored bytes of graphs in one account's backtests; old ones are deleted for a new one. */
export const GRAPHS_BYTES_MAX = 16 * 1024 * 1024;

/** A new backtest, or an earlier one with the same result. */
export type StartedBacktest = { readonly row: BacktestRow; readonly reusedFrom: string | null };

/**
 * Queues a backtest. If the same was computed before, that one is returned, unless `fresh` is set.
 *
 * @throws DomainError `quota_exceeded` if too many wait, or too many are pinned to store another.
 */
export async function startBacktest(
  work: Work,
  { request, visual, name, terms }: PreparedBacktest,
  { requestHash, fresh }: { requestHash: string; fresh: boolean },
): Promise<StartedBacktest> {
  return underAccountLock(work, async (tx, now) => {
    const equal = fresh ? null : await findEqual(tx, requestHash);
    if (equal !== null) return { row: equal, reusedFrom: equal.id };
    await requireQueueSpace(tx, 'backtest', WAITING_MAX);
    await makeRoom(tx);
    await makeRoomForDrawing(tx, Buffer.byteLength(JSON.stringify(visual)));
    const row = await tx.db
      .insertInto('backtest')
      .values({
        account_id: tx.accountId,
        id: tx.newId(),
        blueprint_id: request.blueprintId,
        name,
        request: JSON.stringify(request),
        request_hash: requestHash,
        visual: JSON.stringify(visual),
        terms: JSON.stringify(terms),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: backtestOf(row), reusedFrom: null };
  });
}

async function findEqual({ db, accountId }: Work, requestHash: string): Promise<BacktestRow | null> {
  const row = await db
    .selectFrom('backtest')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('request_hash', '=', requestHash)
    .where('status', '=', 'done')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : backtestOf(row);
}

async function makeRoom({ db, accountId }: Work): Promise<void> {
  const { numAffectedRows = 0n } = await sql`
    delete from backtest where account_id = ${accountId} and id in (
      select id from backtest
      where account_id = ${accountId} and not is_pinned and status in ('done', 'failed', 'canceled')
      order by created_at, id
      limit greatest(0, (select count(*) from backtest where account_id = ${accountId}) - ${STORED_MAX - 1}))`.execute(
    db,
  );
  if (numAffectedRows > 0n) return;
  const { kept } = await db
    .selectFrom('backtest')
    .select(({ fn }) => fn.countAll<string>().as('kept'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(kept) < STORED_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `The account has ${kept} backtests of at most ${STORED_MAX}, and all are pinned. Unpin or delete one first.`,
  );
}

async function makeRoomForDrawing({ db, accountId }: Work, bytes: number): Promise<void> {
  await sql`
    with drawn as (
      select id, created_at, pg_column_size(visual) as bytes,
        not is_pinned and status in ('done', 'failed', 'canceled') as may_go
      from backtest where account_id = ${accountId}),
    oldest as (
      select id, sum(bytes) over (order by created_at, id) - bytes as bytes_before from drawn where may_go)
    delete from backtest using oldest
    where backtest.account_id = ${accountId} and backtest.id = oldest.id
      and oldest.bytes_before < (select sum(bytes) from drawn) + ${bytes} - ${GRAPHS_BYTES_MAX}`.execute(db);
  const { kept } = await db
    .selectFrom('backtest')
    .select(sql<string>`coalesce(sum(pg_column_size(visual)), 0)`.as('kept'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(kept) + bytes <= GRAPHS_BYTES_MAX) return;
  throw new DomainError(
    'quota_exceeded',
    `The graphs of the account's backtests that are pinned or not done take ${kept} bytes; this one of ${bytes} would pass ${GRAPHS_BYTES_MAX}. Unpin or delete one first.`,
  );
}
