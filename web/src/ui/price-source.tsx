import { useQuery } from '@tanstack/react-query';
import { pageMode } from '../api/page-mode.ts';
import { type Outputs, trpc } from '../api/trpc.ts';
import { type Mode, modeWords } from '../format/mode.ts';
import { type Message, msg, t } from '../language/language.ts';

type Source = Outputs['console']['prices']['source'];

const WORDS: Record<Source, Message> = { simulator: msg('simulated prices'), live: msg('live prices') };

/** The source of prices, in words. An unrecorded one is not guessed. */
export const priceSourceWords = (source: Source | null | undefined): string =>
  source ? t(WORDS[source]) : t('prices of a source that was not recorded');

/** The source of the prices that orders are filled at; undefined until the server has responded. */
export const usePriceSource = () =>
  useQuery({ ...trpc.console.prices.queryOptions({}), staleTime: 60_000 }).data;

/** The mode of this page, from the service; undefined until it has responded. */
export const useMode = (): Mode | undefined => useQuery(trpc.console.account.queryOptions({})).data?.mode;

/** The mode and the source of prices. Live is filled amber, with an amber head on every page. */
export function ModeBadge() {
  const mode = useMode() ?? pageMode;
  const source = usePriceSource()?.source;
  if (mode === 'live') return <LiveBadge />;
  const { title, money } = modeWords(mode);
  return (
    <span
      className="chip"
      data-mode={mode}
      data-prices={source}
      title={
        source
          ? t('Orders are filled with {money} at {words}.', { money, words: t(WORDS[source]) })
          : undefined
      }
    >
      <span className="dot info" />
      {title}
      {source ? <span className="hide-small">· {t(WORDS[source])}</span> : null}
    </span>
  );
}

const LiveBadge = () => (
  <span className="chip live" data-mode="live" title={t('Orders leave for your accounts at the venues.')}>
    {modeWords('live').title}
    <span className="hide-small">{t('· real orders')}</span>
  </span>
);

/** Says that results at prices of several sources are comparable with neither. */
export function MixedPricesNotice() {
  const prices = usePriceSource();
  const others = prices?.traded.filter((source) => source !== prices.source) ?? [];
  if (!prices || others.length === 0) return null;
  return (
    <div className="notice warn" role="note">
      {t(
        'Prices are {words} now, but part of this account’s trades were made at {priceWords}: profit, loss and equity mix both.',
        { words: t(WORDS[prices.source]), priceWords: others.map(priceSourceWords).join(t(' and at ')) },
      )}
    </div>
  );
}
