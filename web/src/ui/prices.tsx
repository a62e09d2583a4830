import { useQuery } from '@tanstack/react-query';
import { pageMode } from '../api/here.ts';
import { type Outputs, trpc } from '../api/trpc.ts';
import { type Mode, modeWords } from '../format/mode.ts';

type Source = Outputs['console']['prices']['source'];

const WORDS: Record<Source, string> = { simulator: 'simulated prices', live: 'live prices' };

/** Whose prices, in words. What was never written down is not guessed. */
export const priceWords = (source: Source | null | undefined): string =>
  source ? WORDS[source] : 'prices of a source that was not recorded';

/** Whose prices orders are filled against now; undefined until the server said so. */
export const usePrices = () => useQuery({ ...trpc.console.prices.queryOptions({}), staleTime: 60_000 }).data;

/** Whose money moves here, as the service says; undefined until it did. */
export const useMode = (): Mode | undefined => useQuery(trpc.console.account.queryOptions({})).data?.mode;

/** Whose money moves, at whose prices. Real money is filled amber, with an amber head over every page. */
export function ModeBadge() {
  const mode = useMode() ?? pageMode;
  const source = usePrices()?.source;
  if (mode === 'live') return <LiveBadge />;
  const { title, money } = modeWords(mode);
  return (
    <span
      className="chip"
      data-mode={mode}
      data-prices={source}
      title={source ? `Orders are filled with ${money} at ${WORDS[source]}.` : undefined}
    >
      <span className="dot info" />
      {title}
      {source ? <span className="hide-small">· {WORDS[source]}</span> : null}
    </span>
  );
}

const LiveBadge = () => (
  <span className="chip live" data-mode="live" title="Orders leave for your accounts at the venues.">
    {modeWords('live').title}
    <span className="hide-small">· real orders</span>
  </span>
);

/** Results made of prices of several sources are no result of either, and say so. */
export function MixedPrices() {
  const prices = usePrices();
  const others = prices?.traded.filter((source) => source !== prices.source) ?? [];
  if (!prices || others.length === 0) return null;
  return (
    <div className="notice warn" role="note">
      Prices are {WORDS[prices.source]} now, but part of this account’s trades were made at{' '}
      {others.map(priceWords).join(' and at ')}: profit, loss and equity mix both.
    </div>
  );
}
