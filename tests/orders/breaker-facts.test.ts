import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { checkBooks, findBooksToCheck } from '../../engine/ledger/check-books.ts';
import { readBreakerFacts, type StoredBreakerFacts } from '../../engine/trading/connections/breaker-facts.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { findUnknown } from '../../engine/trading/orders/execution/queue.ts';
import {
  pollGivenUpOrder,
  reconcileOrder,
  syncOrder,
} from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const MINUTE_MS = 60_000;
const QUIET: StoredBreakerFacts = {
  clockOffsetMs: null,
  refusals: [],
  openFateSince: null,
  fillsMissingSince: null,
  reconciledAt: null,
  isDayLost: false,
  isDrawnDown: false,
  isLedgerWrong: false,
  keyExpiresAt: null,
  cameBack: 0,
  groupLimited: 0,
};

const fixture = openedForFile(openTradingFixture);
let trader: Trader;
let broker: ScriptedBroker;
let connectionId: string;
beforeEach(async () => {
  broker = new ScriptedBroker(fixture.now);
  trader = await fixture.trader();
  await fixture.openLive(trader);
  connectionId = (
    await fixture.db
      .selectFrom('venue_connection')
      .select('id')
      .where('account_id', '=', trader.accountId)
      .where('venue', '=', 'venue-a')
      .executeTakeFirstOrThrow()
  ).id;
  await fixture.quote(YES);
});

const system = () => fixture.workOf(trader.accountId, 'system');
const facts = async () =>
  (await readBreakerFacts(fixture.db, [connectionId], fixture.now())).get(connectionId);
const resumed = () =>
  sql`update venue_connection set resumed_at = ${fixture.now().toISOString()} where id = ${connectionId}`.execute(
    fixture.db,
  );

async function sent(next: ScriptedBroker['next'] = 'answer', through = connectionId): Promise<string> {
  const { id } = await proposeIntent(trader.work(), intentOf(trader));
  await fixture.connect(id, through);
  broker.next = next;
  await sendOrder(system(), broker, id);
  return id;
}

test('unresolved orders of one connection hide none of another from the poll', async () => {
  const { id: other } = await fixture.db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', trader.accountId)
    .where('id', '!=', connectionId)
    .executeTakeFirstOrThrow();
  const [first] = [await sent('lose_answer'), await sent('lose_answer')];
  const late = await sent('lose_answer', other);
  const found = await findUnknown(fixture.db, 1, [connectionId, other]);
  expect(Object.fromEntries(found.map(({ id, connectionId: through }) => [through, id]))).toEqual({
    [connectionId]: first,
    [other]: late,
  });
  expect(found).toHaveLength(2);
});

test('a connection without events has no facts, and a missing one is omitted', async () => {
  await sent();
  expect(await facts()).toEqual(QUIET);
  expect(await readBreakerFacts(fixture.db, [], fixture.now())).toEqual(new Map());
  expect((await readBreakerFacts(fixture.db, [randomUUID()], fixture.now())).size).toBe(0);
});

test('orders refused within the last minute count by code, and not those of another connection', async () => {
  await sent('refuse');
  await sent('refuse');
  expect((await facts())?.refusals).toEqual([{ code: 'refused', orders: 2 }]);
  const own = connectionId;
  connectionId = randomUUID();
  await sent('refuse');
  connectionId = own;
  expect((await facts())?.refusals).toEqual([{ code: 'refused', orders: 2 }]);
  fixture.wait(MINUTE_MS);
  expect((await facts())?.refusals).toEqual([]);
});

test('rows 54 and 58: a refusal by a paused venue counts for 15 s: a check or the next order shows the state after that', async () => {
  const paused = { status: 'rejected', reasonCode: 'trading_is_paused', reason: 'Paused.' } as const;
  broker.arriving = paused;
  await sent();
  fixture.wait(14_999);
  expect((await facts())?.refusals).toEqual([{ code: 'trading_is_paused', orders: 1 }]);
  broker.arriving = { ...paused, reasonCode: 'off_tick' };
  await sent();
  fixture.wait(1);
  expect((await facts())?.refusals).toEqual([{ code: 'off_tick', orders: 1 }]);
});

test("events before a person's resume no longer count", async () => {
  await sent('refuse');
  fixture.wait(1);
  await resumed();
  expect((await facts())?.refusals).toEqual([]);
  fixture.wait(1);
  await sent('refuse');
  expect((await facts())?.refusals).toEqual([{ code: 'refused', orders: 1 }]);
});

test('an unknown order counts from its last arrival, until it is found', async () => {
  const id = await sent('lose_answer');
  const arrivesBy = new Date(fixture.now().getTime() + 15_000);
  expect((await facts())?.openFateSince).toEqual(arrivesBy);
  await reconcileOrder(system(), broker, id);
  expect(await facts()).toEqual(QUIET);
});

test('fills that are reported and not listed count from their report, until they are listed', async () => {
  const id = await sent();
  const since = fixture.now();
  broker.orders.set(id, { ...broker.state(id), filledAmount: '4' });
  await syncOrder(system(), broker, id);
  fixture.wait(1_000);
  expect((await facts())?.fillsMissingSince).toEqual(since);
  broker.fill(id, { amount: '4' });
  await syncOrder(system(), broker, id);
  expect(await facts()).toEqual(QUIET);
});

test.each([
  ['in part', '4', 'rejected'],
  ['whole', '10', 'filled'],
])(
  'a fill, %s, of an order that had been given up counts until a person has looked',
  async (_what, amount, status) => {
    const id = await sent('never_arrive');
    fixture.wait(15_001);
    await reconcileOrder(system(), broker, id);
    expect((await fixture.order(id)).reason_code).toBe('never_arrived');
    expect((await facts())?.cameBack).toBe(0);
    broker.arrive(id);
    broker.fill(id, { amount }, amount === '10' ? 'filled' : 'open');
    await pollGivenUpOrder(system(), broker, id);
    expect((await fixture.order(id)).status).toBe(status);
    expect((await facts())?.cameBack).toBeGreaterThan(0);
    fixture.wait(1);
    await resumed();
    expect((await facts())?.cameBack).toBe(0);
  },
);

test.each([
  ['has ended', 'canceled', 'limit_group'],
  ['keeps out', 'rejected', 'order_group_triggered'],
] as const)(
  'row 98: an order that the limit of its group %s counts until a person has looked',
  async (_what, status, reasonCode) => {
    const id = await sent('lose_answer');
    const reason = 'Its order group had filled more than it may.';
    await applyReport(system(), id, { ...broker.state(id), status, reasonCode, reason });
    expect((await fixture.order(id)).status).toBe(status);
    expect((await facts())?.groupLimited).toBe(1);
    fixture.wait(1);
    await resumed();
    expect((await facts())?.groupLimited).toBe(0);
  },
);

test('the daily loss counts while it lasts, and only that of the live books', async () => {
  const trip = (mode: 'paper' | 'live') =>
    fixture.db
      .updateTable('trading_account')
      .set({ tripped_at: fixture.now().toISOString(), trip_reason: 'Lost.' })
      .where('account_id', '=', trader.accountId)
      .where('mode', '=', mode)
      .execute();
  await trip('paper');
  expect((await facts())?.isDayLost).toBe(false);
  await trip('live');
  expect((await facts())?.isDayLost).toBe(true);
  await fixture.db
    .updateTable('trading_account')
    .set({ tripped_at: new Date(fixture.now().getTime() - 24 * 60 * MINUTE_MS).toISOString() })
    .where('account_id', '=', trader.accountId)
    .execute();
  expect((await facts())?.isDayLost).toBe(false);
  await sql`update trading_account set tripped_at = null, trip_reason = null where account_id = ${trader.accountId}`.execute(
    fixture.db,
  );
});

test('a drawdown that stopped the live books counts until its rule is changed', async () => {
  const live = { ...trader.work(), mode: 'live' as const };
  await updateRules(live, { maxDrawdown: 5 });
  expect((await facts())?.isDrawnDown).toBe(false);
  await fixture.db
    .updateTable('drawdown_watch')
    .set({ tripped_at: fixture.now().toISOString() })
    .where('account_id', '=', trader.accountId)
    .execute();
  fixture.wait(24 * 60 * MINUTE_MS);
  expect((await facts())?.isDrawnDown).toBe(true);
  await updateRules(live, { maxDrawdown: 6 });
  expect((await facts())?.isDrawnDown).toBe(false);
});

test('a live ledger with differences counts until it verifies, and is reported once', async () => {
  const live = { ...system(), mode: 'live' as const };
  const due = async () =>
    (await findBooksToCheck(fixture.db, fixture.now(), 1_000)).filter(
      ({ accountId }) => accountId === trader.accountId,
    );
  expect(await due()).toEqual([{ accountId: trader.accountId, mode: 'live' }]);
  expect(await checkBooks(live)).toBe(0);
  expect([await due(), (await facts())?.isLedgerWrong]).toEqual([[], false]);
  const addCash = (usd: number) =>
    sql`update trading_account set cash = cash + ${usd} where account_id = ${trader.accountId} and mode = 'live'`.execute(
      fixture.db,
    );
  await addCash(1);
  expect(await checkBooks(live)).toBeGreaterThan(0);
  expect(await checkBooks(live)).toBeGreaterThan(0);
  expect((await facts())?.isLedgerWrong).toBe(true);
  const alerts = await fixture.db
    .selectFrom('audit_event')
    .select(['actor', 'mode', 'after'])
    .where('account_id', '=', trader.accountId)
    .where('action', '=', 'ledger.differs')
    .execute();
  expect(alerts).toMatchObject([
    { actor: 'system', mode: 'live', after: { first: { subject: 'trading_account' } } },
  ]);
  await addCash(-1);
  expect(await checkBooks(live)).toBe(0);
  expect((await facts())?.isLedgerWrong).toBe(false);
  fixture.wait(10 * MINUTE_MS);
  expect(await due()).toHaveLength(1);
});

test('recently ended orders are read by index, however many orders exist', async () => {
  await fixture.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select count(*) from trade_order o
      where o.connection_id = ${connectionId} and o.status in ('rejected', 'canceled') and o.status = 'rejected'
        and o.ended_at > now()`.execute(tx);
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('trade_order_ended_at_venue');
  });
});
