import { useQuery } from '@tanstack/react-query';
import { type Inputs, trpc } from '../../api/trpc.ts';
import type { VenueOfKind } from '../../format/trading/venue.ts';
import type { Market } from './market-ref.ts';

const MARKETS_MAX = 25;
const MARKET_REFRESH_MS = 10_000;
const LIST_REFRESH_MS = 30_000;

/** The intervals of the API, which the compiler compares. */
export type HistoryInterval = NonNullable<Inputs['marketData']['venueA']['interval']>;
export const HISTORY_INTERVALS: readonly HistoryInterval[] = ['1d', '1w', '1m', 'all'];

/** The queries of each venue of prediction markets, and the API path of a market. */
export const PREDICTION_QUERIES = {
  'venue-a': {
    useMarkets: (find: string) =>
      useQuery({
        ...trpc.marketData.venueA.queryOptions(
          find ? { search: find, limit: MARKETS_MAX } : { top: MARKETS_MAX },
        ),
        refetchInterval: LIST_REFRESH_MS,
      }),
    useMarket: (ref: string, isReadHere = true) =>
      useQuery({
        ...trpc.marketData.venueA.queryOptions({ ticker: ref }),
        enabled: isReadHere,
        refetchInterval: MARKET_REFRESH_MS,
      }),
    useHistory: (ref: string, interval: HistoryInterval) =>
      useQuery(trpc.marketData.venueA.queryOptions({ ref, interval })),
    apiPathOf: ({ ref }: Market, _tokenId: string | null | undefined) => `/api/venue-a?ticker=${ref}`,
  },
  'venue-b': {
    useMarkets: (find: string) =>
      useQuery({
        ...trpc.marketData.venueB.queryOptions(
          find
            ? { search: find, limit: MARKETS_MAX, expand: 'markets' }
            : { trending: MARKETS_MAX, expand: 'markets' },
        ),
        refetchInterval: LIST_REFRESH_MS,
      }),
    useMarket: (ref: string, isReadHere = true) =>
      useQuery({
        ...trpc.marketData.venueB.queryOptions({ token: ref }),
        enabled: isReadHere,
        refetchInterval: MARKET_REFRESH_MS,
      }),
    useHistory: (ref: string, interval: HistoryInterval) =>
      useQuery(trpc.marketData.venueB.queryOptions({ ref, interval })),
    apiPathOf: (_market: Market, tokenId: string | null | undefined) => `/api/venue-b?book=${tokenId}`,
  },
} as const satisfies Record<VenueOfKind<'outcome'>, unknown>;

/** The API path that lists markets. */
export const apiPathOfMarkets = (venue: VenueOfKind<'outcome'>, find: string): string =>
  `/api/${venue}?${find ? `search=${encodeURIComponent(find)}` : 'top=20'}`;
