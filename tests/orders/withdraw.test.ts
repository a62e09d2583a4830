import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
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
  test.each([0, 1, 2])(
    'whichever of the three it is (%i): amount, size and reservation are smaller, the order of the rest is kept',
    async (which) => {
      const { trader, traders, intentId } = await closeOfAll();
      const before = await readOrder(trader.work(), intentId);
      const leaving = traders[which] ?? trader;
      expect((await exitOf(leaving)).status).toBe('queued');
      const after = await readOrder(trader.work(), intentId);
      const staying = traders.filter((each) => each !== leaving).map(({ blueprintId }) => blueprintId);
      expect(after).toMatchObject({ status: 'pending', amount: '10', size: '4.8' });
      expect(after.version).toBe(before.version + 1);
      expect(after.allocations.map(({ blueprintId, amount }) => [blueprintId, amount])).toEqual(
        staying.map((blueprintId) => [blueprintId, '5']),
      );
      const audits = await fixture.db
        .selectFrom('audit_event')
        .select(['before', 'after'])
        .where('subject_id', '=', intentId)
        .where('action', '=', 'order.reduced')
        .execute();
      expect(audits).toMatchObject([
        { before: { amount: '15' }, after: { amount: '10', soldBy: leaving.blueprintId } },
      ]);
    },
  );

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

describe('"one live sell per node and position"', () => {
  test('a second one of the node is refused while the first lives, and accepted once it has ended', async () => {
    const trader = await fixture.trader();
    await fixture.trade(trader, { amount: '10' });
    const deploymentId = await fixture.addDeployment(trader);
    const sell = (nodeId: string, sec: number) =>
      proposeIntent(
        trader.work(),
        intentOf(trader, {
          deploymentId,
          nodeId,
          stepAt: new Date(fixture.now().getTime() + sec * 1_000),
          origin: 'exit',
          side: 'sell',
          type: 'market',
          amount: '2',
          preapprovedRelease: 1,
        }),
      );
    const outcomes = await Promise.allSettled([0, 1, 2, 3].map((sec) => sell('exit', sec)));
    const made = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(made).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'invalid_state' });
    }
    expect((await sell('other', 4)).status).toBe('queued');
    fixture.wait(30_000);
    await fixture.quote(YES);
    expect((await sell('exit', 5)).status).toBe('queued');
  });
});
