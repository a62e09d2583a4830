/** Proves the origin of orders of graphs: each was fired by its own deployment, which counts its firings in its memory. */
import { type RawBuilder, sql } from 'kysely';
import type { Json } from '../../../db/json.ts';
import type { Db } from '../../../db/tables.ts';
import { AT_VENUE_STATUSES } from '../../platform/order-states.ts';
import { statusList } from '../../platform/sql-fragments.ts';
import type { LedgerAccount, NodeOrdersRow, Report } from '../rows.ts';

/**
 * After its memory was last stored, a deployment may go into error and continue with exits only. This is the time for that, or
 * for a restart.
 */
const UNSETTLED_MS = 60_000;

/** How often a node has fired since its memory began; null if the memory does not prove it. */
export function provenFiringsOf({ counted, isRemembered, isSettled }: NodeOrdersRow): number | null {
  if (typeof counted === 'number') return counted;
  // Exits that continue alone replace a memory in which the other nodes had a count.
  return isRemembered || isSettled ? 0 : null;
}

/** Reports nodes with orders that they did not fire, or with two live ones: an action node waits for its own. Pure. */
export function checkNodeFirings(rows: readonly NodeOrdersRow[], report: Report): void {
  for (const row of rows) {
    const { deploymentId, nodeId, orders, live } = row;
    const firings = provenFiringsOf(row);
    if (firings !== null && orders > firings)
      report(
        'deployment',
        deploymentId,
        `orders of node ${nodeId}`,
        `${firings} at most, as it fired`,
        `${orders}`,
      );
    if (live > 1) report('deployment', deploymentId, `live orders of node ${nodeId}`, '1 at most', `${live}`);
  }
}

type Row = {
  account_id: string;
  mode: LedgerAccount['mode'];
  deployment_id: string;
  node_id: string;
  orders: number;
  live: number;
  counted: Json;
  is_remembered: boolean;
  is_settled: boolean;
};

/**
 * Reads the nodes to check, of one account or of all. For a deployment in error, orders from before its memory began are left
 * out: its continuing exits begin another memory. A memory that was stored once and is invalid now counts nothing. Orders that
 * only wait for their expiry, and deployments that never stored a memory, are left out too.
 */
export async function readNodesWithOrders(
  db: Db,
  account: LedgerAccount | null,
  readAt: Date,
): Promise<NodeOrdersRow[]> {
  const only = (table: string): RawBuilder<unknown> =>
    account === null ? sql`true` : sql`${sql.ref(`${table}.account_id`)} = ${account.accountId}`;
  const inMode = account === null ? sql`true` : sql`o.mode = ${account.mode}`;
  const { rows } = await sql<Row>`
    with run as materialized (
      select s.account_id, s.deployment_id, s.memory,
        case when m.is_whole then to_timestamp((s.memory->>'startedAt')::float8 / 1000) end as began_at, s.halted,
        not s.halted and d.ended_at is null
          and s.updated_at < ${new Date(readAt.getTime() - UNSETTLED_MS)}::timestamptz as is_settled
      from deployment_state s
      join deployment d on d.account_id = s.account_id and d.id = s.deployment_id
      cross join lateral (select coalesce(jsonb_typeof(s.memory->'startedAt') = 'number'
        and jsonb_typeof(s.memory->'nodes') = 'object', false) as is_whole) m
      where ${only('s')} and (m.is_whole or not s.halted and s.updated_at > d.started_at)
    ), raised as (
      select o.account_id, o.mode, o.deployment_id, o.node_id,
        count(*) filter (where not run.halted or o.step_at >= run.began_at)::int as orders,
        count(*) filter (where o.status in ${statusList(AT_VENUE_STATUSES)}
          or (o.status in ('pending', 'queued') and o.expires_at is null))::int as live
      from trade_order o
      join run on run.account_id = o.account_id and run.deployment_id = o.deployment_id
      where ${only('o')} and ${inMode} and o.node_id is not null
      group by o.account_id, o.mode, o.deployment_id, o.node_id
    )
    select raised.*, run.memory->'nodes'->raised.node_id->'n' as counted,
      coalesce(run.memory->'nodes' ? raised.node_id, false) as is_remembered, run.is_settled
    from raised
    join run on run.account_id = raised.account_id and run.deployment_id = raised.deployment_id
    where raised.live > 1 or raised.orders > case
      when jsonb_typeof(run.memory->'nodes'->raised.node_id->'n') = 'number'
      then (run.memory->'nodes'->raised.node_id->>'n')::numeric else 0 end
    order by raised.account_id, raised.mode, raised.deployment_id, raised.node_id`.execute(db);
  return rows.map((row) => ({
    accountId: row.account_id,
    mode: row.mode,
    deploymentId: row.deployment_id,
    nodeId: row.node_id,
    orders: row.orders,
    live: row.live,
    counted: row.counted,
    isRemembered: row.is_remembered,
    isSettled: row.is_settled,
  }));
}
