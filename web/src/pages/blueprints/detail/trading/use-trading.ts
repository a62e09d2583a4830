import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';

/** The stream reports fills and orders; this interval covers those that it may have missed. */
const REFRESH_MS = 60_000;
/** A trailing stop begins a step after the position, and rises with the price, both without an event. */
const OPEN_MS = 10_000;

/** The fills of a strategy by instrument, and its steps that ever acted. */
export const useTrading = (id: string) =>
  useQuery({
    ...trpc.console.trading.queryOptions({ id }),
    refetchInterval: ({ state }) =>
      state.data?.instruments.some(({ levels }) => levels.length > 0) ? OPEN_MS : REFRESH_MS,
  });
