import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';

export type Instrument = Outputs['console']['instruments']['instruments'][number];

const REFRESH_MS = 10_000;
const TYPING_MS = 300;

/** What words find at all venues; what is traded most without any. */
export const useFound = (find: string) =>
  useQuery({
    ...trpc.console.instruments.queryOptions({ find }),
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
  });

/** Instruments by their ids, with what they cost now. */
export const useLookedUp = (tokenIds: readonly string[]) =>
  useQuery({
    ...trpc.console.instruments.queryOptions({ tokenIds: [...tokenIds] }),
    enabled: tokenIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });

/** A value once it has stayed for a moment: what is typed is asked for when the typing pauses. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
