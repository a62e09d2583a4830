/**
 * What is used of Kalshi's trade API v2 answers (since 2026-03 all prices are `*_dollars` strings and all counts `*_fp`
 * strings; the old integer cents are refused, not read as 0).
 */
import { z } from 'zod';
import { AmountString, DecimalString, OptionalAmount, OptionalPrice, PriceString } from '../decimal.ts';
import { EpochSeconds, OptionalTimestamp } from '../time.ts';

const Text = z.string().nullish();

export const WireMarket = z.object({
  ticker: z.string().min(1),
  event_ticker: z.string().min(1),
  title: Text,
  yes_sub_title: Text,
  status: z.string(),
  result: Text,
  yes_bid_dollars: PriceString,
  yes_bid_size_fp: OptionalAmount,
  yes_ask_dollars: PriceString,
  yes_ask_size_fp: OptionalAmount,
  last_price_dollars: PriceString,
  previous_price_dollars: OptionalPrice,
  volume_fp: AmountString,
  volume_24h_fp: AmountString,
  open_interest_fp: OptionalAmount,
  price_ranges: z.array(z.object({ start: PriceString, end: PriceString, step: PriceString })).min(1),
  open_time: OptionalTimestamp,
  close_time: OptionalTimestamp,
  updated_time: OptionalTimestamp,
  settlement_value_dollars: OptionalPrice,
});
export type WireMarket = z.infer<typeof WireMarket>;

export const MarketAnswer = z.object({ market: WireMarket });
export const MarketsAnswer = z.object({ markets: z.array(WireMarket) });

export const WireEvent = z.object({
  event_ticker: z.string().min(1),
  series_ticker: z.string().min(1),
  title: z.string(),
  sub_title: Text,
  mutually_exclusive: z.boolean().nullish(),
});
export type WireEvent = z.infer<typeof WireEvent>;

export const EventAnswer = z.object({ event: WireEvent });
export const EventsAnswer = z.object({ events: z.array(WireEvent) });

/** A page of the crawl: of a nested market only what ranks it. Un-nested events have no `markets`. */
export const CrawlPage = z.object({
  cursor: z.string().nullish(),
  events: z.array(
    WireEvent.extend({
      markets: z
        .array(z.object({ ticker: z.string(), status: z.string(), volume_24h_fp: AmountString }))
        .nullish(),
    }),
  ),
});
export type CrawlPage = z.infer<typeof CrawlPage>;

/** The undocumented v1 search: its numbers mix cents and dollars, so tickers only. */
export const SearchAnswer = z.object({
  current_page: z
    .array(z.object({ markets: z.array(z.object({ ticker: z.string().min(1) })).nullish() }))
    .nullish(),
});

/** `fee_type` names the formula, `fee_multiplier` scales its rate. */
export const SeriesAnswer = z.object({
  series: z.object({ fee_type: z.string(), fee_multiplier: DecimalString }),
});

/** `[price, count]` rows of bids, worst first. */
const BookSide = z.array(z.tuple([PriceString, AmountString])).nullish();
export const BookAnswer = z.object({
  orderbook_fp: z.object({ yes_dollars: BookSide, no_dollars: BookSide }),
});

const Bar = z
  .object({
    open_dollars: OptionalPrice,
    high_dollars: OptionalPrice,
    low_dollars: OptionalPrice,
    close_dollars: OptionalPrice,
    previous_dollars: OptionalPrice,
  })
  .transform((bar) => ({
    open: bar.open_dollars,
    high: bar.high_dollars,
    low: bar.low_dollars,
    close: bar.close_dollars,
    previous: bar.previous_dollars,
  }));
const ArchivedBar = z.object({
  open: OptionalPrice,
  high: OptionalPrice,
  low: OptionalPrice,
  close: OptionalPrice,
  previous: OptionalPrice,
});

/** `end_period_ts` is the inclusive end in seconds; a bucket without a trade has only `previous`. */
const WireCandle = z
  .object({ end_period_ts: EpochSeconds, price: Bar, yes_bid: Bar, yes_ask: Bar, volume_fp: AmountString })
  .transform(({ volume_fp: volume, ...candle }) => ({ ...candle, volume }));
/** Archived markets: the same, but the keys have no suffixes and absent prices are null. */
const ArchivedCandle = z.object({
  end_period_ts: EpochSeconds,
  price: ArchivedBar,
  yes_bid: ArchivedBar,
  yes_ask: ArchivedBar,
  volume: AmountString,
});
export type WireCandle = z.infer<typeof ArchivedCandle>;

export const CandlesAnswer = z.object({
  markets: z.array(z.object({ market_ticker: z.string(), candlesticks: z.array(WireCandle) })),
});
export const ArchivedCandlesAnswer = z.object({ candlesticks: z.array(ArchivedCandle) });
