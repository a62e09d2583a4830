import type { Backtest } from '../api/row-types.ts';
import { amount, fineShare, share, signedFineShare, usd } from '../format/number.ts';
import { fidelityWords, isUnderWay, paceWords } from '../format/research/backtest-words.ts';
import { benchmarkFigures, capacityFigures, forecastFigures } from '../format/research/benchmark.ts';
import { resampledFigures, tailFigures } from '../format/research/tails.ts';
import { t, translateReason } from '../language/language.ts';
import { ReliabilityTable } from '../statistics/calibration.tsx';
import { Figures } from '../statistics/figures.tsx';
import { StatisticsPanels } from '../statistics/panels.tsx';
import { type PagePart, PageParts } from '../ui/menu/page-parts.tsx';
import { Panel, Skeleton } from '../ui/panel.tsx';
import { PendingRows } from '../ui/pending-rows.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Pnl } from '../ui/status.tsx';
import { RunAssumptionsPanel } from './assumptions.tsx';
import { AttributionPanel } from './attribution.tsx';
import { BriefBacktestWarnings } from './backtest-warnings.tsx';
import { RunChart } from './charts.tsx';
import { ExecutionCostsPanel } from './execution-costs.tsx';
import { Histogram } from './histogram.tsx';
import { ProgressPanel } from './progress.tsx';
import { RunDetails, RunFiles } from './run-details.tsx';
import { SensitivityPanel } from './sensitivity.tsx';
import { TradeTable } from './trades.tsx';
import { useBacktest, useRunCharts } from './use-backtest.ts';

type RunProps = {
  id: string;
  /** Shown after the parts of the run. */
  more?: readonly PagePart[];
};

/** A run in parts. The first has its progress and, once there is a result, its verdicts, its key figures and its chart. */
export function RunView({ id, more = [] }: RunProps) {
  const run = useBacktest(id);
  const parts = run.data
    ? [
        { name: 'result', title: t('Result'), content: <ResultPart run={run.data} /> },
        ...(run.data.result ? detailParts(run.data, run.data.result) : []),
        { name: 'details', title: t('Assumptions'), content: <DetailsPart run={run.data} /> },
      ]
    : [
        {
          name: 'result',
          title: t('Result'),
          content: <PendingRows query={run} rows={8} height={50} />,
        },
      ];
  return <PageParts label={t('Backtest')} parts={[...parts, ...more]} isWhole />;
}

type ResultProps = {
  run: Backtest;
  result: NonNullable<Backtest['result']>;
};

const detailParts = (run: Backtest, result: ResultProps['result']): PagePart[] => [
  {
    name: 'trades',
    title: t('Trades, {closed}', { closed: amount(result.statistics.trades.closed) }),
    content: <TradesPart run={run} result={result} />,
  },
  {
    name: 'statistics',
    title: t('Statistics'),
    content: <StatisticsPart result={result} />,
  },
  ...(result.costs || result.sensitivity
    ? [{ name: 'costs', title: t('Costs'), content: <CostsPart result={result} /> }]
    : []),
];

function ResultPart({ run }: { run: Backtest }) {
  const { failure, isPartial, result } = run;
  return (
    <div className="stack">
      <ProgressPanel run={run} />
      {failure ? (
        <div className="notice bad" role="alert" data-failure={failure.code}>
          <strong>{t('It failed.')}</strong> {translateReason(failure.message)}
        </div>
      ) : null}
      {isPartial ? (
        <div className="notice warn" role="note">
          {t('It was canceled: what stands here ends where it was.')}
        </div>
      ) : null}
      {result ? (
        <>
          <BriefBacktestWarnings verdicts={result.verdicts} />
          <Kpis result={result} />
          <Chart id={run.id} />
          <RunFiles id={run.id} />
        </>
      ) : null}
      {!result && !failure && !isUnderWay(run) ? (
        <p className="plain dim">{t('It ended before there was anything to show.')}</p>
      ) : null}
    </div>
  );
}

function Chart({ id }: { id: string }) {
  const picture = useRunCharts(id);
  if (picture.data) return <RunChart id={id} picture={picture.data} />;
  return picture.error ? (
    <ProblemNotice error={picture.error} retry={() => void picture.refetch()} />
  ) : (
    <Skeleton height={640} />
  );
}

function TradesPart({ run, result }: ResultProps) {
  const picture = useRunCharts(run.id);
  const { statistics, attribution } = result;
  return (
    <div className="stack">
      <Panel title={t('Trades, {closed}', { closed: amount(statistics.trades.closed) })} flush>
        {statistics.trades.closed === 0 ? (
          <div className="empty">
            <strong>{t('No closed trades yet')}</strong>
            <p>{refusedWords(result)}</p>
          </div>
        ) : (
          <TradeTable id={run.id} count={statistics.trades.closed} />
        )}
      </Panel>
      <div className="grid-2 even">
        <Panel title={t('P&L distribution')}>
          {picture.data ? <Histogram bins={picture.data.bins} /> : <Skeleton height={160} />}
        </Panel>
        {attribution && statistics.trades.closed > 0 ? (
          <AttributionPanel attribution={attribution} nodeLabels={picture.data?.nodeLabels ?? []} />
        ) : null}
      </div>
    </div>
  );
}

const StatisticsPart = ({ result }: Pick<ResultProps, 'result'>) => {
  const { statistics, resampled, benchmark, forecasts } = result;
  return (
    <div className="stack">
      <StatisticsPanels
        of={statistics}
        tails={[...tailFigures(statistics), ...(resampled ? resampledFigures(resampled) : [])]}
      />
      {benchmark ? (
        <Panel title={t('Beside buy and hold')}>
          <Figures title={t('Benchmark')} figures={benchmarkFigures(benchmark)} />
        </Panel>
      ) : null}
      {forecasts ? (
        <Panel title={t('Forecasts beside the market')}>
          <Figures title={t('Probabilities')} figures={forecastFigures(forecasts)} />
        </Panel>
      ) : null}
      {forecasts && forecasts.count > 0 ? (
        <ReliabilityTable
          title={t('Reliability of the probabilities')}
          statedTitle={t('Probability')}
          meanTitle={t('Average')}
          write={share}
          bins={forecasts.bins.map(({ meanStated, ...bin }) => ({ ...bin, stated: meanStated.value }))}
        />
      ) : null}
    </div>
  );
};

const CostsPart = ({ result: { costs, capacity, sensitivity, statistics } }: Pick<ResultProps, 'result'>) => (
  <div className="stack">
    {costs ? <ExecutionCostsPanel costs={costs} /> : null}
    {capacity && capacity.bars + capacity.unmeasured > 0 ? (
      <Panel title={t('Capacity')}>
        <Figures title={t('Share of the market’s volume')} figures={capacityFigures(capacity)} />
      </Panel>
    ) : null}
    {sensitivity ? <SensitivityPanel rows={sensitivity} netProfit={statistics.netProfit} /> : null}
  </div>
);

const DetailsPart = ({ run }: { run: Backtest }) => (
  <div className="stack">
    {run.result ? <RunAssumptionsPanel assumptions={run.result.assumptions} /> : null}
    <RunDetails run={run} />
  </div>
);

function refusedWords({ orders }: ResultProps['result']): string {
  if (orders.intents === 0) return t('Nothing was ever ordered: no condition came true in this range.');
  const refused = Object.values(orders.denied).reduce((sum, count) => sum + count, 0);
  return t('{intents} orders were wanted, {refused} of them refused, {filled} filled.', {
    intents: amount(orders.intents),
    refused: amount(refused),
    filled: amount(orders.filled),
  });
}

function Kpis({ result }: Pick<ResultProps, 'result'>) {
  const { statistics, fidelity, pace, finalEquity, exitEquity, range } = result;
  // Older results have no benchmark; one of contracts is null, and nothing else stands for it.
  const buyAndHold =
    result.benchmark === null ? null : (result.benchmark?.totalReturn.value ?? result.buyAndHold);
  return (
    <div className="grid-4">
      <div className="kpi">
        <span className="label">{t('Net profit')}</span>
        <span className="value">
          <Pnl value={statistics.netProfit} />
        </span>
        <span className="note">
          {signedFineShare(statistics.totalReturn.value)}
          {buyAndHold === null
            ? ''
            : t(', buy and hold {buyAndHold}', { buyAndHold: signedFineShare(buyAndHold) })}
        </span>
      </div>
      <div className="kpi">
        <span className="label">{t('Final equity')}</span>
        <span className="value">{usd(finalEquity)}</span>
        <span className="note">
          {range
            ? t('between {low} and {high}', { low: usd(range.low), high: usd(range.high) })
            : t('{exitEquity} if all were sold then', { exitEquity: usd(exitEquity) })}
        </span>
      </div>
      <div className="kpi">
        <span className="label">{t('Max. drawdown')}</span>
        <span className="value">{fineShare(statistics.maxDrawdown ? -statistics.maxDrawdown.share : 0)}</span>
        <span className="note">
          {t('{closed} closed trades', { closed: amount(statistics.trades.closed) })}
        </span>
      </div>
      <div className="kpi" data-fidelity={fidelity}>
        <span className="label">{t('Fidelity')}</span>
        <span className="value">{fidelity}</span>
        <span className="note">
          {t('{fidelity}; stepped {pace}', { fidelity: fidelityWords(fidelity), pace: paceWords(pace) })}
        </span>
      </div>
    </div>
  );
}
