import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { intentOf, type Trader, type TradingFixture, YES } from './trading-fixture.ts';

const DAY_MS = 86_400_000;
export const INPUTS = [
  { nodeId: 'price', name: 'out', value: 'ünïcode "quoted" \u2028 \\ line\n', asOf: 1.5 },
];

/** The ids of orders: ended long ago, and those that stay in the database. */
type OldOrders = { trader: Trader; ended: string[]; denied: string; live: string };

/** Trades orders of two months, 200 and 150 days ago, and those that stay: denied, pending, and of today. */
export async function tradeLongAgo(fixture: TradingFixture): Promise<OldOrders> {
  const moveTo = (ms: number) => fixture.wait(ms - fixture.now().getTime());
  const today = Date.now();
  moveTo(today - 200 * DAY_MS);
  await fixture.quote(YES);
  const trader = await fixture.trader();
  const ended = [(await fixture.trade(trader, { amount: '12', inputs: INPUTS })).id];
  ended.push(
    (await fixture.trade(trader, { side: 'sell', type: 'market', amount: '3' }, { price: '0.46' })).id,
  );
  moveTo(today - 150 * DAY_MS);
  await fixture.quote(YES);
  await fixture.setRules(trader, { requireApprovalAbove: 1 });
  const approved = await proposeIntent(trader.work(), intentOf(trader, { inputs: INPUTS }));
  await approveOrder(trader.work(), approved.id);
  await cancelOrder(trader.work(), approved.id);
  ended.push(approved.id);
  await fixture.setRules(trader, { requireApprovalAbove: 1_000_000 });
  ended.push((await fixture.trade(trader, { amount: '2' })).id);
  await fixture.setRules(trader, { maxOrderSize: 5 });
  const denied = (await proposeIntent(trader.work(), intentOf(trader, { amount: '100' }))).id;
  await fixture.setRules(trader, { maxOrderSize: 1_000, requireApprovalAbove: 1 });
  const live = (await proposeIntent(trader.work(), intentOf(trader))).id;
  moveTo(Date.now());
  await fixture.quote(YES);
  await fixture.setRules(trader, { requireApprovalAbove: 1_000_000 });
  await fixture.trade(trader, { amount: '1' });
  return { trader, ended, denied, live };
}
