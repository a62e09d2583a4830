import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';

/** The stream reports fills and orders; this interval covers those that it may have missed. */
const REFRESH_MS = 60_000;
/** A trailing stop rises with the price, without an event. */
const TRAILING_MS = 10_000;

/** The fills of a strategy by instrument, and its steps that ever acted. */
export const useTrading = (id: string) =>
  useQuery({
    ...trpc.console.trading.queryOptions({ id }),
    refetchInterval: ({ state }) =>
      state.data?.instruments.some(({ levels }) => levels.some(({ kind }) => kind === 'trailing'))
        ? TRAILING_MS
        : REFRESH_MS,
  });
