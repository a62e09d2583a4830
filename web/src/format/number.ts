import { DIGITS, perLocale } from '../language/locale.ts';

/** Numbers for display. An unknown one is a dash, never 0. */
const UNKNOWN = '—';
const MINUS = '−';

type Maybe = number | null | undefined;

/** A way to write numbers, in the current language. */
export const format = (options: Intl.NumberFormatOptions) => {
  const formatter = perLocale(
    (locale) => new Intl.NumberFormat(locale, { ...options, numberingSystem: DIGITS }),
  );
  return (value: number) => formatter().format(value).replace('-', MINUS);
};

const money = format({ style: 'currency', currency: 'USD' });
const wholeMoney = format({ style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const signedMoney = format({ style: 'currency', currency: 'USD', signDisplay: 'exceptZero' });
const compactMoney = format({
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const compactQuantity = format({ notation: 'compact', maximumFractionDigits: 1 });
const quantity = format({ maximumFractionDigits: 8 });
const percent = format({ style: 'percent', maximumFractionDigits: 1 });
const signedPercent = format({ style: 'percent', maximumFractionDigits: 2, signDisplay: 'exceptZero' });

const movedPercent = format({
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
});

const SMALL_SHARE = 0.01;
/** Two significant digits, also a 0: figures below each other have the same precision. */
const TWO_DIGITS = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } as const;
const smallPercent = format({ style: 'percent', ...TWO_DIGITS });
const signedSmallPercent = format({
  style: 'percent',
  ...TWO_DIGITS,
  signDisplay: 'exceptZero',
});
const isSmall = (value: number): boolean => value !== 0 && Math.abs(value) < SMALL_SHARE;
/** A share that rounds to 0 hundredths of a per cent: more digits of it say nothing. */
const isUnderHundredth = (value: number): boolean => value !== 0 && Math.abs(value) < 0.000_05;
const hundredth = format({ style: 'percent', maximumFractionDigits: 2 });
const leastShare = (plus: '' | '+', value: number): string =>
  `${value < 0 ? MINUS : plus}<${hundredth(0.0001)}`;

const known = (value: Maybe, write: (value: number) => string): string =>
  value === null || value === undefined || !Number.isFinite(value) ? UNKNOWN : write(value);

/** Whether a value is not zero but rounds to 0 cents: less than half a cent either way. */
const isUnderCent = (value: number): boolean => value !== 0 && Math.abs(value) < HALF_A_CENT;
const HALF_A_CENT = 0.005;

/** `$1,284.37`; an amount that rounds to 0 cents is `<$0.01`, a loss of one `−<$0.01`. */
export const usd = (value: Maybe): string =>
  known(value, (sum) => (isUnderCent(sum) ? `${sum < 0 ? MINUS : ''}<${money(CENT)}` : money(sum)));
const CENT = 0.01;
/** `$10,000`. */
export const usdWhole = (value: Maybe): string => known(value, wholeMoney);
/** `+$1,284.37`, `−$3.00`; an amount that rounds to 0 cents has its sign: `−<$0.01`. */
export const signedUsd = (value: Maybe): string =>
  known(value, (sum) => (isUnderCent(sum) ? `${sum < 0 ? MINUS : '+'}<${money(CENT)}` : signedMoney(sum)));
/** `$1.2M`. */
export const usdCompact = (value: Maybe): string => known(value, compactMoney);
/** `1.2K`. */
export const amountCompact = (value: Maybe): string => known(value, compactQuantity);
/** All digits, grouped. */
export const amount = (value: Maybe): string => known(value, quantity);
/** 0.42 is `42%`. */
export const share = (value: Maybe): string => known(value, percent);

/** The digits of {@link share}, in parts of the whole. */
const SHARE_PARTS = 1_000;

/** The shares of values in their sum, rounded so that what `share` displays adds up to 100%: what is cut of one goes to the next. */
export function sharesOf(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0);
  let upTo = 0;
  let given = 0;
  return values.map((value) => {
    upTo += value;
    const before = given;
    given = Math.round((upTo / total) * SHARE_PARTS);
    return (given - before) / SHARE_PARTS;
  });
}
/** The change of a price: always two digits, so that changes below each other line up. */
export const priceChange = (value: Maybe): string => known(value, movedPercent);
export const signedShare = (value: Maybe): string => known(value, signedPercent);
/** A share that may be small: 0.00012 is `0.012%`, and less than half a hundredth of a per cent is `<0.01%`. */
export const fineShare = (value: Maybe): string =>
  known(value, (part) => {
    if (isUnderHundredth(part)) return leastShare('', part);
    return isSmall(part) ? smallPercent(part) : percent(part);
  });
export const signedFineShare = (value: Maybe): string =>
  known(value, (part) => {
    if (isUnderHundredth(part)) return leastShare('+', part);
    return isSmall(part) ? signedSmallPercent(part) : signedPercent(part);
  });

/** `1 blueprint`, `7 blueprints`. */
export const counted = (count: number, noun: string): string =>
  `${amount(count)} ${count === 1 ? noun : `${noun}s`}`;

/** Prices below one are mostly zeros, so the precision counts digits after those. */
const smallMoney = format({
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 1,
  maximumSignificantDigits: 6,
});

/** A coin's price: two decimals for large ones, up to six significant digits for small ones. */
export const coinPrice = (value: Maybe): string =>
  known(value, (price) => (Math.abs(price) >= 1 ? money(price) : smallMoney(price)));

const quoted = format({ maximumSignificantDigits: 7 });
/** A price in a currency other than dollars: `0.03252 BTC`. */
export const quotedIn = (unit: string, price: Maybe): string =>
  known(price, (value) => `${quoted(value)} ${unit}`);

/** The digits after the point that a market's tick size needs in cents. */
const centDigits = (tickSize: number): number =>
  Math.max(0, Math.min(CENT_DIGITS_MAX, Math.ceil(-Math.log10(tickSize * 100) - 1e-9)));

const CENT_DIGITS_MAX = 4;
const upToFour = format({ maximumFractionDigits: CENT_DIGITS_MAX, useGrouping: false });
const ofDigits = Array.from({ length: CENT_DIGITS_MAX + 1 }, (_, digits) =>
  format({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }),
);

/** A price of 0 to 1 in cents, with the digits of the market's tick: `42.5¢`. */
export const cents = (price: Maybe, tickSize: number | null = null): string =>
  known(price, (value) => {
    const inCents = value * 100;
    const digits = tickSize
      ? centDigits(tickSize)
      : Number.isInteger(Math.round(inCents * 1e6) / 1e6)
        ? 0
        : 1;
    const isExact = tickSize || Math.abs(Number(inCents.toFixed(digits)) - inCents) < 1e-6;
    return `${isExact ? ofDigits[digits]?.(inCents) : upToFour(inCents)}¢`;
  });

/** The middle of two prices, which lies between two ticks as often as on one. */
export const midOf = (bid: number, ask: number): number => Number(((bid + ask) / 2).toPrecision(12));

/** A token id short enough for a table: long digit strings keep both ends. */
export const shortToken = (tokenId: string): string =>
  tokenId.length > 24 ? `${tokenId.slice(0, 6)}…${tokenId.slice(-4)}` : tokenId;
