/** The fields of Binance's spot market data that we use: numbers are strings, times are epoch ms. */
import { z } from 'zod';
import { AmountString, DecimalString, nullIfMalformed, StepString } from '../parse/decimal.ts';
import { EpochMs } from '../time.ts';

const Name = z.string().regex(/^\S{1,40}$/);

/** A list whose records are parsed one by one. */
const Unread = z.array(z.unknown());

const TopOfBook = z.object({
  symbol: z.string().min(1),
  bidPrice: AmountString,
  bidQty: AmountString,
  askPrice: AmountString,
  askQty: AmountString,
});
export type WireTopOfBook = z.infer<typeof TopOfBook>;

/** The fields of a symbol that its quotes need. */
export const WireQuote = TopOfBook.extend({
  lastPrice: nullIfMalformed(AmountString),
  priceChangePercent: nullIfMalformed(DecimalString),
  quoteVolume: nullIfMalformed(AmountString),
});
export type WireQuote = z.infer<typeof WireQuote>;

/** The fields of a symbol that its summary shows. */
export const WireTicker = TopOfBook.extend({
  priceChange: DecimalString,
  priceChangePercent: DecimalString,
  lastPrice: AmountString,
  highPrice: AmountString,
  lowPrice: AmountString,
  volume: AmountString,
  quoteVolume: AmountString,
});
export type WireTicker = z.infer<typeof WireTicker>;
export const TickersAnswer = Unread;

/** `type=MINI`: the fields that rank a symbol. */
export const WireMiniTicker = z.object({
  symbol: z.string().min(1),
  lastPrice: AmountString,
  quoteVolume: AmountString,
});

/** Aggregated trades, oldest first; `m`: the buyer was the maker, so the taker sold. */
export const AggTradesAnswer = z.array(
  z.object({ a: z.int(), p: AmountString, q: AmountString, T: EpochMs, m: z.boolean() }),
);
export type WireTrade = z.infer<typeof AggTradesAnswer>[number];

const Price = AmountString.refine((price) => Number(price) > 0, 'a price of 0');

/** Open time, open, high, low, close, volume, close time, quote volume, trades; the rest is not used. */
export const WireKline = z.tuple(
  [EpochMs, Price, Price, Price, Price, AmountString, EpochMs, AmountString, z.int().min(0)],
  z.unknown(),
);
export type WireKline = z.infer<typeof WireKline>;
export const KlinesAnswer = z.array(WireKline);
export const UnreadKlinesAnswer = z.array(z.unknown());

const Level = z.tuple([AmountString, AmountString], z.unknown());
export const DepthAnswer = z.object({ bids: z.array(Level), asks: z.array(Level) });

const Filter = z.object({
  filterType: z.string(),
  tickSize: StepString.optional(),
  minQty: AmountString.optional(),
  stepSize: DecimalString.optional(),
  minNotional: AmountString.optional(),
});
export const WireSymbol = z
  .object({
    symbol: Name,
    status: Name,
    baseAsset: Name,
    quoteAsset: Name,
    filters: z.array(Filter),
  })
  .transform(({ filters, ...symbol }, ctx) => {
    const rules = rulesOf(filters);
    if (rules !== null) return { ...symbol, ...rules };
    ctx.addIssue({ code: 'custom', message: 'a symbol without price or lot filter' });
    return z.NEVER;
  });
export type WireSymbol = z.infer<typeof WireSymbol>;
export const ExchangeInfoAnswer = z.object({ symbols: Unread });

/** Steps and minima from a symbol's filters. Older symbols call the smallest notional MIN_NOTIONAL, newer ones NOTIONAL. */
function rulesOf(filters: readonly z.infer<typeof Filter>[]) {
  const filter = (type: string) => filters.find(({ filterType }) => filterType === type);
  const tickSize = filter('PRICE_FILTER')?.tickSize;
  const lot = filter('LOT_SIZE');
  if (tickSize === undefined || lot?.stepSize === undefined || lot.minQty === undefined) return null;
  if (Number(lot.stepSize) <= 0) return null;
  const minNotional = filter('NOTIONAL')?.minNotional ?? filter('MIN_NOTIONAL')?.minNotional ?? null;
  return { tickSize, stepSize: lot.stepSize, minQty: lot.minQty, minNotional };
}
