import type { Backtest } from '../api/row-types.ts';
import { amount, fineShare, signedFineShare, usd } from '../format/number.ts';
import { fidelityWords, isUnderWay, paceWords } from '../format/research/backtest-words.ts';
import { benchmarkFigures, forecastFigures } from '../format/research/benchmark.ts';
import { resampledFigures, tailFigures } from '../format/research/tails.ts';
import { t, translateReason } from '../language/language.ts';
import { Figures } from '../statistics/figures.tsx';
import { StatisticsPanels } from '../statistics/panels.tsx';
import { Panel, Skeleton } from '../ui/panel.tsx';
import { PendingRows } from '../ui/pending-rows.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Pnl } from '../ui/status.tsx';
import { RunAssumptionsPanel } from './assumptions.tsx';
import { AttributionPanel } from './attribution.tsx';
import { BacktestWarnings } from './backtest-warnings.tsx';
import { RunChart } from './charts.tsx';
import { ExecutionCostsPanel } from './execution-costs.tsx';
import { Histogram } from './histogram.tsx';
import { ProgressPanel } from './progress.tsx';
import { RunDetails } from './run-details.tsx';
import { SensitivityPanel } from './sensitivity.tsx';
import { TradeTable } from './trades.tsx';
import { useBacktest, useRunCharts } from './use-backtest.ts';

/** A run: its progress and, once there is a result, its verdicts and its figures. */
export function RunView({ id }: { id: string }) {
  const run = useBacktest(id);
  if (!run.data) return <PendingRows query={run} rows={8} height={50} />;
  return <RunBody run={run.data} />;
}

function RunBody({ run }: { run: Backtest }) {
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
      {result ? <Result run={run} result={result} /> : null}
      {!result && !failure && !isUnderWay(run) ? (
        <p className="plain dim">{t('It ended before there was anything to show.')}</p>
      ) : null}
      <RunDetails run={run} />
    </div>
  );
}

type ResultProps = {
  run: Backtest;
  result: NonNullable<Backtest['result']>;
};

function Result({ run, result }: ResultProps) {
  const picture = useRunCharts(run.id);
  const { statistics } = result;
  return (
    <>
      <BacktestWarnings verdicts={result.verdicts} />
      <Kpis result={result} />
      {picture.error && !picture.data ? (
        <ProblemNotice error={picture.error} retry={() => void picture.refetch()} />
      ) : null}
      {picture.data ? (
        <RunChart id={run.id} picture={picture.data} />
      ) : picture.error ? null : (
        <Skeleton height={640} />
      )}
      <StatisticsPanels
        of={statistics}
        tails={[...tailFigures(statistics), ...(result.resampled ? resampledFigures(result.resampled) : [])]}
      />
      {result.benchmark ? (
        <Panel title={t('Beside buy and hold')}>
          <Figures title={t('Benchmark')} figures={benchmarkFigures(result.benchmark)} />
        </Panel>
      ) : null}
      {result.forecasts ? (
        <Panel title={t('Forecasts beside the market')}>
          <Figures title={t('Probabilities')} figures={forecastFigures(result.forecasts)} />
        </Panel>
      ) : null}
      {result.costs ? <ExecutionCostsPanel costs={result.costs} /> : null}
      {result.sensitivity ? (
        <SensitivityPanel rows={result.sensitivity} netProfit={statistics.netProfit} />
      ) : null}
      {result.attribution && statistics.trades.closed > 0 ? (
        <AttributionPanel attribution={result.attribution} nodeLabels={picture.data?.nodeLabels ?? []} />
      ) : null}
      <Panel title={t('P&L distribution')}>
        {picture.data ? <Histogram bins={picture.data.bins} /> : <Skeleton height={160} />}
      </Panel>
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
      <RunAssumptionsPanel assumptions={result.assumptions} />
    </>
  );
}

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
