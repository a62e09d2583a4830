import { randomUUID } from 'node:crypto';
import type { Venue } from '../../../../db/vocabulary.ts';
import type { Work } from '../../../../engine/platform/context.ts';
import { Decimal } from '../../../../engine/platform/decimal.ts';
import type { Broker } from '../../../../venues/broker.ts';
import type { MarketData } from '../../../../venues/port.ts';

/** What every account of a venue that validates orders may trade. */
const REHEARSED = 'BTCUSDT';
/** Of the least order, so that a price that moves meanwhile leaves it above. */
const MARGIN = 1.5;

/** What orders of a venue's best known instrument are reserved for as a taker's fee, a share of the notional; null: not known. */
export async function reservedTakerRate(market: Pick<MarketData, 'instrument'>): Promise<string | null> {
  return (await market.instrument(REHEARSED))?.feeSchedule?.takerRate ?? null;
}

/**
 * What a venue that validates orders without placing them would refuse a small one for; null where it would take it, undefined
 * where it cannot be asked.
 */
export async function rehearse(
  { accountId }: Work,
  venue: Venue,
  broker: Broker,
  market: Pick<MarketData, 'instrument' | 'quotes'>,
  now: Date,
): Promise<string | null | undefined> {
  if (broker.refusalOf === undefined) return undefined;
  const instrument = await market.instrument(REHEARSED);
  const [quote] = await market.quotes([REHEARSED]);
  if (instrument === null || quote?.bid == null) throw new Error(`There is no price of ${REHEARSED}.`);
  const amount = new Decimal(instrument.minNotional ?? 0).times(MARGIN).dividedBy(quote.bid);
  const least = Decimal.max(amount, instrument.minSize);
  const order = {
    accountId,
    mode: 'live',
    id: randomUUID(),
    tokenId: REHEARSED,
    venue,
    side: 'buy',
    timeInForce: 'gtc',
    amount: least.dividedBy(instrument.stepSize).ceil().times(instrument.stepSize).toFixed(),
    limitPrice: quote.bid,
    validUntil: now,
    goodTill: null,
  } as const;
  const preparation = broker.prepare(order, instrument, now);
  if (preparation.kind === 'refused') return preparation.reason;
  return (await broker.refusalOf(preparation.prepared))?.reason ?? null;
}
