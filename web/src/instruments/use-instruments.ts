import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { type Outputs, queryClient, trpc } from '../api/trpc.ts';

export type Instrument = Outputs['console']['instruments']['instruments'][number];

const REFRESH_MS = 10_000;
const TYPING_MS = 300;

/** Instruments found by words at all venues; the most traded ones without words. */
export const useInstrumentSearch = (find: string) =>
  useQuery({
    ...trpc.console.instruments.queryOptions({ find }),
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
  });

/** Instruments by their ids, with their current prices. */
export const useInstruments = (tokenIds: readonly string[]) =>
  useQuery({
    ...trpc.console.instruments.queryOptions({ tokenIds: [...tokenIds] }),
    // Visitors of a shared strategy see ids alone.
    enabled: tokenIds.length > 0 && queryClient.getQueryData(sessionQuery.queryKey) !== null,
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });

/** A value once it is unchanged for a moment: typed text is searched for when the typing pauses. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
