import { beforeEach, describe, expect, test } from 'vitest';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { recheckLossLimits } from '../../engine/trading/orders/entry/recheck-loss-limits.ts';
import { findDailyLossesReached } from '../../engine/trading/orders/lifecycle/daily-loss.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { openedForFile } from '../support/opened.ts';
import { intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';
import { inOtherProcess } from '../support/trading-model.ts';

const fixture = openedForFile(() => openTradingFixture({ poolMax: 30 }));
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

/** Ten YES bought at 0.5: every cent the bid falls is 0.1 USD lost. */
async function holder(maxDailyLoss = 1): Promise<Trader> {
  const trader = await fixture.trader({ maxDailyLoss });
  await fixture.trade(trader, {});
  return trader;
}
const bidFalls = (bid: string) => fixture.quote(YES, { bid, ask: '0.5' });
const buy = (trader: Trader) => proposeIntent(trader.work(), intentOf(trader, { tokenId: NO, amount: '1' }));
const accountOf = ({ accountId }: Trader) =>
  fixture.db
    .selectFrom('trading_account')
    .select(['tripped_at', 'trip_reason'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();

describe('"It latches: once reached, at a decision or by the sweep"', () => {
  test('buys stay denied though the loss shrinks; the column has time and reason, and so have an event and the audit trail', async () => {
    const trader = await holder();
    await bidFalls('0.4');
    expect(await buy(trader)).toMatchObject({ status: 'denied', reason_code: 'maxDailyLoss' });
    expect(await accountOf(trader)).toEqual({
      tripped_at: expect.any(String),
      trip_reason: 'The loss since 00:00 UTC reached maxDailyLoss: 1 of 1 USD.',
    });
    await fixture.quote(YES);
    const at = fixture.now().toISOString();
    fixture.wait(1_000);
    const denied = await buy(trader);
    expect(denied).toMatchObject({
      status: 'denied',
      reason: `maxDailyLoss was reached at ${at}: buys are denied until 00:00 UTC, or until this rule is changed.`,
      receipt: { day: { trippedAt: at } },
    });
    const events = await fixture.db
      .selectFrom('account_event')
      .select(['type', 'payload'])
      .where('account_id', '=', trader.accountId)
      .where('type', 'in', ['daily_loss.tripped', 'notification'])
      .orderBy('seq')
      .execute();
    expect(events).toMatchObject([
      { type: 'daily_loss.tripped', payload: { loss: '1', limit: '1', at } },
      { type: 'notification' },
    ]);
    const audits = await fixture.db
      .selectFrom('audit_event')
      .select(['action', 'actor', 'after'])
      .where('account_id', '=', trader.accountId)
      .where('action', '=', 'daily_loss.tripped')
      .execute();
    expect(audits).toMatchObject([{ actor: 'system', after: { loss: '1', limit: '1' } }]);
    const usage = await riskUsage(trader.work());
    expect(usage.lines.find(({ rule }) => rule === 'maxDailyLoss')?.note).toContain(`tripped at ${at}`);
  });

  test('the sweep finds it without a decision, and only if it is reached', async () => {
    const [trader, other, tripped] = [await holder(), await holder(1.01), await holder()];
    await bidFalls('0.4');
    await recheckLossLimits(tripped.work());
    const found = (await findDailyLossesReached(fixture.db, fixture.now(), 1_000)).map(
      ({ accountId }) => accountId,
    );
    expect(found).toContain(trader.accountId);
    expect(found).not.toContain(other.accountId);
    expect(found).not.toContain(tripped.accountId);
    await recheckLossLimits(trader.work());
    await recheckLossLimits(other.work());
    expect((await accountOf(trader)).tripped_at).not.toBeNull();
    expect((await accountOf(other)).tripped_at).toBeNull();
    expect(await findDailyLossesReached(fixture.db, fixture.now(), 1)).toHaveLength(0);
  });

  test('"until 00:00 UTC"', async () => {
    const trader = await holder();
    await bidFalls('0.4');
    await recheckLossLimits(trader.work());
    fixture.wait(
      Date.parse(`${fixture.now().toISOString().slice(0, 10)}T23:59:59.999Z`) - fixture.now().getTime(),
    );
    await fixture.quote(YES);
    await fixture.quote(NO);
    expect((await buy(trader)).status).toBe('denied');
    fixture.wait(1);
    expect((await buy(trader)).status).toBe('queued');
  });

  test('"or until a person changes this rule", and no other; a loss that reaches the new limit trips again', async () => {
    const trader = await holder();
    await bidFalls('0.4');
    await recheckLossLimits(trader.work());
    await fixture.quote(YES);
    await fixture.setRules(trader, { maxOrderSize: 500, maxDailyLoss: 1 });
    expect((await buy(trader)).status).toBe('denied');
    await fixture.setRules(trader, { maxDailyLoss: 2 });
    expect((await buy(trader)).status).toBe('queued');
    await bidFalls('0.3');
    expect((await buy(trader)).status).toBe('denied');
  });

  test('in a race of approvals, buys, fills, sweeps and rule changes no buy is queued after the trip', async () => {
    for (let round = 0; round < 6; round++) {
      const trader = await holder();
      await fixture.setRules(trader, { requireApprovalAbove: 0 });
      const pending = await Promise.all(Array.from({ length: 6 }, () => buy(trader)));
      await bidFalls('0.4');
      await Promise.allSettled([
        ...pending.map(({ id }) => inOtherProcess(trader, (work) => approveOrder(work, id))),
        inOtherProcess(trader, (work) => recheckLossLimits(work)),
        inOtherProcess(trader, (work) => recheckLossLimits(work)),
        inOtherProcess(trader, (work) => closePosition(work, { tokenId: YES, amount: '4' })),
        fixture.setRules(trader, { requireApprovalAbove: 100 }),
        buy(trader),
        buy(trader),
      ]);
      const cleared = await fixture.db
        .selectFrom('trade_order')
        .select('id')
        .where('account_id', '=', trader.accountId)
        .where('side', '=', 'buy')
        .where('status', 'in', ['pending', 'queued'])
        .execute();
      expect(cleared).toEqual([]);
      const trips = await fixture.db
        .selectFrom('audit_event')
        .select('id')
        .where('account_id', '=', trader.accountId)
        .where('action', '=', 'daily_loss.tripped')
        .execute();
      expect(trips).toHaveLength(1);
      await fixture.quote(YES);
    }
  });
});

test('"A buy is judged on marks at most 30 s old, else denied (`stale_marks`); a sell never waits for marks"', async () => {
  const trader = await holder(100);
  await fixture.trade(trader, { tokenId: NO });
  fixture.wait(30_000);
  await fixture.quote(NO);
  expect((await buy(trader)).status).toBe('queued');
  fixture.wait(1);
  expect(await buy(trader)).toMatchObject({
    status: 'denied',
    reason_code: 'stale_marks',
    reason: `maxDailyLoss needs marks at most 30 s old: the last bid for ${YES} is 30.001 s old.`,
  });
  expect((await closePosition(trader.work(), { tokenId: NO, amount: '1' })).status).toBe('queued');
  await fixture.quote(YES, { unknown: true });
  expect(await buy(trader)).toMatchObject({ reason_code: 'stale_marks' });
});
