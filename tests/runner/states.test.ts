import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Memory, NodeStates } from '../../engine/strategy/graph/types.ts';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import { listReleases, readRelease } from '../../engine/usecases/blueprints/releases/releases.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { Housekeeper } from '../../server/workers/trading/housekeeping.ts';
import { decideWhatToStore } from '../../server/workers/trading/shards/decide-what-to-store.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, type Deployed, openRunnerWorld, type RunnerWorld } from './support.ts';

describe('the part of an evaluation that is stored', () => {
  const memory: Memory = { startedAt: 1, candles: {}, nodes: {} };
  const calm = { memory, signature: 'a', isWatched: false, statesWrittenMs: 0 };

  test('is nothing while nothing durable changed and no client watches', () => {
    expect(decideWhatToStore(calm, { memory, signature: 'a' }, 3_599_999)).toEqual({
      memory: false,
      nodeStates: false,
    });
  });

  test('is the memory at once when that changed, and the states when a status did: neither includes the other', () => {
    const other = { ...memory };
    expect(decideWhatToStore(calm, { memory: other, signature: 'a' }, 1)).toEqual({
      memory: true,
      nodeStates: false,
    });
    expect(decideWhatToStore(calm, { memory, signature: 'b' }, 1)).toEqual({
      memory: false,
      nodeStates: true,
    });
  });

  test('is the values every two seconds while watched, and every hour otherwise', () => {
    const watched = { ...calm, isWatched: true };
    expect(decideWhatToStore(watched, { memory, signature: 'a' }, 1_999).nodeStates).toBe(false);
    expect(decideWhatToStore(watched, { memory, signature: 'a' }, 2_000).nodeStates).toBe(true);
    expect(decideWhatToStore(calm, { memory, signature: 'a' }, 3_600_000).nodeStates).toBe(true);
  });
});

describe('a running blueprint', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld();
  });
  afterEach(() => world.close());

  const priceOf = async (deployed: Deployed) => {
    const states = (await world.state(deployed)).node_states as unknown as NodeStates;
    return states['price']?.value;
  };

  test('shows new values to a watching client', { tags: ['long'] }, async () => {
    const deployed = await world.deploy(buyAbove(1_000));
    const runner = world.runner();
    await world.price('99');
    await runner.tick();
    await sql`update deployment_state set watched_until = clock_timestamp() + interval '1 minute'`.execute(
      world.db,
    );
    await world.price('98');
    await runner.tick();
    expect(await priceOf(deployed)).toBe(99);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await world.price('97');
    await runner.tick();
    expect(await priceOf(deployed)).toBe(97);
  });

  test('stores the message of a notify node as an event', async () => {
    const deployed = await world.deploy({
      ...buyAbove(1_000),
      say: { type: 'notify', config: { text: 'at {price}' }, inputs: { when: 'above' } },
    });
    await world.price('1001');
    const runner = world.runner();
    await runner.tick();
    await runner.tick();
    const said = (await world.events(deployed.accountId)).filter(({ type }) => type === 'notification');
    expect(said.map(({ payload }) => payload)).toMatchObject([
      { kind: 'notify', nodeId: 'say', text: 'at 1001', blueprintId: deployed.blueprintId },
    ]);
  });

  test('is stopped with an audit row once all its markets are settled', async () => {
    world.market.list(BTC, { kind: 'outcome' });
    const deployed = await world.deploy(buyAbove(1_000));
    const runner = world.runner();
    await world.price('99');
    await runner.tick();
    expect((await world.blueprint(deployed)).status).toBe('running');
    world.market.quote(BTC, { marketStatus: 'settled', settlementValue: '1' });
    await world.pollOnce();
    const successor = world.runner();
    await runner.stop();
    await successor.tick();
    expect((await world.blueprint(deployed)).status).toBe('stopped');
    const audit = await world.db
      .selectFrom('audit_event')
      .selectAll()
      .where('action', '=', 'blueprint.stopped')
      .executeTakeFirstOrThrow();
    expect(audit).toMatchObject({
      actor: 'system',
      after: { reason: 'all instruments it trades are settled' },
    });
  });

  test('notifies listeners of changed node states, after the commit', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const changed: string[] = [];
    const runner = world.runner({ onChange: (accountIds) => changed.push(...accountIds) });
    await world.price('99');
    await runner.tick();
    expect(changed).toEqual([deployed.accountId]);
    await runner.tick();
    expect(changed).toHaveLength(1);
  });

  test('sizes by the holdings of its account', async () => {
    const accountId = await world.account({ maxOrderSize: 500 });
    const deployed = await world.deploy(
      {
        ...buyAbove(100),
        size: {
          type: 'size',
          config: { mode: 'equity', fraction: 0.9, capByHeadroom: true },
          inputs: { price: 'price' },
        },
        buy: {
          type: 'order',
          config: { instrument: BTC, side: 'buy', type: 'limit', priceOffset: -0.01 },
          inputs: { when: 'above', amount: 'size' },
        },
      },
      accountId,
    );
    await world.price('101');
    await world.runner().tick();
    const [order] = await world.orders(deployed);
    expect(order?.status).toBe('queued');
    expect(Number(order?.size)).toBeGreaterThan(490);
    expect(Number(order?.size)).toBeLessThanOrEqual(500);
  });
});

describe('purging', () => {
  let world: RunnerWorld;
  beforeEach(async () => {
    world = await openRunnerWorld();
  });
  afterEach(() => world.close());

  test('deletes rows past their retention and nothing else', async () => {
    const used = await world.deploy(buyAbove(100));
    await world.price('99');
    const { accountId } = used;
    for (const [key, hours] of [
      ['old', 26],
      ['young', 24],
    ] as const) {
      await sql`insert into idempotency_key (account_id, key, fingerprint, status, body, created_at)
        values (${accountId}, ${key}, 'f', 200, '{}', clock_timestamp() - ${hours} * interval '1 hour')`.execute(
        world.db,
      );
    }
    await sql`update account_event set at = clock_timestamp() - interval '25 hours' where seq = 1`.execute(
      world.db,
    );
    await sql`insert into quote (token_id, market_status, as_of, seq)
      values ('GONEUSDT', 'open', clock_timestamp() - interval '2 hours', nextval('quote_seq'))`.execute(
      world.db,
    );
    await sql`update quote set as_of = clock_timestamp() - interval '2 hours'`.execute(world.db);
    await new Housekeeper(contextOf(world.options()), new LogOnce(world.options().log)).purge();

    const keys = await world.db.selectFrom('idempotency_key').select('key').execute();
    expect(keys).toEqual([{ key: 'young' }]);
    expect((await world.events(accountId)).map(({ seq }) => seq)).not.toContain('1');
    expect(await world.db.selectFrom('quote').select('token_id').execute()).toEqual([{ token_id: BTC }]);
    expect(world.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('a deleted blueprint is purged with its rows, unless it led to an order or holds a graph that others share', async () => {
    const accountId = await world.account();
    const work = world.workOf(accountId);
    const gone = await world.draft(accountId, buyAbove(100));
    const twin = await world.draft(accountId, buyAbove(100));
    for (const blueprintId of [gone, twin]) {
      await world.redeploy({ accountId, blueprintId });
      await world.stop({ accountId, blueprintId });
    }
    const traded = await world.deploy(buyAbove(100));
    await world.price('101');
    await world.runner().tick();
    expect(await world.orders(traded)).toHaveLength(1);
    await world.stop(traded);
    await deleteBlueprint(work, gone);
    await deleteBlueprint(world.workOf(traded.accountId), traded.blueprintId);
    expect(await world.blueprint({ blueprintId: gone })).toMatchObject({ visual: null, visual_bytes: 0 });
    const tidy = () => new Housekeeper(contextOf(world.options()), new LogOnce(world.options().log)).purge();
    const left = async () =>
      (await world.db.selectFrom('blueprint').select('id').orderBy('id').execute()).map(({ id }) => id);
    await tidy();
    expect(await left()).toContain(gone);
    await sql`update blueprint set deleted_at = deleted_at - interval '2 hours' where deleted_at is not null`.execute(
      world.db,
    );
    await tidy();
    expect(await left()).toEqual([twin, traded.blueprintId].sort());
    expect(await listReleases(work, twin)).toHaveLength(1);
    expect((await readRelease(work, twin, 1)).visual).not.toBeNull();
    expect(world.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('denied orders of a node and hour become one with their count, after a day; equity one point an hour, after a week', async () => {
    const deployed = await world.deploy(buyAbove(100));
    const { accountId } = deployed;
    await updateRules(world.workOf(accountId), { maxOrderSize: 1 });
    await world.price('101');
    await world.runner().tick();
    expect(await world.orders(deployed)).toMatchObject([{ status: 'denied' }]);
    const copies = (hours: number, count: number, minutes = 1) =>
      sql`
      with copy as (
        insert into trade_order select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
          'step_at', at, 'created_at', at))).* from trade_order o, lateral (
            select date_trunc('hour', now()) - ${hours} * interval '1 hour' + n * ${minutes} * interval '1 minute' as at
            from generate_series(1, ${count}::int) n) as times
        where o.account_id = ${accountId} and o.created_at > now() - interval '1 hour' returning *
      ) insert into order_transition (account_id, order_id, number, to_status, at, actor)
        select account_id, id, 1, 'denied', created_at, 'system' from copy`.execute(world.db);
    await copies(50, 40);
    await copies(40, 3);
    await copies(10, 5);
    await copies(24 * 40, 2);
    await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
      select ${accountId}, 'paper', date_trunc('hour', now()) - interval '8 days' + n * interval '5 minutes', n, n, 0, 0
      from generate_series(0, 35) n`.execute(world.db);
    const tidy = new Housekeeper(contextOf(world.options()), new LogOnce(world.options().log));
    await tidy.purge();
    await tidy.purge();

    const { rows } = await sql<{ hours: number; orders: number; folded: number }>`
      select round(extract(epoch from date_trunc('hour', now()) - date_trunc('hour', o.created_at)) / 3600)::int as hours,
        count(*)::int as orders, sum(coalesce(f.folded, 0))::int as folded
      from trade_order o left join denied_fold f on f.account_id = o.account_id and f.order_id = o.id
      group by 1 order by 1`.execute(world.db);
    expect(rows).toEqual([
      { hours: 0, orders: 1, folded: 0 },
      { hours: 10, orders: 5, folded: 0 },
      { hours: 40, orders: 1, folded: 2 },
      { hours: 50, orders: 1, folded: 39 },
    ]);
    const points = await world.db.selectFrom('equity_point').select('equity').orderBy('at').execute();
    expect(points.map(({ equity }) => Number(equity))).toEqual([11, 23, 35]);
    expect(world.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  test('of hours of equity without a change the last of each day stays, and each change', async () => {
    const { accountId } = await world.deploy(buyAbove(1_000));
    await sql`insert into equity_point (account_id, mode, at, equity, cash, realized_pnl, unrealized_pnl)
      select ${accountId}, 'paper', date_trunc('day', now(), 'UTC') - interval '12 days' + n * interval '5 minutes', e, e, 0, 0
      from generate_series(0, 288 * 3 - 1) n, lateral (select case when n between 30 and 40 then 7 else 5 end as e) v`.execute(
      world.db,
    );
    const housekeeper = new Housekeeper(contextOf(world.options()), new LogOnce(world.options().log));
    for (let round = 0; round < 3; round++) await housekeeper.purge();
    const { rows } = await sql<{ at: string; equity: number }>`
      select extract(day from age(at, date_trunc('day', now(), 'UTC') - interval '12 days'))::int || ' ' || to_char(at, 'HH24:MI') as at,
        equity::int as equity from equity_point order by equity_point.at`.execute(world.db);
    expect(rows).toEqual([
      { at: '0 00:55', equity: 5 },
      { at: '0 01:55', equity: 5 },
      { at: '0 02:55', equity: 7 },
      { at: '0 03:55', equity: 5 },
      { at: '0 23:55', equity: 5 },
      { at: '1 23:55', equity: 5 },
      { at: '2 23:55', equity: 5 },
    ]);
  });

  test('refuses to delete an order that is not denied, or a denial of today', async () => {
    const deployed = await world.deploy(buyAbove(100));
    await world.price('101');
    await world.runner().tick();
    expect(await world.orders(deployed)).toHaveLength(1);
    await expect(sql`delete from order_transition`.execute(world.db)).rejects.toThrow('history');
    await expect(sql`delete from trade_order`.execute(world.db)).rejects.toThrow('history');
  });

  test('sessions that ended and sign-ins that were not finished are deleted, the rest stays', async () => {
    await sql`insert into auth."user" (name, email, "emailVerified") values ('a', 'a@example.com', true)`.execute(
      world.db,
    );
    for (const hours of [-25, -1, 1]) {
      await sql`insert into auth.session ("expiresAt", token, "updatedAt", "userId")
        select now() + ${hours} * interval '1 hour', ${`token ${hours}`}, now(), id from auth."user"`.execute(
        world.db,
      );
      await sql`insert into auth.verification (identifier, value, "expiresAt")
        values (${`state ${hours}`}, 'x', now() + ${hours} * interval '1 hour')`.execute(world.db);
    }
    await sql`insert into auth.session ("expiresAt", token, "createdAt", "updatedAt", "userId")
      select now() + interval '1 day', 'old ' || n, now() - n * interval '1 minute', now(), id
      from auth."user", generate_series(1, 120) n`.execute(world.db);
    await new Housekeeper(contextOf(world.options()), new LogOnce(world.options().log)).purge();
    const { rows } = await sql<{ token: string }>`select token from auth.session`.execute(world.db);
    const tokens = rows.map(({ token }) => token);
    expect(tokens).toHaveLength(100);
    expect(tokens).toEqual(expect.arrayContaining(['token -1', 'token 1', 'old 1', 'old 98']));
    const left = await sql<{ identifier: string }>`select identifier from auth.verification`.execute(
      world.db,
    );
    expect(left.rows.map(({ identifier }) => identifier).sort()).toEqual(['state -1', 'state 1']);
    expect(world.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });
});
