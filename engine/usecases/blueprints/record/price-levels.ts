import type { Work } from '../../../platform/context.ts';
import { RESERVING_STATUSES } from '../../../platform/order-states.ts';
import { parseEnabledGraph } from '../../../strategy/graph/compile/disabled-nodes.ts';
import { type ExitLevel, exitLevelsOf } from '../../../strategy/graph/nodes/actions/exit.ts';
import { type Members, withMembers } from '../../../strategy/graph/series-lists.ts';
import type { Memory } from '../../../strategy/graph/types.ts';
import { readHeldPositions } from '../../../trading/orders/read/held-positions.ts';
import { deploymentsWithGraph } from '../releases/deployments-with-graph.ts';

/** A price that matters while a position is open: its average cost, a barrier of an exit, or a resting order of a target. */
export type PriceLevel = {
  readonly tokenId: string;
  readonly kind: 'entry' | 'target' | ExitLevel['kind'];
  readonly price: number;
};

/** Reads the price levels of a blueprint's open positions. Without a deployment, only their average costs. */
export async function readPriceLevels(work: Work, blueprintId: string): Promise<PriceLevel[]> {
  const { db, accountId, mode } = work;
  const held = await readHeldPositions(db, [{ accountId, mode }], await work.clock(db));
  const positions = new Map(
    held.filter((each) => each.blueprintId === blueprintId).map((each) => [each.tokenId, each.position]),
  );
  if (positions.size === 0) return [];
  const entries = [...positions].map(
    ([tokenId, { averageCost }]): PriceLevel => ({ tokenId, kind: 'entry', price: Number(averageCost) }),
  );
  const running = await readRunning(work, blueprintId);
  if (running === undefined) return entries;
  const memory = running.memory as Memory | null;
  const { nodes } = parseEnabledGraph(withMembers(running.visual, running.members as Members));
  const exits = nodes
    .filter(({ type }) => type === 'exit')
    .flatMap(({ id, config }) => exitLevelsOf(config, positions, memory?.nodes[id]));
  const targets = nodes.filter(({ type }) => type === 'target').map(({ id }) => id);
  return [...entries, ...exits, ...(await restingSells(work, running.id, targets))];
}

const readRunning = (work: Work, blueprintId: string) =>
  deploymentsWithGraph(work)
    .innerJoin('deployment_state as s', (join) =>
      join.onRef('s.account_id', '=', 'd.account_id').onRef('s.deployment_id', '=', 'd.id'),
    )
    .select(['d.id', 'd.members', 'b.visual', 's.memory'])
    .where('d.mode', '=', work.mode)
    .where('d.blueprint_id', '=', blueprintId)
    .where('d.ended_at', 'is', null)
    .executeTakeFirst();

async function restingSells(
  { db, accountId }: Work,
  deploymentId: string,
  nodeIds: readonly string[],
): Promise<PriceLevel[]> {
  if (nodeIds.length === 0) return [];
  const rows = await db
    .selectFrom('trade_order')
    .select(['token_id', 'limit_price'])
    .where('account_id', '=', accountId)
    .where('deployment_id', '=', deploymentId)
    .where('node_id', 'in', nodeIds)
    .where('status', 'in', RESERVING_STATUSES)
    .execute();
  return rows.map(({ token_id, limit_price }) => ({
    tokenId: token_id,
    kind: 'target',
    price: Number(limit_price),
  }));
}
