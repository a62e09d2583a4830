import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';
import type { Range } from '../../../../charts/equity.tsx';
import type { Candle } from '../../../../charts/layers.ts';
import { isCoinVenue, type VenueName } from '../../../../format/trading/venue.ts';

const STALE_MS = 60_000;
const CANDLES = 100;
/** The candle length that divides a range into about a hundred. */
const CANDLE = { '1d': '15m', '1w': '2h', '1m': '8h', all: '1d' } as const;

/** The price of an instrument over a range, from its venue; empty while unknown. */
export function usePriceHistory(
  of: { tokenId: string; venue: VenueName } | undefined,
  range: Range,
): Candle[] {
  const tokenId = of?.tokenId ?? '';
  const timing = { staleTime: STALE_MS, refetchInterval: STALE_MS };
  const coin = useQuery({
    ...trpc.marketData.crypto.queryOptions({
      symbol: tokenId,
      type: 'klines',
      interval: CANDLE[range],
      limit: CANDLES,
    }),
    enabled: of !== undefined && isCoinVenue(of.venue),
    ...timing,
  });
  const a = useQuery({
    ...trpc.marketData.venueA.queryOptions({ ref: tokenId.replace(/:(yes|no)$/, ''), interval: range }),
    enabled: of?.venue === 'venue-a',
    ...timing,
  });
  const b = useQuery({
    ...trpc.marketData.venueB.queryOptions({ ref: tokenId, interval: range }),
    enabled: of?.venue === 'venue-b',
    ...timing,
  });
  if (coin.data?.kind === 'klines') {
    return coin.data.klines.map(({ t, o, h, l, c, v }) => ({
      at: t,
      open: o,
      high: h,
      low: l,
      close: c,
      volume: v,
    }));
  }
  const history = of?.venue === 'venue-a' ? a.data : b.data;
  if (history?.kind !== 'history') return [];
  // Prices are of the first side; the other side is 1 minus them.
  const side = (price: number) => (tokenId.endsWith(':no') ? 1 - price : price);
  return history.points.map(({ t, p, o = p, h = p, l = p }) => {
    const [high, low] = [side(h), side(l)];
    return { at: t, open: side(o), high: Math.max(high, low), low: Math.min(high, low), close: side(p) };
  });
}
