import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { recheckLossLimits } from '../../engine/trading/orders/entry/recheck-loss-limits.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { findWatchesToUpdate } from '../../engine/trading/orders/lifecycle/daily-loss.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { riskUsage } from '../../engine/usecases/risk-rules/usage.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, NO, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

// Closing the fixture verifies the ledger, which evaluates every receipt a second time.
const fixture = openedForFile(openTradingFixture);
beforeEach(() => bids('0.48'));

const bids = async (bid: string) => {
  await fixture.quote(YES, { bid, ask: '0.5' });
  await fixture.quote(NO);
};

/** Ten YES bought at 0.5, the rule turned on after it: a cent of the bid is 0.1 USD. */
async function holder(maxDrawdown = 1): Promise<Trader> {
  const trader = await fixture.trader({});
  await fixture.trade(trader, {});
  await updateRules(trader.work(), { maxDrawdown });
  return trader;
}
const buy = (trader: Trader) => proposeIntent(trader.work(), intentOf(trader, { tokenId: NO, amount: '1' }));
const watchOf = ({ accountId }: Trader) =>
  fixture.db.selectFrom('drawdown_watch').selectAll().where('account_id', '=', accountId).executeTakeFirst();
const markOf = async (trader: Trader) => Number((await watchOf(trader))?.high_water_mark);
const found = async (trader: Trader) =>
  (await findWatchesToUpdate(fixture.db, fixture.now(), 1_000)).some(
    ({ accountId }) => accountId === trader.accountId,
  );

/** Polls as the watch does: checks once a second, with quotes arriving, and trips if a limit is reached. */
async function pass(trader: Trader, sec: number, bid: string): Promise<void> {
  for (let gone = 0; gone < sec; gone++) {
    fixture.wait(1_000);
    await bids(bid);
    if (await found(trader)) await recheckLossLimits(trader.work());
  }
}
const lineOf = (receipt: unknown) =>
  (receipt as { lines: { rule: string }[] }).lines.find(({ rule }) => rule === 'maxDrawdown');

describe('maxDrawdown', () => {
  test("starts from the account's value when it is turned on, and follows lasting values", async () => {
    const trader = await holder();
    const mark = await markOf(trader);
    await pass(trader, 32, '0.49');
    expect(await markOf(trader)).toBeCloseTo(mark + 0.1, 10);
    fixture.wait(1_000);
    await bids('0.9');
    await recheckLossLimits(trader.work());
    await pass(trader, 31, '0.49');
    expect(await markOf(trader)).toBeCloseTo(mark + 0.1, 10);
    await bids('0.4');
    expect(lineOf((await buy(trader)).receipt)).toMatchObject({ limit: '1', actual: '0.9', verdict: 'pass' });
    await bids('0.39');
    const denied = await buy(trader);
    expect(denied).toMatchObject({
      status: 'denied',
      reason_code: 'maxDrawdown',
      reason: 'maxDrawdown is 1 USD, the account is 1 USD below its high-water mark.',
    });
    expect(await watchOf(trader)).toMatchObject({ tripped_at: null });
    await bids('0.48');
    expect((await buy(trader)).status).toBe('queued');
  });

  test('stops an account once the drawdown has lasted: buys are canceled, with event and audit row; sells continue', async () => {
    const trader = await holder();
    const resting = await proposeIntent(trader.work(), intentOf(trader, { amount: '2' }));
    await sendOrder(trader.work(), new ScriptedBroker(fixture.now), resting.id);
    await updateRules(trader.work(), { requireApprovalAbove: 0 });
    const pending = await buy(trader);
    await pass(trader, 31, '0.38');
    expect(await watchOf(trader)).toMatchObject({ tripped_at: null });
    await pass(trader, 1, '0.38');
    const at = fixture.now().toISOString();
    expect(await fixture.order(resting.id)).toMatchObject({ status: 'open', reason_code: 'drawdown' });
    expect((await fixture.order(resting.id)).cancel_requested_at).not.toBeNull();
    expect(await fixture.order(pending.id)).toMatchObject({ status: 'declined', reason_code: 'drawdown' });
    const events = await fixture.db
      .selectFrom('account_event')
      .select(['type', 'payload'])
      .where('account_id', '=', trader.accountId)
      .where('type', 'in', ['drawdown.tripped', 'notification'])
      .orderBy('seq')
      .execute();
    expect(events).toMatchObject([
      { type: 'drawdown.tripped', payload: { at, below: '1', limit: '1' } },
      { type: 'notification', payload: { kind: 'drawdown' } },
    ]);
    await pass(trader, 2, '0.5');
    expect(await buy(trader)).toMatchObject({
      status: 'denied',
      reason: `maxDrawdown was reached at ${at}: buys are denied until this rule is changed.`,
    });
    const sell = await proposeIntent(trader.work(), intentOf(trader, { side: 'sell', amount: '4' }));
    expect(sell.status).toBe('pending');
    const { lines } = await riskUsage(trader.work());
    expect(lines.find(({ rule }) => rule === 'maxDrawdown')).toMatchObject({
      note: `tripped at ${at}: no buys until this rule is changed`,
    });
    expect(await found(trader)).toBe(false);
  });

  test('marks without quotes for 30 s neither rise nor trip, and are found once: what had begun is forgotten', async () => {
    const trader = await holder();
    await pass(trader, 5, '0.38');
    expect((await watchOf(trader))?.beyond_since).not.toBeNull();
    fixture.wait(31_000);
    expect(await found(trader)).toBe(true);
    await recheckLossLimits(trader.work());
    expect(await watchOf(trader)).toMatchObject({ beyond_since: null, tripped_at: null });
    expect(await found(trader)).toBe(false);
    await pass(trader, 31, '0.38');
    expect(await watchOf(trader)).toMatchObject({ tripped_at: null });
  });

  test('continues with another limit from the same mark, and after off and on from a new one', async () => {
    const trader = await holder();
    const mark = await markOf(trader);
    await pass(trader, 32, '0.38');
    await updateRules(trader.work(), { maxDrawdown: 2 });
    expect((await buy(trader)).status).toBe('queued');
    expect(await markOf(trader)).toBe(mark);
    await updateRules(trader.work(), { maxDrawdown: null });
    expect(await watchOf(trader)).toBeUndefined();
    await updateRules(trader.work(), { maxDrawdown: 1 });
    expect(await markOf(trader)).toBeCloseTo(mark - 1, 10);
    expect(lineOf((await buy(trader)).receipt)).toMatchObject({ actual: '0', verdict: 'pass' });
  });

  test('a mark lowered in the database, and a receipt with another one, are found', async () => {
    const trader = await holder();
    const { id } = await buy(trader);
    const [{ receipt }, mark] = [await fixture.order(id), await markOf(trader)];
    const setMark = (value: number) =>
      sql`update drawdown_watch set high_water_mark = ${value} where account_id = ${trader.accountId}`.execute(
        fixture.db,
      );
    await setMark(mark - 1);
    expect(JSON.stringify(await fixture.differences())).toContain('drawdown_watch');
    await setMark(mark);
    const write = (json: string) =>
      fixture.db.transaction().execute(async (tx) => {
        await sql`set local session_replication_role = replica`.execute(tx);
        await sql`update trade_order set receipt = ${json}::jsonb where id = ${id}`.execute(tx);
      });
    const words = JSON.stringify(receipt);
    for (const [from, to] of [
      [/"highWaterMark":"[^"]*"/, '"highWaterMark":"-99"'],
      [/("drawdown":\{[^}]*"realizedPnl":")/, '$19'],
      [/("drawdown":\{[^}]*"trippedAt":)null/, '$1"2026-11-20T12:00:00.000Z"'],
      [/"drawdown":\{[^}]*\},/, ''],
    ] as const) {
      expect(words.replace(from, to)).not.toBe(words);
      await write(words.replace(from, to));
      expect(JSON.stringify(await fixture.differences())).toContain(id);
    }
    await write(words);
  });
});
