/** The fields of Binance's private answers that we use. Unknown values fail: an unknown status is not accepted as a status. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { AmountString, DecimalString } from '../../parse/decimal.ts';
import { EpochMs } from '../../time.ts';

/** An id that a JSON number holds exactly. */
const Id = z.int().min(0).transform(String);
/** A symbol or a coin: any script, no blanks. */
const Name = z.string().regex(/^[^\s\p{Cc}]{1,40}$/u);
const ClientId = z.string().regex(/^[!-~]{1,64}$/);
/**
 * The name of an order, which may be another client's. Null if it has none, or a name that no API client can give. The venue's
 * own app gives such names. The order is not ours then, and is reported all the same.
 */
const nameIn = (name: string | null | undefined): string | null => ClientId.safeParse(name).data ?? null;
const ReportedId = z.string().transform(nameIn);
const ListedId = z.string().nullish().transform(nameIn);
const Side = z.enum(['BUY', 'SELL']).transform((side) => (side === 'BUY' ? 'buy' : 'sell'));
const Positive = AmountString.refine((amount) => Number(amount) > 0, 'an amount of 0');

/** Every documented status but PENDING_CANCEL, which is unused. */
export const OrderStatus = z.enum([
  'NEW',
  'PENDING_NEW',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELED',
  'REJECTED',
  'EXPIRED',
  'EXPIRED_IN_MATCH',
]);
export type OrderStatus = z.infer<typeof OrderStatus>;

type Progress = { status: OrderStatus; origQty: string; executedQty: string };

/** Whether the filled amount is consistent with the status. */
function isConsistent({ status, origQty, executedQty }: Progress): boolean {
  const executed = new Decimal(executedQty);
  if (executed.gt(origQty)) return false;
  if (status === 'FILLED') return executed.eq(origQty);
  if (status === 'PARTIALLY_FILLED') return executed.gt(0) && executed.lt(origQty);
  if (status === 'NEW' || status === 'PENDING_NEW' || status === 'REJECTED') return executed.isZero();
  return executed.lt(origQty);
}

const QUOTE = /^-?\d{1,30}(\.\d{1,30})?$/;
const QuoteString = z.string().regex(QUOTE);

const OrderFields = z.object({
  symbol: Name,
  orderId: Id,
  clientOrderId: ClientId,
  side: Side,
  price: AmountString,
  origQty: Positive,
  executedQty: AmountString,
  /** In the quote currency. Below zero, or absent, if Binance no longer knows it. */
  cummulativeQuoteQty: QuoteString.optional(),
  status: OrderStatus,
  expiryReason: z.string().max(60).optional(),
});
/** Each trade is rounded to eight decimals. */
const QUOTE_DUST = '0.000001';

/** Whether an order's charge equals the sum of all its trades. */
export function isChargedAsTraded(
  {
    executedQty,
    cummulativeQuoteQty,
  }: { readonly executedQty: string; readonly cummulativeQuoteQty?: string | undefined },
  trades: readonly { readonly price: string; readonly qty: string }[],
): boolean {
  const charged = QUOTE.test(cummulativeQuoteQty ?? '') ? new Decimal(cummulativeQuoteQty ?? '') : null;
  const sum = (of: (trade: (typeof trades)[number]) => Decimal) =>
    trades.reduce((total, trade) => total.plus(of(trade)), new Decimal(0));
  const isWhole = sum(({ qty }) => new Decimal(qty)).eq(executedQty);
  if (charged === null || charged.isNegative() || trades.length === 0 || !isWhole) return true;
  const traded = sum(({ price, qty }) => new Decimal(price).times(qty));
  return traded.minus(charged).abs().lte(new Decimal(QUOTE_DUST).times(trades.length));
}

const INCONSISTENT = 'a status that contradicts the filled amount';

/** An order as a single read or a list returns it. */
export const WireOrder = OrderFields.extend({ clientOrderId: ListedId, time: EpochMs }).refine(
  isConsistent,
  INCONSISTENT,
);
export type WireOrder = z.infer<typeof WireOrder>;
export const OpenOrders = z.array(WireOrder);
/** Only the symbols of open orders: no other field of a record may prevent a cancel. */
export const OpenSymbols = z.array(z.object({ symbol: Name }));

const PlacedFill = z.object({
  price: Positive,
  qty: Positive,
  commission: AmountString,
  commissionAsset: Name,
  tradeId: Id,
});

/** The answer `FULL` to a new order: it contains all fills of the order. */
export const WirePlaced = OrderFields.extend({ transactTime: EpochMs, fills: z.array(PlacedFill) })
  .refine(isConsistent, INCONSISTENT)
  .refine(
    ({ fills, executedQty }) => fills.reduce((sum, { qty }) => sum.plus(qty), new Decimal(0)).eq(executedQty),
    'fills that do not add up to the filled amount',
  )
  .refine((order) => isChargedAsTraded(order, order.fills), 'fills at another price than was charged');
export type WirePlaced = z.infer<typeof WirePlaced>;

export const WireTrade = z.object({
  symbol: Name,
  id: Id,
  orderId: Id,
  price: Positive,
  qty: Positive,
  commission: AmountString,
  commissionAsset: Name,
  time: EpochMs,
  isBuyer: z.boolean(),
  isMaker: z.boolean(),
});
export type WireTrade = z.infer<typeof WireTrade>;
export const MyTrades = z.array(WireTrade);

export const WireCanceled = z.object({ symbol: Name, orderId: Id, origClientOrderId: ClientId });

export const WireFailure = z.object({ code: z.int().max(-1), msg: z.string().max(2_000) });

export const ServerTime = z.object({ serverTime: EpochMs });

export const WireAccount = z.object({
  canTrade: z.boolean(),
  uid: Id,
  permissions: z.array(z.string()),
  /** Absent for some pairs, whose rates Binance states as shares. */
  commissionRates: z.object({ taker: AmountString, buyer: AmountString, seller: AmountString }).optional(),
  balances: z.array(z.object({ asset: Name, free: AmountString, locked: AmountString })),
});
export type WireAccount = z.infer<typeof WireAccount>;

/** The rights of a key. A right that is not stated counts as given, so that none is overlooked. */
const Right = z.boolean().default(true);
export const WireRestrictions = z.object({
  enableReading: z.boolean(),
  enableSpotAndMarginTrading: z.boolean(),
  enableWithdrawals: z.boolean(),
  enableInternalTransfer: Right,
  permitsUniversalTransfer: Right,
  tradingAuthorityExpirationTime: EpochMs.nullish(),
});
export type WireRestrictions = z.infer<typeof WireRestrictions>;

/** `C`: the id of the canceled order; its `c` then names the cancel. `t` is -1 except for trades. */
export const ExecutionReport = z
  .object({
    e: z.literal('executionReport'),
    s: Name,
    c: ReportedId,
    C: ReportedId,
    S: Side,
    q: Positive,
    x: z.enum(['NEW', 'CANCELED', 'REPLACED', 'REJECTED', 'TRADE', 'EXPIRED', 'TRADE_PREVENTION']),
    X: OrderStatus,
    i: z.int().min(0).transform(String),
    l: AmountString,
    L: AmountString,
    z: AmountString,
    n: AmountString.nullable(),
    N: Name.nullable(),
    T: EpochMs,
    t: z.int().min(-1),
    m: z.boolean(),
    eR: z.string().max(60).optional(),
    r: z.string().max(100).optional(),
  })
  .refine(({ X, q, z: filled }) => isConsistent({ status: X, origQty: q, executedQty: filled }), INCONSISTENT)
  .refine(
    ({ x, t, l, L, n, N }) =>
      x !== 'TRADE' || (t >= 0 && Number(l) > 0 && Number(L) > 0 && n !== null && N !== null),
    'a trade without its numbers',
  );
export type ExecutionReport = z.infer<typeof ExecutionReport>;

/** An order list of Binance is never ours: its parts arrive as separate orders. */
export const UserEvent = z.object({ event: z.looseObject({ e: z.string().max(60) }) });
export const SocketAnswer = z.object({ id: z.string().nullable(), status: z.int() });

/** Open time, open, highest, lowest; the rest is not used. */
export const Klines = z.array(z.tuple([EpochMs, DecimalString, Positive, Positive], z.unknown()));

/** 0: normal, 1: maintenance. */
export const SystemStatus = z.object({ status: z.union([z.literal(0), z.literal(1)]) });
