import { exact, floorTo } from '../../engine/platform/decimal.ts';
import type { BrokerOrder, PlaceResult, PrepareResult, TradedInstrument } from '../../venues/broker.ts';
import { fillOf, ScriptedBroker } from '../support/scripted-broker.ts';
import { type BrokerHarness, describeBroker, losing } from './broker-conformance.ts';

const TOKEN = 'KXTEST-26:yes';
const INSTRUMENT: TradedInstrument = {
  tokenId: TOKEN,
  venue: 'venue-a',
  kind: 'outcome',
  market: 'KXTEST-26',
  outcome: 'yes',
  tickSize: '0.01',
  priceRanges: [],
  stepSize: '1',
  minSize: '1',
  minNotional: '0',
  feeSchedule: null,
  status: 'open',
};

/** The scripted venue with a price ladder of cents, and without offers for orders that cannot rest. */
class LadderedBroker extends ScriptedBroker {
  override prepare(order: BrokerOrder, instrument: TradedInstrument, now: Date): PrepareResult {
    const price = exact(order.limitPrice);
    const isOff = !floorTo(price, exact(instrument.tickSize)).eq(price);
    if (isOff)
      return { kind: 'refused', code: 'off_tick', reason: 'The price is not a multiple of the tick size.' };
    return super.prepare(order, instrument, now);
  }

  override async place(...placing: Parameters<ScriptedBroker['place']>): Promise<PlaceResult> {
    const [order] = placing;
    const placed = await super.place(...placing);
    if (order.timeInForce === 'ioc') await this.cancel(order);
    return placed;
  }
}

async function openScripted(): Promise<BrokerHarness> {
  let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
  const now = () => new Date(nowMs);
  const broker = new LadderedBroker(now);
  return {
    broker,
    instrument: INSTRUMENT,
    order: (more = {}): BrokerOrder => ({
      accountId: 'a',
      mode: 'live',
      id: crypto.randomUUID(),
      tokenId: TOKEN,
      venue: 'venue-a',
      side: 'buy',
      timeInForce: 'gtc',
      amount: '10',
      limitPrice: '0.5',
      validUntil: new Date(nowMs + 10_000),
      goodTill: null,
      ...more,
    }),
    now,
    wait(ms) {
      nowMs += ms;
    },
    async fill({ id, amount }, part) {
      const filled = broker.state(id).fills.reduce((sum, fill) => sum + Number(fill.amount), Number(part));
      broker.fill(
        id,
        fillOf(`${id}-${filled}`, { amount: part }),
        filled === Number(amount) ? 'filled' : 'open',
      );
    },
    lose: losing(broker),
    async countAtVenue(id) {
      return broker.orders.has(id) ? 1 : 0;
    },
    garble() {
      broker.isSure = false;
    },
  };
}

describeBroker('the scripted venue', openScripted);
