import { beforeEach, describe, expect, test } from 'vitest';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder, declineOrder, expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

/** A trader whose every order is pending, and one such order. */
async function waiting(intent: Partial<ProposedIntent> = {}, rules = {}) {
  const trader = await fixture.trader({ requireApprovalAbove: 0, ...rules });
  const order = await proposeIntent(trader.work(), intentOf(trader, intent));
  expect(order.status).toBe('pending');
  return { trader, order };
}

async function holdingAndWaiting() {
  const trader = await fixture.trader();
  await fixture.trade(trader, {});
  await fixture.setRules(trader, { requireApprovalAbove: 0 });
  const byKey = { ...trader.work(), actor: 'key:tester' };
  const { intentId } = await closePosition(byKey, { tokenId: YES, amount: '10' });
  return { trader, id: intentId };
}

const unchanged = async (id: string) =>
  expect(await fixture.order(id)).toMatchObject({ status: 'pending', version: 1, approved_by: null });

describe('approval', () => {
  test('returns `{ok, id}`, queues the order and stores the receipt of the second decision', async () => {
    const { trader, order } = await waiting();
    fixture.wait(5_000);
    expect(await approveOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    const detail = await readOrder(trader.work(), order.id);
    expect(detail).toMatchObject({
      status: 'queued',
      approvedBy: 'session:tester',
      queuedAt: fixture.now().toISOString(),
      expiresAt: new Date(fixture.now().getTime() + 30_000).toISOString(),
      approvalReceipt: { verdict: 'queued', decidedAt: fixture.now().toISOString() },
      timeline: [{ status: 'pending' }, { from: 'pending', status: 'queued', actor: 'session:tester' }],
    });
    expect(detail.approvalReceipt?.lines.find(({ rule }) => rule === 'requireApprovalAbove')).toMatchObject({
      verdict: 'pass',
      note: 'approved',
    });
    expect(detail.receipt.lines.find(({ rule }) => rule === 'requireApprovalAbove')?.verdict).toBe('wait');
  });

  test('is audited with who, before and after', async () => {
    const { trader, order } = await waiting();
    await approveOrder(trader.work(), order.id);
    const audited = await fixture.db
      .selectFrom('audit_event')
      .selectAll()
      .where('subject_id', '=', order.id)
      .execute();
    expect(audited).toMatchObject([
      {
        action: 'order.approved',
        actor: 'session:tester',
        before: { status: 'pending' },
        after: {
          status: 'queued',
          side: 'buy',
          amount: String(Number(order.amount)),
          tokenId: order.token_id,
        },
      },
    ]);
  });

  test('"approve of an intent this account already approved 200", whatever happened to it', async () => {
    const { trader, order } = await waiting();
    await approveOrder(trader.work(), order.id);
    const { version } = await fixture.order(order.id);
    expect(await approveOrder(trader.work(), order.id, 1)).toEqual({ ok: true, id: order.id });
    expect((await fixture.order(order.id)).version).toBe(version);
    await cancelOrder(trader.work(), order.id);
    expect(await approveOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    expect((await fixture.order(order.id)).status).toBe('canceled');
  });

  test('"a foreign id and a missing id" are the same 404', async () => {
    const { order } = await waiting();
    const stranger = await fixture.trader();
    for (const id of [order.id, crypto.randomUUID()]) {
      await expect(approveOrder(stranger.work(), id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(declineOrder(stranger.work(), id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(cancelOrder(stranger.work(), id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(readOrder(stranger.work(), id)).rejects.toMatchObject({ code: 'not_found' });
    }
    await unchanged(order.id);
  });

  test('optional `If-Match` binds it to the reviewed version', async () => {
    const { trader, order } = await waiting();
    await expect(approveOrder(trader.work(), order.id, 2)).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await unchanged(order.id);
    await approveOrder(trader.work(), order.id, 1);
  });

  test('an intent that expired cannot be approved, whether or not a job has run', async () => {
    const { trader, order } = await waiting();
    fixture.wait(15 * 60_000);
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({ code: 'intent_expired' });
    await expireOrder(fixture.workOf(trader.accountId, 'system'), order.id);
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({ code: 'intent_expired' });
  });

  test('an order that ended otherwise cannot be approved', async () => {
    const { trader, order } = await waiting();
    await declineOrder(trader.work(), order.id);
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({
      code: 'intent_not_pending',
      message: `Order ${order.id} is declined: only a pending one can be approved.`,
    });
    const denied = await proposeIntent(trader.work(), intentOf(trader, { amount: '100000' }));
    await expect(approveOrder(trader.work(), denied.id)).rejects.toMatchObject({
      code: 'intent_not_pending',
    });
    await fixture.setRules(trader, { requireApprovalAbove: 1_000 });
    const queued = await proposeIntent(trader.work(), intentOf(trader));
    await expect(approveOrder(trader.work(), queued.id)).rejects.toMatchObject({
      code: 'intent_not_pending',
    });
  });
});

describe('"risk rules in force now and the price band are checked **again**. A failed check changes nothing"', () => {
  test("a rule changed since: 403 with the receipt's words, still pending, and approvable again once it passes", async () => {
    const { trader, order } = await waiting();
    await fixture.setRules(trader, { maxOrderSize: 1 });
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({
      code: 'risk_rule_violated',
      message: `maxOrderSize is 1 USD, this order is 5 USD. Order ${order.id} has the whole receipt.`,
      issues: [{ code: 'maxOrderSize' }],
    });
    await unchanged(order.id);
    await fixture.setRules(trader, { maxOrderSize: 100 });
    await approveOrder(trader.work(), order.id);
  });

  test('the order does not count against itself', async () => {
    const { trader, order } = await waiting({ amount: '19000' }, { maxOpenPositions: 1 });
    await approveOrder(trader.work(), order.id);
    const { approvalReceipt } = await readOrder(trader.work(), order.id);
    expect(approvalReceipt).toMatchObject({ reserved: '0' });
    expect(approvalReceipt?.lines.find(({ rule }) => rule === 'maxOpenPositions')).toMatchObject({
      actual: '1',
    });
  });

  test('"the orders that entered `queued` in the last 60 s, directly or by approval": it counts in the minute it is given', async () => {
    const { trader, order } = await waiting({}, { maxOrdersPerMinute: 1 });
    const second = await proposeIntent(trader.work(), intentOf(trader));
    fixture.wait(120_000);
    await approveOrder(trader.work(), order.id);
    await expect(approveOrder(trader.work(), second.id)).rejects.toMatchObject({
      issues: [{ code: 'maxOrdersPerMinute' }],
    });
    fixture.wait(60_000);
    await approveOrder(trader.work(), second.id);
  });

  test('`price_moved`: a market order whose quote left the band stays pending', async () => {
    const { trader, order } = await waiting({ type: 'market' });
    await fixture.quote(YES, { ask: '0.53' });
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({
      code: 'price_moved',
      message: `The ask of ${YES} is 0.53 now, outside the price band that ends at 0.52.`,
    });
    await unchanged(order.id);
    await fixture.quote(YES, { ask: '0.52' });
    await approveOrder(trader.work(), order.id);
    expect((await fixture.order(order.id)).limit_price).toBe('0.520000000000');
  });

  test('`price_moved` for a sell: "nothing widens it later"', async () => {
    const { trader, id } = await holdingAndWaiting();
    await fixture.quote(YES, { bid: '0.45' });
    await expect(approveOrder(trader.work(), id)).rejects.toMatchObject({ code: 'price_moved' });
    await fixture.quote(YES, { bid: '0.46' });
    await approveOrder(trader.work(), id);
  });

  test('a decision without proof is refused: no quote, an old one, no offer, a market that is not open', async () => {
    const { trader, order } = await waiting({ type: 'market' });
    const approve = () => approveOrder(trader.work(), order.id);
    await fixture.quote(YES, { ageMs: 30_001 });
    await expect(approve()).rejects.toMatchObject({ code: 'quote_unavailable' });
    await fixture.quote(YES, { ask: null });
    await expect(approve()).rejects.toMatchObject({ code: 'no_liquidity' });
    await fixture.quote(YES, { status: 'closed' });
    await expect(approve()).rejects.toMatchObject({ code: 'market_not_open' });
    await unchanged(order.id);
    await fixture.quote(YES, { ageMs: 30_000 });
    await approve();
  });

  test('a limit order has no band: it may rest', async () => {
    const { trader, order } = await waiting();
    await fixture.quote(YES, { ask: '0.9', ageMs: 60_000 });
    await approveOrder(trader.work(), order.id);
  });

  test('a sell whose position was sold meanwhile is refused', async () => {
    const { trader, id } = await holdingAndWaiting();
    await fixture.setRules(trader, { requireApprovalAbove: 1_000 });
    await closePosition(trader.work(), { tokenId: YES, amount: '1' });
    await expect(approveOrder(trader.work(), id)).rejects.toMatchObject({
      code: 'risk_rule_violated',
      issues: [{ code: 'heldAndFree' }],
    });
    await unchanged(id);
  });

  test('"An intent is approvable while its deployment is live or it has none"', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: 0 });
    const deploymentId = await fixture.addDeployment(trader);
    const order = await proposeIntent(
      trader.work(),
      intentOf(trader, { deploymentId, nodeId: 'n', stepAt: fixture.now() }),
    );
    await fixture.endDeployment(deploymentId);
    await expect(approveOrder(trader.work(), order.id)).rejects.toMatchObject({ code: 'invalid_state' });
    await unchanged(order.id);
  });
});

describe('decline and cancel', () => {
  const end = (who: Trader, id: string) =>
    fixture.order(id).then(({ status, reason }) => ({ status, reason, who }));

  test('decline is final, audited, and safe to repeat', async () => {
    const { trader, order } = await waiting();
    expect(await declineOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    expect(await declineOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    expect(await end(trader, order.id)).toMatchObject({
      status: 'declined',
      reason: 'Declined by session:tester.',
    });
    const audited = await fixture.db
      .selectFrom('audit_event')
      .select('action')
      .where('subject_id', '=', order.id)
      .execute();
    expect(audited).toEqual([{ action: 'order.declined' }]);
  });

  test('only a pending intent can be declined', async () => {
    const { trader, order } = await waiting();
    fixture.wait(15 * 60_000);
    await expect(declineOrder(trader.work(), order.id)).rejects.toMatchObject({ code: 'intent_expired' });
    const second = await waiting();
    await approveOrder(second.trader.work(), second.order.id);
    await expect(declineOrder(second.trader.work(), second.order.id)).rejects.toMatchObject({
      code: 'intent_not_pending',
    });
  });

  test('cancel ends an unsent order at once, and is safe to repeat', async () => {
    const { trader, order } = await waiting();
    expect(await cancelOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    expect(await cancelOrder(trader.work(), order.id)).toEqual({ ok: true, id: order.id });
    expect(await end(trader, order.id)).toMatchObject({
      status: 'canceled',
      reason: 'Canceled by session:tester.',
    });
  });

  test('an order that has ended another way cannot be canceled', async () => {
    const trader = await fixture.trader();
    const filled = await fixture.trade(trader, {});
    await expect(cancelOrder(trader.work(), filled.id)).rejects.toMatchObject({
      code: 'invalid_state',
      message: `Order ${filled.id} is filled: there is nothing left to cancel.`,
    });
    const expired = await waiting();
    fixture.wait(15 * 60_000);
    await expect(cancelOrder(expired.trader.work(), expired.order.id)).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});
