import { Decimal } from 'decimal.js';
import { t } from '../../language/language.ts';
import { amount as amountWords, usd } from '../number.ts';
import { quoteCurrencyOf } from './instrument.ts';

type Side = 'buy' | 'sell';
type Level = { price: number };
type Book = { bids: readonly Level[]; asks: readonly Level[] };
type Instrument = { isOutcome: boolean; title: string };

/** The price at which an order fills now: the best ask for a buy, the best bid for a sell. Both are on the venue's tick. */
export const bestPriceOf = ({ bids, asks }: Book, side: Side): number | null =>
  (side === 'buy' ? asks : bids)[0]?.price ?? null;

/** Asks less bids, without the digits that a difference of floats adds. */
export function bookSpreadOf({ bids, asks }: Book): number | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  return bid === undefined || ask === undefined ? null : new Decimal(ask).minus(bid).toNumber();
}

/** `BTC` of `BTC/USDT`; contracts of an outcome. */
export const unitOf = ({ isOutcome, title }: Instrument): string =>
  isOutcome ? t('contracts') : (title.split('/')[0] ?? title);

/** `0.0002 BTC`, `1 contract`, `5 contracts`. */
export const unitsWords = (quantity: number, instrument: Instrument): string =>
  instrument.isOutcome
    ? t('{amount} {quantity, plural, one {contract} other {contracts}}', {
        amount: amountWords(quantity),
        quantity,
      })
    : `${amountWords(quantity)} ${unitOf(instrument)}`;

type Holding = { tokenId: string; amount: number };

/** The amount that all strategies hold of an instrument together. */
export const heldOf = (positions: readonly Holding[], tokenId: string): number =>
  positions
    .filter((position) => position.tokenId === tokenId)
    .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))
    .toNumber();

/**
 * The units that a sum of money is worth at a price, as exact text: rounded down to the venue's step, so that they never cost more
 * than the sum. Empty while one of the three is not a number above 0.
 */
export function unitsForSum(sum: string, price: number, stepSize: number): string {
  if (!isAmount(sum) || !(price > 0) || !(stepSize > 0)) return '';
  const steps = new Decimal(sum).div(price).div(stepSize).floor();
  return steps.times(stepSize).toFixed();
}

/** The currency in which an amount may be typed instead of units: dollars, or that of the pair. */
export const sumUnitOf = ({ isOutcome, title }: Instrument): string =>
  isOutcome ? 'USD' : quoteCurrencyOf(title);

/** More digits than a sum that a person types. */
const SUM_DIGITS = 8;

/** The money that units are worth, rounded up, so that it buys as many of them; empty if a number is missing. */
export const sumForUnits = (amount: string, price: number): string =>
  isAmount(amount) && price > 0
    ? new Decimal(amount).times(price).toSignificantDigits(SUM_DIGITS, Decimal.ROUND_UP).toFixed()
    : '';

const isAmount = (text: string): boolean => Number(text) > 0 && Number.isFinite(Number(text));

type Cost = { amount: number; limitPrice: number; size: number };

/** The most that a buy takes out of the account, or the least that a sell brings, with the fee. */
export const boundOf = (side: Side, { amount, limitPrice, size }: Cost, maxFee: number): number =>
  side === 'buy'
    ? new Decimal(size).plus(maxFee).toNumber()
    : new Decimal(amount).times(limitPrice).minus(maxFee).toNumber();

type Decided = { verdict: string; amount: number; bound: number };

/** The effect of the button: instrument, amount and bound, and whether the order waits for approval first. */
export function ticketAction(
  side: Side,
  instrument: Instrument,
  decided: Decided | undefined,
  hasLimit: boolean,
): string {
  const what = { name: instrument.title };
  if (!decided) return side === 'buy' ? t('Buy {name}', what) : t('Sell {name}', what);
  const values = { quantity: unitsWords(decided.amount, instrument), bound: usd(decided.bound) };
  if (decided.verdict === 'pending')
    return side === 'buy'
      ? t('Request approval to buy {quantity}', values)
      : t('Request approval to sell {quantity}', values);
  // At the market the band is that of the moment at which the order arrives.
  if (!hasLimit)
    return side === 'buy'
      ? t('Buy {quantity} for about {bound}', values)
      : t('Sell {quantity} for about {bound}', values);
  return side === 'buy'
    ? t('Buy {quantity} for at most {bound}', values)
    : t('Sell {quantity} for at least {bound}', values);
}

/**
 * The text that is typed before a live order. A buy at a limit has its maximum cost, so that it has been read, as for an
 * approval. At the market that cost moves, and the side is typed.
 */
export const confirmWord = (side: Side, hasLimit: boolean, bound: number): string =>
  side === 'buy' && hasLimit ? bound.toFixed(2) : side;
