/** Reads the work of a shard: accounts with changes, and their deployments, positions and orders. */

import { sql } from 'kysely';
import type { OrderStatus } from '../../../../db/entities/order.ts';
import type { Db } from '../../../../db/tables.ts';
import type { Mode } from '../../../../db/vocabulary.ts';
import { LIVE_STATUSES } from '../../../../engine/platform/order-states.ts';
import { statusList } from '../../../../engine/platform/sql-fragments.ts';
import type { OrderFacts, UndecidedIntent } from '../../../../engine/strategy/deployments/node-orders.ts';
import type { Members } from '../../../../engine/strategy/graph/series-lists.ts';
import type { Memory } from '../../../../engine/strategy/graph/types.ts';

/** Account, deployment and one of its nodes. */
export type NodeKey = { accountId: string; deploymentId: string; nodeId: string };
type WithOrder = NodeKey & { order: OrderFacts };
type DeploymentKey = Omit<NodeKey, 'nodeId'>;

export type AccountVersion = {
  accountId: string;
  /** Increases with every order, fill, position, deploy, stop and failure of the account. */
  eventSeq: string;
  /** Deployments that a user is watching now. */
  watched: readonly string[];
};

/**
 * Reads the accounts with live deployments in a shard, without those that move to another cell. If `eventSeq` has not
 * increased, the account is unchanged.
 *
 * Every tick calls it, so it reads no rows of other shards. As joins, accounts and states would be scanned whole: a shard's
 * share of them is too large for the planner to look each row up.
 */
export async function readAccounts(db: Db, shard: number): Promise<AccountVersion[]> {
  const { rows } = await sql<{ account_id: string; event_seq: string | null; watched: string[] | null }>`
    select d.account_id, w.watched,
      (select a.event_seq from account a where a.id = d.account_id and a.moving_to is null) as event_seq
    from (select account_id from deployment where shard = ${shard} and ended_at is null group by account_id) d
    left join (
      select account_id, array_agg(deployment_id) as watched
      from deployment_state where watched_until > statement_timestamp() group by account_id
    ) w on w.account_id = d.account_id`.execute(db);
  return rows.flatMap(({ account_id, event_seq, watched }) =>
    event_seq === null ? [] : [{ accountId: account_id, eventSeq: event_seq, watched: watched ?? [] }],
  );
}

export type DeploymentRow = {
  accountId: string;
  id: string;
  blueprintId: string;
  releaseNumber: number;
  mode: Mode;
  bodyHash: string;
  members: Members;
  isHalted: boolean;
};

export async function readDeployments(
  db: Db,
  shard: number,
  accountIds: readonly string[],
): Promise<DeploymentRow[]> {
  const { rows } = await sql<DeploymentRow>`
    select d.account_id as "accountId", d.id, d.blueprint_id as "blueprintId", d.release_number as "releaseNumber", d.mode,
      r.body_hash as "bodyHash", d.members, coalesce(s.halted, false) as "isHalted"
    from deployment d
    join release r on r.account_id = d.account_id and r.blueprint_id = d.blueprint_id and r.number = d.release_number
    left join deployment_state s on s.account_id = d.account_id and s.deployment_id = d.id
    where d.account_id = any(${accountIds}::uuid[]) and d.shard = ${shard} and d.ended_at is null
    order by d.account_id, d.id`.execute(db);
  return rows;
}

/** Names a deployment uniquely over all accounts. */
export const keyOf = ({ accountId, deploymentId }: DeploymentKey): string => `${accountId} ${deploymentId}`;

/** Reads the memories of deployments, by {@link keyOf}. */
export async function readMemories(
  db: Db,
  keys: readonly DeploymentKey[],
): Promise<Map<string, Memory | null>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<{ account_id: string; deployment_id: string; memory: Memory | null }>`
    select s.account_id, s.deployment_id, s.memory
    from unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.deploymentId)}::uuid[])
      as k(account_id, deployment_id)
    join deployment_state s on s.account_id = k.account_id and s.deployment_id = k.deployment_id`.execute(db);
  return new Map(
    rows.map((row) => [keyOf({ accountId: row.account_id, deploymentId: row.deployment_id }), row.memory]),
  );
}

/** Reads intents that wait for their decision. */
export async function readUndecided(
  db: Db,
  accountIds: readonly string[],
): Promise<(NodeKey & { intent: UndecidedIntent })[]> {
  const { rows } = await sql<NodeKey & { intent: UndecidedIntent }>`
    select account_id as "accountId", deployment_id as "deploymentId", node_id as "nodeId",
      json_build_object('side', intent->>'side', 'tokenId', intent->>'tokenId', 'amount', intent->>'amount') as intent
    from intent_request
    where account_id = any(${accountIds}::uuid[])`.execute(db);
  return rows;
}

type OrderFactsRow = {
  account_id: string;
  deployment_id: string;
  node_id: string;
  id: string;
  status: OrderStatus;
  amount: string;
  limit_price: string;
  cancel_requested_at: string | null;
  filled_amount: string;
  filled_notional: string;
  fees: string;
  ended_at: string | null;
  reason: string | null;
};

/** Reads the two newest orders of each node: the live one, if any, and the one before it. */
export async function readNodeOrders(db: Db, keys: readonly NodeKey[]): Promise<WithOrder[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<OrderFactsRow>`
    select k.account_id, k.deployment_id, k.node_id, o.*
    from unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.deploymentId)}::uuid[],
      ${keys.map((key) => key.nodeId)}::text[]) as k(account_id, deployment_id, node_id)
    cross join lateral (
      select ${orderFacts('trade_order')} from trade_order
      where account_id = k.account_id and deployment_id = k.deployment_id and node_id = k.node_id
      order by step_at desc limit 2
    ) o`.execute(db);
  return rows.map(toNodeOrder);
}

/** Deployments of a blueprint, this one included, whose orders a node may still have to wait for. */
const DEPLOYMENTS_MAX = 5;

/**
 * Reads the newest orders of each node over the last deployments of its blueprint in that mode. Its live orders are those of
 * any deployment. A node that replaces its orders raises none while an order of a replaced deployment is still being canceled.
 */
export async function readManagedNodeOrders(db: Db, keys: readonly NodeKey[]): Promise<WithOrder[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<OrderFactsRow>`
    with node as materialized (
      select k.*, own.blueprint_id, own.mode
      from unnest(${keys.map((key) => key.accountId)}::uuid[], ${keys.map((key) => key.deploymentId)}::uuid[],
        ${keys.map((key) => key.nodeId)}::text[]) as k(account_id, deployment_id, node_id)
      join deployment own on own.account_id = k.account_id and own.id = k.deployment_id
    ), recent as materialized (
      select b.*, d.id from (select distinct account_id, blueprint_id, mode from node) b cross join lateral (
        select id from deployment
        where account_id = b.account_id and blueprint_id = b.blueprint_id and mode = b.mode
        order by started_at desc, id desc limit ${DEPLOYMENTS_MAX}) d
    ), seen as (
      select n.account_id, n.deployment_id, n.node_id, o.created_at, ${orderFacts('o')}
      from node n join recent r using (account_id, blueprint_id, mode) cross join lateral (
        select * from trade_order
        where account_id = n.account_id and deployment_id = r.id and node_id = n.node_id
        order by step_at desc limit 2) o
      union
      select n.account_id, n.deployment_id, n.node_id, o.created_at, ${orderFacts('o')}
      from node n join trade_order o using (account_id, blueprint_id, mode, node_id)
      where o.status in ${statusList(LIVE_STATUSES)}
    ) select * from seen order by created_at desc, id desc`.execute(db);
  return rows.map(toNodeOrder);
}

const FACTS =
  'id status amount limit_price cancel_requested_at filled_amount filled_notional fees ended_at reason';
const orderFacts = (table: string) =>
  sql.raw(FACTS.replaceAll(/\w+/g, (column) => `${table}.${column}`).replaceAll(' ', ', '));

function toNodeOrder(row: OrderFactsRow): WithOrder {
  return {
    accountId: row.account_id,
    deploymentId: row.deployment_id,
    nodeId: row.node_id,
    order: {
      id: row.id,
      status: row.status,
      amount: row.amount,
      limitPrice: row.limit_price,
      isCanceling: row.cancel_requested_at !== null,
      filledAmount: row.filled_amount,
      filledNotional: row.filled_notional,
      fees: row.fees,
      endedAtMs: row.ended_at === null ? null : Date.parse(row.ended_at),
      message: row.reason,
    },
  };
}

/**
 * Reads when the next of an account's waiting orders expires, epoch ms. From then on it reserves nothing, even before a job has
 * recorded its end.
 */
export async function readNextExpiries(
  db: Db,
  accountIds: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ account_id: string; next: string }>`
    select account_id, min(expires_at) as next from trade_order
    where account_id = any(${accountIds}::uuid[]) and expires_at > ${now}
      and status in ${statusList(LIVE_STATUSES)} and status in ('pending', 'queued')
    group by account_id`.execute(db);
  return new Map(rows.map(({ account_id, next }) => [account_id, Date.parse(next)]));
}
