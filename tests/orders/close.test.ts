import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { openedForFile } from '../support/opened.ts';
import { NO, openTradingFixture, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

/** A trader with ten YES in an older blueprint and ten in a younger one. */
async function twoPositions() {
  const trader = await fixture.trader();
  const younger = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
  await fixture.trade(trader, {});
  fixture.wait(1_000);
  await fixture.trade(younger, {});
  await fixture.quote(YES);
  return { trader, younger };
}

describe('closing a position', () => {
  test('answers `{intentId, status, amount}`: "an immediate-or-cancel sell within the price band"', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    const closed = await closePosition(trader.work(), { tokenId: YES, amount: '4' });
    expect(closed).toEqual({ intentId: expect.any(String), status: 'queued', amount: '4' });
    expect(await fixture.order(closed.intentId)).toMatchObject({
      side: 'sell',
      type: 'market',
      time_in_force: 'ioc',
      limit_price: '0.460000000000',
      deployment_id: null,
      origin: 'manual',
    });
  });

  test('the closer is in the audit trail, with the amount held', async () => {
    const { trader } = await twoPositions();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '15' });
    const entries = await fixture.db
      .selectFrom('audit_event')
      .select(['action', 'actor', 'before', 'after'])
      .where('subject_id', '=', intentId)
      .execute();
    expect(entries).toEqual([
      {
        action: 'position.close_requested',
        actor: trader.work().actor,
        before: { tokenId: YES, held: '20' },
        after: { amount: '15', status: 'queued' },
      },
    ]);
  });

  test("\"It draws on the account's positions in that instrument, oldest first, reserving on each; the intent's `blueprintId` is the first one's\"", async () => {
    const { trader, younger } = await twoPositions();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '13' });
    const { allocations, blueprintId } = await readOrder(trader.work(), intentId);
    expect(blueprintId).toBe(trader.blueprintId);
    expect(allocations.map((part) => [part.blueprintId, part.amount])).toEqual([
      [trader.blueprintId, '10'],
      [younger.blueprintId, '3'],
    ]);
    const positions = await listPositions(trader.work());
    expect(positions.map((position) => [position.blueprintId, position.amountClosing])).toEqual([
      [younger.blueprintId, '3'],
      [trader.blueprintId, '10'],
    ]);
  });

  test('a resting sell holds back only what it has not sold yet', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await fixture.trade(trader, { side: 'sell', amount: '6' }, { amount: '4' });
    expect(await listPositions(trader.work())).toMatchObject([{ amount: '6', amountClosing: '2' }]);
    expect((await closePosition(trader.work(), { tokenId: YES, amount: '4' })).status).toBe('queued');
  });

  test('a queued close that was not sent in 30 s releases its reserve', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, {});
    await closePosition(trader.work(), { tokenId: YES, amount: '10' });
    fixture.wait(30_000);
    await fixture.quote(YES);
    expect((await listPositions(trader.work()))[0]?.amountClosing).toBe('0');
    expect((await closePosition(trader.work(), { tokenId: YES, amount: '10' })).status).toBe('queued');
  });
});
