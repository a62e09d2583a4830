import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { type BestPrices, withBestPrices } from '../../format/trading/current-price.ts';
import type { Market } from './market-ref.ts';
import { PREDICTION_QUERIES } from './prediction-queries.ts';

const COIN_REFRESH_MS = 5_000;
/** An older book is not read any more. */
const BOOK_MAX_AGE_MS = 10_000;

/** The best prices of the book that this page shows; undefined until it does. */
function useBestPrices(tokenId: string | null | undefined): BestPrices | undefined {
  const { data, dataUpdatedAt } = useQuery({
    ...trpc.console.market.queryOptions({ tokenId: tokenId ?? '' }),
    // The book is read where it is shown.
    enabled: false,
  });
  if (!data || Date.now() - dataUpdatedAt > BOOK_MAX_AGE_MS) return undefined;
  return { bid: data.bids[0]?.price ?? null, ask: data.asks[0]?.price ?? null };
}

/** The index of the outcome with this name; the first without one. */
export const outcomeIndex = ({ outcomes }: Market, name: string | undefined): number =>
  Math.max(
    0,
    outcomes.findIndex(({ label }) => label === name),
  );

/** The market of this page, with the prices of the book below: it has one price in the list, in its table and on top. */
export function useCurrentMarket(listed: Market): Market {
  const { outcome } = useSearch({ from: '/shell/markets' });
  const { data } = PREDICTION_QUERIES[listed.venue].useMarket(listed.ref, false);
  const market = data?.kind === 'market' ? data.market : listed;
  const index = outcomeIndex(market, outcome);
  const best = useBestPrices(market.outcomes[index]?.tokenId);
  return best ? withBestPrices(market, index, best) : market;
}

/** The coin of this page, with the prices of the book below. One part of the page reads it. */
export function useCoin(symbol: string, isReadHere = false) {
  const query = useQuery({
    ...trpc.marketData.crypto.queryOptions({ symbol }),
    enabled: isReadHere,
    refetchInterval: COIN_REFRESH_MS,
  });
  const best = useBestPrices(symbol);
  const summary = query.data?.kind === 'summary' ? { ...query.data, ...best } : undefined;
  return { query, summary };
}
