import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { differencesAfter } from '../support/ledger-differences.ts';
import { openedForFile } from '../support/opened.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let trader: Trader;
/** An account that bought on the paper venue, from two levels of its book. */
beforeAll(async () => {
  const market = new PaperMarket(fixture.now);
  const broker = openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
  await fixture.quote(YES);
  trader = await fixture.trader();
  market.show(YES, {
    asks: [
      ['0.5', '4'],
      ['0.51', '20'],
    ],
  });
  const { id } = await proposeIntent(trader.work(), intentOf(trader, { amount: '10', limitPrice: '0.52' }));
  await sendOrder(trader.work(), broker, id);
});
beforeEach(async () => {
  expect(await fixture.differences()).toEqual([]);
});

const found = async (tampering: string) =>
  (await differencesAfter(fixture, trader, tampering)).map(({ subject, field }) => `${subject}: ${field}`);

describe("the paper venue's own record agrees with the books", () => {
  test.each([
    [
      'a price the venue never traded at',
      `update paper_fill set price = price - 0.01`,
      'fill: trade of the venue',
    ],
    ['a fee', `update paper_fill set fee = 0`, 'fill: trade of the venue'],
    ['a trade the venue does not know', `delete from paper_fill`, 'fill: venueTradeId'],
    [
      'what the venue filled',
      `update paper_order set filled_amount = filled_amount - 1`,
      'paper_order: filledAmount',
    ],
    ['what was asked of the venue', `update paper_order set limit_price = 1`, 'paper_order: terms'],
    [
      'a trade that was never booked',
      `insert into paper_fill select account_id, gen_random_uuid(), order_id, token_id, side, amount, price, fee,
        liquidity, offer_price, offer_as_of, at from paper_fill limit 1`,
      'paper_fill: booked',
    ],
  ])('%s', async (_what, tampering, difference) => {
    expect(await found(tampering)).toContainEqual(expect.stringContaining(difference));
  });
});
