import type { Backtest } from '../api/rows.ts';
import { fidelityWords, isUnderWay, paceWords } from '../format/backtest.ts';
import { amount, fineShare, signedFineShare, usd } from '../format/number.ts';
import { StatisticsPanels } from '../statistics/panels.tsx';
import { Panel, RowSkeleton, Skeleton } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Pnl } from '../ui/status.tsx';
import { AssumedPanel } from './assumptions.tsx';
import { EquityChart, PriceChart } from './charts.tsx';
import { Histogram } from './histogram.tsx';
import { ProgressPanel } from './progress.tsx';
import { RunFacts } from './run-facts.tsx';
import { TradeTable } from './trades.tsx';
import { useBacktest, usePicture } from './use-backtest.ts';
import { Verdicts } from './verdicts.tsx';

/** A run: how far it is, and once there is something, what to know before the figures, and the figures. */
export function RunView({ id }: { id: string }) {
  const run = useBacktest(id);
  if (run.error && !run.data) {
    return <ProblemNotice error={run.error} retry={() => void run.refetch()} />;
  }
  if (!run.data) return <RowSkeleton rows={8} height={50} />;
  return <Shown run={run.data} />;
}

function Shown({ run }: { run: Backtest }) {
  const { failure, isPartial, result } = run;
  return (
    <div className="stack">
      <ProgressPanel run={run} />
      {failure ? (
        <div className="notice bad" role="alert" data-failure={failure.code}>
          <strong>It failed.</strong> {failure.message}
        </div>
      ) : null}
      {isPartial ? (
        <div className="notice warn" role="note">
          It was canceled: what stands here ends where it was.
        </div>
      ) : null}
      {result ? <Result run={run} result={result} /> : null}
      {!result && !failure && !isUnderWay(run) ? (
        <p className="plain dim">It ended before there was anything to show.</p>
      ) : null}
      <RunFacts run={run} />
    </div>
  );
}

type ResultProps = {
  run: Backtest;
  result: NonNullable<Backtest['result']>;
};

function Result({ run, result }: ResultProps) {
  const picture = usePicture(run.id);
  const { statistics } = result;
  return (
    <>
      <Verdicts verdicts={result.verdicts} />
      <Kpis result={result} />
      {picture.error && !picture.data ? (
        <ProblemNotice error={picture.error} retry={() => void picture.refetch()} />
      ) : null}
      {picture.data ? (
        <>
          <EquityChart id={run.id} picture={picture.data} />
          <PriceChart id={run.id} picture={picture.data} />
        </>
      ) : picture.error ? null : (
        <>
          <Skeleton height={388} />
          <Skeleton height={348} />
        </>
      )}
      <StatisticsPanels of={statistics} />
      <Panel title="Results of trades">
        {picture.data ? <Histogram bins={picture.data.bins} /> : <Skeleton height={160} />}
      </Panel>
      <Panel title={`Trades, ${amount(statistics.trades.closed)}`} flush>
        {statistics.trades.closed === 0 ? (
          <div className="empty">
            <strong>No trade has ended</strong>
            <p>{refusedWords(result)}</p>
          </div>
        ) : (
          <TradeTable id={run.id} count={statistics.trades.closed} />
        )}
      </Panel>
      <AssumedPanel assumptions={result.assumptions} />
    </>
  );
}

function refusedWords({ orders }: ResultProps['result']): string {
  if (orders.intents === 0) return 'Nothing was ever ordered: no condition came true in this range.';
  const refused = Object.values(orders.denied).reduce((sum, count) => sum + count, 0);
  return `${amount(orders.intents)} orders were wanted, ${amount(refused)} of them refused, ${amount(orders.filled)} filled.`;
}

function Kpis({ result }: Pick<ResultProps, 'result'>) {
  const { statistics, fidelity, pace, finalEquity, exitEquity, buyAndHold, range } = result;
  return (
    <div className="grid-4">
      <div className="kpi">
        <span className="label">Net profit</span>
        <span className="value">
          <Pnl value={statistics.netProfit} />
        </span>
        <span className="note">
          {signedFineShare(statistics.totalReturn.value)}
          {buyAndHold === null ? '' : `, buy and hold ${signedFineShare(buyAndHold)}`}
        </span>
      </div>
      <div className="kpi">
        <span className="label">Equity at the end</span>
        <span className="value">{usd(finalEquity)}</span>
        <span className="note">
          {range
            ? `between ${usd(range.low)} and ${usd(range.high)}`
            : `${usd(exitEquity)} if all were sold then`}
        </span>
      </div>
      <div className="kpi">
        <span className="label">Largest drawdown</span>
        <span className="value">{fineShare(statistics.maxDrawdown ? -statistics.maxDrawdown.share : 0)}</span>
        <span className="note">{amount(statistics.trades.closed)} trades ended</span>
      </div>
      <div className="kpi" data-fidelity={fidelity}>
        <span className="label">Fidelity</span>
        <span className="value">{fidelity}</span>
        <span className="note">
          {fidelityWords(fidelity)}; stepped {paceWords(pace)}
        </span>
      </div>
    </div>
  );
}
