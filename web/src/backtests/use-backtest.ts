import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { SLOW_QUERY, trpc } from '../api/trpc.ts';
import { isUnderWay } from '../format/research/backtest-words.ts';

/** The stream reports a run's progress; this is for when it does not. */
const POLL_MS = 5_000;

/** One run, polled while it is under way. */
export const useBacktest = (id: string) =>
  useQuery({
    ...trpc.backtests.read.queryOptions({ id }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  });

const LISTED = 100;

/** Runs, newest first: all of them, or those of one blueprint. */
export const useBacktests = (blueprintId?: string, isEnabled = true) =>
  useQuery({
    ...trpc.backtests.list.queryOptions({ limit: LISTED, ...(blueprintId !== undefined && { blueprintId }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
    enabled: isEnabled,
  });

/** The charts of a run: large, and read apart from everything else. */
export const useRunCharts = (id: string, isEnabled = true) =>
  useQuery({
    ...trpc.console.backtestPicture.queryOptions({ id }, SLOW_QUERY),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isEnabled,
  });
