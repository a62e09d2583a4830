/**
 * Interprets venue B's answers to orders and cancels. Pure. An order is refused only if the venue states for certain that none
 * exists. An unknown answer throws, and the caller looks the order up.
 */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { CancelResult, PlaceResult, VenueOrder } from '../../broker.ts';
import { VenueError } from '../../errors.ts';
import { OptionalAmount } from '../../parse/decimal.ts';
import { isTaking, type PolymarketRequest } from './order.ts';

/** A response as received: `body` is undefined if it is no JSON. */
export type WireAnswer = { readonly status: number; readonly body: unknown };

/** An unfilled rest below this many shares is rounding, not an order. */
export const DUST_SHARES = '0.01';
const UNITS = 1_000_000;

const Text = z
  .string()
  .nullish()
  .transform((text) => text ?? '');

const OrderAnswer = z.object({
  success: z.boolean(),
  errorMsg: Text,
  orderID: Text,
  status: Text,
  /** Decimals, "" if nothing matched. */
  makingAmount: OptionalAmount,
  takingAmount: OptionalAmount,
});

const ErrorAnswer = z.object({ error: z.string(), code: z.string().optional() });

/**
 * Reason codes by a part of the refusal's text. Sources: docs.polymarket.com/resources/error-codes, `order-response.ts` of
 * ts-sdk.
 */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/not enough balance|allowance/i, 'insufficient_balance'],
  [/no orders found to match with FAK/i, 'no_match'],
  [/couldn't be fully filled/i, 'no_match'],
  [/order crosses book/i, 'post_only_cross'],
  [/post-only mode/i, 'post_only_mode'],
  [/tick size/i, 'tick_changed'],
  [/lower than the minimum|min(imum)? (order )?size/i, 'min_size'],
  [/invalid amounts?/i, 'invalid_amount'],
  [/not yet ready/i, 'market_not_ready'],
  [/orderbook .{0,200}does not exist|no orderbook|market is closed/i, 'market_closed'],
  [/invalid expiration/i, 'invalid_expiration'],
  [/invalid nonce/i, 'invalid_nonce'],
  [/invalid signature/i, 'invalid_signature'],
  [/closed only/i, 'close_only'],
  [/banned/i, 'banned'],
];
const DUPLICATE = /duplicated/i;
/** Texts of refusals that are not final: the order may exist all the same. */
const UNCERTAIN = /could not insert|timed out/i;

/** Statuses that refuse whatever their body says. */
const REFUSED_BY_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'bad_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [425, 'venue_restarting'],
]);

/** The outcome of `request`, whose order id is `orderId`. Throws if the answer leaves it open. */
export function readPlaceAnswer(
  { status, body }: WireAnswer,
  request: PolymarketRequest,
  orderId: string,
): PlaceResult {
  if (status >= 200 && status < 300) return readOrderAnswer(body, request, orderId);
  const { data: failure } = ErrorAnswer.safeParse(body);
  const text = failure?.error ?? '';
  if (UNCERTAIN.test(text)) throw lost(`answered with status ${status}`);
  if (DUPLICATE.test(text) && status === 400) return { kind: 'exists' };
  const code = status === 503 ? restrictionOf(text, failure?.code) : REFUSED_BY_STATUS.get(status);
  if (code === undefined) throw lost(`answered with status ${status}`);
  return refused(status === 400 ? (codeOf(text) ?? code) : code);
}

function readOrderAnswer(body: unknown, request: PolymarketRequest, orderId: string): PlaceResult {
  const parsed = OrderAnswer.safeParse(body);
  if (!parsed.success) throw lost('sent an answer of unexpected shape');
  const { success, errorMsg, orderID, status, makingAmount, takingAmount } = parsed.data;
  if (errorMsg !== '' && orderID === '') return readRefusal(errorMsg);
  if (!success || errorMsg !== '' || orderID.toLowerCase() !== orderId) {
    throw lost('sent an answer about another order');
  }
  if (status === 'live' || status === 'delayed') {
    return { kind: 'taken', order: orderOf(orderId, 'open', makingAmount === null ? '0' : null) };
  }
  if (status !== 'matched') throw lost('sent an unknown status of an order');
  return { kind: 'taken', order: matchedOrder(request, orderId, makingAmount, takingAmount) };
}

/** A refusal may have `success: true`; a refusal with an unknown text is no proof. */
function readRefusal(text: string): PlaceResult {
  if (DUPLICATE.test(text)) return { kind: 'exists' };
  const code = UNCERTAIN.test(text) ? undefined : codeOf(text);
  if (code === undefined) throw lost('refuses an order for an unknown reason');
  return refused(code);
}

/** Amounts that cannot belong to this order (another unit, for example) are ignored; its trades will report them. */
function matchedOrder(
  { order, orderType }: PolymarketRequest,
  orderId: string,
  making: string | null,
  taking: string | null,
): VenueOrder {
  const offered = new Decimal(order.makerAmount).dividedBy(UNITS);
  const wanted = new Decimal(order.side === 'BUY' ? order.takerAmount : order.makerAmount).dividedBy(UNITS);
  if (making === null || taking === null || offered.lessThan(making)) return orderOf(orderId, 'open', null);
  const filled = order.side === 'BUY' ? taking : making;
  const isWhole = wanted.minus(filled).lessThan(DUST_SHARES);
  if (!isTaking({ orderType })) return orderOf(orderId, isWhole ? 'filled' : 'open', filled);
  if (isWhole) return orderOf(orderId, 'filled', filled);
  return { ...orderOf(orderId, 'canceled', filled), reasonCode: 'time_in_force' };
}

const orderOf = (
  venueOrderId: string,
  status: VenueOrder['status'],
  filledAmount: string | null,
): VenueOrder => ({ venueOrderId, status, filledAmount, fills: [], reasonCode: null, reason: null });

/** The venue's state according to a 503; undefined if it is an outage. */
function restrictionOf(text: string, code: string | undefined): string | undefined {
  if (code === 'post_only_mode') return 'post_only_mode';
  if (/cancel-only/i.test(text)) return 'cancel_only';
  if (/trading is currently disabled/i.test(text)) return 'trading_disabled';
  return undefined;
}

const codeOf = (text: string): string | undefined => REFUSALS.find(([pattern]) => pattern.test(text))?.[1];

const refused = (code: string): PlaceResult => ({
  kind: 'refused',
  code,
  reason: `venue B refuses the order: ${code.replaceAll('_', ' ')}`,
});

const lost = (what: string): VenueError => VenueError.unavailable(`venue B ${what}`);

export const CancelAnswer = z.object({
  canceled: z.array(z.string()),
  not_canceled: z.record(z.string(), z.string()).nullish(),
});

export type CanceledAnswer = CancelResult & {
  /** The venue states that it took this order from the book. */
  readonly isConfirmed: boolean;
};

/** The outcome of a cancel. An order that waits for matching cannot be canceled yet: the request stays open. */
export function readCancelAnswer({ status, body }: WireAnswer, orderId: string): CanceledAnswer {
  const parsed = CancelAnswer.safeParse(body);
  if (status !== 200 || !parsed.success)
    throw lost(`did not state the outcome of a cancel (status ${status})`);
  const isOurs = (id: string) => id.toLowerCase() === orderId;
  if (parsed.data.canceled.some(isOurs)) return { kind: 'asked', isConfirmed: true };
  const reason = Object.entries(parsed.data.not_canceled ?? {}).find(([id]) => isOurs(id))?.[1];
  if (reason === undefined) throw lost('answered a cancel about another order');
  const isGone = /already canceled or matched|not found/i.test(reason);
  return { kind: isGone ? 'gone' : 'asked', isConfirmed: false };
}

/** Whole seconds after which the venue may accept orders again, if it states them. */
export function retryAfterSec(body: unknown): number | null {
  const parsed = z.object({ retry_after_seconds: z.number().nonnegative().max(3_600) }).safeParse(body);
  return parsed.success ? Math.ceil(parsed.data.retry_after_seconds) : null;
}
