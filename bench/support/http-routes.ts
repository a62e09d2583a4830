/** The statements of the peer and the floor of `bench/http.ts`, and how their rows become the service's answers. */

import { createHash, randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';

/** A statement, prepared under its name; the account is that of its session. */
export type Statement = { name: string; text: string; values: unknown[] };

/** The statements of one request, one transaction if it writes. The rows of the last one become the answer. */
export type Operation = {
  statements: readonly Statement[];
  isWrite: boolean;
  answer: (rows: pg.QueryResultRow[]) => unknown;
};

const ACCOUNT = `(select nullif(current_setting('app.account_id', true), '')::uuid)`;

/** Sets whose rows the session sees: the account of a live key, or no account. */
const KEY = `
  select set_config('app.account_id', coalesce(k.account_id::text, ''), false) as account,
    array_to_string(k.scopes, ' ') as scopes
  from (values (1)) one left join live_key($1) k on true`;

/** The service's query: one row more than a page, of one mode; an overdue order counts as expired. */
const ORDERS = `
  select id, blueprint_id, side, amount, created_at,
    case when status in ('pending', 'queued') and expires_at <= clock_timestamp() then 'expired' else status end as status
  from trade_order
  where account_id = ${ACCOUNT} and mode = 'paper' order by created_at desc, id desc limit 51`;

const WORTH = 'p.amount * coalesce(q.mark_price, 0)';
/** The service's query: what runs, by the mode of its deployment; holdings, rounded half-even. */
const PORTFOLIO = `
  select
    (select count(*)::int from blueprint b left join deployment d on d.account_id = b.account_id and d.id = b.deployment_id
      where b.account_id = ${ACCOUNT} and b.status = 'running' and b.deleted_at is null
        and coalesce(d.mode = 'paper', true)) as running,
    (select count(*)::int from trade_order
      where account_id = ${ACCOUNT} and mode = 'paper' and status = 'pending' and expires_at > clock_timestamp()) as pending,
    h.held, t.realized_pnl + h.worth - h.cost as pnl
  from trading_account t, lateral (
    select count(distinct p.token_id)::int as held, coalesce(sum(p.total_cost), 0) as cost,
      coalesce(sum(case when abs(${WORTH} - trunc(${WORTH}, 12)) = 0.0000000000005
        and trunc(${WORTH}, 12) % 0.000000000002 = 0 then trunc(${WORTH}, 12) else round(${WORTH}, 12) end), 0) as worth
    from position p left join quote q on q.token_id = p.token_id
    where p.account_id = t.account_id and p.mode = t.mode and p.amount > 0) h
  where t.account_id = ${ACCOUNT} and t.mode = 'paper'`;

/** The service's query: the state of a blueprint in a mode, with the node states of its latest deployment there. */
const BLUEPRINTS = `
  select b.*, n.states as node_states from blueprint b
  left join deployment d on d.account_id = b.account_id and d.id = b.deployment_id
  left join deployment_nodes n on n.account_id = b.account_id
    and n.deployment_id = case when coalesce(d.mode = 'paper', true) then b.deployment_id end
  where b.account_id = ${ACCOUNT} and b.deleted_at is null`;

const COUNT_BLUEPRINT = `
  update account set blueprint_count = blueprint_count + 1, visual_bytes = visual_bytes + $1 where id = ${ACCOUNT}`;

const INSERT_BLUEPRINT = `
  insert into blueprint (account_id, id, name, status, visual, visual_bytes, created_at, updated_at)
  values (${ACCOUNT}, $1, $2, 'draft', $3, $4, now(), now()) returning *`;

/** Returns the statement that reads a key and gives the session its account. */
export const keyStatement = (authorization: string): Statement => ({
  name: 'key',
  text: KEY,
  values: [
    createHash('sha256')
      .update(authorization.replace(/^bearer /i, ''))
      .digest(),
  ],
});

export const ordersPage = (limit: number): Operation =>
  reading({ name: 'orders', text: ORDERS, values: [] }, (rows) =>
    rows.slice(0, limit).map((row) => ({
      id: row['id'],
      blueprintId: row['blueprint_id'],
      status: row['status'],
      side: row['side'],
      amount: Number(row['amount']),
      createdAt: row['created_at'],
    })),
  );

export const portfolioRead = (): Operation =>
  reading({ name: 'portfolio', text: PORTFOLIO, values: [] }, ([row]) => ({
    runningBlueprints: row?.['running'],
    openPositions: row?.['held'],
    pendingOrders: row?.['pending'],
    totalPnl: Number(row?.['pnl']),
  }));

export const blueprintsList = (): Operation =>
  reading(
    {
      name: 'blueprints',
      text: `${BLUEPRINTS} order by b.created_at desc, b.id desc limit 201`,
      values: [],
    },
    (rows) => rows.slice(0, 200).map(viewBlueprint),
  );

export const blueprintRead = (id: string): Operation =>
  reading({ name: 'blueprint', text: `${BLUEPRINTS} and b.id = $1`, values: [id] }, ([row]) =>
    row ? viewBlueprint(row) : null,
  );

export function blueprintCreate(name: string, visual: unknown): Operation {
  const json = JSON.stringify(visual);
  const bytes = Buffer.byteLength(json);
  return {
    isWrite: true,
    statements: [
      { name: 'count', text: COUNT_BLUEPRINT, values: [bytes] },
      { name: 'insert', text: INSERT_BLUEPRINT, values: [randomUUIDv7(), name, json, bytes] },
    ],
    answer: ([row]) => (row ? viewBlueprint(row) : null),
  };
}

const reading = (statement: Statement, answer: Operation['answer']): Operation => ({
  isWrite: false,
  statements: [statement],
  answer,
});

const viewBlueprint = (row: pg.QueryResultRow) => ({
  id: row['id'],
  name: row['name'],
  status: row['status'],
  deploymentId: row['deployment_id'],
  visual: row['visual'],
  nodeStates: row['node_states'] ?? null,
  error: row['error'],
  createdAt: row['created_at'],
  updatedAt: row['updated_at'],
});
