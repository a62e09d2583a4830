import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';

/** The stream reports fills; this interval covers those that it may have missed. */
const REFRESH_MS = 60_000;

/** The fills of a strategy by instrument, and its steps that ever acted. */
export const useTrading = (id: string) =>
  useQuery({ ...trpc.console.trading.queryOptions({ id }), refetchInterval: REFRESH_MS });
