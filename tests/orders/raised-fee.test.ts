import { afterEach, beforeEach, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelFeeRaised, findFeeRaised } from '../../engine/trading/orders/execution/fee-raised.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { type OrderWork, startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { VENUE_A_FEE } from '../support/fees.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { brokersAt, wrapBrokers } from '../support/paper-venue.ts';
import { SILENT_LOG } from '../support/silent-log.ts';
import { addInstrument, intentOf, openTradingFixture } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let tokenId: string;
let market: PaperMarket;
let count = 0;
const running: OrderWork[] = [];
beforeEach(async () => {
  tokenId = `KXFEE${++count}-26:yes`;
  await addInstrument(fixture.db, tokenId);
  await fixture.quote(tokenId);
  market = new PaperMarket(fixture.now);
  market.show(tokenId, {});
});
afterEach(() => Promise.all(running.splice(0).map((work) => work.stop())));

const broker = () => openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
async function resting(more = {}) {
  const trader = await fixture.trader();
  const { id } = await proposeIntent(trader.work(), intentOf(trader, { tokenId, amount: '100', ...more }));
  await sendOrder(fixture.workOf(trader.accountId, 'system'), broker(), id);
  return { trader, id, key: { accountId: trader.accountId, mode: 'paper' as const, id } };
}

const setFee = (takerRate: string) =>
  fixture.db
    .updateTable('instrument')
    .set({
      fee_schedule: JSON.stringify({ ...VENUE_A_FEE, takerRate }),
    })
    .where('token_id', '=', tokenId)
    .execute();

const audits = async (id: string) =>
  (
    await fixture.db
      .selectFrom('audit_event')
      .select(['action', 'before', 'after'])
      .where('subject_id', '=', id)
      .execute()
  ).map(({ action, before, after }) => ({ action, before, after }));

test('the rest of a buy is canceled if its venue raised the fee above the reserve, and the reason states it', async () => {
  const { id } = await resting();
  await setFee('0.14');
  running.push(
    startOrderWork({
      pool: fixture.pool,
      ...brokersAt(broker()),
      clock: fixture.clock,
      log: SILENT_LOG,
      periodMs: 20,
    }),
  );
  await expect
    .poll(() => fixture.order(id), { timeout: 5_000 })
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
  expect(await findFeeRaised(fixture.db, [lower.key])).toEqual([]);
  await cancelFeeRaised(lower.trader.work(), lower.id);
  expect(await fixture.order(lower.id)).toMatchObject({ status: 'open', cancel_requested_at: null });

  await setFee('0.14');
  expect(await findFeeRaised(fixture.db, [lower.key])).toEqual([lower.key]);
  await cancelFeeRaised(lower.trader.work(), lower.id);
  expect(await findFeeRaised(fixture.db, [lower.key])).toEqual([]);

  const seller = await fixture.trader();
  await fixture.trade(seller, { tokenId, amount: '10' });
  const sell = intentOf(seller, { tokenId, side: 'sell', amount: '10', limitPrice: '0.9' });
  const { id } = await proposeIntent(seller.work(), sell);
  await setFee('0.5');
  expect(await findFeeRaised(fixture.db, [{ accountId: seller.accountId, mode: 'paper', id }])).toEqual([]);
  await cancelOrder(seller.work(), id);
});

test("a faster fill costs the venue's fee, and the audit trail records that it exceeds the reserve", async () => {
  const { id } = await resting();
  await setFee('0.28');
  fixture.wait(1_000);
  await fixture.quote(tokenId, { ask: '0.49', askSize: '100' });
  running.push(
    startOrderWork({
      pool: fixture.pool,
      ...brokersAt(fastFill()),
      clock: fixture.clock,
      log: SILENT_LOG,
      periodMs: 20,
    }),
  );
  await expect.poll(() => fixture.order(id), { timeout: 5_000 }).toMatchObject({ status: 'filled' });
  const { fees, worst_fee } = await fixture.order(id);
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
  return wrapBrokers(paper, (at) => ({
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
