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

const CHANGED = 'blueprint.members_changed';
const KEPT = 'blueprint.members_kept';

/**
 * Returns the next members of a list: those open now, and those that are held or have orders. One may be needed that is no
 * member: the deployment before this one bought it, or its fill came late. A member keeps its place, new ones come last. Pure.
 *
 * @param needed of the instruments of the series
 */
export function nextMembers(
  current: readonly string[],
  open: readonly string[],
  needed: ReadonlySet<string>,
): string[] {
  const kept = current.filter((tokenId) => open.includes(tokenId) || needed.has(tokenId));
  return [...new Set([...kept, ...open, ...needed])];
}

/**
 * Gives a live deployment the markets of its series that are open now, as stored. A closed one stays while the blueprint holds
 * it, or has a live order or intent of it. What stays keeps its memory, orders and approvals: the deployment continues with
 * another plan. A stop or deploy before this wins. A repeated call changes nothing. Where they cannot become what is open, the
 * members stay, and the trail says why, once a day. Returns whether the members changed.
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
    const subjectId = live.blueprint_id;
    const keep = async (reason: string) => {
      await sayKept(tx, { subjectId, deploymentId, reason, at });
      return false;
    };
    let tooMany: string | null = null;
    const after: Record<string, string[]> = { ...before };
    for (const [name, rule] of seriesIn(live.visual)) {
      const open = await readOpenMembers(tx.db, rule, nowMs);
      const own = new Set(await readMembersAmong(tx.db, rule, needed));
      const next = nextMembers(before[name] ?? [], open.ok ? open.tokenIds : [], own);
      if (next.length > LIST_MAX || (!open.ok && open.code === 'series_too_large'))
        tooMany = `“${rule.series}” has more open and held markets than the ${LIST_MAX} of a list.`;
      else if (next.length > 0) after[name] = next;
    }
    if (isDeepStrictEqual(after, before)) return tooMany === null ? false : keep(tooMany);
    const graph = withMembers(live.visual, after);
    const { needs } = compile(graph);
    const known = await findInstruments(tx.db, needs.instruments);
    const facts = [...known].map(([tokenId, { row }]) => [tokenId, instrumentFactsOf(row)] as const);
    // Too many nodes, or a market whose fee is unknown, would halt the deployment: the present members go on.
    const { plan, issues } = compile(graph, new Map(facts));
    if (plan === null) return keep(issues.find(({ severity }) => severity === 'error')?.message ?? '');
    await tx.db
      .updateTable('deployment')
      .set({
        members: JSON.stringify(after),
        token_ids: [...new Set([...needs.instruments, ...needs.traded])],
      })
      .where('account_id', '=', tx.accountId)
      .where('id', '=', deploymentId)
      .execute();
    await audit(tx, {
      action: CHANGED,
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

type Kept = {
  readonly subjectId: string;
  readonly deploymentId: string;
  readonly reason: string;
  readonly at: Date;
};

/** Repeated after this time: the search does not read the whole trail. */
const SAID_FOR_MS = 86_400_000;

/** Writes into the trail why the members stay. Unchanged, the reason is written once a day. */
async function sayKept(tx: Work, { subjectId, deploymentId, reason, at }: Kept): Promise<void> {
  const after = { deploymentId, reason };
  const last = await tx.db
    .selectFrom('audit_event')
    .select('after')
    .where('account_id', '=', tx.accountId)
    .where('subject_id', '=', subjectId)
    .where('action', 'in', [CHANGED, KEPT])
    .where('at', '>', new Date(at.getTime() - SAID_FOR_MS).toISOString())
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!isDeepStrictEqual(last?.after, after))
    await audit(tx, { action: KEPT, subjectId, before: null, after, at });
}
