import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { pairName, priceNow } from '../../format/trading/instrument.ts';
import { DayChange } from '../../instruments/day-change.tsx';
import { Mark } from '../../instruments/mark.tsx';
import { type Instrument, useInstruments } from '../../instruments/use-instruments.ts';
import { t } from '../../language/language.ts';
import { curl } from '../../ui/copy.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { useCoin } from './current-prices.ts';
import { MarketHeads, QuoteSourceLine } from './prediction-results.tsx';

/** The maximum number of instruments in one request. */
const COUNT = 40;

type ResultsProps = { find: string; chosen: string | undefined; onOpen: (symbol: string) => void };

export function CryptoResults({ find, chosen = 'BTCUSDT', onOpen }: ResultsProps) {
  // The venue's symbols are pairs without the slash.
  const search = find.replaceAll('/', '');
  const query = useQuery(
    trpc.marketData.crypto.queryOptions({ type: 'symbols', limit: COUNT, ...(search && { search }) }),
  );
  const answer = query.data?.kind === 'symbols' ? query.data : undefined;
  const priced = useInstruments(answer?.symbols.map(({ symbol }) => symbol) ?? []);
  const pricesById = new Map(priced.data?.instruments.map((each) => [each.tokenId, each]));
  return (
    <Panel title={t('Pairs')} flush actions={answer ? <QuoteSourceLine answer={answer} /> : null}>
      {query.error && !answer ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {!answer && !query.error ? <RowSkeleton rows={10} height={22} /> : null}
      {answer?.symbols.length === 0 ? (
        <EmptyState
          title={t('Nothing found')}
          why={t('Pairs look like BTC/USDT.')}
          command={curl('GET', '/api/crypto?type=symbols')}
        />
      ) : null}
      <ul className="list market-list">
        {answer?.symbols.length ? <MarketHeads last={t('24 h')} /> : null}
        {answer?.symbols.map(({ symbol, base, quote }) => (
          <li key={symbol}>
            <button
              type="button"
              data-row={symbol}
              aria-pressed={chosen === symbol}
              onClick={() => onOpen(symbol)}
            >
              <span title={symbol}>
                <Mark name={pairName({ base, quote })} />
                {pairName({ base, quote })}
              </span>
              {chosen === symbol ? (
                <ChosenNowAndDay symbol={symbol} of={pricesById.get(symbol)} />
              ) : (
                <NowAndDay of={pricesById.get(symbol)} />
              )}
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The prices of the coin beside the list, which were read at another instant than the list's. */
function ChosenNowAndDay({ symbol, of }: { symbol: string; of: Instrument | undefined }) {
  const { summary } = useCoin(symbol);
  const current = of && summary && { ...of, last: summary.price, change24h: summary.changePct / 100 };
  return <NowAndDay of={current ?? of} />;
}

/** The price of a coin and its change over a day; a dash until known. */
const NowAndDay = ({ of }: { of: Instrument | undefined }) => (
  <>
    <span className="num">{of ? priceNow(of).text : '—'}</span>
    <span className="num">{of && of.change24h !== null ? <DayChange of={of} /> : '—'}</span>
  </>
);
