import { tradedInstrumentOf } from '../../engine/trading/orders/execution/traded-instrument.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { instrumentOf } from '../../engine/trading/orders/row.ts';
import type { BrokerOrder } from '../../venues/broker.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { openTradingFixture, YES } from '../support/trading-fixture.ts';
import { type BrokerHarness, describeBroker, losing } from '../venues/broker-conformance.ts';

const LIMIT = '0.4';

async function openPaper(): Promise<BrokerHarness> {
  const fixture = await openTradingFixture();
  const market = new PaperMarket(fixture.now);
  const venue = openPaperVenue({ pool: fixture.pool, marketData: market, clock: fixture.clock });
  const { accountId } = await fixture.trader();
  const broker = venue.of({ accountId, mode: 'paper' }, 'venue-a', null);
  /** Shows a market: an ask above all limits, or at them. */
  const show = async (ask: string, askSize: string): Promise<void> => {
    fixture.wait(1);
    market.show(YES, { bids: [['0.3', '100']], asks: [[ask, askSize]] });
    await fixture.quote(YES, { bid: '0.3', ask, askSize });
    await venue.advance([YES]);
  };
  await show('0.5', '1000');
  const row = await fixture.db
    .selectFrom('instrument')
    .selectAll()
    .where('token_id', '=', YES)
    .executeTakeFirstOrThrow();
  return {
    broker,
    instrument: tradedInstrumentOf(instrumentOf(row)),
    order: (more = {}): BrokerOrder => ({
      accountId,
      mode: 'paper',
      id: crypto.randomUUID(),
      tokenId: YES,
      venue: 'venue-a',
      side: 'buy',
      timeInForce: 'gtc',
      amount: '10',
      limitPrice: LIMIT,
      validUntil: new Date(fixture.now().getTime() + 10_000),
      goodTill: null,
      ...more,
    }),
    now: fixture.now,
    async wait(ms) {
      fixture.wait(ms);
      await show('0.5', '1000');
    },
    async fill(_order, amount) {
      await show(LIMIT, amount);
      await show('0.5', '1000');
    },
    lose: losing(broker),
    async countAtVenue(id) {
      const rows = await fixture.db.selectFrom('paper_order').select('id').where('id', '=', id).execute();
      return rows.length;
    },
    // These rows are the paper venue's only: no order of the service caused them.
    async close() {
      await fixture.db.deleteFrom('paper_fill').execute();
      await fixture.db.deleteFrom('paper_order').execute();
      await fixture.close();
    },
  };
}

describeBroker('the paper venue', openPaper);
