import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Outputs, SLOW_QUERY, trpc } from '../api/trpc.ts';
import type { Range } from '../charts/equity.tsx';
import { curveAtSnapshot } from './curve-at-snapshot.ts';

/** The service stores a point every five minutes. */
const REFRESH_MS = 60_000;

type Account = Outputs['console']['account'];

/** A strategy that never traded has no result of its own. */
const resultOf = ({ totalPnl, strategies }: Account, blueprintId: string | null): number =>
  blueprintId === null
    ? totalPnl
    : (strategies.find((strategy) => strategy.blueprintId === blueprintId)?.totalPnl ?? 0);

/** Figures and curve of a range, of the books or of one blueprint. They end with the account as the page shows it. */
export function useEquityCurve(blueprintId: string | null, range: Range) {
  const query = useQuery({
    ...trpc.console.curve.queryOptions({ blueprintId, range }, SLOW_QUERY),
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const { data: account } = useQuery(trpc.console.account.queryOptions({}));
  const asOf = account?.asOf;
  const totalPnl = account && resultOf(account, blueprintId);
  const curve = useMemo(
    () =>
      query.data && asOf !== undefined && totalPnl !== undefined
        ? curveAtSnapshot(query.data, { asOf, totalPnl })
        : undefined,
    [query.data, asOf, totalPnl],
  );
  return { query, ...curve };
}
