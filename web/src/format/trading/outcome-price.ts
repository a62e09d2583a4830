import { t } from '../../language/language.ts';
import { cents, midOf } from '../number.ts';

type Prices = { bid: number | null; ask: number | null; price: number | null };

/** The kind of a price, in a word. */
export const priceKindWords = (kind: 'mid' | 'last'): string => (kind === 'mid' ? t('mid') : t('last'));

type DisplayedPrice = { price: number | null; kind: 'mid' | 'last' };

/** Prices of outcomes are typed in cents. */
export const CENTS = 100;
/** Dividing by 100 leaves no digits beyond these. */
const DIGITS = 12;

/** The price that was typed: of an outcome in cents. */
export const enteredPrice = (text: string, isOutcome: boolean): number =>
  Number((Number(text) / (isOutcome ? CENTS : 1)).toPrecision(DIGITS));

/** A price as it is typed: of an outcome in cents. */
export const entryOf = (price: number, isOutcome: boolean): string =>
  String(Number((price * (isOutcome ? CENTS : 1)).toPrecision(DIGITS)));

const WIDE_SPREAD = 0.1;

export const spreadOf = ({ bid, ask }: Prices): number | null =>
  bid === null || ask === null ? null : ask - bid;

/** The mid while bid and ask are close, else the last trade. */
export function displayedPrice({ bid, ask, price }: Prices): DisplayedPrice {
  return bid === null || ask === null || ask - bid > WIDE_SPREAD
    ? { price, kind: 'last' }
    : { price: midOf(bid, ask), kind: 'mid' };
}

/** A mid may be between two ticks; a trade is at one. */
export const centsOf = (displayed: DisplayedPrice | undefined, tickSize: number | null): string =>
  cents(displayed?.price, displayed?.kind === 'mid' ? null : tickSize);
