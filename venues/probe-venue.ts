/** Calls the methods that only one venue has, against the live venues, to test whether their connectors still work. */
import type { AtVenue, MarketData, Venue } from './port.ts';

/** Makes one call and records its result; returns null if it failed. */
export type Probe = <T>(mode: string, question: () => Promise<T>) => Promise<T | null>;

type Reads<V extends Venue> = (at: AtVenue<V>, probe: Probe) => Promise<string>;

/** Examples to use if a list is unavailable. */
const EXAMPLE = {
  ticker: 'KXELONMARS-99',
  token: '32338220190071351435772801779725302244575775216413325951443816017994629993401',
  slug: 'presidential-election-winner-2028',
  symbol: 'BTCUSDT',
};

/** One call per mode for each venue; returns the instrument for the calls that all venues support. */
const PROBES: { readonly [V in Venue]: Reads<V> } = {
  'venue-a': async (venueA, probe) => {
    const ticker = (await probe('top', () => venueA.top(3)))?.markets[0]?.ticker ?? EXAMPLE.ticker;
    await probe('search', () => venueA.search('fed', 3));
    await probe('ticker', () => venueA.market(ticker));
    await probe('ref, interval', () => venueA.history(ticker, '1w'));
    return `${ticker}:yes`;
  },
  'venue-b': async (venueB, probe) => {
    const listed = (await probe('top', () => venueB.top(3)))?.markets[0];
    const token = listed?.outcomes[0]?.tokenId ?? EXAMPLE.token;
    await probe('search', () => venueB.search('fed', 3));
    await probe('slug', () => venueB.slug(listed?.event?.slug ?? EXAMPLE.slug));
    await probe('token', () => venueB.token(token));
    await probe('raw', () => venueB.raw(token));
    await probe('book', () => venueB.book(token));
    await probe('trending', () => venueB.trending(3));
    await probe('ref, interval', () => venueB.history(token, '1w'));
    await probe('ref, all', () => venueB.history(token, 'all'));
    return token;
  },
  crypto: async (crypto, probe) => {
    await probe('summary', () => crypto.summary(EXAMPLE.symbol));
    await probe('trades', () => crypto.trades(EXAMPLE.symbol, 3));
    await probe('klines', () => crypto.klines(EXAMPLE.symbol, '1h', 3));
    await probe('symbols', () => crypto.symbols('BTC', 3));
    return EXAMPLE.symbol;
  },
};

/** Calls a venue's own methods. Resolves to an instrument that it currently lists, or to a long-lived example. */
export const probeVenue = <V extends Venue>(port: MarketData, venue: V, probe: Probe): Promise<string> =>
  PROBES[venue](port.at(venue), probe);
