import { beforeEach, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let broker: ScriptedBroker;
beforeEach(async () => {
  broker = new ScriptedBroker(fixture.now);
  await fixture.quote(YES);
});

const system = (trader: Trader) => fixture.workOf(trader.accountId, 'system');
const statusOf = async (id: string) => (await fixture.order(id)).status;
const audits = async (id: string) =>
  (await fixture.db.selectFrom('audit_event').select('action').where('subject_id', '=', id).execute()).map(
    ({ action }) => action,
  );

test('a late sell of an amount sold meanwhile makes no short position: it is booked, audited and reported', async () => {
  const trader = await fixture.trader();
  await fixture.trade(trader, {});
  const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
  await sendOrder(system(trader), broker, intentId);
  await broker.cancel({ id: intentId });
  await syncOrder(system(trader), broker, intentId);
  await fixture.trade(trader, { side: 'sell', type: 'market', amount: '7' });
  const late = broker.fill(intentId, { amount: '10', price: '0.47' }, 'filled');
  await applyReport(system(trader), intentId, late);
  expect(await listPositions(trader.work())).toEqual([]);
  expect(await statusOf(intentId)).toBe('filled');
  expect(await audits(intentId)).toEqual(['position.close_requested', 'fill.unbacked', 'fill.late']);
});

test("a late sell of an amount sold meanwhile is booked to another strategy's holding, and the ledger agrees", async () => {
  const trader = await fixture.trader();
  const other = { ...trader, blueprintId: await fixture.addBlueprint(trader.accountId) };
  await fixture.trade(trader, {});
  await fixture.trade(other, { amount: '25' });
  const exit = await proposeIntent(
    trader.work(),
    intentOf(trader, {
      deploymentId: await fixture.addDeployment(trader),
      nodeId: 'exit',
      stepAt: fixture.now(),
      origin: 'exit',
      side: 'sell',
      type: 'market',
      amount: '10',
      preapprovedRelease: 1,
    }),
  );
  await sendOrder(system(trader), broker, exit.id);
  await broker.cancel({ id: exit.id });
  await syncOrder(system(trader), broker, exit.id);
  await fixture.trade(trader, { side: 'sell', type: 'market', amount: '7' });
  await applyReport(system(trader), exit.id, broker.fill(exit.id, { amount: '10', price: '0.47' }, 'filled'));
  expect(await listPositions(trader.work())).toMatchObject([
    { blueprintId: other.blueprintId, amount: '18' },
  ]);
  expect(await fixture.differences()).toEqual([]);
});
