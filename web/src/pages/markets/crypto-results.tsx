import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { curl } from '../../ui/copy.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { Source } from './prediction-results.tsx';

const COUNT = 50;

type ResultsProps = { find: string; chosen: string | undefined; onOpen: (symbol: string) => void };

export function CryptoResults({ find, chosen = 'BTCUSDT', onOpen }: ResultsProps) {
  const query = useQuery(
    trpc.marketData.crypto.queryOptions({ type: 'symbols', limit: COUNT, ...(find && { search: find }) }),
  );
  const answer = query.data?.kind === 'symbols' ? query.data : undefined;
  return (
    <Panel title={t('Symbols')} flush actions={answer ? <Source answer={answer} /> : null}>
      {query.error && !answer ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {!answer && !query.error ? <RowSkeleton rows={10} height={22} /> : null}
      {answer?.symbols.length === 0 ? (
        <Empty
          title={t('Nothing found')}
          why={t('Symbols look like BTCUSDT.')}
          command={curl('GET', '/api/crypto?type=symbols')}
        />
      ) : null}
      <ul className="list market-list">
        {answer?.symbols.map(({ symbol, base, quote }) => (
          <li key={symbol}>
            <button
              type="button"
              data-row={symbol}
              aria-pressed={chosen === symbol}
              onClick={() => onOpen(symbol)}
            >
              <span>{symbol}</span>
              <span className="dim">{t('{base} in {quote}', { base, quote })}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
