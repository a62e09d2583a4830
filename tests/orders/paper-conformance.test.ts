import { tradedInstrumentOf } from '../../engine/trading/orders/execution/traded-instrument.ts';
import { openPaperVenue } from '../../engine/trading/orders/paper/broker.ts';
import { instrumentOf } from '../../engine/trading/orders/row.ts';
import type { BrokerOrder } from '../../venues/broker.ts';
import { openDesk, YES } from '../support/desk.ts';
import { PaperMarket } from '../support/paper-market.ts';
import { type BrokerHarness, describeBroker, losing } from '../venues/broker-conformance.ts';

const LIMIT = '0.4';

async function openPaper(): Promise<BrokerHarness> {
  const desk = await openDesk();
  const market = new PaperMarket(desk.now);
  const venue = openPaperVenue({ pool: desk.pool, marketData: market, clock: desk.clock });
  const { accountId } = await desk.trader();
  const broker = venue.of({ accountId, mode: 'paper' }, 'venue-a', null);
  /** Shows a market: an ask above all limits, or at them. */
  const show = async (ask: string, askSize: string): Promise<void> => {
    desk.wait(1);
    market.show(YES, { bids: [['0.3', '100']], asks: [[ask, askSize]] });
    await desk.quote(YES, { bid: '0.3', ask, askSize });
    await venue.advance([YES]);
  };
  await show('0.5', '1000');
  const row = await desk.db
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
      validUntil: new Date(desk.now().getTime() + 10_000),
      goodTill: null,
      ...more,
    }),
    now: desk.now,
    async wait(ms) {
      desk.wait(ms);
      await show('0.5', '1000');
    },
    async fill(_order, amount) {
      await show(LIMIT, amount);
      await show('0.5', '1000');
    },
    lose: losing(broker),
    async countAtVenue(id) {
      const rows = await desk.db.selectFrom('paper_order').select('id').where('id', '=', id).execute();
      return rows.length;
    },
    // These rows are the paper venue's only: no order of the service caused them.
    async close() {
      await desk.db.deleteFrom('paper_fill').execute();
      await desk.db.deleteFrom('paper_order').execute();
      await desk.close();
    },
  };
}

describeBroker('the paper venue', openPaper);
