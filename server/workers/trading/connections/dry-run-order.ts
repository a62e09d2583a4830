import { randomUUID } from 'node:crypto';
import type { Venue } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../../engine/platform/context.ts';
import { Exact, exact } from '../../../../engine/platform/decimal.ts';
import type { Broker } from '../../../../venues/broker.ts';
import type { MarketData } from '../../../../venues/port.ts';

/** An instrument that every account may trade at a venue that validates orders. */
const DRY_RUN_INSTRUMENT = 'BTCUSDT';
/** Multiple of the least order, so that it stays above it if the price moves. */
const MARGIN = 1.5;

/**
 * Returns the taker fee rate that orders reserve for a venue's best known instrument, as a share of the notional; null:
 * unknown.
 */
export async function reservedTakerRate(market: Pick<MarketData, 'instrument'>): Promise<string | null> {
  return (await market.instrument(DRY_RUN_INSTRUMENT))?.feeSchedule?.takerRate ?? null;
}

/**
 * Returns why a venue that validates orders without placing them would refuse a small one. Null if it would accept it,
 * undefined if it cannot be reached.
 */
export async function dryRunOrder(
  { accountId }: Work,
  venue: Venue,
  broker: Broker,
  market: Pick<MarketData, 'instrument' | 'quotes'>,
  now: Date,
): Promise<string | null | undefined> {
  if (broker.refusalOf === undefined) return undefined;
  const instrument = await market.instrument(DRY_RUN_INSTRUMENT);
  const [quote] = await market.quotes([DRY_RUN_INSTRUMENT]);
  if (instrument === null || quote?.bid == null)
    throw new Error(`There is no price of ${DRY_RUN_INSTRUMENT}.`);
  const amount = exact(instrument.minNotional ?? 0)
    .times(MARGIN)
    .div(quote.bid);
  const least = Exact.max(amount, instrument.minSize);
  const order = {
    accountId,
    mode: 'live',
    id: randomUUID(),
    tokenId: DRY_RUN_INSTRUMENT,
    venue,
    side: 'buy',
    timeInForce: 'gtc',
    amount: least.div(instrument.stepSize).ceil().times(instrument.stepSize).toFixed(),
    limitPrice: quote.bid,
    validUntil: now,
    goodTill: null,
  } as const;
  const preparation = broker.prepare(order, instrument, now);
  if (preparation.kind === 'refused') return preparation.reason;
  return (await broker.refusalOf(preparation.prepared))?.reason ?? null;
}
