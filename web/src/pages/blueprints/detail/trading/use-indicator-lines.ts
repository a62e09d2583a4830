import { useQuery } from '@tanstack/react-query';
import { type Outputs, trpc } from '../../../../api/trpc.ts';
import type { Candle } from '../../../../charts/layers.ts';

const STALE_MS = 60_000;

export type IndicatorLine = Outputs['console']['indicators'][number];

/** The blueprint's own indicators at these candles, computed by the engine; empty while unknown. */
export function useIndicatorLines(id: string, tokenId: string, candles: readonly Candle[]): IndicatorLine[] {
  const [first, second] = candles;
  const stepSec = first && second ? (Date.parse(second.at) - Date.parse(first.at)) / 1_000 : 0;
  const isEnabled = first !== undefined && stepSec >= 60;
  const { data } = useQuery({
    ...trpc.console.indicators.queryOptions({
      id,
      tokenId,
      from: first?.at ?? '',
      stepSec,
      count: candles.length,
    }),
    enabled: isEnabled,
    staleTime: STALE_MS,
    placeholderData: (previous, query) => {
      const of = query?.queryKey[1]?.input as { id?: string; tokenId?: string } | undefined;
      return of?.id === id && of.tokenId === tokenId ? previous : undefined;
    },
  });
  if (!isEnabled) return [];
  return data?.filter(({ points }) => points.length > 0) ?? [];
}
