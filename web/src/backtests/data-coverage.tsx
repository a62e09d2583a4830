import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { amount, share } from '../format/number.ts';
import { instantOf } from '../format/research/backtest-form.ts';
import { instrumentsOfGraph, intervalsOfGraph } from '../format/research/graph-instruments.ts';
import { duration } from '../format/time.ts';
import { tokenName } from '../format/token-name.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { TimeSpan } from '../ui/time.tsx';

type Coverage = Outputs['history']['coverage'];
type Series = NonNullable<Coverage['series']>;

type CoverageProps = {
  /** The graph to be run. */
  visual: unknown;
  /** The start of the range, as its field has it. */
  from: string;
  to: string;
};

/** The recorded and historical data of a graph's instruments, before a run relies on it. */
export function DataCoveragePanel({ visual, from, to }: CoverageProps) {
  const range = { from: instantOf(from), to: instantOf(to) };
  const { from: first, to: last } = range;
  const isRange = first !== null && last !== null && first < last;
  const tokens = instrumentsOfGraph(visual);
  const requests = tokens.flatMap((tokenId) =>
    intervalsOfGraph(visual, tokenId).map((interval) => ({ tokenId, interval })),
  );
  const covered = useQueries({
    queries: requests.map(({ tokenId, interval }) =>
      trpc.history.coverage.queryOptions({ tokenId, ...(isRange && { interval, from: first, to: last }) }),
    ),
  });
  const coveragesOf = (token: string) =>
    covered.flatMap(({ data }) => (data?.tokenId === token ? [data] : []));
  const failed = covered.find(({ error, data }) => error && !data);
  if (tokens.length === 0) return null;
  return (
    <Panel title={t('What was recorded')} flush>
      {failed?.error ? <ProblemNotice error={failed.error} retry={() => void failed.refetch()} /> : null}
      <table className="rows cards">
        <thead>
          <tr>
            <th>{t('Instrument')}</th>
            <th className="num">{t('Quotes')}</th>
            <th className="num">{t('Gaps')}</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <Recorded key={token} token={token} coverages={coveragesOf(token)} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Recorded({ token, coverages }: { token: string; coverages: readonly Coverage[] }) {
  const ranges = coverages[0]?.ranges;
  const [first, last] = [ranges?.[0], ranges?.at(-1)];
  return (
    <tr>
      <td data-label={t('Instrument')}>
        <span>
          <span className="mono" title={token}>
            {tokenName(token)}
          </span>
          <span className="dim small block">
            {first && last ? (
              <TimeSpan from={first.from} to={last.until} />
            ) : ranges ? (
              t('No quotes yet: bars of its venue are taken.')
            ) : (
              '…'
            )}
          </span>
          {coverages.map(({ series }) => series && <History key={series.interval} of={series} />)}
        </span>
      </td>
      <td data-label={t('Quotes')} className="num">
        {amount(ranges?.reduce((sum, { quotes }) => sum + quotes, 0))}
      </td>
      <td data-label={t('Gaps')} className="num">
        {amount(ranges && Math.max(0, ranges.length - 1))}
      </td>
    </tr>
  );
}

const nameOf = (interval: string): string => (interval === '1m' ? t('a minute') : interval);

const lengthOf = (spans: readonly { from: string; to: string }[]): number =>
  spans.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0);

/** Bars of the range: those stored, those a run fetches first, and those no venue offers any more. */
function History({
  of: { interval, from, to, held, gaps, importable, unavailable, seconds, coarser },
}: {
  of: Series;
}) {
  const all = Date.parse(to) - Date.parse(from);
  const clauses: ReactNode[] = [
    held.length === 0
      ? t('No bars of {interval} are here yet', { interval: nameOf(interval) })
      : t(
          '{held} of the range is here as bars of {interval}{gaps, plural, =0 {} one {, with # gap} other {, with # gaps}}',
          {
            held: share(lengthOf(held) / all),
            interval: nameOf(interval),
            gaps: gaps.length,
          },
        ),
  ];
  if (importable.length > 0)
    clauses.push(
      t('a run brings in {importable} first, in about {seconds}', {
        importable: share(lengthOf(importable) / all),
        seconds: duration(seconds * 1_000),
      }),
    );
  return (
    <span className="small block" data-history>
      <span className="dim">{clauses.join('; ')}.</span>
      {unavailable.length > 0 ? (
        <span className="warn block">
          {t('{unavailable} of it the venue does not give', {
            unavailable: share(lengthOf(unavailable) / all),
          })}
          {coarser.length > 0 ? t('; of {coarser} it still does', { coarser: coarser.join(', ') }) : ''}.
        </span>
      ) : null}
    </span>
  );
}
