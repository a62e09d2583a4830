import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { instantOf } from '../format/backtest.ts';
import { amount, counted, share, shortToken } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Span } from '../ui/time.tsx';

type Coverage = Outputs['history']['coverage'];
type Series = NonNullable<Coverage['series']>;

/** What bars are made of where nothing was recorded: every venue has minutes. */
const INTERVAL = '1m';

type CoverageProps = {
  tokens: readonly string[];
  /** The range to be run over, as its fields have it. */
  from: string;
  to: string;
};

/** What there is of the instruments of a drawing, recorded and as history, before a run rests on it. */
export function CoveragePanel({ tokens, from, to }: CoverageProps) {
  const range = { from: instantOf(from), to: instantOf(to) };
  const { from: first, to: last } = range;
  const isRange = first !== null && last !== null && first < last;
  const covered = useQueries({
    queries: tokens.map((tokenId) =>
      trpc.history.coverage.queryOptions({
        tokenId,
        ...(isRange && { interval: INTERVAL, from: first, to: last }),
      }),
    ),
  });
  const failed = covered.find(({ error, data }) => error && !data);
  if (tokens.length === 0) return null;
  return (
    <Panel title="What was recorded" flush>
      {failed?.error ? <ProblemNotice error={failed.error} retry={() => void failed.refetch()} /> : null}
      <table className="rows cards">
        <thead>
          <tr>
            <th>Instrument</th>
            <th className="num">Quotes</th>
            <th className="num">Gaps</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token, index) => (
            <Recorded key={token} token={token} coverage={covered[index]?.data} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Recorded({ token, coverage }: { token: string; coverage: Coverage | undefined }) {
  const ranges = coverage?.ranges;
  const [first, last] = [ranges?.[0], ranges?.at(-1)];
  return (
    <tr>
      <td data-label="Instrument">
        <span>
          <span className="mono" title={token}>
            {shortToken(token)}
          </span>
          <span className="dim small block">
            {first && last ? (
              <Span from={first.from} to={last.until} />
            ) : ranges ? (
              'No quotes yet: bars of its venue are taken.'
            ) : (
              '…'
            )}
          </span>
          {coverage?.series ? <History of={coverage.series} /> : null}
        </span>
      </td>
      <td data-label="Quotes" className="num">
        {amount(ranges?.reduce((sum, { quotes }) => sum + quotes, 0))}
      </td>
      <td data-label="Gaps" className="num">
        {amount(ranges && Math.max(0, ranges.length - 1))}
      </td>
    </tr>
  );
}

const lengthOf = (spans: readonly { from: string; to: string }[]): number =>
  spans.reduce((sum, { from, to }) => sum + Date.parse(to) - Date.parse(from), 0);

/** Bars of the range: what is here, what a run brings in first, and what nobody gives any more. */
function History({
  of: { from, to, held, gaps, importable, unavailable, seconds, coarser },
}: {
  of: Series;
}) {
  const all = Date.parse(to) - Date.parse(from);
  const lines: ReactNode[] = [
    held.length === 0
      ? 'No bars of a minute are here yet'
      : `${share(lengthOf(held) / all)} of the range is here as bars of a minute${gaps.length > 0 ? `, with ${counted(gaps.length, 'gap')}` : ''}`,
  ];
  if (importable.length > 0)
    lines.push(
      `a run brings in ${share(lengthOf(importable) / all)} first, in about ${duration(seconds * 1_000)}`,
    );
  return (
    <span className="small block" data-history>
      <span className="dim">{lines.join('; ')}.</span>
      {unavailable.length > 0 ? (
        <span className="warn block">
          {share(lengthOf(unavailable) / all)} of it the venue does not give
          {coarser.length > 0 ? `; of ${coarser.join(', ')} it still does` : ''}.
        </span>
      ) : null}
    </span>
  );
}
