/** Validates and places the orders that venue B receives. */
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { orderHashOf, type TypedOrder } from '../../../venues/polymarket/trading/typed-data.ts';
import { ok, type Reply } from '../../reply.ts';
import type { TokenSide } from '../../world/tokens.ts';
import { isOpen, type Order, type OrderDraft, stateOf } from '../orders.ts';
import type { TradingRequest } from '../venue.ts';
import { type Caller, isSignedFor } from './auth.ts';
import type { Clearing } from './clearing.ts';
import { COLLATERAL, exchangeOf, SIZE_MIN } from './market.ts';
import { failure, secondsOf, VENUE_MODE_REPLIES } from './replies.ts';

const Units = z.string().regex(/^[1-9]\d{0,30}$/);
const Word = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const Payload = z.object({
  order: z.object({
    salt: z.int().nonnegative(),
    maker: Address,
    signer: Address,
    tokenId: z.string().regex(/^\d{1,78}$/),
    makerAmount: Units,
    takerAmount: Units,
    side: z.enum(['BUY', 'SELL']),
    signatureType: z.int().min(0).max(3),
    timestamp: z.string().regex(/^\d{13}$/),
    expiration: z.string().regex(/^\d{1,12}$/),
    metadata: Word,
    builder: Word,
    signature: z.string(),
  }),
  owner: z.string(),
  orderType: z.enum(['GTC', 'GTD', 'FAK', 'FOK']),
  deferExec: z.literal(false).optional(),
  postOnly: z.boolean().default(false),
});
type Payload = z.infer<typeof Payload>;

const UNIT = 1_000_000;
const EXPIRY_LEAST_SEC = 180;
const EXPIRY_LEAD_SEC = 60;
const MARKETABLE_MIN = 1;
/** More than any offer. */
const ENDLESS = new Decimal(1e12);

/** The future id of an order, for faults and repeats; null if the request is malformed. */
export function hashOf(clearing: Clearing, ask: TradingRequest): string | null {
  const parsed = Payload.safeParse(ask.body);
  if (!parsed.success) return null;
  const { order } = parsed.data;
  const tokenSide = clearing.markets.tokenSide(order.tokenId);
  const domain = tokenSide === null ? null : exchangeOf(ask.environment, tokenSide.market);
  return domain === null ? null : `0x${Buffer.from(orderHashOf(typedOf(order), domain)).toString('hex')}`;
}

export function createOrder(clearing: Clearing, caller: Caller, ask: TradingRequest): Reply {
  if (clearing.mode !== null && !(clearing.mode === 'post-only' && isPostOnly(ask.body)))
    return VENUE_MODE_REPLIES[clearing.mode];
  if (clearing.exchange.pause !== null)
    return VENUE_MODE_REPLIES[clearing.exchange.pause === 'all' ? 'disabled' : 'cancel-only'];
  const parsed = Payload.safeParse(ask.body);
  if (!parsed.success) return failure(400, 'Invalid order payload');
  const payload = parsed.data;
  if (payload.owner !== caller.key.id)
    return failure(400, 'the order owner has to be the owner of the API KEY');
  const tokenSide = clearing.markets.tokenSide(payload.order.tokenId);
  const domain = tokenSide === null ? null : exchangeOf(ask.environment, tokenSide.market);
  if (tokenSide === null || domain === null) {
    return failure(400, `the orderbook ${payload.order.tokenId} does not exist`);
  }
  const nowMs = clearing.exchange.venueNow();
  if (!isSignedFor(caller, typedOf(payload.order), domain, payload.order.signature, nowMs)) {
    return failure(400, 'invalid signature');
  }
  const id = hashOf(clearing, ask) ?? '';
  if (clearing.exchange.orders.has(id) || clearing.delayed.has(id)) {
    return failure(400, `order ${id} is invalid. Duplicated.`);
  }
  const terms = termsOf(payload, tokenSide);
  const problem =
    typeof terms === 'string'
      ? terms
      : problemOf(clearing, caller, payload, terms, tokenSide, domain.verifyingContract);
  if (typeof terms === 'string' || problem !== null) return failure(400, problem ?? String(terms));
  return enter(clearing, caller, payload, terms, id);
}

const isPostOnly = (body: unknown): boolean => Payload.safeParse(body).data?.postOnly === true;

const typedOf = ({ salt, signature: _, expiration: __, ...order }: Payload['order']): TypedOrder => ({
  ...order,
  salt: String(salt),
});

/** The terms of an order: shares at a limit, and for a buy the money that bounds it. */
type Terms = { readonly price: Decimal; readonly amount: Decimal; readonly money: Decimal };

function termsOf({ order, orderType }: Payload, { market }: TokenSide): Terms | string {
  const [maker, taker] = [order.makerAmount, order.takerAmount].map((units) =>
    new Decimal(units).dividedBy(UNIT),
  );
  if (maker === undefined || taker === undefined) return 'Invalid order payload';
  const [money, amount] = order.side === 'BUY' ? [maker, taker] : [taker, maker];
  // Matched exactly as signed: a price slightly below an ask does not reach it.
  const price = money.dividedBy(amount);
  const isTaking = orderType === 'FAK' || orderType === 'FOK';
  // Rounded shares give a price slightly off the grid; the price of a resting order is on it.
  const onGrid = isTaking ? price.toNearest(market.tick, Decimal.ROUND_DOWN) : price.toNearest(market.tick);
  const isOff = !isTaking && !onGrid.equals(price);
  if (isOff || onGrid.lessThan(market.tick) || onGrid.greaterThan(1 - market.tick)) {
    return `Price (${price.toFixed()}) breaks minimum tick size rule: ${market.tick}`;
  }
  const [makerDigits, takerDigits] = digitsOf(order.side, isTaking, market.tick);
  if (maker.decimalPlaces() > makerDigits || taker.decimalPlaces() > takerDigits) {
    return `invalid amounts, the maker amount supports a max accuracy of ${makerDigits} decimals, taker amount a max of ${takerDigits} decimals`;
  }
  return { price, amount, money };
}

/** Decimals of an order's two amounts, as the venue's own clients round them; for a taking buy, as the venue enforces them. */
function digitsOf(side: 'BUY' | 'SELL', isTaking: boolean, tick: number): readonly [number, number] {
  const ofMoney = new Decimal(tick).decimalPlaces() + 2;
  if (side === 'SELL') return [2, ofMoney];
  return isTaking ? [2, Math.min(4, ofMoney)] : [ofMoney, 2];
}

function problemOf(
  clearing: Clearing,
  { account }: Caller,
  { order, orderType, postOnly }: Payload,
  terms: Terms,
  { market }: TokenSide,
  contract: string,
): string | null {
  const { exchange } = clearing;
  const { price, amount, money } = terms;
  const nowSec = secondsOf(exchange.venueNow());
  if (clearing.markets.bookAt(order.tokenId, exchange.now()) === null) return `market ${market.id} is closed`;
  const hasEnd = order.expiration !== '0';
  if (hasEnd !== (orderType === 'GTD') || (hasEnd && Number(order.expiration) < nowSec + EXPIRY_LEAST_SEC)) {
    return 'invalid expiration';
  }
  const crosses = !fillable(clearing, order, price).isZero();
  if (postOnly && crosses) return 'invalid post-only order: order crosses book';
  const isTaking = orderType === 'FAK' || orderType === 'FOK';
  if (!isTaking && amount.lessThan(SIZE_MIN))
    return `Size (${amount.toFixed()}) lower than the minimum: ${SIZE_MIN}`;
  if (order.side === 'BUY' && crosses && money.lessThan(MARKETABLE_MIN)) {
    return `invalid amount for a marketable BUY order ($${money.toFixed()}), min size: $${MARKETABLE_MIN}`;
  }
  if (clearing.closedOnly.has(account.id) && order.side === 'BUY') return 'address in closed only mode';
  const isBuy = order.side === 'BUY';
  const free = clearing.free(account, isBuy ? COLLATERAL : order.tokenId);
  const allowed = new Decimal(clearing.allowanceOf(account, contract)).dividedBy(UNIT);
  if (Decimal.min(free, allowed).lessThan(isBuy ? money : amount)) {
    return 'not enough balance / allowance: the balance or the allowance is not enough';
  }
  if (orderType === 'FAK' && !crosses) {
    return 'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';
  }
  if (
    orderType === 'FOK' &&
    fillable(clearing, order, price).lessThan(wantedShares(clearing, order, terms))
  ) {
    return "order couldn't be fully filled. FOK orders are fully filled or killed.";
  }
  return null;
}

function fillable(clearing: Clearing, { tokenId, side }: Payload['order'], price: Decimal): Decimal {
  const draft = { account: null, clientOrderId: '', timeInForce: 'IOC', amount: ENDLESS, price } as const;
  return clearing.exchange.fillable({ ...draft, instrument: tokenId, side: side === 'BUY' ? 'buy' : 'sell' });
}

function enter(clearing: Clearing, { account }: Caller, payload: Payload, terms: Terms, id: string): Reply {
  const { order, orderType } = payload;
  const draft: OrderDraft = {
    account,
    clientOrderId: id,
    instrument: order.tokenId,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    price: terms.price,
    amount: wantedShares(clearing, order, terms),
    timeInForce: orderType === 'FAK' ? 'IOC' : orderType === 'FOK' ? 'FOK' : 'GTC',
    expiresMs: orderType === 'GTD' ? (Number(order.expiration) - EXPIRY_LEAD_SEC) * 1_000 : null,
    tags: { hash: id, original: terms.amount.toFixed(), type: orderType, expiration: order.expiration },
  };
  const isMarketable = !fillable(clearing, order, terms.price).isZero();
  if (isMarketable && clearing.matchDelayMs > 0) {
    clearing.delayed.set(id, { draft, id, dueMs: clearing.exchange.now() + clearing.matchDelayMs });
    return accepted(id, 'delayed');
  }
  return placed(clearing, clearing.place(draft));
}

const wantedShares = (clearing: Clearing, order: Payload['order'], terms: Terms): Decimal =>
  order.side === 'BUY' ? sharesFor(clearing, order, terms) : terms.amount;

/** The shares of a buy, which its money bounds: below its limit price the money buys more shares than the order names. */
function sharesFor(clearing: Clearing, order: Payload['order'], { price, money }: Terms): Decimal {
  const offered = clearing.markets.bookAt(order.tokenId, clearing.exchange.now())?.asks ?? [];
  const resting = [...clearing.exchange.orders.values()].filter(
    (other) => isOpen(other) && other.instrument === order.tokenId && other.side === 'sell',
  );
  const prices = [...offered.map((level) => level.price), ...resting.map((other) => other.price)]
    .filter((level) => level.lessThanOrEqualTo(price))
    .sort((a, b) => a.comparedTo(b));
  let [left, shares] = [money, new Decimal(0)];
  for (const level of prices) {
    const available = fillable(clearing, order, level).minus(shares);
    const taken = Decimal.min(available, left.dividedBy(level).toDecimalPlaces(6, Decimal.ROUND_DOWN));
    if (taken.lessThanOrEqualTo(0)) continue;
    shares = shares.plus(taken);
    left = left.minus(taken.times(level));
  }
  return shares.plus(left.dividedBy(price).toDecimalPlaces(6, Decimal.ROUND_DOWN));
}

function placed({ trades }: Clearing, order: Order): Reply {
  const { filled } = stateOf(order);
  if (filled.isZero()) return accepted(order.id, 'live');
  const cost = order.fills.reduce((sum, { amount, price }) => sum.plus(amount.times(price)), new Decimal(0));
  const [making, taking] = order.side === 'buy' ? [cost, filled] : [filled, cost];
  return accepted(order.id, 'matched', {
    makingAmount: making.toFixed(),
    takingAmount: taking.toFixed(),
    tradeIDs: trades.idsOf(order),
  });
}

const accepted = (orderID: string, status: string, more: object = {}): Reply =>
  ok({
    success: true,
    errorMsg: '',
    orderID,
    status,
    makingAmount: '',
    takingAmount: '',
    tradeIDs: [],
    transactionsHashes: [],
    ...more,
  });
