/** Orders and trades in venue B's lists and stream. Pure; unknown values throw. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { AccountFill, OpenVenueOrder, VenueFill } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import { AmountString, complement, PriceString, trimmed } from '../../parse/decimal.ts';
import type { FeeSchedule } from '../../reads.ts';
import type { Liquidity, Side } from '../../vocabulary.ts';
import { tradeFee } from './fee.ts';

/** Decimals of a trade's price per share: those of the books. */
const PRICE_DIGITS = 12;

export const OrderId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((id) => id.toLowerCase());
const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((address) => address.toLowerCase());
export const TokenId = z.string().regex(/^[1-9]\d{4,77}$/);
const WireSide = z.enum(['BUY', 'SELL']).transform((side): Side => (side === 'BUY' ? 'buy' : 'sell'));
const Shares = AmountString.refine((size) => Number(size) > 0, 'a size of 0');
/** Strictly between 0 and 1: no trade has a price of 0 or 1. */
const TradePrice = PriceString.refine(
  (price) => Number(price) > 0 && Number(price) < 1,
  'no price of a trade',
);

/** Epoch seconds or milliseconds, as number or text, or ISO 8601. */
const Time = z.union([z.number(), z.string()]).transform((value, ctx) => {
  const date = dateOf(value);
  if (date !== null) return date;
  ctx.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

const SECONDS_MAX = 1e11;
/** 2020: no trade of this service is older. */
const TIME_MIN_MS = 1_577_836_800_000;
const TIME_MAX_MS = 4_102_444_800_000;

function dateOf(value: string | number): Date | null {
  const isNumber = typeof value === 'number' || /^\d{10,13}$/.test(value);
  const isIso = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
  if (!isNumber && !isIso) return null;
  const number = Number(value);
  const ms = isIso ? Date.parse(String(value)) : number < SECONDS_MAX ? number * 1_000 : number;
  return ms >= TIME_MIN_MS && ms <= TIME_MAX_MS ? new Date(ms) : null;
}

export const WireOrder = z.object({
  id: OrderId,
  status: z.string(),
  asset_id: TokenId,
  side: WireSide,
  original_size: Shares,
  size_matched: AmountString,
  price: PriceString,
  order_type: z.string(),
  created_at: Time,
});
export type WireOrder = z.infer<typeof WireOrder>;

const TRADE_STATES: Readonly<Record<string, VenueFill['state']>> = {
  MATCHED: 'provisional',
  MATCHED_NOT_BROADCASTED: 'provisional',
  MINED: 'provisional',
  RETRYING: 'provisional',
  CONFIRMED: 'final',
  FAILED: 'failed',
};
const TradeState = z.string().transform((status, ctx) => {
  // The chain's own enumeration has a prefix.
  const state = TRADE_STATES[status.replace(/^TRADE_STATUS_/, '')];
  if (state !== undefined) return state;
  ctx.addIssue({ code: 'custom', message: 'an unknown status of a trade' });
  return z.NEVER;
});

const MakerEntry = z.object({
  order_id: OrderId,
  maker_address: Address,
  matched_amount: Shares,
  price: TradePrice,
  asset_id: TokenId,
  /** Left out by the stream; it follows from the taker's. */
  side: WireSide.optional(),
});
type MakerEntry = z.infer<typeof MakerEntry>;

export const WireTrade = z.object({
  id: z.string().min(1).max(100),
  taker_order_id: OrderId,
  asset_id: TokenId,
  side: WireSide,
  size: Shares,
  price: TradePrice,
  status: TradeState,
  match_time: Time,
  trader_side: z.enum(['TAKER', 'MAKER']),
  maker_orders: z.array(MakerEntry),
});
export type WireTrade = z.infer<typeof WireTrade>;

/** Pages hold raw records, so that each is parsed, or logged as malformed, alone. */
export const Page = z.object({ data: z.array(z.unknown()), next_cursor: z.string() });
export const LAST_CURSOR = 'LTE=';

/** A fill without its fee. */
type Part = Omit<AccountFill, 'fee' | 'feeAsset' | 'feeAmount' | 'liquidity'> & {
  readonly liquidity: Liquidity;
};

/**
 * Every fill of a trade that belongs to this wallet: the taker's if we took, and each of our entries among the makers. Each
 * entry has its own token, side and price: a maker of one outcome may have met a taker of the other.
 *
 * @throws VenueError if there is none: then the record is not what it seems.
 */
export function ownFillsOfTrade(trade: WireTrade, wallet: string): Part[] {
  const shared = { tradeId: trade.id, clientOrderId: null, state: trade.status, at: trade.match_time };
  const makers = trade.maker_orders
    .filter(({ maker_address: address }) => address === wallet)
    .map((entry) => ({
      ...shared,
      venueOrderId: entry.order_id,
      tokenId: entry.asset_id,
      side: sideOf(trade, entry),
      amount: trimmed(entry.matched_amount),
      price: trimmed(entry.price),
      liquidity: 'maker' as const,
    }));
  if (trade.trader_side === 'MAKER') {
    if (makers.length > 0) return makers;
    throw VenueError.unavailable('venue B sent a trade that has no order of this account');
  }
  const taker = {
    ...shared,
    venueOrderId: trade.taker_order_id,
    tokenId: trade.asset_id,
    side: trade.side,
    amount: trimmed(trade.size),
    price: takerPriceOf(trade),
    liquidity: 'taker' as const,
  };
  return [taker, ...makers];
}

/** Whether the makers of a trade add up to its size, so that its cost follows from theirs. */
export const hasAllMakers = ({ size, maker_orders: makers }: WireTrade): boolean =>
  makers.reduce((sum, { matched_amount: amount }) => sum.plus(amount), new Decimal(0)).equals(size);

/**
 * The price per share of a taker. For several levels the meaning of the record's price is not documented. So the cost is that
 * of the makers; the record's own price is used only if they are incomplete. The price of a buy is not rounded up: a buy that
 * took all of its money would cost more than was available, and could not be booked.
 */
function takerPriceOf(trade: WireTrade): string {
  if (!hasAllMakers(trade)) return trimmed(trade.price);
  const cost = trade.maker_orders.reduce(
    (sum, entry) => sum.plus(new Decimal(entry.matched_amount).times(makerPriceFor(trade, entry))),
    new Decimal(0),
  );
  return unitPrice(cost, trade.size, trade.side).toFixed();
}

/** The price per share, with the decimals of the books. */
export const unitPrice = (cost: Decimal, size: Decimal.Value, side: Side): Decimal =>
  cost
    .dividedBy(size)
    .toDecimalPlaces(PRICE_DIGITS, side === 'buy' ? Decimal.ROUND_DOWN : Decimal.ROUND_HALF_UP);

/** The price of a maker as its taker sees it: a buyer of the other outcome at q sells this one at 1 − q. */
function makerPriceFor(trade: WireTrade, entry: MakerEntry): string {
  sideOf(trade, entry);
  return entry.asset_id === trade.asset_id ? entry.price : complement(entry.price);
}

/**
 * The side of a maker: opposite to its taker for the same outcome, equal for the other one. Throws if the record contradicts.
 */
function sideOf({ asset_id: token, side: taker }: WireTrade, entry: MakerEntry): Side {
  const opposite = taker === 'buy' ? 'sell' : 'buy';
  const side = entry.asset_id === token ? opposite : taker;
  if (entry.side === undefined || entry.side === side) return side;
  throw VenueError.unavailable('venue B sent a trade whose sides contradict each other');
}

/** The fill with its fee, by the schedule of its time; the venue charges in its own dollar. */
export function fillOf(part: Part, schedule: FeeSchedule): AccountFill {
  const fee = tradeFee(schedule, part);
  return { ...part, fee, feeAsset: 'pUSD', feeAmount: fee };
}

export const openOrderOf = (order: WireOrder): OpenVenueOrder => ({
  venueOrderId: order.id,
  clientOrderId: null,
  tokenId: order.asset_id,
  side: order.side,
  amount: trimmed(order.original_size),
  limitPrice: trimmed(order.price),
  filledAmount: trimmed(order.size_matched),
  placedAt: order.created_at,
});
