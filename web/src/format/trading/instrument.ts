import { cents, coinPrice, priceChange, quotedIn } from '../number.ts';
import { centsOf, displayedPrice, priceKindWords } from './outcome-price.ts';
import { isCoinVenue, type VenueName, venueTitle } from './venue.ts';

type Priced = {
  venue: VenueName;
  bid: number | null;
  ask: number | null;
  last: number | null;
  tickSize: number | null;
};

type Named = { venue: VenueName; title: string; outcome: string };

/** The price of an instrument and its kind: mid, or last trade. Coins have the last trade. */
export function priceNow({ venue, title, bid, ask, last, tickSize }: Priced & Pick<Named, 'title'>): {
  text: string;
  kind: 'mid' | 'last';
} {
  if (isCoinVenue(venue)) return { text: quoteAmountFormatOf(title, coinPrice)(last), kind: 'last' };
  const displayed = displayedPrice({ bid, ask, price: last });
  return { text: centsOf(displayed, tickSize), kind: displayed.kind };
}

/** Taken at par with the dollar, as the service does. */
const DOLLARS: readonly string[] = ['USD', 'USDT', 'USDC'];

/** The currency of a pair's prices: `BTC` of `ETH/BTC`; `USD` for all that are taken at par with it, or if it is not known. */
export function quoteCurrencyOf(pair: string): string {
  const quote = pair.split('/')[1];
  return quote === undefined || DOLLARS.includes(quote) ? 'USD' : quote;
}

type Write = (price: number | null | undefined) => string;

/** How amounts of a pair such as `ETH/BTC` are written: in dollars only if it is quoted in them, or not known yet. */
export function quoteAmountFormatOf(pair: string | undefined, asDollars: Write): Write {
  const quote = quoteCurrencyOf(pair ?? '');
  return quote === 'USD' ? asDollars : (price) => quotedIn(quote, price);
}

/** `BTC/USDT`, as the service titles a coin. */
export const pairName = ({ base, quote }: { base: string; quote: string }): string => `${base}/${quote}`;

/** `Yes · Fed cuts in December?`; the name of a coin is its title. */
export const instrumentName = ({ venue, title, outcome }: Named): string =>
  isCoinVenue(venue) || outcome === '' ? title : `${outcome} · ${title}`;

/** `Yes · Fed cuts in December?, Venue A, 42.5¢ mid`. */
export function instrumentLine(instrument: Named & Priced): string {
  const { text, kind } = priceNow(instrument);
  return `${instrumentName(instrument)}, ${venueTitle(instrument.venue)}, ${text} ${priceKindWords(kind)}`;
}

/** The change over a day: coins in percent, outcomes in cents. */
export const changeWords = ({ venue, change24h }: { venue: VenueName; change24h: number }): string =>
  isCoinVenue(venue) ? priceChange(change24h) : `${change24h > 0 ? '+' : ''}${cents(change24h)}`;

type MarketSearch = { venue: 'predictions' | 'crypto'; market: string; outcome?: string };

/** Its page in the console, as the query of the address of Markets. */
export function marketSearchOf({
  tokenId,
  venue,
  outcome,
}: {
  tokenId: string;
  venue: VenueName;
  outcome: string;
}): MarketSearch {
  if (isCoinVenue(venue)) return { venue: 'crypto', market: tokenId };
  // An id may name its side, and leads to the market of both.
  return { venue: 'predictions', market: `${venue}:${tokenId.replace(/:(yes|no)$/, '')}`, outcome };
}

/** Whether a text may be the id of an instrument: one word, which no market's name is. */
export const isPossibleId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9.:-]{4,199}$/.test(text);
