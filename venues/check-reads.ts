/** Calls the methods that only one venue has, against the live venues, to test whether their connectors still work. */
import type { AtVenue, MarketData, Venue } from './port.ts';

/** Makes one call and records its result; returns null if it failed. */
export type Ask = <T>(mode: string, question: () => Promise<T>) => Promise<T | null>;

type Reads<V extends Venue> = (at: AtVenue<V>, ask: Ask) => Promise<string>;

/** Examples to use if a list is unavailable. */
const EXAMPLE = {
  ticker: 'KXELONMARS-99',
  token: '32338220190071351435772801779725302244575775216413325951443816017994629993401',
  slug: 'presidential-election-winner-2028',
  symbol: 'BTCUSDT',
};

/** One call per mode for each venue; returns the instrument for the calls that all venues support. */
const READS: { readonly [V in Venue]: Reads<V> } = {
  'venue-a': async (venueA, ask) => {
    const ticker = (await ask('top', () => venueA.top(3)))?.markets[0]?.ticker ?? EXAMPLE.ticker;
    await ask('search', () => venueA.search('fed', 3));
    await ask('ticker', () => venueA.market(ticker));
    await ask('ref, interval', () => venueA.history(ticker, '1w'));
    return `${ticker}:yes`;
  },
  'venue-b': async (venueB, ask) => {
    const listed = (await ask('top', () => venueB.top(3)))?.markets[0];
    const token = listed?.outcomes[0]?.tokenId ?? EXAMPLE.token;
    await ask('search', () => venueB.search('fed', 3));
    await ask('slug', () => venueB.slug(listed?.event?.slug ?? EXAMPLE.slug));
    await ask('token', () => venueB.token(token));
    await ask('raw', () => venueB.raw(token));
    await ask('book', () => venueB.book(token));
    await ask('trending', () => venueB.trending(3));
    await ask('ref, interval', () => venueB.history(token, '1w'));
    await ask('ref, all', () => venueB.history(token, 'all'));
    return token;
  },
  crypto: async (crypto, ask) => {
    await ask('summary', () => crypto.summary(EXAMPLE.symbol));
    await ask('trades', () => crypto.trades(EXAMPLE.symbol, 3));
    await ask('klines', () => crypto.klines(EXAMPLE.symbol, '1h', 3));
    await ask('symbols', () => crypto.symbols('BTC', 3));
    return EXAMPLE.symbol;
  },
};

/** Calls a venue's own methods. Resolves to an instrument that it currently lists, or to a long-lived example. */
export const askVenue = <V extends Venue>(port: MarketData, venue: V, ask: Ask): Promise<string> =>
  READS[venue](port.at(venue), ask);
