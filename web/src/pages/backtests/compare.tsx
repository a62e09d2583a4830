import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Star } from 'lucide-react';
import type { BacktestComparison } from '../../api/row-types.ts';
import { SLOW_QUERY, trpc } from '../../api/trpc.ts';
import { ChartLegend } from '../../backtests/chart-legend.tsx';
import { LINE_TONES, type LineTone } from '../../charts/layers.ts';
import { LazyChart } from '../../charts/lazy-chart.tsx';
import { usd } from '../../format/number.ts';
import { incomparableWords, requestPath, requestValue } from '../../format/research/backtest-words.ts';
import { comparisonRows } from '../../format/research/compare.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Help } from '../../ui/help/help.tsx';
import { PageHead, Panel, RowSkeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { TimeSpan } from '../../ui/time.tsx';

const HEIGHT = 300;

/** Two to four runs side by side. */
export function ComparePage() {
  const { ids = '' } = useSearch({ from: '/shell/backtests/compare' });
  const isSome = ids.includes(',');
  const compared = useQuery({ ...trpc.backtests.compare.queryOptions({ ids }, SLOW_QUERY), enabled: isSome });
  return (
    <div className="page">
      <PageHead title={t('Compare backtests')}>
        <Link to="/backtests" className="chip large">
          {t('All runs')}
        </Link>
      </PageHead>
      {isSome ? null : (
        <EmptyState
          title={t('Nothing to compare')}
          why={t('Tick two to four runs in the list, and press Compare.')}
          action={<Link to="/backtests">{t('To the list')}</Link>}
        />
      )}
      {compared.error && !compared.data ? (
        <ProblemNotice error={compared.error} retry={() => void compared.refetch()} />
      ) : null}
      {isSome && !compared.data && !compared.error ? <RowSkeleton rows={10} height={32} /> : null}
      {compared.data ? <Compared of={compared.data} /> : null}
    </div>
  );
}

/** Runs are named by letters: many have the same blueprint and the same name. */
const letterOf = (index: number): string => String.fromCharCode(65 + index);
const toneOf = (index: number): LineTone => LINE_TONES[index] ?? 'accent';

function Compared({ of }: { of: BacktestComparison }) {
  return (
    <>
      {of.comparable ? null : (
        <div className="notice warn" role="note" data-incomparable>
          <Trans
            message="<strong>These runs say nothing about each other:</strong> {reasons}. No run is marked as the better one."
            values={{ reasons: incomparableWords(of.reasons) }}
            tags={{ strong: <strong /> }}
          />
        </div>
      )}
      <Curves of={of} />
      <FigureTable of={of} />
      <Differences of={of} />
    </>
  );
}

function Curves({ of: { runs, equity } }: { of: BacktestComparison }) {
  const layers = runs.map((_, index) => ({
    kind: 'line' as const,
    tone: toneOf(index),
    write: usd,
    points: equity.flatMap(({ at, values }) => {
      const value = values[index];
      return value === null || value === undefined ? [] : [{ at, value }];
    }),
  }));
  return (
    <Panel
      title={t('Equity')}
      actions={
        <ChartLegend
          of={runs.map(
            ({ backtest }, index) => [toneOf(index), `${letterOf(index)} · ${backtest.name}`] as const,
          )}
        />
      }
    >
      <div style={{ minHeight: HEIGHT }}>
        {equity.length > 0 ? (
          <LazyChart
            label={t('Equity of the runs')}
            summary={runs
              .map(({ backtest }, index) =>
                t('{index}, {name}, ended with {finalEquity}.', {
                  index: letterOf(index),
                  name: backtest.name,
                  finalEquity: usd(backtest.outline?.finalEquity),
                }),
              )
              .join(' ')}
            height={HEIGHT}
            view={runs.map(({ backtest }) => backtest.id).join(' ')}
            revision={String(equity.length)}
            layers={layers}
          />
        ) : (
          <p className="plain dim">{t('There is no curve of these runs yet.')}</p>
        )}
      </div>
    </Panel>
  );
}

function FigureTable({ of }: { of: BacktestComparison }) {
  return (
    <Panel title={t('Figures')} flush>
      <table className="rows compared">
        <thead>
          <tr>
            <th>{t('Figure')}</th>
            {of.runs.map(({ backtest }, index) => (
              <th key={backtest.id} className="num">
                <Link to="/backtests/$id" params={{ id: backtest.id }}>
                  {letterOf(index)} · {backtest.name}
                </Link>
                <div>
                  <TimeSpan from={backtest.from} to={backtest.to} />
                </div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparisonRows(of).map(({ title, definition, values, best }) => (
            <tr key={title}>
              <th scope="row">
                {title} <Help of={title}>{definition}</Help>
              </th>
              {values.map((value, index) => (
                <td key={letterOf(index)} className="num" data-best={best === index ? '' : undefined}>
                  {best === index ? (
                    <strong>
                      <Star size={12} aria-label={t('best of these')} /> {value}
                    </strong>
                  ) : (
                    value
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Differences({ of: { runs, requests } }: { of: BacktestComparison }) {
  const changed = runs.slice(1).map(({ graph, backtest }, index) => ({
    id: backtest.id,
    letter: letterOf(index + 1),
    edits: [
      ['added', graph.added],
      ['removed', graph.removed],
      ['changed', graph.changed],
      [t('wires added'), graph.edgesAdded],
      [t('wires removed'), graph.edgesRemoved],
    ].filter((edit): edit is [string, string[]] => edit[1] !== undefined && edit[1].length > 0),
  }));
  return (
    <div className="grid-3">
      <Panel title={t('Different settings')} flush={requests.length > 0}>
        {requests.length === 0 ? (
          <p className="plain dim">{t('Nothing: the requests are the same.')}</p>
        ) : (
          <table className="rows">
            <thead>
              <tr>
                <th>{t('Field')}</th>
                {runs.map(({ backtest }, index) => (
                  <th key={backtest.id}>{letterOf(index)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {requests.map(({ path, values }) => (
                <tr key={path}>
                  <td>{requestPath(path)}</td>
                  {values.map((value, index) => (
                    <td key={letterOf(index)} className="mono">
                      {requestValue(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
      <Panel title={t('Differences from A')}>
        <ul className="plain-list">
          {changed.map(({ id, letter, edits }) => (
            <li key={id}>
              <strong>{letter}</strong>{' '}
              {edits.length === 0
                ? t('the same strategy')
                : edits.map(([what, nodes]) => `${what}: ${nodes.join(', ')}`).join('; ')}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
