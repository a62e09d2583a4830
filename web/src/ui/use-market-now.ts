import { useQuery } from '@tanstack/react-query';
import { serviceMs } from '../api/clock.ts';
import { trpc } from '../api/trpc.ts';
import { readAtOf } from '../format/time.ts';
import { t } from '../language/language.ts';
import { useNow } from './time.tsx';

/** How often a book is read while a decision is open. */
const REFRESH_MS = 2_000;
/** An older quote is too old for a decision. */
const FRESH_MS = 5_000;

/** One instrument and its book, read every two seconds. `blocked`: the reason why a decision cannot rely on it, or null. */
export function useMarketNow(tokenId: string) {
  const query = useQuery({
    ...trpc.console.market.queryOptions({ tokenId }),
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  const now = useNow();
  const answeredAtMs = serviceMs(query.dataUpdatedAt);
  const ageMs = now.getTime() - answeredAtMs;
  return {
    query,
    market: query.data && { ...query.data, readAt: readAtOf(query.data, answeredAtMs) },
    blocked: blockOf(query.data !== undefined, query.error !== null, ageMs),
  };
}

function blockOf(known: boolean, failed: boolean, ageMs: number): string | null {
  if (!known)
    return failed ? t('The market does not answer: no quote to decide by.') : t('Reading the quote…');
  if (ageMs <= FRESH_MS) return null;
  return t('The quote is {ageMs} s old; this waits for a newer one.', { ageMs: Math.round(ageMs / 1_000) });
}
