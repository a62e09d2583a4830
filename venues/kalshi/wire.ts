/**
 * The fields of Kalshi's trade API v2 answers that we use. Since 2026-03 all prices are `*_dollars` strings and all counts
 * `*_fp` strings. The old integer cents are refused, not read as 0.
 */
import { z } from 'zod';
import {
  AmountString,
  DecimalString,
  nullIfMalformed,
  OptionalAmount,
  OptionalDecimal,
  OptionalPrice,
  PriceString,
} from '../parse/decimal.ts';
import { NameText, RulesText, Sources, TitleText } from '../parse/texts.ts';
import { EpochSeconds, OptionalTimestamp } from '../time.ts';

const Text = z.string().nullish();

/** A list whose records are parsed one by one. */
const Unread = z.array(z.unknown());

/** The fields that money depends on: without them there is no quote. */
const Priced = z.object({
  ticker: z.string().min(1),
  status: z.string().min(1),
  result: Text,
  yes_bid_dollars: PriceString,
  yes_bid_size_fp: AmountString,
  yes_ask_dollars: PriceString,
  yes_ask_size_fp: AmountString,
  settlement_value_dollars: OptionalPrice,
});
export type WirePriced = z.infer<typeof Priced>;

/** The fields of a market that its quotes need. */
export const WireQuote = Priced.extend({
  last_price_dollars: nullIfMalformed(PriceString),
  volume_24h_fp: nullIfMalformed(AmountString),
  open_interest_fp: nullIfMalformed(OptionalAmount),
});
export type WireQuote = z.infer<typeof WireQuote>;

const PriceRanges = z
  .array(
    z.object({
      start: PriceString,
      end: PriceString,
      step: PriceString.refine((step) => Number(step) > 0, 'a step of 0'),
    }),
  )
  .min(1);

/** The fields of a market that its instruments need. */
export const WireTerms = Priced.extend({
  event_ticker: z.string().min(1),
  title: NameText,
  price_ranges: PriceRanges,
  open_time: nullIfMalformed(OptionalTimestamp),
  close_time: OptionalTimestamp,
});
export type WireTerms = z.infer<typeof WireTerms>;

/** Opening and closing times of a market. */
export const WireLife = z.object({
  ticker: z.string().min(1),
  status: z.string().min(1),
  open_time: OptionalTimestamp,
  close_time: OptionalTimestamp,
});
export type WireLife = z.infer<typeof WireLife>;

/** The fields of a market that its view shows. */
export const WireMarket = WireTerms.extend({
  yes_sub_title: NameText,
  last_price_dollars: PriceString,
  previous_price_dollars: OptionalPrice,
  volume_fp: AmountString,
  volume_24h_fp: AmountString,
  open_interest_fp: OptionalAmount,
  updated_time: nullIfMalformed(OptionalTimestamp),
  rules_primary: RulesText,
  rules_secondary: RulesText,
  can_close_early: nullIfMalformed(z.boolean()),
  expected_expiration_time: nullIfMalformed(OptionalTimestamp),
  latest_expiration_time: nullIfMalformed(OptionalTimestamp),
  occurrence_datetime: nullIfMalformed(OptionalTimestamp),
  strike_type: NameText,
  floor_strike: nullIfMalformed(OptionalDecimal),
  cap_strike: nullIfMalformed(OptionalDecimal),
});
export type WireMarket = z.infer<typeof WireMarket>;

export const marketAnswer = <T>(schema: z.ZodType<T>) => z.object({ market: schema });
export const MarketsAnswer = z.object({ markets: Unread });
/** A page of a list; the cursor of the last one is empty. */
export const MarketsPage = MarketsAnswer.extend({ cursor: Text });

export const WireEvent = z.object({
  event_ticker: z.string().min(1),
  series_ticker: z.string().min(1),
  title: TitleText,
  sub_title: nullIfMalformed(Text),
  mutually_exclusive: nullIfMalformed(z.boolean().nullish()),
  category: NameText,
  settlement_sources: Sources,
});
export type WireEvent = z.infer<typeof WireEvent>;

export const EventAnswer = z.object({ event: WireEvent });
export const EventsAnswer = z.object({ events: Unread });

/** A page of the crawl. Un-nested events have no `markets`. */
export const CrawlPage = z.object({ cursor: z.string().nullish(), events: Unread });
export type CrawlPage = z.infer<typeof CrawlPage>;
export const CrawledEvent = WireEvent.extend({ markets: Unread.nullish() });
/** The fields of a nested market that rank it. */
export const CrawledMarket = z.object({
  ticker: z.string().min(1),
  status: z.string(),
  volume_24h_fp: nullIfMalformed(AmountString),
});

/** The undocumented v1 search: its numbers mix cents and dollars, so only tickers are used. */
export const SearchAnswer = z.object({ current_page: Unread.nullish() });
export const FoundEvent = z.object({ markets: Unread.nullish() });
export const FoundMarket = z.object({ ticker: z.string().min(1) });

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
export const LiveCandle = z
  .object({
    end_period_ts: EpochSeconds,
    price: Bar,
    yes_bid: Bar,
    yes_ask: Bar,
    volume_fp: AmountString,
    open_interest_fp: nullIfMalformed(OptionalAmount),
  })
  .transform(({ volume_fp: volume, open_interest_fp: openInterest, ...candle }) => ({
    ...candle,
    volume,
    open_interest: openInterest,
  }));
/** Archived markets: the same, but the keys have no suffixes and absent prices are null. */
export const ArchivedCandle = z.object({
  end_period_ts: EpochSeconds,
  price: ArchivedBar,
  yes_bid: ArchivedBar,
  yes_ask: ArchivedBar,
  volume: AmountString,
  open_interest: nullIfMalformed(OptionalAmount),
});
export type WireCandle = z.infer<typeof ArchivedCandle>;

export const CandlesAnswer = z.object({
  markets: z.array(z.object({ market_ticker: z.string(), candlesticks: z.array(LiveCandle) })),
});
export const ArchivedCandlesAnswer = z.object({ candlesticks: z.array(ArchivedCandle) });
/** The same two, with candles that are parsed one by one. */
export const UnreadCandlesAnswer = z.object({
  markets: z.array(z.object({ market_ticker: z.string(), candlesticks: Unread })),
});
export const UnreadArchivedCandlesAnswer = z.object({ candlesticks: Unread });
