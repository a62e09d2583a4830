import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { deleteBlueprint } from '../../engine/usecases/blueprints/drafts/delete.ts';
import { endDeployment } from '../support/deployments.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';
import { inOtherProcess } from '../support/trading-model.ts';

const fixture = openedForFile(() => openTradingFixture({ poolMax: 30 }));
beforeEach(() => fixture.quote(YES));

/** Ends a deployment as a stop does, and returns the stop's position in the ledger. */
const stop = (trader: Trader, deploymentId: string): Promise<bigint> =>
  underAccountLock(trader.work(), async (tx, now) => {
    await endDeployment(tx.db, deploymentId, now);
    await cancelDeploymentOrders(tx, deploymentId, { now, reason: 'Stopped.' });
    const { rows } = await sql<{ seq: string }>`select nextval('ledger_seq') as seq`.execute(tx.db);
    return BigInt(rows[0]?.seq ?? 0);
  });

const forgive = (error: unknown) => {
  if (!(error instanceof DomainError)) throw error;
};

test('"nothing of that deployment is created, cleared or handed to a sender after the 200", whatever runs against it', {
  tags: ['long'],
}, async () => {
  for (let round = 0; round < 10; round++) {
    const trader = await fixture.trader({ requireApprovalAbove: 4 });
    const deploymentId = await fixture.addDeployment(trader);
    const broker = new ScriptedBroker(fixture.now);
    let step = 0;
    const intent = (amount: string) =>
      intentOf(trader, { deploymentId, nodeId: 'n', stepAt: new Date(++step), amount });
    const waiting = await Promise.all(
      ['9', '10'].map((amount) => proposeIntent(trader.work(), intent(amount))),
    );
    const cleared = await Promise.all(
      ['1', '2', '3'].map((amount) => proposeIntent(trader.work(), intent(amount))),
    );

    const [stoppedAt] = await Promise.all([
      stop(trader, deploymentId),
      ...waiting.map(({ id }) => inOtherProcess(trader, (work) => approveOrder(work, id)).catch(forgive)),
      ...['4', '5', '9'].map((amount) =>
        inOtherProcess(trader, (work) => proposeIntent(work, intent(amount))).catch(forgive),
      ),
      ...cleared.map(({ id }) => sendOrder(fixture.workOf(trader.accountId, 'system'), broker, id)),
    ]);
    const after = await fixture.db
      .selectFrom('order_transition')
      .select(['seq', 'to_status'])
      .where('account_id', '=', trader.accountId)
      .where('to_status', 'in', ['denied', 'pending', 'queued', 'submitted'])
      .execute();
    expect(after.filter(({ seq }) => BigInt(seq) > stoppedAt)).toEqual([]);
    const left = await fixture.db
      .selectFrom('trade_order')
      .select('status')
      .where('deployment_id', '=', deploymentId)
      .where('status', 'in', ['pending', 'queued'])
      .execute();
    expect(left).toEqual([]);
  }
});

test('"see and sell only their own blueprint\'s positions, across its deployments": an exit of the next release sells what the last one bought', async () => {
  const trader = await fixture.trader();
  const first = await fixture.addDeployment(trader);
  await fixture.trade(trader, { deploymentId: first, nodeId: 'buy', stepAt: fixture.now() });
  await stop(trader, first);
  const second = await fixture.addDeployment(trader);
  const exit = await proposeIntent(
    trader.work(),
    intentOf(trader, {
      deploymentId: second,
      nodeId: 'exit',
      stepAt: fixture.now(),
      origin: 'exit',
      side: 'sell',
      type: 'market',
      preapprovedRelease: 2,
    }),
  );
  expect(exit).toMatchObject({ status: 'queued', preapproved_release: 2, amount: '10' });
  expect(await listPositions(trader.work())).toMatchObject([{ amount: '10', amountClosing: '10' }]);
});

test('a blueprint is not deleted while an order of it may still fill: the position would have no owner', async () => {
  const trader = await fixture.trader();
  const deploymentId = await fixture.addDeployment(trader);
  const broker = new ScriptedBroker(fixture.now);
  const { id } = await proposeIntent(
    trader.work(),
    intentOf(trader, { deploymentId, nodeId: 'buy', stepAt: fixture.now() }),
  );
  await sendOrder(fixture.workOf(trader.accountId, 'system'), broker, id);
  await stop(trader, deploymentId);
  const remove = () => deleteBlueprint(trader.work(), trader.blueprintId);
  await expect(remove()).rejects.toMatchObject({
    code: 'blueprint_holds_positions',
    message: expect.stringContaining(id),
  });
  await cancelAtVenue(fixture.workOf(trader.accountId, 'system'), broker, id);
  await remove();
});
