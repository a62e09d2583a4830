import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { SLOW_QUERY, trpc } from '../api/trpc.ts';
import type { Range } from '../charts/equity.tsx';
import type { Point } from '../charts/layers.ts';

/** The service stores a point every five minutes. */
const REFRESH_MS = 60_000;

/** Figures and curve of a range: of the books, or of one blueprint. */
export function useEquityCurve(blueprintId: string | null, range: Range) {
  const query = useQuery({
    ...trpc.console.curve.queryOptions({ blueprintId, range }, SLOW_QUERY),
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const points = query.data?.points;
  const equity = useMemo(() => points?.map(({ at, equity: value }): Point => ({ at, value })), [points]);
  const drawdown = useMemo(
    () => points?.map(({ at, drawdown: fell }): Point => ({ at, value: 0 - fell })),
    [points],
  );
  return { query, statistics: query.data?.statistics, equity, drawdown };
}
