import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Sweep } from '../api/rows.ts';
import { trpc } from '../api/trpc.ts';
import { useCatalogue } from '../editor/use-catalogue.ts';
import { isGoingOn, pointersOf } from './form-values.ts';
import { pointerName } from './parameters.ts';

/** The stream tells how far a sweep is; this is for when it does not. */
const POLL_MS = 5_000;

/** One sweep, read again while it goes on. */
export const useSweep = (id: string, enabled = true) =>
  useQuery({
    ...trpc.sweeps.read.queryOptions({ id }),
    enabled,
    refetchInterval: ({ state }) => (state.data && isGoingOn(state.data) ? POLL_MS : false),
  });

const LISTED = 100;

/** Sweeps, newest first: all of them, or those of one blueprint. */
export const useSweeps = (blueprintId?: string) =>
  useQuery({
    ...trpc.sweeps.list.queryOptions({ limit: LISTED, ...(blueprintId !== undefined && { blueprintId }) }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? POLL_MS : false),
  });

/** What is tried, as it is called in the drawing the sweep is of. */
export function useNames(sweep: Sweep): string[] {
  const drawing = useQuery({
    ...trpc.console.sweepDrawing.queryOptions({ id: sweep.id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const catalogue = useCatalogue();
  return pointersOf(sweep).map((pointer) =>
    drawing.data !== undefined && catalogue.data
      ? pointerName(pointer, drawing.data, catalogue.data)
      : pointer,
  );
}

/** While it goes on, what is shown of its trials is read again. */
export const whileGoingOn = (sweep: Sweep) => (isGoingOn(sweep) ? { refetchInterval: POLL_MS } : {});
