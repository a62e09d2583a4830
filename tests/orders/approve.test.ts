import { beforeEach, describe, expect, test } from 'vitest';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { type ProposedIntent, proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, YES } from '../support/trading-fixture.ts';

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
});
