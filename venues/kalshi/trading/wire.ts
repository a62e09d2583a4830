/**
 * The fields of the answers of Kalshi's trading routes that we use. Numbers are strings there. A JSON number, a word or an
 * empty string is an unknown shape, and its record is refused.
 */
import { z } from 'zod';
import { parseTimestamp } from '../../time.ts';

const Text = z.string().min(1).max(200);
const Amount = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/);
const SignedAmount = z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/);
const Price = Amount.refine((price) => Number(price) <= 1, 'a price above 1');
const Time = z.string().transform((text, ctx) => {
  const parsed = parseTimestamp(text);
  if (parsed !== null) return new Date(parsed);
  ctx.addIssue({ code: 'custom', message: 'not a timestamp' });
  return z.NEVER;
});
const OptionalTime = z
  .union([Time, z.literal('').transform(() => null), z.null()])
  .optional()
  .transform((time) => time ?? null);
const Direction = z.enum(['bid', 'ask']);
const Shard = z.int().min(0).max(1_000);

/** Both prices of a record: each implies the other, so that damage is detected. */
const Priced = z.object({ yes_price_dollars: Price, no_price_dollars: Price });
const MICRO = 1e6;
/** Up to the sixth decimal, the venue's last. Also called with values that are no prices: returns false. */
const addsUp = ({ yes_price_dollars: yes, no_price_dollars: no }: z.infer<typeof Priced>): boolean =>
  Math.round((Number(yes) + Number(no)) * MICRO) === MICRO;

export const WireCreated = z.object({
  order_id: Text,
  client_order_id: z.string().optional(),
  fill_count: Amount,
  remaining_count: Amount,
});
export type WireCreated = z.infer<typeof WireCreated>;

export const WireCanceled = z.object({ order_id: Text, reduced_by: Amount });

export const WireOrder = Priced.extend({
  order_id: Text,
  client_order_id: z.string(),
  ticker: Text,
  book_side: Direction,
  status: z.enum(['resting', 'canceled', 'executed']),
  fill_count_fp: Amount,
  remaining_count_fp: Amount,
  initial_count_fp: Amount,
  expiration_time: OptionalTime,
  created_time: OptionalTime,
  last_update_time: OptionalTime,
  /** Sent since 2026-10, in the venue's own words. */
  last_update_reason: z.string().max(100).nullish(),
  exchange_index: Shard.optional(),
}).refine(addsUp, 'prices that do not add up to 1');
export type WireOrder = z.infer<typeof WireOrder>;

export const WireFill = Priced.extend({
  fill_id: Text,
  /** The same id under an older name. */
  trade_id: Text,
  order_id: Text,
  ticker: Text,
  book_side: Direction,
  count_fp: Amount,
  is_taker: z.boolean(),
  fee_cost: Amount,
  created_time: Time,
})
  .refine(addsUp, 'prices that do not add up to 1')
  .refine(({ fill_id: id, trade_id: older }) => id === older, 'two ids of one fill');
export type WireFill = z.infer<typeof WireFill>;

const Cursor = z
  .string()
  .nullish()
  .transform((cursor) => cursor || null);

/** An order with only its names parsed. */
export const NamedOrder = z.looseObject({ order_id: Text, client_order_id: z.string() });
export type NamedOrder = z.infer<typeof NamedOrder>;

export const OneOrder = z.object({ order: z.unknown() });
export const NamedOrders = z.object({ orders: z.array(NamedOrder), cursor: Cursor });
export const Orders = z.object({ orders: z.array(WireOrder), cursor: Cursor });
export const Fills = z.object({ fills: z.array(WireFill), cursor: Cursor });

export const Positions = z.object({
  market_positions: z.array(
    z.object({ ticker: Text, position_fp: SignedAmount, exchange_index: Shard.default(0) }),
  ),
  cursor: Cursor,
});
export type WirePosition = z.infer<typeof Positions>['market_positions'][number];

export const Balance = z.object({
  balance_breakdown: z.array(z.object({ exchange_index: Shard, balance: SignedAmount })).min(1),
});
export type WireBalance = z.infer<typeof Balance>;

export const AsOfTime = z.object({ as_of_time: Time });

export const ExchangeStatus = z.object({
  exchange_active: z.boolean(),
  trading_active: z.boolean(),
  exchange_estimated_resume_time: OptionalTime,
});

export const ApiKeys = z.object({
  api_keys: z.array(z.object({ api_key_id: Text, scopes: z.array(z.string()) })),
  api_key_region_expiration_ts: z.int().min(0).nullish(),
});

export const CommunicationsId = z.object({ communications_id: Text });

export const Netting = z.object({
  netting_configs: z.array(z.object({ subaccount_number: z.int().min(0), enabled: z.boolean() })),
});

export const CreatedGroup = z.object({ order_group_id: Text });

/** The detail of a post-only order that would fill at once: its code is that of an invalid order. */
const POST_ONLY_CROSS = 'post only cross';

/** Three shapes of errors, and a flat one of the gateway. */
export const Failure = z.union([
  z
    .object({ error: z.object({ code: z.string(), details: z.string().optional() }) })
    .transform(({ error }) => (error.details === POST_ONLY_CROSS ? 'post_only_cross' : error.code)),
  z.object({ code: z.string(), message: z.string() }).transform(({ code }) => code),
  z.object({ error: z.string() }).transform(() => ''),
  z.object({ msg: z.string() }).transform(() => ''),
]);

/** A frame of the user stream. */
export const Frame = z.object({ type: z.string(), msg: z.unknown(), id: z.int().optional() });

const EpochMs = z
  .int()
  .min(0)
  .transform((ms) => new Date(ms));

export const OrderMessage = z.object({
  order_id: Text,
  client_order_id: z.string().default(''),
  ticker: Text,
  book_side: Direction,
  status: z.enum(['resting', 'canceled', 'executed']),
  fill_count_fp: Amount,
  remaining_count_fp: Amount,
  initial_count_fp: Amount,
  last_update_reason: z.string().max(100).nullish(),
});
export type OrderMessage = z.infer<typeof OrderMessage>;

export const FillMessage = z.object({
  trade_id: Text,
  order_id: Text,
  client_order_id: z.string().nullish(),
  market_ticker: Text,
  book_side: Direction,
  yes_price_dollars: Price,
  count_fp: Amount,
  is_taker: z.boolean(),
  fee_cost: Amount,
  ts_ms: EpochMs,
});
export type FillMessage = z.infer<typeof FillMessage>;

/** Whole cents and epoch seconds, only in this record. `returned`: it was paid back. */
const WireTransfer = z.object({
  id: Text,
  status: z.enum(['pending', 'applied', 'failed', 'returned']),
  amount_cents: z.int().min(0),
  created_ts: z.int(),
  finalized_ts: z.int().nullish(),
});
export type WireTransfer = z.infer<typeof WireTransfer>;
export const Deposits = z.object({ deposits: z.array(WireTransfer), cursor: Cursor });
export const Withdrawals = z.object({ withdrawals: z.array(WireTransfer), cursor: Cursor });
