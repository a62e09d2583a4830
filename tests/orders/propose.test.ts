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

  test('"entries halt, exits keep guarding": a halted deployment buys nothing and still sells; an ended one neither', async () => {
    const { trader, deploymentId, of } = await deployed();
    await fixture.trade(trader, {});
    await fixture.db
      .updateTable('deployment_state')
      .set({ halted: true })
      .where('deployment_id', '=', deploymentId)
      .execute();
    const exit = (nodeId: string) =>
      of({ nodeId, origin: 'exit', side: 'sell', type: 'market', amount: '4' });
    const refused = { code: 'invalid_state' };
    await expect(proposeIntent(trader.work(), of())).rejects.toMatchObject(refused);
    expect((await proposeIntent(trader.work(), exit('a'))).status).toBe('queued');
    await fixture.endDeployment(deploymentId);
    await expect(proposeIntent(trader.work(), exit('b'))).rejects.toMatchObject(refused);
  });

  test('"one live sell per node and position": a second one is refused while the first lives, and accepted once it has ended', async () => {
    const { trader, of } = await deployed();
    await fixture.trade(trader, {});
    const exit = (sec: number) => {
      const stepAt = new Date(STEP.getTime() + sec * 1_000);
      return proposeIntent(
        trader.work(),
        of({ stepAt, origin: 'exit', side: 'sell', type: 'market', amount: '2' }),
      );
    };
    const outcomes = await Promise.allSettled([0, 1, 2, 3].map(exit));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    fixture.wait(30_000);
    await fixture.quote(YES);
    expect((await exit(4)).status).toBe('queued');
  });

  test('must name its node and step', async () => {
    const { trader, deploymentId } = await deployed();
    await expect(proposeIntent(trader.work(), intentOf(trader, { deploymentId }))).rejects.toThrow(
      'must name its node and step',
    );
  });
});

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
