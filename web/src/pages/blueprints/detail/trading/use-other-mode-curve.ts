import { useQuery } from '@tanstack/react-query';
import { createTrpcClient } from '../../../../../../client/src/trpc.ts';
import { type Mode, modePrefixOf } from '../../../../api/mode.ts';
import { pageMode } from '../../../../api/page-mode.ts';
import { SLOW_QUERY } from '../../../../api/trpc.ts';
import type { Range } from '../../../../charts/equity.tsx';
import type { Point } from '../../../../charts/layers.ts';
import { type BesideCurve, besideCurve } from './beside-curve.ts';

export const OTHER_MODE: Mode = pageMode === 'paper' ? 'live' : 'paper';

const STALE_MS = 60_000;
const client = createTrpcClient({ url: modePrefixOf(OTHER_MODE), retriesMax: 0, timeoutMs: 60_000 });

/** Reads the strategy's equity in the mode that is not the page's, to compare: the one read of another mode. */
export function useOtherModeCurve(
  blueprintId: string,
  range: Range,
  { isEnabled, ...place }: { isEnabled: boolean; onto: readonly Point[]; sinceMs: number },
): BesideCurve | null {
  const { data, error } = useQuery({
    queryKey: ['curve', OTHER_MODE, blueprintId, range],
    queryFn: () => client.console.curve.query({ blueprintId, range }, SLOW_QUERY.trpc),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
    enabled: isEnabled,
  });
  if (!isEnabled) return null;
  if (data) return besideCurve(data.points, place);
  return { kind: error ? 'failed' : 'loading' };
}
