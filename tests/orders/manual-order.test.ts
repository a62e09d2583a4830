import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { BY_HAND_ID } from '../../engine/platform/by-hand.ts';
import type { Work } from '../../engine/platform/context.ts';
import type { RiskRulesPatch } from '../../engine/risk/rule-limits.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import type { SpendingLimits } from '../../engine/trading/keys/spending-limits.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { createManualOrder } from '../../engine/trading/orders/entry/manual-order.ts';
import type { ManualOrder } from '../../engine/trading/orders/entry/plan-manual-order.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { orderOverview } from '../../engine/trading/orders/read/overview.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { previewOrder } from '../../engine/usecases/risk-rules/preview.ts';
import { DEFAULT_RETENTION } from '../../server/kernel/retention.ts';
import { expiredRowDeletions } from '../../server/workers/trading/expired-row-deletions.ts';
import { openedForFile } from '../support/opened.ts';
import {
  fillingBroker,
  LIVE_SETTINGS,
  NO,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

const BUY: ManualOrder = {
  tokenId: YES,
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  amount: '10',
  limitPrice: '0.5',
};
const SELL: ManualOrder = { ...BUY, side: 'sell' };
const AT_MARKET: ManualOrder = {
  tokenId: YES,
  side: 'buy',
  type: 'market',
  timeInForce: 'ioc',
  amount: '10',
};

const order = (trader: Trader, request: ManualOrder = BUY) => createManualOrder(trader.work(), request);

const ordersOf = ({ accountId }: Trader) =>
  fixture.db
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

/** A trader who bought ten YES by hand. */
async function holder(rules: RiskRulesPatch = {}) {
  const trader = await fixture.trader(rules);
  const { intentId } = await order(trader);
  await sendOrder(fixture.workOf(trader.accountId, 'system'), fillingBroker(fixture.now), intentId);
  return trader;
}

async function keyOf(trader: Trader, envelope: SpendingLimits): Promise<Work> {
  const { id } = await createKey(trader.work(), {
    name: 'K',
    scopes: ['orders:place'],
    createdBy: null,
    envelope,
  });
  return { ...trader.work(), actor: `key:${id}` };
}

describe('an order by hand', () => {
  test('is stored with the origin `manual`, its terms and its receipt, and belongs to no strategy', async () => {
    const trader = await fixture.trader();
    const answer = await order(trader, { ...BUY, expireAfterSec: 60 });
    expect(answer).toEqual({
      intentId: expect.any(String),
      status: 'queued',
      amount: '10',
      limitPrice: '0.5',
    });
    const stored = await fixture.order(answer.intentId);
    expect(stored).toMatchObject({
      origin: 'manual',
      blueprint_id: BY_HAND_ID,
      deployment_id: null,
      node_id: null,
      type: 'limit',
      time_in_force: 'gtc',
      size: '5.000000000000',
      good_till: '2026-11-20 12:01:00+00',
    });
    const preview = await previewOrder(trader.work(), BUY);
    expect((await readOrder(trader.work(), answer.intentId)).receipt.lines.length).toBe(
      preview.receipt.lines.length,
    );
    expect(await orderOverview(trader.work(), { limit: 10 })).toMatchObject([{ blueprintName: 'By hand' }]);
  });

  test('fills into a position of its own, beside that of a strategy', async () => {
    const trader = await holder();
    await fixture.trade(trader, { amount: '3' });
    const positions = await listPositions(trader.work());
    expect(positions.map(({ blueprintId, amount }) => [blueprintId, amount])).toEqual([
      [trader.blueprintId, '3'],
      [BY_HAND_ID, '10'],
    ]);
  });

  test('has its actor and terms in the audit trail', async () => {
    const trader = await fixture.trader();
    const { intentId } = await order(trader);
    const entries = await fixture.db
      .selectFrom('audit_event')
      .select(['action', 'actor', 'after'])
      .where('subject_id', '=', intentId)
      .execute();
    expect(entries).toEqual([
      {
        action: 'order.requested',
        actor: trader.work().actor,
        after: {
          side: 'buy',
          amount: '10',
          price: '0.5',
          venue: 'venue-a',
          tokenId: YES,
          title: `Test ${YES}`,
          status: 'queued',
        },
      },
    ]);
  });

  test('denied by a rule is stored with its receipt, and answered with rule, limit and value', async () => {
    const trader = await fixture.trader({ maxOrderSize: 4 });
    await expect(order(trader)).rejects.toMatchObject({
      code: 'risk_rule_violated',
      message: expect.stringContaining('maxOrderSize is 4 USD, this order is 5 USD.'),
    });
    expect(await ordersOf(trader)).toMatchObject([{ status: 'denied', reason_code: 'maxOrderSize' }]);
  });

  test('gets the receipt that its preview has shown, with what was bought by hand before', async () => {
    const trader = await holder({ maxBlueprintBudget: 12 });
    const preview = await previewOrder(trader.work(), { ...BUY, amount: '14' });
    await expect(order(trader, { ...BUY, amount: '14' })).rejects.toMatchObject({
      code: 'risk_rule_violated',
    });
    const [, denied] = await ordersOf(trader);
    expect(denied).toMatchObject({ status: 'denied', reason_code: 'maxBlueprintBudget' });
    expect(denied?.receipt).toEqual(preview.receipt);
  });

  test('above the approval limit waits for approval, of a web session too', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: 4 });
    const { intentId, status } = await order(trader);
    expect(status).toBe('pending');
    await approveOrder(trader.work(), intentId);
    expect(await fixture.order(intentId)).toMatchObject({
      status: 'queued',
      approved_by: trader.work().actor,
    });
  });

  test.each([
    ['a missing limit price', { type: 'limit', limitPrice: undefined }, 'validation_failed'],
    ['an amount between two steps', { amount: '1.5' }, 'validation_failed'],
    ['a market order with a limit price', { type: 'market' }, 'validation_failed'],
    ['an end of what does not rest', { timeInForce: 'ioc', expireAfterSec: 60 }, 'validation_failed'],
    ['an unknown instrument', { tokenId: 'NOSUCH:yes' }, 'not_found'],
  ] as const)('refuses %s, and stores nothing', async (_, change, code) => {
    const trader = await fixture.trader();
    await expect(order(trader, { ...BUY, ...change } as ManualOrder)).rejects.toMatchObject({ code });
    expect(await ordersOf(trader)).toEqual([]);
  });

  test('at the market needs a fresh quote: the stored one, or one just read from the venue', async () => {
    const trader = await fixture.trader();
    await fixture.quote(YES, { ageMs: 60_000 });
    await expect(order(trader, AT_MARKET)).rejects.toMatchObject({ code: 'quote_unavailable' });
    const quote = {
      token_id: YES,
      bid: '0.6',
      bid_size: '10',
      ask: '0.61',
      ask_size: '10',
      last: null,
      market_status: 'open',
      as_of: fixture.now().toISOString(),
    } as const;
    const { limitPrice } = await createManualOrder(trader.work(), AT_MARKET, { quote });
    expect(limitPrice).toBe('0.63');
  });
});
test('the blueprint of orders by hand stays without any order, unlike other deleted ones', async () => {
  const { accountId, blueprintId } = await fixture.trader();
  const at = '2020-01-01T00:00:00Z';
  await fixture.db
    .insertInto('blueprint')
    .values({ account_id: accountId, id: BY_HAND_ID, name: 'By hand', created_at: at, updated_at: at })
    .execute();
  const ofAccount = fixture.db.selectFrom('blueprint').select('id').where('account_id', '=', accountId);
  await fixture.db
    .updateTable('blueprint')
    .set({ deleted_at: at })
    .where('account_id', '=', accountId)
    .execute();
  expect(await ofAccount.execute()).toEqual(
    expect.arrayContaining([{ id: blueprintId }, { id: BY_HAND_ID }]),
  );
  const deletion = expiredRowDeletions(DEFAULT_RETENTION).find(({ what }) =>
    what.startsWith('deleted blueprints'),
  );
  await deletion?.delete.execute(fixture.db);
  expect(await ofAccount.execute()).toEqual([{ id: BY_HAND_ID }]);
});

describe('two accounts', () => {
  test('that buy the same by hand share neither orders nor positions', async () => {
    const [one, other] = [await holder(), await holder()];
    await order(one, SELL);
    expect(await listPositions(other.work())).toMatchObject([{ amount: '10', amountClosing: '0' }]);
    await expect(order(await fixture.trader(), SELL)).rejects.toMatchObject({ code: 'not_found' });
    const [mine] = await ordersOf(one);
    await expect(readOrder(other.work(), mine?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a key', () => {
  test('buys by hand within its spending limits, which need no named strategies', async () => {
    const trader = await fixture.trader();
    const bound = await keyOf(trader, { maxOrder: '4' });
    await expect(createManualOrder(bound, BUY)).rejects.toMatchObject({ code: 'risk_rule_violated' });
    const ofOneStrategy = await keyOf(trader, { blueprintIds: [trader.blueprintId] });
    await expect(createManualOrder(ofOneStrategy, BUY)).rejects.toMatchObject({ code: 'risk_rule_violated' });
  });

  test('buys with real money only if a person vouched for what has not run on paper', async () => {
    const trader = await fixture.trader();
    await fixture.openLive(trader);
    const live = (work: Work) =>
      createManualOrder({ ...work, mode: 'live' }, BUY, { settings: LIVE_SETTINGS });
    await expect(live(await keyOf(trader, { maxOrder: '50' }))).rejects.toMatchObject({
      code: 'outside_envelope',
    });
    const vouched = await live(await keyOf(trader, { maxOrder: '50', allowsUntried: true }));
    expect(await fixture.order(vouched.intentId)).toMatchObject({ mode: 'live', status: 'queued' });
    expect((await live(trader.work())).status).toBe('queued');
  });

  test('buys nothing with real money while live trading is off', async () => {
    const trader = await fixture.trader();
    await fixture.openLive(trader);
    await expect(createManualOrder({ ...trader.work(), mode: 'live' }, BUY)).rejects.toMatchObject({
      code: 'risk_rule_violated',
    });
  });
});
