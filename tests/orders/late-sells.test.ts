import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/execution-report.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { type Desk, intentOf, openDesk, type Trader, YES } from '../support/desk.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';

let desk: Desk;
let broker: ScriptedBroker;
beforeAll(async () => {
  desk = await openDesk();
});
beforeEach(async () => {
  broker = new ScriptedBroker(desk.now);
  await desk.quote(YES);
});
afterAll(() => desk.close());

const system = (trader: Trader) => desk.workOf(trader.accountId, 'system');
const statusOf = async (id: string) => (await desk.order(id)).status;
const audits = async (id: string) =>
  (await desk.db.selectFrom('audit_event').select('action').where('subject_id', '=', id).execute()).map(
    ({ action }) => action,
  );

test('a late sell of an amount sold meanwhile makes no short position: it is booked, audited and reported', async () => {
  const trader = await desk.trader();
  await desk.trade(trader, {});
  const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '10' });
  await sendOrder(system(trader), broker, intentId);
  await broker.cancel({ id: intentId });
  await syncOrder(system(trader), broker, intentId);
  await desk.trade(trader, { side: 'sell', type: 'market', amount: '7' });
  const late = broker.fill(intentId, { amount: '10', price: '0.47' }, 'filled');
  await applyReport(system(trader), intentId, late);
  expect(await listPositions(trader.work())).toEqual([]);
  expect(await statusOf(intentId)).toBe('filled');
  expect(await audits(intentId)).toEqual(['position.close_requested', 'fill.unbacked', 'fill.late']);
});

test("a late sell of an amount sold meanwhile is booked to another strategy's holding, and the ledger agrees", async () => {
  const trader = await desk.trader();
  const other = { ...trader, blueprintId: await desk.addBlueprint(trader.accountId) };
  await desk.trade(trader, {});
  await desk.trade(other, { amount: '25' });
  const exit = await proposeIntent(
    trader.work(),
    intentOf(trader, {
      deploymentId: await desk.addDeployment(trader),
      nodeId: 'exit',
      stepAt: desk.now(),
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
  await desk.trade(trader, { side: 'sell', type: 'market', amount: '7' });
  await applyReport(system(trader), exit.id, broker.fill(exit.id, { amount: '10', price: '0.47' }, 'filled'));
  expect(await listPositions(trader.work())).toMatchObject([
    { blueprintId: other.blueprintId, amount: '18' },
  ]);
  expect(await desk.differences()).toEqual([]);
});
