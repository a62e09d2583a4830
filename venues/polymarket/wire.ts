/**
 * What is used of Polymarket's Gamma and CLOB answers. Amounts switch between strings and numbers and may be absent; arrays
 * of a market come as JSON inside strings; unknown keys (`$schema` among them) are ignored.
 */
import { z } from 'zod';
import {
  AmountString,
  DecimalString,
  OptionalAmount,
  OptionalDecimal,
  OptionalPrice,
  PriceString,
} from '../decimal.ts';
import { EpochSeconds, OptionalTimestamp } from '../time.ts';

const Text = z.string().nullish();
const Flag = z.boolean().nullish();

/** `"[\"Yes\", \"No\"]"` as its items; absent, null and "" are none. A real array is taken too. */
const JsonItems = z
  .union([z.string(), z.array(z.unknown())])
  .nullish()
  .transform((value, ctx) => {
    if (value === null || value === undefined || value === '') return [];
    const items = typeof value === 'string' ? parseItems(value) : value;
    if (items !== null) return items;
    ctx.addIssue({ code: 'custom', message: 'not a JSON array' });
    return z.NEVER;
  });

function parseItems(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

const TokenId = z.string().regex(/^\d{1,78}$/);
const WireId = z.union([z.string(), z.int()]).transform(String);

/** `fee = rate × shares × (price × (1 − price))^exponent`. */
const WireFee = z.object({ rate: DecimalString, exponent: z.number(), takerOnly: Flag });

export const WireMarket = z.object({
  id: WireId,
  question: z.string(),
  conditionId: z.string(),
  slug: z.string(),
  outcomes: JsonItems.pipe(z.array(z.string())),
  outcomePrices: JsonItems.pipe(z.array(PriceString)),
  clobTokenIds: JsonItems.pipe(z.array(TokenId)),
  active: Flag,
  closed: Flag,
  acceptingOrders: Flag,
  enableOrderBook: Flag,
  umaResolutionStatus: Text,
  groupItemTitle: Text,
  groupItemThreshold: OptionalDecimal,
  volume: OptionalAmount,
  volumeNum: OptionalAmount,
  volume24hr: OptionalAmount,
  liquidity: OptionalDecimal,
  liquidityNum: OptionalDecimal,
  bestBid: OptionalPrice,
  bestAsk: OptionalPrice,
  lastTradePrice: OptionalPrice,
  oneDayPriceChange: OptionalDecimal,
  orderPriceMinTickSize: OptionalDecimal,
  orderMinSize: OptionalAmount,
  startDate: OptionalTimestamp,
  createdAt: OptionalTimestamp,
  endDate: OptionalTimestamp,
  closedTime: OptionalTimestamp,
  updatedAt: OptionalTimestamp,
  feesEnabled: Flag,
  feeSchedule: WireFee.nullish(),
  events: z.array(z.object({ id: WireId, slug: Text, title: Text })).nullish(),
});
export type WireMarket = z.infer<typeof WireMarket>;

export const WireEvent = z.object({
  id: WireId,
  slug: z.string(),
  title: z.string(),
  negRisk: Flag,
  volume: OptionalAmount,
  volume24hr: OptionalAmount,
  liquidity: OptionalDecimal,
  endDate: OptionalTimestamp,
  markets: z.array(WireMarket).nullish(),
});
export type WireEvent = z.infer<typeof WireEvent>;

/** `next_cursor` is absent on the last page; it goes back as `after_cursor`. */
export const EventsPage = z.object({ events: z.array(WireEvent), next_cursor: Text });
export const MarketsPage = z.object({ markets: z.array(WireMarket), next_cursor: Text });
/** `events` may be null; `tags` and `profiles` may be missing and are not used. */
export const SearchAnswer = z.object({ events: z.array(WireEvent).nullish() });

/** Records passed on as they are. */
export const RawMarkets = z.object({ markets: z.array(z.record(z.string(), z.unknown())) });

const WireLevel = z.object({ price: PriceString, size: AmountString });
/** Bids ascend and asks descend (worst first); `last_trade_price` may be "". */
export const WireBook = z.object({
  asset_id: TokenId,
  bids: z.array(WireLevel),
  asks: z.array(WireLevel),
  tick_size: DecimalString,
  last_trade_price: OptionalPrice,
});
export type WireBook = z.infer<typeof WireBook>;
export const BooksAnswer = z.array(WireBook);

/** `t` in seconds, `p` the middle of the quotes then. */
export const HistoryAnswer = z.object({
  history: z.array(z.object({ t: EpochSeconds, p: z.number().min(0).max(1) })),
});
export type WirePoint = z.infer<typeof HistoryAnswer>['history'][number];
