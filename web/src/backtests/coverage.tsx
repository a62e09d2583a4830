import { useQueries } from '@tanstack/react-query';
import { trpc } from '../api/trpc.ts';
import { amount, shortToken } from '../format/number.ts';
import { Panel } from '../ui/panel.tsx';
import { ProblemNotice } from '../ui/problem.tsx';
import { Span } from '../ui/time.tsx';

/** What was recorded of the instruments of a drawing, before a run rests on it. */
export function CoveragePanel({ tokens }: { tokens: readonly string[] }) {
  const covered = useQueries({
    queries: tokens.map((tokenId) => trpc.history.coverage.queryOptions({ tokenId })),
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
            <Recorded key={token} token={token} ranges={covered[index]?.data?.ranges} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

type RecordedProps = {
  token: string;
  ranges: readonly { from: string; until: string; quotes: number }[] | undefined;
};

function Recorded({ token, ranges }: RecordedProps) {
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
              'nothing yet: bars of its venue are taken'
            ) : (
              '…'
            )}
          </span>
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
