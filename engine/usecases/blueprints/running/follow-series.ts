import { isDeepStrictEqual } from 'node:util';
import { underAccountLock } from '../../../platform/account-lock.ts';
import { audit } from '../../../platform/audit/audit.ts';
import type { Work } from '../../../platform/context.ts';
import { recordEvents } from '../../../platform/events/events.ts';
import { compile } from '../../../strategy/graph/compile/compile.ts';
import { LIST_MAX } from '../../../strategy/graph/compile/parameters.ts';
import { instrumentFactsOf } from '../../../strategy/graph/instrument-facts.ts';
import { type Members, seriesIn, withMembers } from '../../../strategy/graph/series-lists.ts';
import { findInstruments } from '../../../trading/orders/terms/instruments.ts';
import { readMembersAmong, readOpenMembers } from '../../series/resolve-series.ts';
import { deploymentsWithGraph } from '../releases/deployments-with-graph.ts';
import { readNeededInstruments } from './needed-instruments.ts';

/**
 * Returns the next members of a list: those open now, and those that are held or have orders. One may be needed that is no
 * member: the deployment before this one bought it, or its fill came late. A member keeps its place, new ones come last. Null:
 * nothing is open and nothing is needed, or it would be too many. Pure.
 *
 * @param needed of the instruments of the series
 */
export function nextMembers(
  current: readonly string[],
  open: readonly string[],
  needed: ReadonlySet<string>,
): string[] | null {
  const kept = current.filter((tokenId) => open.includes(tokenId) || needed.has(tokenId));
  const next = [...new Set([...kept, ...open, ...needed])];
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
      .select(['d.blueprint_id', 'd.members', 'b.visual'])
      .where('d.id', '=', deploymentId)
      .where('d.mode', '=', tx.mode)
      .where('d.ended_at', 'is', null)
      .executeTakeFirst();
    const before = live?.members as Members | undefined;
    if (live === undefined || before === null || before === undefined) return false;
    const needed = await readNeededInstruments(tx, live.blueprint_id);
    const after: Record<string, string[]> = { ...before };
    for (const [name, rule] of seriesIn(live.visual)) {
      const open = await readOpenMembers(tx.db, rule, nowMs);
      const current = before[name] ?? [];
      if (!open.ok && open.code !== 'series_empty') continue;
      const own = new Set(await readMembersAmong(tx.db, rule, needed));
      after[name] = nextMembers(current, open.ok ? open.tokenIds : [], own) ?? current;
    }
    if (isDeepStrictEqual(after, before)) return false;
    const graph = withMembers(live.visual, after);
    const { needs } = compile(graph);
    const known = await findInstruments(tx.db, needs.instruments);
    const facts = [...known].map(([tokenId, { row }]) => [tokenId, instrumentFactsOf(row)] as const);
    // Too many nodes, or a market whose fee is unknown, would halt the deployment: the present members go on.
    if (compile(graph, new Map(facts)).plan === null) return false;
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
    // Without its status, which did not change: one in error would be announced as failed again.
    await recordEvents(tx, at, [{ type: 'blueprint.changed', payload: { id: subjectId, deploymentId } }]);
    return true;
  });
}
