import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelFeeRaised, findFeeRaised } from '../../engine/trading/orders/execution/fee-raised.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/cancel.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { type OrderWork, startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { addInstrument, type Desk, intentOf, openDesk } from '../support/desk.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { tradingAt, wrapped } from '../support/paper-venue.ts';

let desk: Desk;
let tokenId: string;
let market: PaperMarket;
let count = 0;
const running: OrderWork[] = [];
beforeAll(async () => {
  desk = await openDesk();
});
beforeEach(async () => {
  tokenId = `KXFEE${++count}-26:yes`;
  await addInstrument(desk.db, tokenId);
  await desk.quote(tokenId);
  market = new PaperMarket(desk.now);
  market.show(tokenId, {});
});
afterEach(() => Promise.all(running.splice(0).map((work) => work.stop())));
afterAll(() => desk.close());

const broker = () => openPaperVenue({ pool: desk.pool, marketData: market, clock: desk.clock });
const silent = { info() {}, warn() {}, error() {} };

async function resting(more = {}) {
  const trader = await desk.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader, { tokenId, amount: '100', ...more }));
  await sendOrder(desk.workOf(trader.accountId, 'system'), broker(), id);
  return { trader, id, key: { accountId: trader.accountId, mode: 'paper' as const, id } };
}

const setFee = (takerRate: string) =>
  desk.db
    .updateTable('instrument')
    .set({
      fee_schedule: JSON.stringify({
        formula: 'probability',
        takerRate,
        makerRate: '0',
        exponent: 1,
        roundUpTo: '0.0001',
      }),
    })
    .where('token_id', '=', tokenId)
    .execute();

const audits = async (id: string) =>
  (
    await desk.db
      .selectFrom('audit_event')
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', id)
      .execute()
  ).map(({ action, before, after }) => ({ action, before, after }));

test('the rest of a buy is canceled if its venue raised the fee above the reserve, and the reason states it', async () => {
  const { id } = await resting();
  await setFee('0.14');
  running.push(
    startOrderWork({ pool: desk.pool, ...tradingAt(broker()), clock: desk.clock, log: silent, periodMs: 20 }),
  );
  await expect
    .poll(() => desk.order(id), { timeout: 5_000 })
    .toMatchObject({
      status: 'canceled',
      reason_code: 'fee_raised',
      reason: 'The venue raised its fee: up to 3.5 USD, and 1.75 were reserved.',
    });
  expect(await audits(id)).toEqual([
    {
      action: 'order.fee_raised',
      before: { worstFee: '1.75' },
      after: { worstFee: '3.5', status: 'open' },
    },
  ]);
});

test('a lower fee, a sell, and an order with a cancel request do not change', async () => {
  const lower = await resting();
  await setFee('0.05');
  expect(await findFeeRaised(desk.db, [lower.key])).toEqual([]);
  await cancelFeeRaised(lower.trader.work(), lower.id);
  expect(await desk.order(lower.id)).toMatchObject({ status: 'open', cancel_requested_at: null });

  await setFee('0.14');
  expect(await findFeeRaised(desk.db, [lower.key])).toEqual([lower.key]);
  await cancelFeeRaised(lower.trader.work(), lower.id);
  expect(await findFeeRaised(desk.db, [lower.key])).toEqual([]);

  const seller = await desk.trader();
  await desk.trade(seller, { tokenId, amount: '10' });
  const sell = intentOf(seller, { tokenId, side: 'sell', amount: '10', limitPrice: '0.9' });
  const { id } = await proposeIntent(seller.work(), sell);
  await setFee('0.5');
  expect(await findFeeRaised(desk.db, [{ accountId: seller.accountId, mode: 'paper', id }])).toEqual([]);
  await cancelOrder(seller.work(), id);
});

test("a faster fill costs the venue's fee, and the audit trail records that it exceeds the reserve", async () => {
  const { id } = await resting();
  await setFee('0.28');
  desk.wait(1_000);
  await desk.quote(tokenId, { ask: '0.49', askSize: '100' });
  running.push(
    startOrderWork({
      pool: desk.pool,
      ...tradingAt(fastFill()),
      clock: desk.clock,
      log: silent,
      periodMs: 20,
    }),
  );
  await expect.poll(() => desk.order(id), { timeout: 5_000 }).toMatchObject({ status: 'filled' });
  const { fees, worst_fee } = await desk.order(id);
  expect(Number(fees)).toBeGreaterThan(Number(worst_fee));
  expect(await audits(id)).toContainEqual({
    action: 'fill.fee_above_reserve',
    before: { reserved: '1.75' },
    after: { fees: String(Number(fees)) },
  });
});

/** A paper venue at which the order trades before a cancel can reach it. */
function fastFill() {
  const paper = broker();
  return wrapped(paper, (at) => ({
    ...at,
    cancel: async (ref) => {
      await paper.advance([tokenId]);
      return at.cancel(ref);
    },
    find: async (ref) => {
      await paper.advance([tokenId]);
      return at.find(ref);
    },
  }));
}
