/** The runner's recurring queries cost as much as there is to do, not as much as is stored. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../db/tables.ts';
import { transact } from '../../engine/platform/transact.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import * as queue from '../../engine/trading/orders/execution/queue.ts';
import { applyVenueEvent } from '../../engine/trading/orders/execution/venue-events.ts';
import { DEFAULT_RETENTION } from '../../server/kernel/retention.ts';
import { expiredRowDeletions } from '../../server/workers/trading/expired-row-deletions.ts';
import { openedForFile } from '../support/opened.ts';
import { fillOf } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const OLD = 4_000;
const FEW = 100;
const connectionId = randomUUID();

const fixture = openedForFile(openTradingFixture);
let trader: Trader;
beforeAll(async () => {
  await fixture.quote(YES);
  trader = await fixture.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  await fill(id);
});
afterAll(async () => {
  await pastAllChecks(async (tx) => {
    await sql`truncate order_dispatch, venue_event`.execute(tx);
    await sql`delete from trade_order where connection_id = ${connectionId}`.execute(tx);
  });
});

const pastAllChecks = (task: (tx: Db) => Promise<unknown>) =>
  fixture.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    await task(tx);
  });

/** Orders that ended long ago, a few that rest, and a stream's reports of foreign orders. */
async function fill(id: string): Promise<void> {
  const copies = (status: string, count: number) => sql`
    insert into trade_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
      'connection_id', ${connectionId}::uuid, 'venue_order_id', ${status}::text || n, 'status', ${status}::text,
      'submitted_at', o.created_at, 'ended_at', o.created_at, 'expires_at', null))).*
    from trade_order o, generate_series(1, ${count}::int) n where o.id = ${id}`;
  await pastAllChecks(async (tx) => {
    await copies('filled', OLD).execute(tx);
    await copies('open', FEW).execute(tx);
    await sql`insert into order_dispatch
        (account_id, order_id, connection_id, client_order_id, request, signed_for, arrives_by, sent_at)
      select account_id, id, connection_id, id::text, '{}', now(), now(), now() from trade_order
      where connection_id is not null`.execute(tx);
    await sql`insert into venue_event (account_id, connection_id, key, venue_order_id, report, at)
      select ${trader.accountId}, ${connectionId}, 'fill ' || n, 'other-' || n, '{}', now()
      from generate_series(1, ${OLD}::int) n`.execute(tx);
  });
  await sql`analyze trade_order, order_dispatch, venue_event`.execute(fixture.db);
}

/** Counts rows that a task reads in this transaction, matching or not. */
async function rowsRead(tx: Db, task: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(tx);
  await task();
  return (await readSoFar(tx)) - before;
}

async function readSoFar(tx: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname in ('trade_order', 'order_dispatch', 'venue_event')`.execute(tx);
  return rows[0]?.read ?? 0;
}

const ROUNDS: Record<string, (db: Db, now: Date) => Promise<unknown>> = {
  findQueued: (db, now) => queue.findQueued(db, now, 200),
  findToCancel: (db) => queue.findToCancel(db, 200),
  findPastGoodTill: (db, now) => queue.findPastGoodTill(db, now, 200),
  findFillsMissing: (db) => queue.findFillsMissing(db, 200),
  findUnknown: (db) => queue.findUnknown(db, 200),
  findAbandoned: (db, now) => queue.findSentWithoutSender(db, now, 200),
  findResting: (db) => queue.findResting(db, null, 200),
  'findResting, a later page': (db) =>
    queue.findResting(db, { accountId: trader.accountId, mode: 'paper', id: randomUUID() }, 200),
  findGivenUp: (db, now) => queue.findGivenUp(db, now, 200),
  findPastTheirTime: (db, now) => queue.findExpiredOrders(db, now, 200),
};

test.each(Object.entries(ROUNDS))('%s reads no order without work for it', async (_, ask) => {
  await fixture.db.transaction().execute(async (tx) => {
    expect(await rowsRead(tx, () => ask(tx, fixture.now()))).toBeLessThanOrEqual(FEW + 1);
  });
});

test('an event of a stream finds its order by each name, and reads no other', async () => {
  const fillEvent = {
    ...fillOf('new', { amount: '1' }),
    venueOrderId: 'new',
    clientOrderId: randomUUID(),
    tokenId: YES,
    side: 'buy' as const,
  };
  await transact(fixture.workOf(trader.accountId, 'system'), async (tx) => {
    const take = () => applyVenueEvent(tx, connectionId, { kind: 'fill', fill: fillEvent });
    expect(await rowsRead(tx.db, take)).toBe(0);
  });
});

test('an order takes over its parked events, and reads none of other orders', async () => {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select key, report from venue_event
    where account_id = ${trader.accountId} and connection_id = ${connectionId}
      and (client_order_id = 'a' or venue_order_id = 'b') order by at`.execute(fixture.db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('venue_event_client_order');
  expect(plan).toContain('venue_event_venue_order');
});

test("a stream's reports of foreign orders are purged without reading the rows that stay", async () => {
  const rule = expiredRowDeletions(DEFAULT_RETENTION).find(
    ({ what }) => what === 'stream reports of foreign orders',
  );
  await fixture.db.transaction().execute(async (tx) => {
    expect(await rowsRead(tx, async () => rule?.delete.execute(tx))).toBe(0);
  });
});
