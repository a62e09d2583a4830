import type { OrderOrigin, OrderType } from '../../../../db/entities/order.ts';
import type { Json } from '../../../../db/json.ts';
import type { Side } from '../../../../db/vocabulary.ts';
import { Exact, exact } from '../../../platform/decimal.ts';
import { DomainError } from '../../../platform/errors.ts';
import { knownSchedule } from '../../../platform/instruments/fee-schedule.ts';
import { KIND_RULES } from '../../../platform/instruments/kinds.ts';
import { isOnStep, lotOf, toStep } from '../../../platform/instruments/lot.ts';
import { ladderOf, roundToLadder, tickOf } from '../../../platform/instruments/price-ladder.ts';
import { MONEY_MAX } from '../../../risk/rule-limits.ts';
import type { Market, QuoteRow } from '../row.ts';
import { PRICING_QUOTE_MAX_AGE_MS, QUOTE_MAX_AGE_MS, type TradingSettings } from '../settings.ts';
import { type FreeHolding, totalFree, totalHeld } from './allocate.ts';
import { maxFee } from './fees.ts';
import { refuseClosedMarket, requireFreshQuote } from './market-checks.ts';
import { orderNotional, priceBand, whyTooSmall } from './pricing.ts';
import { TOGETHER_HINT, WRITE_OFF_HINT } from './unsellable.ts';

/** Fields of a proposal that determine price and amount. Decimals are strings. */
export type DraftRequest = {
  origin: OrderOrigin;
  side: Side;
  type: OrderType;
  amount: string;
  limitPrice?: string | undefined;
  slippage?: string | undefined;
  allocate?: 'blueprint' | 'account' | undefined;
};

/** An order in a form that the venue accepts, with the values that the rules check. */
export type Draft = {
  amount: Exact;
  limitPrice: Exact;
  size: Exact;
  maxFee: Exact;
  decidedQuote: Json;
};

/**
 * Drafts an order that the venue accepts: price on the tick, amount on the step. A market order gets a price band, narrower for
 * a live entry. `holdings` are the positions that a sell may draw on. Pure.
 *
 * @throws DomainError `market_not_open`, `quote_unavailable`, `no_liquidity`, or `validation_failed` for an amount or price
 *   that the venue would refuse.
 */
export function draftOrder(
  request: DraftRequest,
  market: Market,
  holdings: readonly FreeHolding[],
  now: Date,
  settings: TradingSettings,
  isLive = false,
): Draft {
  const { side } = request;
  refuseClosedMarket(market, side);
  const { instrument } = market;
  const quote = quoteFor(request, market, now);
  const limitPrice =
    request.type === 'market'
      ? bandOf(request, market, quote, settings, isLive)
      : statedLimit(request, market);
  const bid = quote?.bid == null ? null : exact(quote.bid);
  const amount = amountOf(request, market, holdings);

  const expectedPrice = side === 'sell' && bid !== null ? Exact.max(bid, limitPrice) : limitPrice;
  const refusal = whyTooSmall(amount, expectedPrice, lotOf(instrument));
  if (refusal !== null) {
    const isAllThereIs = side === 'sell' && amount.eq(totalHeld(holdings));
    throw invalidAmount(isAllThereIs ? `${refusal} ${remediesOf(request)}` : refusal);
  }

  const size = orderNotional(side, amount, limitPrice, bid);
  const fee = maxFee(knownSchedule(instrument), { side, limitPrice, amount, bid });
  if (size.plus(fee).gt(MONEY_MAX))
    throw invalidAmount(
      `The amount ${amount.toFixed()} is worth more than any account can hold. State a smaller one.`,
    );

  return {
    amount,
    limitPrice,
    size,
    maxFee: fee,
    decidedQuote:
      quote === null
        ? null
        : {
            bid: plain(quote.bid),
            ask: plain(quote.ask),
            last: plain(quote.last),
            asOf: new Date(quote.as_of).toISOString(),
          },
  };
}

/** Hints for an unsellable holding. A manual close for one blueprint can also be made for all blueprints together. */
const remediesOf = ({ origin, allocate }: DraftRequest): string =>
  origin === 'manual' && allocate === 'blueprint' ? `${WRITE_OFF_HINT} ${TOGETHER_HINT}` : WRITE_OFF_HINT;

const plain = (price: string | null): string | null => (price === null ? null : exact(price).toFixed());

/** Returns the quote for pricing or sizing: a market order and a sell need a fresh one; a limit buy is sized by its limit. */
function quoteFor({ type, side }: DraftRequest, market: Market, now: Date): QuoteRow | null {
  if (type === 'market') return requireFreshQuote(market, now, PRICING_QUOTE_MAX_AGE_MS);
  return side === 'sell' ? requireFreshQuote(market, now, QUOTE_MAX_AGE_MS) : market.quote;
}

function bandOf(
  { side, slippage }: DraftRequest,
  { instrument }: Market,
  quote: QuoteRow | null,
  settings: TradingSettings,
  isLive: boolean,
): Exact {
  const quoted = side === 'buy' ? quote?.ask : quote?.bid;
  if (quoted == null) {
    const offer = side === 'buy' ? 'ask to buy from' : 'bid to sell to';
    throw new DomainError('no_liquidity', `There is no ${offer} in ${instrument.token_id} now.`);
  }
  return priceBand({
    kind: instrument.kind,
    side,
    quoted: exact(quoted),
    slippage: exact(slippage ?? settings.slippage[instrument.kind]),
    ladder: ladderOf(instrument),
    isLiveEntry: isLive && side === 'buy',
  });
}

function statedLimit({ side, limitPrice }: DraftRequest, { instrument }: Market): Exact {
  if (limitPrice === undefined) throw invalidPrice('A limit order needs a limit price.');
  const ladder = ladderOf(instrument);
  const price = roundToLadder(side, exact(limitPrice), ladder);
  const { isPrice, priceRange } = KIND_RULES[instrument.kind];
  if (!price.isFinite() || !isPrice(price)) {
    throw invalidPrice(
      `The limit price ${limitPrice} is ${price.toFixed()} on the tick of ${tickOf(ladder, price)}: it must be ${priceRange}.`,
    );
  }
  return price;
}

/**
 * Returns the amount of the order. A manual amount is accepted as stated or refused; a computed amount rounds down. Exits sell
 * at most the free amount, so that another sell of the account does not block them.
 */
function amountOf(
  { origin, side, amount: requested }: DraftRequest,
  { instrument }: Market,
  holdings: readonly FreeHolding[],
): Exact {
  const lot = lotOf(instrument);
  const stated = exact(requested);
  if (!stated.isFinite() || stated.lte(0))
    throw invalidAmount(`The amount must be above 0, got ${requested}.`);
  const held = totalHeld(holdings);
  const free = totalFree(holdings);
  const capped = (origin === 'exit' || origin === 'close') && free.gt(0) ? Exact.min(stated, free) : stated;
  if (isOnStep(capped, lot) || (side === 'sell' && capped.eq(held))) return capped;
  if (origin !== 'manual') return toStep(capped, lot);
  const remedy =
    side === 'buy' ? 'Buy a multiple of it.' : `Close a multiple of it, or all ${held.toFixed()}.`;
  throw invalidAmount(
    `The amount ${requested} is not a multiple of ${exact(lot.stepSize).toFixed()}, the step of ${instrument.token_id}. ${remedy}`,
  );
}

const invalidAmount = (message: string) => invalidField('/amount', message);
const invalidPrice = (message: string) => invalidField('/limitPrice', message);
export const invalidField = (path: string, message: string) =>
  new DomainError('validation_failed', message, { issues: [{ path, code: 'invalid_value', message }] });
