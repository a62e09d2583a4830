/** Finds instruments of all venues at once, by words or by id. */

import { VENUE_IDS } from '../../../db/vocabulary.ts';
import type {
  InstrumentInfo,
  ListingStatus,
  Market,
  MarketData,
  Quote,
  Venue,
} from '../../../venues/port.ts';
import { isOfKind, type VenueOfKind, venueOf } from '../../../venues/port.ts';
import { symbolOfCoin } from './coin-names.ts';

/** An instrument as a person chooses it. Numbers are as the venue states them; null if it does not. */
export type FoundInstrument = {
  readonly tokenId: string;
  readonly venue: Venue;
  readonly title: string;
  readonly outcome: string;
  readonly status: ListingStatus;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  /** Over 24 hours, if the venue states it: for coins the relative change, for outcomes the difference in price. */
  readonly change24h: number | null;
  readonly volume24h: number | null;
  readonly tickSize: number | null;
  readonly closesAt: string | null;
};

/** Found instruments, and the venues that did not respond. */
export type FoundInstruments = {
  readonly instruments: readonly FoundInstrument[];
  readonly silent: readonly Venue[];
};

/** Markets of each venue; an outcome market has an instrument per side. */
const PER_VENUE = 12;

/** Finds instruments that match the words, venues interleaved; without words the most traded. An id comes first. */
export async function findInstruments(market: MarketData, words: string): Promise<FoundInstruments> {
  const itself = venueOf(words) === null ? nothing : lookUpInstruments(market, [words]);
  const answers = await answersOf(
    Object.fromEntries(VENUE_IDS.map((venue) => [venue, () => findAt(market, venue, words)])),
  );
  const exact = await itself;
  const known = new Set(exact.instruments.map(({ tokenId }) => tokenId));
  return {
    instruments: [...exact.instruments, ...answers.instruments.filter(({ tokenId }) => !known.has(tokenId))],
    silent: [...new Set([...exact.silent, ...answers.silent])],
  };
}

const nothing: Promise<FoundInstruments> = Promise.resolve({ instruments: [], silent: [] });

/** Returns each of these ids that its venue knows, in the order given. */
export async function lookUpInstruments(
  market: MarketData,
  tokenIds: readonly string[],
): Promise<FoundInstruments> {
  const byVenue = Map.groupBy(new Set(tokenIds), venueOf);
  const found = await answersOf(
    Object.fromEntries(
      [...byVenue].flatMap(([venue, ids]) => (venue === null ? [] : [[venue, () => stated(market, ids)]])),
    ),
  );
  const byToken = new Map(found.instruments.map((each) => [each.tokenId, each]));
  return {
    instruments: tokenIds.flatMap((tokenId) => byToken.get(tokenId) ?? []),
    silent: found.silent,
  };
}

type VenueQueries = Partial<Record<Venue, () => Promise<FoundInstrument[]>>>;

/** Queries every venue at once; a failing one does not hold up the others. */
async function answersOf(queries: VenueQueries): Promise<FoundInstruments> {
  const venues = Object.keys(queries) as Venue[];
  const answers = await Promise.allSettled(venues.map((venue) => queries[venue]?.() ?? []));
  return {
    instruments: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    silent: venues.filter((_, index) => answers[index]?.status === 'rejected'),
  };
}

const findAt = async (market: MarketData, venue: Venue, words: string): Promise<FoundInstrument[]> =>
  isOfKind(venue, 'spot')
    ? coins(market, venue, words)
    : outcomesOf((await market.at(venue).find(words, PER_VENUE)).markets);

async function coins(
  market: MarketData,
  venue: VenueOfKind<'spot'>,
  words: string,
): Promise<FoundInstrument[]> {
  const listed = (find: string | null) => market.at(venue).symbols(find, PER_VENUE);
  // Removes the separators that people write inside symbols.
  const { symbols } = await listed(words.replaceAll(/[\s/-]/g, '') || null);
  const coin = symbols.length === 0 ? symbolOfCoin(words) : null;
  const found = coin === null ? symbols : (await listed(coin)).symbols;
  return stated(
    market,
    found.map(({ symbol }) => symbol),
  );
}

/** Returns the sides of the first markets of a list, as far as an order can name them. */
export const outcomesOf = (markets: readonly Market[]): FoundInstrument[] =>
  markets.slice(0, PER_VENUE).flatMap((market) =>
    market.outcomes.flatMap(({ tokenId, label, bid, ask, price }, index) =>
      tokenId === null
        ? []
        : {
            tokenId,
            venue: market.venue,
            title: fullTitle(market),
            outcome: label,
            status: market.status,
            bid,
            ask,
            last: price,
            // The venue states it for the first side.
            change24h: index === 0 ? market.change24h : null,
            volume24h: market.volume24h,
            tickSize: market.tickSize,
            closesAt: market.closesAt,
          },
    ),
  );

const fullTitle = ({ title, label }: Market): string =>
  label === null || title.includes(label) ? title : `${title} · ${label}`;

async function stated(market: MarketData, tokenIds: readonly string[]): Promise<FoundInstrument[]> {
  const [infos, quotes] = await Promise.all([
    Promise.all(tokenIds.map((tokenId) => market.instrument(tokenId))),
    market.quotes(tokenIds),
  ]);
  const quoteOf = new Map(quotes.map((quote) => [quote.tokenId, quote]));
  return infos.flatMap((info) => (info === null ? [] : fromQuote(info, quoteOf.get(info.tokenId))));
}

const numberOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

const fromQuote = (info: InstrumentInfo, quote: Quote | undefined): FoundInstrument => ({
  tokenId: info.tokenId,
  venue: info.venue,
  title: info.title,
  // Written as in lists: ids of Kalshi say `yes` in lower case.
  outcome: info.outcome.charAt(0).toUpperCase() + info.outcome.slice(1),
  status: info.status,
  bid: numberOf(quote?.bid),
  ask: numberOf(quote?.ask),
  last: numberOf(quote?.last),
  change24h: numberOf(quote?.change24h),
  volume24h: numberOf(quote?.volume24h),
  tickSize: numberOf(info.tickSize),
  closesAt: info.closesAt,
});
