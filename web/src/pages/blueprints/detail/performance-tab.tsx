import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { trpc } from '../../../api/trpc.ts';
import { type Range, rangeOf } from '../../../charts/equity.tsx';
import type { CursorSpan } from '../../../charts/readout.ts';
import { fineShare, usd } from '../../../format/number.ts';
import type { Statistics } from '../../../format/research/statistics.ts';
import { tailFigures } from '../../../format/research/tails.ts';
import { t } from '../../../language/language.ts';
import { StatisticsPanels } from '../../../statistics/panels.tsx';
import { useEquityCurve } from '../../../statistics/use-equity-curve.ts';
import { Curl, curl } from '../../../ui/copy.tsx';
import { MissingPart } from '../../../ui/help/missing-part.tsx';
import { onDemand } from '../../../ui/help/on-demand.tsx';
import { PageParts } from '../../../ui/menu/page-parts.tsx';
import { RowSkeleton, Skeleton } from '../../../ui/panel.tsx';
import { MixedPricesNotice } from '../../../ui/price-source.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { Pnl } from '../../../ui/status.tsx';
import { OpenPositions } from './trading/open-positions.tsx';
import { StrategyPanel } from './trading/strategy-panel.tsx';
import { useTrading } from './trading/use-trading.ts';

const HEIGHT = 640;
const GRAPH_HEIGHT = 440;
/** The graph follows the cursor once it rests. */
const CURSOR_RESTS_MS = 150;
const UNTRADED = { realizedPnl: 0, unrealizedPnl: 0, totalPnl: 0, fees: 0, fills: 0 };

const DAY_MS = 86_400_000;
/** The range at first: of a strategy that is younger than a day, a week shows a sliver. */
const rangeSince = (createdAt: string): Range => (Date.now() - Date.parse(createdAt) < DAY_MS ? '1d' : '1w');

const GraphAtCursor = onDemand(
  async () => (await import('./trading/graph-at-cursor.tsx')).GraphAtCursor,
  () => <Skeleton height={GRAPH_HEIGHT} />,
);

type TabProps = { id: string; createdAt: string };

/** The strategy's result over all its deployments: first its answer, then its figures. */
export function PerformanceTab({ id, createdAt }: TabProps) {
  const search = useSearch({ from: '/shell/blueprints/$id' });
  const [opening] = useState(() => rangeSince(createdAt));
  const range = rangeOf(search.range, opening);
  const curve = useEquityCurve(id, range);
  const { statistics } = curve;
  return (
    <div className="stack">
      <MixedPricesNotice />
      <ResultFigures id={id} statistics={statistics} />
      <PageParts
        label={t('Performance')}
        parts={[
          {
            name: 'result',
            title: t('Result'),
            content: (
              <div className="stack">
                <OverTime id={id} range={range} curve={curve} />
                <OpenPositions id={id} />
              </div>
            ),
          },
          {
            name: 'statistics',
            title: t('Statistics'),
            content: (
              <div className="stack">
                {statistics ? (
                  <StatisticsPanels of={statistics} tails={tailFigures(statistics)} />
                ) : (
                  <RowSkeleton rows={6} height={44} />
                )}
                <Curl command={curl('GET', `/api/blueprints/${id}/statistics?range=1m`)} />
              </div>
            ),
          },
        ]}
      />
    </div>
  );
}

/** Whether it made money, and how deep it fell. */
function ResultFigures({ id, statistics }: { id: string; statistics: Statistics | undefined }) {
  const account = useQuery(trpc.console.account.queryOptions({}));
  if (account.error && !account.data) return <ProblemNotice error={account.error} />;
  if (!account.data) return <RowSkeleton rows={1} height={78} />;
  const traded = account.data.strategies.find(({ blueprintId }) => blueprintId === id);
  const { realizedPnl, unrealizedPnl, totalPnl, fees, fills } = traded ?? UNTRADED;
  const fall = statistics?.maxDrawdown ?? null;
  return (
    <div className="grid-4">
      <div className="kpi">
        <span className="label">{t('Total P&L')}</span>
        <span className="value" data-sum="Total P&L">
          <Pnl value={totalPnl} />
        </span>
        <span className="note">
          {t('{fills, plural, one {# fill} other {# fills}}, with settlements', { fills })}
        </span>
      </div>
      <div className="kpi">
        <span className="label">{t('Realized')}</span>
        <span className="value" data-sum="Realized">
          <Pnl value={realizedPnl} />
        </span>
        <span className="note">{t('after {fees} of fees', { fees: usd(fees) })}</span>
      </div>
      <div className="kpi">
        <span className="label">{t('Unrealized')}</span>
        <span className="value" data-sum="Unrealized">
          <Pnl value={unrealizedPnl} />
        </span>
        <span className="note">{t('at best bids')}</span>
      </div>
      <div className="kpi">
        <span className="label">{t('Max. drawdown')}</span>
        <span className="value">{statistics ? fineShare(fall ? -fall.share : 0) : '…'}</span>
        <span className="note">
          {fall ? t('{usd} below the peak, in this range', { usd: usd(fall.usd) }) : t('in this range')}
        </span>
      </div>
    </div>
  );
}

type OverTimeProps = { id: string; range: Range; curve: ReturnType<typeof useEquityCurve> };

/** Its curve, relative to the account's equity at the start of the range: it has no money of its own. */
function OverTime({ id, range, curve: { query, equity, drawdown } }: OverTimeProps) {
  const trading = useTrading(id);
  const [span, setSpan] = useState<CursorSpan | null>(null);
  const onCursor = useDebouncedCallback(setSpan, CURSOR_RESTS_MS);
  const isPhone = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false });
  const hasTraded = (trading.data?.instruments ?? []).length > 0;
  const isKnown = trading.data !== undefined || trading.error !== null;
  const graph = hasTraded ? <GraphAtCursor id={id} span={span} /> : null;
  return (
    <>
      {query.error && !equity ? (
        <ProblemNotice error={query.error} retry={() => void query.refetch()} />
      ) : null}
      {trading.error && !trading.data ? (
        <MissingPart
          words={t('The trades could not be read: only the equity is drawn.')}
          retry={() => void trading.refetch()}
        />
      ) : null}
      {equity && drawdown && isKnown ? (
        <StrategyPanel
          id={id}
          range={range}
          instruments={trading.data?.instruments ?? []}
          equity={equity}
          drawdown={drawdown}
          onCursor={onCursor}
        />
      ) : query.error ? null : (
        <Skeleton height={HEIGHT} />
      )}
      {graph && isPhone ? <FoldedGraph>{graph}</FoldedGraph> : graph}
    </>
  );
}

/** On a phone the graph is longer than all else; it is read when it is opened. */
function FoldedGraph({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Graph at the cursor')}</summary>
      {isOpen ? children : null}
    </details>
  );
}
