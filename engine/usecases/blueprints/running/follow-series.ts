import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { LIVE_STATUSES } from '../../../platform/order-states.ts';
import { compile } from '../../../strategy/graph/compile/compile.ts';
import { LIST_MAX } from '../../../strategy/graph/compile/parameters.ts';
import { type Members, seriesIn, withMembers } from '../../../strategy/graph/series-lists.ts';
import { readOpenMembers } from '../../series/resolve-series.ts';
import { deploymentsWithGraph } from '../releases/deployments-with-graph.ts';

/**
 * Returns the next members of a list: those open now, and of the present ones those that are held or have orders. A member
 * keeps its place, new ones come last. Null: nothing is open and nothing is needed, or it would be too many. Pure.
 */
export function nextMembers(
  current: readonly string[],
  open: readonly string[],
  needed: ReadonlySet<string>,
): string[] | null {
  const kept = current.filter((tokenId) => open.includes(tokenId) || needed.has(tokenId));
  const next = [...kept, ...open.filter((tokenId) => !kept.includes(tokenId))];
  return next.length === 0 || next.length > LIST_MAX ? null : next;
}

/**
 * Gives a live deployment the markets of its series that are open now, as stored. A closed one stays while the blueprint holds
 * it, or has a live order or intent of it. What stays keeps its memory, orders and approvals: the deployment continues with
 * another plan. A stop or deploy before this wins. A repeated call changes nothing. Returns whether the members changed.
 *
 * @param nowMs the feed's clock
 */
export async function followSeries(work: Work, deploymentId: string, nowMs: number): Promise<boolean> {
  return underAccountLock(work, async (tx, at) => {
    const live = await deploymentsWithGraph(tx)
      .innerJoin('blueprint as p', (join) =>
        join.onRef('p.account_id', '=', 'd.account_id').onRef('p.id', '=', 'd.blueprint_id'),
      )
      .select(['d.blueprint_id', 'd.members', 'b.visual', 'p.status'])
      .where('d.id', '=', deploymentId)
      .where('d.mode', '=', tx.mode)
      .where('d.ended_at', 'is', null)
      .executeTakeFirst();
    const before = live?.members as Members | undefined;
    if (live === undefined || before === null || before === undefined) return false;
    const needed = await readNeeded(tx, live.blueprint_id, deploymentId);
    const after: Record<string, string[]> = { ...before };
    for (const [name, rule] of seriesIn(live.visual)) {
      const open = await readOpenMembers(tx.db, rule, nowMs);
      const current = before[name] ?? [];
      if (!open.ok && open.code !== 'series_empty') continue;
      after[name] = nextMembers(current, open.ok ? open.tokenIds : [], needed) ?? current;
    }
    if (isDeepStrictEqual(after, before)) return false;
    const { plan, needs } = compile(withMembers(live.visual, after));
    // With more markets a graph may have too many nodes: the present ones go on.
    if (plan === null) return false;
    await tx.db
      .updateTable('deployment')
      .set({
        members: JSON.stringify(after),
        token_ids: [...new Set([...needs.instruments, ...needs.traded])],
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', deploymentId)
      .execute();
    const subjectId = live.blueprint_id;
    await audit(tx, {
      action: 'blueprint.members_changed',
      subjectId,
      before: { deploymentId, members: before },
      after: { deploymentId, members: after },
      at,
    });
    const payload = { id: subjectId, status: live.status, deploymentId };
    await recordEvents(tx, at, [{ type: 'blueprint.changed', payload }]);
    return true;
  });
}

/** Instruments that the blueprint holds, or has live orders of: pending, queued or at the venue; and undecided intents. */
async function readNeeded(tx: Work, blueprintId: string, deploymentId: string): Promise<Set<string>> {
  const { rows } = await sql<{ token_id: string }>`
    select token_id from position
      where account_id = ${tx.accountId} and mode = ${tx.mode} and blueprint_id = ${blueprintId} and amount > 0
    union select token_id from trade_order
      where account_id = ${tx.accountId} and mode = ${tx.mode} and blueprint_id = ${blueprintId}
        and status = any(${[...LIVE_STATUSES]}::text[])
    union select intent ->> 'tokenId' from intent_request
      where account_id = ${tx.accountId} and deployment_id = ${deploymentId}`.execute(tx.db);
  return new Set(rows.map(({ token_id }) => token_id));
}
