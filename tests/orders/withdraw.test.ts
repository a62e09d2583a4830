import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openedForFile } from '../support/opened.ts';
import { fillingBroker, intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
beforeEach(() => fixture.quote(YES));

/** Three blueprints that hold five YES each, the first with a deployment, and a pending close of them all. */
async function closeOfAll(amount = '15') {
  const trader = await fixture.trader();
  const others = [await fixture.addBlueprint(trader.accountId), await fixture.addBlueprint(trader.accountId)];
  const traders = [trader, ...others.map((blueprintId) => ({ ...trader, blueprintId }))];
  for (const each of traders) {
    await fixture.trade(each, { amount: '5' });
    fixture.wait(1_000);
  }
  await fixture.quote(YES);
  await fixture.setRules(trader, { requireApprovalAbove: 1 });
  const byKey = { ...trader.work(), actor: 'key:1' };
  const { intentId, status } = await closePosition(byKey, { tokenId: YES, amount });
  expect(status).toBe('pending');
  return { trader, traders, intentId };
}

async function exitOf(trader: Trader, nodeId = 'exit') {
  const deploymentId = await fixture.addDeployment(trader);
  const release = await fixture.db
    .selectFrom('deployment')
    .select('release_number')
    .where('id', '=', deploymentId)
    .executeTakeFirstOrThrow();
  return proposeIntent(
    trader.work(),
    intentOf(trader, {
      deploymentId,
      nodeId,
      stepAt: fixture.now(),
      origin: 'exit',
      side: 'sell',
      type: 'market',
      amount: '5',
      preapprovedRelease: release.release_number,
    }),
  );
}

describe('"A blueprint\'s exit takes back, of an account-wide close that waits, only what that blueprint holds; the rest of the close stays"', () => {
  test('approved after that, it sells the rest and nothing else', async () => {
    const { trader, traders, intentId } = await closeOfAll();
    const [first] = traders;
    if (first === undefined) throw new Error('No blueprint holds a position.');
    const exit = await exitOf(first);
    await sendOrder(trader.work(), fillingBroker(fixture.now), exit.id);
    await approveOrder(trader.work(), intentId);
    await sendOrder(trader.work(), fillingBroker(fixture.now), intentId);
    expect(await listPositions(trader.work())).toEqual([]);
    expect((await fixture.order(intentId)).filled_amount).toBe('10.000000000000');
  });

  test('one exit after the other, until the close is empty: then it is canceled', async () => {
    const { traders, intentId } = await closeOfAll();
    const statuses = [];
    for (const each of traders) {
      await exitOf(each);
      const { status, amount } = await fixture.order(intentId);
      statuses.push([status, Number(amount)]);
    }
    expect(statuses).toEqual([
      ['pending', 10],
      ['pending', 5],
      ['canceled', 5],
    ]);
  });

  test('no intent becomes larger, nor changes in any other way, nor once it is queued', async () => {
    const { intentId } = await closeOfAll();
    const change = (values: object) =>
      fixture.db.updateTable('trade_order').set(values).where('id', '=', intentId).execute();
    await expect(change({ amount: '16' })).rejects.toThrow('immutable');
    await expect(change({ limit_price: '0.1' })).rejects.toThrow('immutable');
    await expect(change({ amount: '10', size: '99' })).rejects.toThrow('immutable');
  });
});
