import { beforeEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { openedForFile } from '../support/opened.ts';
import { BTC, intentOf, NO, openTradingFixture, VENUE_B_TOKEN, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  for (const tokenId of [YES, NO, VENUE_B_TOKEN]) await fixture.quote(tokenId);
  await fixture.quote(BTC, { bid: '86398', ask: '86398.01' });
});

const lineOf = (order: { receipt: unknown }, rule: string) => {
  const { lines } = order.receipt as { lines: { rule: string }[] };
  return lines.find((line) => line.rule === rule);
};

describe('a proposal', () => {
  test('"an order is born as an order intent and keeps its id for life", with inputs and quote; "Every decision leaves a receipt on the order", with the rule version', async () => {
    const trader = await fixture.trader();
    const inputs = [{ nodeId: 'price', value: 0.5, asOf: 1 }];
    const order = await proposeIntent(trader.work(), intentOf(trader, { inputs }));
    const detail = await readOrder(trader.work(), order.id);
    expect(detail).toMatchObject({
      id: order.id,
      status: 'queued',
      amount: '10',
      limitPrice: '0.5',
      size: '5',
      worstFee: '0.175',
      venue: 'venue-a',
      inputs,
      decidedQuote: { bid: '0.48', ask: '0.5' },
      timeline: [{ from: null, status: 'queued', actor: 'session:tester' }],
      receipt: { verdict: 'queued', decidedAt: fixture.now().toISOString() },
    });
    expect(detail.receipt.lines).toHaveLength(7);
    const { version } = await fixture.db
      .selectFrom('risk_rules')
      .select('version')
      .where('account_id', '=', trader.accountId)
      .executeTakeFirstOrThrow();
    expect(order.rules_version).toBe(version);
  });

  test('"a risk rule or free cash refused it here; never sent": the order and its receipt are stored', async () => {
    const trader = await fixture.trader({ maxOrderSize: 4 });
    const order = await proposeIntent(trader.work(), intentOf(trader));
    expect(order).toMatchObject({
      status: 'denied',
      reason_code: 'maxOrderSize',
      reason: 'maxOrderSize is 4 USD, this order is 5 USD.',
      queued_at: null,
      expires_at: null,
    });
    expect(lineOf(order, 'maxOrderSize')).toMatchObject({ verdict: 'deny', headroom: '-1' });
  });

  test('"pending: waits for approval", 15 minutes by default; "queued" has 30 s to be sent', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: '4.99' });
    const pending = await proposeIntent(trader.work(), intentOf(trader));
    expect(pending.status).toBe('pending');
    expect(Date.parse(pending.expires_at ?? '')).toBe(fixture.now().getTime() + 15 * 60_000);
    const queued = await proposeIntent(trader.work(), intentOf(trader, { amount: '9' }));
    expect(queued.status).toBe('queued');
    expect(Date.parse(queued.expires_at ?? '')).toBe(fixture.now().getTime() + 30_000);
  });

  test('nothing is stored if there is nothing to decide', async () => {
    const trader = await fixture.trader();
    const refusals = [
      [{ tokenId: 'UNKNOWN:yes' }, 'not_found'],
      [{ type: 'market' as const, tokenId: NO }, 'quote_unavailable'],
      [{ amount: '0.5' }, 'validation_failed'],
    ] as const;
    await fixture.quote(NO, { ageMs: 10_001 });
    for (const [intent, code] of refusals) {
      await expect(proposeIntent(trader.work(), intentOf(trader, intent))).rejects.toMatchObject({ code });
    }
    const { rows } = {
      rows: await fixture.db
        .selectFrom('trade_order')
        .select('id')
        .where('account_id', '=', trader.accountId)
        .execute(),
    };
    expect(rows).toEqual([]);
  });
});

describe('an intent of a graph', () => {
  const STEP = new Date('2026-11-20T11:59:58.000Z');
  async function deployed(rules = {}) {
    const trader = await fixture.trader(rules);
    const deploymentId = await fixture.addDeployment(trader);
    const of = (more = {}) => intentOf(trader, { deploymentId, nodeId: 'buy', stepAt: STEP, ...more });
    return { trader, deploymentId, of };
  }

  test('is unique by deployment, node and step: a repeat returns the first', async () => {
    const { trader, of } = await deployed();
    const first = await proposeIntent(trader.work(), of());
    const repeats = await Promise.all(
      Array.from({ length: 10 }, () => proposeIntent(trader.work(), of({ amount: '3' }))),
    );
    expect(new Set(repeats.map(({ id }) => id))).toEqual(new Set([first.id]));
    const other = await proposeIntent(trader.work(), of({ stepAt: new Date(STEP.getTime() + 2_000) }));
    expect(other.id).not.toBe(first.id);
  });

  test('of an ended deployment has no effect: that is the fence', async () => {
    const { trader, deploymentId, of } = await deployed();
    await fixture.endDeployment(deploymentId);
    await expect(proposeIntent(trader.work(), of())).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test("of another blueprint's deployment has no effect", async () => {
    const { trader, of } = await deployed();
    const blueprintId = await fixture.addBlueprint(trader.accountId);
    await expect(proposeIntent(trader.work(), of({ blueprintId }))).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });

  test('"entries halt, exits keep guarding": a halted deployment buys nothing and still sells', async () => {
    const { trader, deploymentId, of } = await deployed();
    await fixture.trade(trader, {});
    await fixture.db
      .updateTable('deployment_state')
      .set({ halted: true })
      .where('deployment_id', '=', deploymentId)
      .execute();
    await expect(proposeIntent(trader.work(), of())).rejects.toMatchObject({ code: 'invalid_state' });
    const sell = await proposeIntent(trader.work(), of({ origin: 'exit', side: 'sell', type: 'market' }));
    expect(sell.status).toBe('queued');
  });

  test('must name its node and step', async () => {
    const { trader, deploymentId } = await deployed();
    await expect(proposeIntent(trader.work(), intentOf(trader, { deploymentId }))).rejects.toThrow(
      'must name its node and step',
    );
  });

  test('"Every sell reduces: there are no short positions, and selling more than is held and free is refused"; an exit sells at most the free amount', async () => {
    const { trader, of } = await deployed();
    await fixture.trade(trader, {});
    const sell = (more: object) =>
      proposeIntent(trader.work(), of({ side: 'sell', type: 'market', ...more }));
    const first = await sell({ origin: 'exit', amount: '4', nodeId: 'a' });
    const rest = await sell({ origin: 'exit', amount: '10', nodeId: 'b' });
    expect([first.amount, rest.amount]).toEqual(['4', '6']);
    const denied = await sell({ origin: 'exit', amount: '10', nodeId: 'c' });
    expect(denied).toMatchObject({ status: 'denied', reason_code: 'heldAndFree' });
    const order = await sell({ origin: 'order', amount: '1', nodeId: 'd' });
    expect(order).toMatchObject({
      status: 'denied',
      reason: '0 are held and free, this order would sell 1.',
    });
  });

  test('"A blueprint\'s nodes see and sell only their own blueprint\'s positions"', async () => {
    const { trader, of } = await deployed();
    const other = await fixture.addBlueprint(trader.accountId);
    await fixture.trade({ ...trader, blueprintId: other }, {});
    const sell = await proposeIntent(trader.work(), of({ side: 'sell', type: 'market', origin: 'close' }));
    expect(sell).toMatchObject({ status: 'denied', reason_code: 'heldAndFree' });
  });
});

describe('the inputs of the rules', () => {
  test('`maxOrdersPerMinute` counts "the buys that entered `queued` in the last 60 s"; pending ones and sells do not count', async () => {
    const trader = await fixture.trader({ maxOrdersPerMinute: 2, requireApprovalAbove: 6 });
    const propose = (amount: string) => proposeIntent(trader.work(), intentOf(trader, { amount }));
    expect((await propose('20')).status).toBe('pending');
    await fixture.trade(trader, {});
    await fixture.trade(trader, { side: 'sell', type: 'market', amount: '1' });
    expect((await propose('1')).status).toBe('queued');
    fixture.wait(59_999);
    await fixture.quote(YES);
    expect(await propose('1')).toMatchObject({ status: 'denied', reason_code: 'maxOrdersPerMinute' });
    fixture.wait(1);
    expect((await propose('1')).status).toBe('queued');
  });

  test("the day's opening value is kept in `account_day`: yesterday's loss is not today's", async () => {
    const trader = await fixture.trader({ maxDailyLoss: 1 });
    await fixture.trade(trader, {});
    await fixture.quote(YES, { bid: '0.3' });
    const today = await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
    expect(today.status).toBe('denied');
    fixture.wait(12 * 3_600_000);
    await fixture.quote(YES, { bid: '0.3' });
    const tomorrow = await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
    expect(tomorrow.receipt).toMatchObject({ day: { openingUnrealizedPnl: '-2', unrealizedPnl: '-2' } });
    expect(lineOf(tomorrow, 'maxDailyLoss')).toMatchObject({ actual: '0', verdict: 'pass' });
    await fixture.quote(YES, { bid: '0.2' });
    const later = await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
    expect(lineOf(later, 'maxDailyLoss')).toMatchObject({ actual: '1', verdict: 'deny' });
    const days = await fixture.db
      .selectFrom('account_day')
      .selectAll()
      .where('account_id', '=', trader.accountId)
      .orderBy('day')
      .execute();
    expect(days.map(({ opening_unrealized_pnl }) => Number(opening_unrealized_pnl))).toEqual([0, -2]);
  });

  test('"Live buys reserve size and worst fee; a buy beyond free cash is `denied` with receipt line `buyingPower`"', async () => {
    const trader = await fixture.trader();
    const propose = (amount: string) => proposeIntent(trader.work(), intentOf(trader, { amount }));
    const first = await propose('10000');
    expect(first).toMatchObject({
      status: 'queued',
      size: '5000',
      worst_fee: '175',
    });
    const second = await propose('9333');
    expect(lineOf(second, 'buyingPower')).toMatchObject({
      limit: '4825',
      actual: '4829.8275',
      verdict: 'deny',
    });
    expect(second).toMatchObject({ status: 'denied', reason_code: 'buyingPower' });
    expect(await propose('9323')).toMatchObject({ status: 'queued' });
    fixture.wait(30_000);
    expect(await propose('9333')).toMatchObject({ status: 'queued' });
  });
});
