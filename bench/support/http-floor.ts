/**
 * The least a server can do for the same answers: bare `node:http` and prepared `pg`, each request one transaction,
 * no credentials, no validation, no headers. What the service is measured against.
 *
 * Reads `PORT` and `FLOOR_DATABASE` (JSON for `pg`); requests say their account in `x-account`.
 */

import { randomUUIDv7 } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

/** As the service asks: a page and one row, of one mode, an order past its time as expired. */
const ORDERS = `
  select id, blueprint_id, side, amount, created_at,
    case when status in ('pending', 'queued') and expires_at <= clock_timestamp() then 'expired' else status end as status
  from trade_order
  where account_id = $1 and mode = 'paper' order by created_at desc, id desc limit 51`;

const WORTH = 'p.amount * coalesce(q.mark_price, 0)';
/** As the service asks: what is running by the mode of its deployment, what is held rounded half-even. */
const PORTFOLIO = `
  select
    (select count(*)::int from blueprint b left join deployment d on d.account_id = b.account_id and d.id = b.deployment_id
      where b.account_id = $1 and b.status = 'running' and b.deleted_at is null
        and coalesce(d.mode = 'paper', true)) as running,
    (select count(*)::int from trade_order
      where account_id = $1 and mode = 'paper' and status = 'pending' and expires_at > clock_timestamp()) as pending,
    h.held, t.realized_pnl + h.worth - h.cost as pnl
  from trading_account t, lateral (
    select count(distinct p.token_id)::int as held, coalesce(sum(p.total_cost), 0) as cost,
      coalesce(sum(case when abs(${WORTH} - trunc(${WORTH}, 12)) = 0.0000000000005
        and trunc(${WORTH}, 12) % 0.000000000002 = 0 then trunc(${WORTH}, 12) else round(${WORTH}, 12) end), 0) as worth
    from position p left join quote q on q.token_id = p.token_id
    where p.account_id = t.account_id and p.mode = t.mode and p.amount > 0) h
  where t.account_id = $1 and t.mode = 'paper'`;

const COUNT_BLUEPRINT = `
  update account set blueprint_count = blueprint_count + 1, visual_bytes = visual_bytes + $2 where id = $1`;

const INSERT_BLUEPRINT = `
  insert into blueprint (account_id, id, name, status, visual, visual_bytes, created_at, updated_at)
  values ($1, $2, $3, 'draft', $4, $5, now(), now()) returning *`;

type Answer = (client: pg.PoolClient, accountId: string, request: IncomingMessage) => Promise<unknown>;

const ROUTES: Record<string, Answer> = {
  'GET /api/orders': async (client, accountId) => {
    const { rows } = await client.query({ name: 'orders', text: ORDERS, values: [accountId] });
    return rows.slice(0, 50).map((row) => ({
      id: row.id,
      blueprintId: row.blueprint_id,
      status: row.status,
      side: row.side,
      amount: Number(row.amount),
      createdAt: row.created_at,
    }));
  },
  'GET /api/portfolio': async (client, accountId) => {
    const { rows } = await client.query({ name: 'portfolio', text: PORTFOLIO, values: [accountId] });
    const { running, held, pending, pnl } = rows[0];
    return { runningBlueprints: running, openPositions: held, pendingOrders: pending, totalPnl: Number(pnl) };
  },
  'POST /api/blueprints': async (client, accountId, request) => {
    const { name, visual } = JSON.parse(await text(request));
    const json = JSON.stringify(visual);
    const bytes = Buffer.byteLength(json);
    await client.query({ name: 'count', text: COUNT_BLUEPRINT, values: [accountId, bytes] });
    const values = [accountId, randomUUIDv7(), name, json, bytes];
    const { rows } = await client.query({ name: 'insert', text: INSERT_BLUEPRINT, values });
    const [row] = rows;
    return {
      id: row.id,
      name: row.name,
      status: row.status,
      deploymentId: row.deployment_id,
      visual: row.visual,
      nodeStates: null,
      error: row.error,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  },
};

const pool = new pg.Pool({ ...JSON.parse(process.env['FLOOR_DATABASE'] ?? '{}'), max: 20 });

const server = createServer(async (request, response) => {
  try {
    const answer = ROUTES[`${request.method} ${request.url?.replace(/\?.*$/, '')}`];
    const body = answer ? await inTransaction(answer, request) : { status: 'ok' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  } catch {
    // The load ends with requests half sent; anything else shows as a failure on the other side.
    response.destroy();
  }
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await pool.end();
  process.exit(0);
});

async function inTransaction(answer: Answer, request: IncomingMessage): Promise<unknown> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const body = await answer(client, String(request.headers['x-account']), request);
    await client.query('commit');
    client.release();
    return body;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
