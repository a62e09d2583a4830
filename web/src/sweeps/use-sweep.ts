import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Sweep } from '../api/row-types.ts';
import { trpc } from '../api/trpc.ts';
import { useCatalogue } from '../editor/use-catalogue.ts';
import { isSweepUnderWay, pointersOf } from './form-values.ts';
import { pointerName } from './parameters.ts';

/** The stream reports a sweep's progress; this is for when it does not. */
const POLL_MS = 5_000;

/** One sweep, polled while it is under way. */
export const useSweep = (id: string, enabled = true) =>
  useQuery({
    ...trpc.sweeps.read.queryOptions({ id }),
    enabled,
    refetchInterval: ({ state }) => (state.data && isSweepUnderWay(state.data) ? POLL_MS : false),
  });

const LISTED = 100;

/** Sweeps, newest first: all of them, or those of one blueprint. */
export const useSweeps = (blueprintId?: string) =>
  useQuery({
    ...trpc.sweeps.list.queryOptions({ limit: LISTED, ...(blueprintId !== undefined && { blueprintId }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isSweepUnderWay) ? POLL_MS : false),
  });

/** The names of the varied parameters in the graph of the sweep. */
export function useParameterNames(sweep: Sweep): string[] {
  const graph = useQuery({
    ...trpc.console.sweepDrawing.queryOptions({ id: sweep.id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const catalogue = useCatalogue();
  return pointersOf(sweep).map((pointer) =>
    graph.data !== undefined && catalogue.data ? pointerName(pointer, graph.data, catalogue.data) : pointer,
  );
}

/** While it is under way, its shown trials are polled. */
export const pollWhileUnderWay = (sweep: Sweep) =>
  isSweepUnderWay(sweep) ? { refetchInterval: POLL_MS } : {};
