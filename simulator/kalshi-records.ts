/** Kalshi's wire format of the simulated markets. */
import { DAY_MS, MINUTE_MS } from '../venues/time.ts';
import {
  EDGE,
  lastPrice,
  levelsOf,
  phaseOf,
  priceOf,
  resolvedYes,
  type SimEvent,
  type SimMarket,
  topOfBook,
  volumeBetween,
  volumeUntil,
} from './world/event.ts';
import { levelSizeAt } from './world/level-size.ts';

/** Statuses as records have them; filters use other words. */
const STATUS = { unopened: 'initialized', open: 'active', closed: 'closed', settled: 'finalized' } as const;
const DEPTH = 24;

const dollars = (value: number): string => value.toFixed(4);
const count = (value: number): string => value.toFixed(2);
const time = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z');

const typicalSize = ({ volumePerDay }: SimMarket): number => Math.max(5, volumePerDay / 400);
const bidSize = (market: SimMarket, side: 'yes' | 'no', level: number, nowMs: number): number =>
  levelSizeAt(`${market.id}/${side}`, level, nowMs, typicalSize(market), 2);

/** Best prices as the venue states them: without a quote, bid 0 and ask 1 with size 0. */
function quoteOf(market: SimMarket, nowMs: number) {
  if (phaseOf(market.event, nowMs) !== 'open') return { bid: 0, bidSize: 0, ask: 1, askSize: 0 };
  const { bid, ask } = topOfBook(market, nowMs);
  return {
    bid: priceOf(market, bid),
    bidSize: bid === 0 ? 0 : bidSize(market, 'yes', 0, nowMs),
    ask: priceOf(market, ask),
    askSize: ask === levelsOf(market) ? 0 : bidSize(market, 'no', 0, nowMs),
  };
}

export function marketRecord(market: SimMarket, nowMs: number) {
  const { event } = market;
  const phase = phaseOf(event, nowMs);
  const quote = quoteOf(market, nowMs);
  const dayAgoMs = nowMs - DAY_MS;
  const previous = dayAgoMs > event.opensMs ? topOfBook(market, dayAgoMs) : null;
  const settled = phase === 'settled';
  const result = settled ? (resolvedYes(market) ? 'yes' : 'no') : '';
  return {
    ticker: market.id,
    event_ticker: event.id,
    market_type: 'binary',
    title: market.title,
    subtitle: market.label,
    yes_sub_title: market.label,
    no_sub_title: market.label,
    created_time: time(event.opensMs - MINUTE_MS),
    updated_time: time(nowMs),
    open_time: time(event.opensMs),
    close_time: time(event.closesMs),
    expected_expiration_time: time(event.closesMs + event.settlesAfterMs),
    occurrence_datetime: time(event.closesMs),
    latest_expiration_time: time(event.closesMs + 7 * DAY_MS),
    settlement_timer_seconds: event.settlesAfterMs / 1_000,
    status: STATUS[phase],
    result,
    ...(settled && {
      settlement_value_dollars: dollars(result === 'yes' ? 1 : 0),
      settlement_ts: time(event.closesMs + event.settlesAfterMs),
    }),
    can_close_early: true,
    yes_bid_dollars: dollars(quote.bid),
    yes_bid_size_fp: count(quote.bidSize),
    yes_ask_dollars: dollars(quote.ask),
    yes_ask_size_fp: count(quote.askSize),
    no_bid_dollars: dollars(1 - quote.ask),
    no_ask_dollars: dollars(1 - quote.bid),
    last_price_dollars: dollars(lastPrice(market, nowMs)),
    previous_price_dollars: dollars(previous === null ? 0 : lastPrice(market, dayAgoMs)),
    previous_yes_bid_dollars: dollars(priceOf(market, previous?.bid ?? 0)),
    previous_yes_ask_dollars: dollars(priceOf(market, previous?.ask ?? 0)),
    volume_fp: count(volumeUntil(market, nowMs)),
    volume_24h_fp: count(volumeBetween(market, dayAgoMs, nowMs)),
    open_interest_fp: count(volumeUntil(market, nowMs) * 0.4),
    liquidity_dollars: '0.0000',
    notional_value_dollars: '1.0000',
    expiration_value: '',
    rules_primary: `Simulated. Pays 1 USD to Yes if the simulated world answers “${market.label}” to “${event.title}”.`,
    rules_secondary: '',
    ...gridOf(market),
    exchange_index: shardOf(event),
  };
}

/** The matching engine of a market: since 2026-08 crypto has its own. Balances are separate for each engine. */
export const shardOf = ({ category }: SimEvent): number => (category === 'Crypto' ? 2 : 0);

/** How a series charges: some series also charge makers. */
export const feeTypeOf = (series: string): string =>
  series === 'KXBTC15M' ? 'quadratic_with_maker_fees' : 'quadratic';

/** The price ladder: one step for all prices, or a finer one near 0 and 1. */
export function gridOf({ tick, edgeTick }: SimMarket) {
  if (edgeTick === undefined) {
    return {
      price_level_structure: tick === 0.01 ? 'linear_cent' : 'deci_cent',
      price_ranges: [{ start: '0.0000', end: '1.0000', step: dollars(tick) }],
    };
  }
  const [low, high] = [dollars(EDGE), dollars(1 - EDGE)];
  return {
    price_level_structure: 'tapered_deci_cent',
    price_ranges: [
      { start: '0.0000', end: low, step: dollars(edgeTick) },
      { start: low, end: high, step: dollars(tick) },
      { start: high, end: '1.0000', step: dollars(edgeTick) },
    ],
  };
}

export function eventRecord(event: SimEvent, nested: boolean, nowMs: number) {
  return {
    event_ticker: event.id,
    series_ticker: event.series,
    title: event.title,
    sub_title: event.subtitle,
    category: event.category,
    mutually_exclusive: event.exclusive,
    collateral_return_type: event.exclusive ? 'MECNET' : '',
    ...(nested && { markets: event.markets.map((market) => marketRecord(market, nowMs)) }),
  };
}

/** Bids of both sides, worst first; an ask for yes is a bid for no. */
export function bookRecord(market: SimMarket, depth: number, nowMs: number) {
  if (phaseOf(market.event, nowMs) !== 'open') return { orderbook_fp: { yes_dollars: [], no_dollars: [] } };
  const { bid, ask } = topOfBook(market, nowMs);
  const levels = Math.min(depth === 0 ? DEPTH : depth, DEPTH);
  const side = (name: 'yes' | 'no', best: number) =>
    Array.from({ length: Math.min(levels, best) }, (_, level) => [
      dollars(priceOf(market, best - level)),
      count(bidSize(market, name, level, nowMs)),
    ]).reverse();
  return { orderbook_fp: { yes_dollars: side('yes', bid), no_dollars: side('no', levelsOf(market) - ask) } };
}

/** The points of a bucket at which prices are sampled for its open, high, low and close; a minute needs few. */
const SAMPLE_POINTS = { minute: [0.1, 0.99], longer: [0.02, 0.25, 0.5, 0.75, 0.99] } as const;

/** One candle. `live` candles leave absent prices out; archived ones have null, and keys without a suffix. */
export function candleRecord(market: SimMarket, endMs: number, periodMs: number, live: boolean) {
  const startMs = endMs - periodMs;
  const points = periodMs > MINUTE_MS ? SAMPLE_POINTS.longer : SAMPLE_POINTS.minute;
  const times = points.map((point) => startMs + point * periodMs);
  const tops = times.map((at) => topOfBook(market, at));
  const volume = volumeBetween(market, startMs, endMs);
  const previous = startMs > market.event.opensMs ? lastPrice(market, startMs - 1_000) : 0;
  const trades = volume > 0 ? times.map((at) => lastPrice(market, at)).filter((price) => price > 0) : [];
  const suffix = live ? '_dollars' : '';
  const bar = (values: readonly number[]) => ({
    [`open${suffix}`]: dollars(values[0] ?? 0),
    [`high${suffix}`]: dollars(Math.max(...values)),
    [`low${suffix}`]: dollars(Math.min(...values)),
    [`close${suffix}`]: dollars(values.at(-1) ?? 0),
  });
  const none = { open: null, high: null, low: null, close: null, mean: null };
  const before = previous > 0 ? { [`previous${suffix}`]: dollars(previous) } : live ? {} : { previous: null };
  return {
    end_period_ts: endMs / 1_000,
    price: { ...(trades.length > 0 ? bar(trades) : live ? {} : none), ...before },
    yes_bid: bar(tops.map(({ bid }) => priceOf(market, bid))),
    yes_ask: bar(tops.map(({ ask }) => priceOf(market, ask))),
    [live ? 'volume_fp' : 'volume']: count(volume),
    [live ? 'open_interest_fp' : 'open_interest']: count(volumeUntil(market, endMs) * 0.4),
  };
}

/** A result of the v1 search: it mixes cents and dollars, and its volumes are unreliable. */
export function searchRecord(event: SimEvent, nowMs: number) {
  const open = event.markets.filter(({ placeholder }) => !placeholder);
  return {
    type: 'contract',
    series_ticker: event.series,
    series_title: event.title,
    event_ticker: event.id,
    event_title: event.title,
    event_subtitle: event.subtitle,
    category: event.category,
    total_volume: Math.floor(open.reduce((sum, market) => sum + volumeUntil(market, nowMs), 0)),
    total_market_count: open.length,
    active_market_count: open.length,
    is_trending: false,
    markets: open.map((market) => ({
      ticker: market.id,
      yes_subtitle: market.label,
      last_price: Math.round(lastPrice(market, nowMs) * 100),
      last_price_dollars: dollars(lastPrice(market, nowMs)),
      volume: Math.floor(volumeUntil(market, nowMs) * 2),
      close_ts: time(event.closesMs),
    })),
  };
}
