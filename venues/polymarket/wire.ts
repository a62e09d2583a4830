/**
 * The fields of Polymarket's Gamma and CLOB answers that we use. Amounts switch between strings and numbers and may be absent.
 * Arrays of a market are JSON inside strings; unknown keys (`$schema` among them) are ignored.
 */

import { z } from 'zod';
import {
  AmountString,
  nullIfMalformed,
  OptionalAmount,
  OptionalDecimal,
  OptionalPrice,
  PriceString,
  StepString,
} from '../parse/decimal.ts';
import { jsonOf } from '../parse/json.ts';
import { HttpsUrl, NameText, parsedItems, RulesText, TitleText } from '../parse/texts.ts';
import { EpochSeconds, OptionalTimestamp, SECOND_MS } from '../time.ts';

const Text = z.string().nullish();
const Flag = z.boolean().nullish();

/** The items of `"[\"Yes\", \"No\"]"`; absent, null and "" have none. A real array is accepted, too. */
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
  const value = jsonOf(text);
  return Array.isArray(value) ? value : null;
}

const TokenId = z.string().regex(/^\d{1,78}$/);
const WireId = z.union([z.string(), z.int()]).transform(String);

/** `fee = rate × shares × (price × (1 − price))^exponent`. */
const WireFee = z.object({ rate: AmountString, exponent: z.number().min(0).max(10), takerOnly: Flag });

/** A list whose records are parsed one by one. */
const Unread = z.array(z.unknown());

/** The fields of a record that a quote needs: its market, and the market's status. Prices come from books. */
export const WireStatus = z.object({
  outcomes: JsonItems.pipe(z.array(TitleText)),
  outcomePrices: JsonItems.pipe(z.array(PriceString)),
  clobTokenIds: JsonItems.pipe(z.array(TokenId)),
  active: Flag,
  closed: Flag,
  acceptingOrders: Flag,
  umaResolutionStatus: Text,
  volume24hr: nullIfMalformed(OptionalAmount),
});
export type WireStatus = z.infer<typeof WireStatus>;

/** Whether a record states its market's status: an unstated status does not count as open. */
const isClear = ({ active, closed, acceptingOrders, umaResolutionStatus }: WireStatus): boolean =>
  typeof active === 'boolean' &&
  typeof closed === 'boolean' &&
  (closed || !active || Boolean(umaResolutionStatus) || typeof acceptingOrders === 'boolean');

/** The fields of a market that its quotes need. */
export const WireQuoted = WireStatus.refine(isClear, {
  error: 'a market of no clear status',
  path: ['status'],
});

const Terms = WireStatus.extend({
  question: TitleText,
  conditionId: z.string(),
  enableOrderBook: Flag,
  orderPriceMinTickSize: OptionalPrice,
  orderMinSize: OptionalAmount,
  endDate: OptionalTimestamp,
  feesEnabled: Flag,
  feeSchedule: WireFee.nullish(),
  negRisk: nullIfMalformed(z.boolean()),
  /** The protocol that holds its outcomes: `v1` or `v2`. Records from before the second protocol do not state it. */
  version: nullIfMalformed(z.string()),
  startDate: nullIfMalformed(OptionalTimestamp),
});
/** The event of a market's own record, as far as its instruments need it. */
const SeriesOfEvents = z
  .array(z.object({ seriesSlug: nullIfMalformed(Text) }))
  .nullish()
  .transform((events) => events?.[0]?.seriesSlug || null);
/** The fields of a market that its instruments need. */
export const WireTerms = Terms.extend({ events: nullIfMalformed(SeriesOfEvents) }).refine(isClear, {
  error: 'a market of no clear status',
  path: ['status'],
});
export type WireTerms = z.infer<typeof WireTerms>;

/** Opening and closing times of a market. */
export const WireLife = WireStatus.extend({
  startDate: OptionalTimestamp,
  createdAt: OptionalTimestamp,
  endDate: OptionalTimestamp,
  closedTime: OptionalTimestamp,
});
export type WireLife = z.infer<typeof WireLife>;

/** USD a day for resting offers; a market may have several programmes. */
const WireReward = z
  .object({ rewardsDailyRate: AmountString })
  .transform(({ rewardsDailyRate }): string | null => rewardsDailyRate)
  .catch(null);

const Tag = z
  .object({ label: NameText })
  .transform(({ label }) => label)
  .catch(null);

/** The fields of a market that its view shows. */
export const WireMarket = Terms.extend({
  id: WireId,
  slug: z.string(),
  groupItemTitle: NameText,
  groupItemThreshold: nullIfMalformed(OptionalDecimal),
  volume: OptionalAmount,
  volumeNum: OptionalAmount,
  volume24hr: OptionalAmount,
  liquidity: OptionalAmount,
  liquidityNum: OptionalAmount,
  bestBid: OptionalPrice,
  bestAsk: OptionalPrice,
  lastTradePrice: OptionalPrice,
  oneDayPriceChange: OptionalDecimal,
  oneHourPriceChange: nullIfMalformed(OptionalDecimal),
  oneWeekPriceChange: nullIfMalformed(OptionalDecimal),
  updatedAt: OptionalTimestamp,
  gameStartTime: nullIfMalformed(OptionalTimestamp),
  eventStartTime: nullIfMalformed(OptionalTimestamp),
  description: RulesText,
  resolutionSource: NameText,
  rewardsMinSize: nullIfMalformed(OptionalAmount),
  rewardsMaxSpread: nullIfMalformed(OptionalAmount),
  clobRewards: parsedItems(WireReward),
  category: NameText,
  image: HttpsUrl,
  events: z.array(z.object({ id: WireId, slug: Text, title: Text })).nullish(),
});
export type WireMarket = z.infer<typeof WireMarket>;

export const WireEvent = z.object({
  id: WireId,
  slug: z.string(),
  title: TitleText,
  negRisk: Flag,
  volume: OptionalAmount,
  volume24hr: OptionalAmount,
  liquidity: OptionalAmount,
  endDate: OptionalTimestamp,
  openInterest: nullIfMalformed(OptionalAmount),
  description: RulesText,
  resolutionSource: NameText,
  startDate: nullIfMalformed(OptionalTimestamp),
  startTime: nullIfMalformed(OptionalTimestamp),
  category: NameText,
  tags: parsedItems(Tag),
  image: HttpsUrl,
  markets: Unread.nullish(),
});
export type WireEvent = z.infer<typeof WireEvent>;

/** `next_cursor` is absent on the last page; the next request sends it as `after_cursor`. */
export const EventsPage = z.object({ events: Unread, next_cursor: Text });
export const MarketsPage = z.object({ markets: Unread, next_cursor: Text });
/** Events of a series, with their markets inside. */
export const WireSeriesEvent = z.object({ markets: Unread.nullish() });
export const SeriesAnswer = z.array(z.object({ id: WireId, slug: z.string() }));
/** `events` may be null; `tags` and `profiles` may be missing and are not used. */
export const SearchAnswer = z.object({ events: Unread.nullish() });

/** Records that are passed on unchanged. */
export const RawMarkets = z.object({ markets: z.array(z.record(z.string(), z.unknown())) });

const WireLevel = z.object({ price: PriceString, size: AmountString });
/** Bids ascend and asks descend (worst first); `last_trade_price` may be "". */
export const WireOffers = z.object({
  asset_id: TokenId,
  bids: z.array(WireLevel),
  asks: z.array(WireLevel),
  last_trade_price: nullIfMalformed(OptionalPrice),
});
export type WireOffers = z.infer<typeof WireOffers>;
/** The fields of a book that its view shows. */
export const WireBook = WireOffers.extend({
  tick_size: StepString,
  min_order_size: nullIfMalformed(OptionalAmount),
  neg_risk: nullIfMalformed(z.boolean()),
});
export type WireBook = z.infer<typeof WireBook>;
export const BooksAnswer = Unread;

/** `t` in seconds, `p` the middle of the quotes at that time. */
export const HistoryAnswer = z.object({
  history: z.array(z.object({ t: EpochSeconds, p: z.number().min(0).max(1) })),
});
/** The same, with points that are parsed one by one. */
export const UnreadHistoryAnswer = z.object({ history: z.array(z.unknown()) });
export const Midpoint = z
  .object({ t: EpochSeconds, p: z.number().min(0).max(1) })
  .transform(({ t, p }) => ({ timeMs: t * SECOND_MS, price: p }));
/** Data v2: oldest first, each with its observation interval; an empty result is `data: null`. */
export const PricesPage = z.object({
  data: z.array(z.unknown()).nullable(),
  pagination: z.object({ next_cursor: z.string().max(4_000).nullish() }).nullish(),
});
export const PricePoint = z
  .object({ timestamp: EpochSeconds, price: z.number().min(0).max(1), resolution_seconds: z.int().min(1) })
  .transform(({ timestamp, price, resolution_seconds }) => ({
    timeMs: timestamp * SECOND_MS,
    price,
    resolutionMs: resolution_seconds * SECOND_MS,
  }));
export type WirePoint = z.infer<typeof HistoryAnswer>['history'][number];
