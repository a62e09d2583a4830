import { ROOT } from '../api/here.ts';
import type { Backtest } from '../api/rows.ts';
import { amount, shortToken } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { Curl, curl, Id } from '../ui/copy.tsx';
import { Panel } from '../ui/panel.tsx';
import { Span, Time } from '../ui/time.tsx';

const FILES = [
  ['report.html', 'Report'],
  ['trades.csv', 'Trades as CSV'],
  ['equity.csv', 'Equity as CSV'],
  ['result.json', 'All as JSON'],
] as const;

/** What was asked, over which data, and the files of it. */
export function RunFacts({ run }: { run: Backtest }) {
  const { id, coverage, requestHash, resultHash, result, request } = run;
  return (
    <>
      {coverage && coverage.length > 0 ? <Data coverage={coverage} /> : null}
      <Panel
        title="Of this run"
        actions={
          result
            ? FILES.map(([file, title]) => (
                <a
                  key={file}
                  className="chip"
                  href={`/api/backtests/${id}/${file}`}
                  download={file !== 'report.html'}
                  target={file === 'report.html' ? '_blank' : undefined}
                  rel="noreferrer"
                >
                  {title}
                </a>
              ))
            : null
        }
      >
        <div className="stack">
          <dl className="facts">
            <dt>Range</dt>
            <dd>
              <Span from={run.from} to={run.to} />, {duration(Date.parse(run.to) - Date.parse(run.from))}
            </dd>
            <dt>Asked</dt>
            <dd>
              <Time at={run.createdAt} />
            </dd>
            {result ? (
              <>
                <dt>Work</dt>
                <dd>
                  {amount(result.evaluations)} steps over {amount(result.bars)} bars, {amount(result.gaps)}{' '}
                  gaps, {amount(result.ambiguousBars)} bars with a stop and a profit inside
                </dd>
              </>
            ) : null}
            <dt>Id</dt>
            <dd>
              <Id id={id} label="backtest id" />
            </dd>
            <dt>Request</dt>
            <dd className="mono">{requestHash.slice(0, 16)}</dd>
            <dt>Result</dt>
            <dd className="mono">{resultHash?.slice(0, 16) ?? '—'}</dd>
          </dl>
          <details>
            <summary>The request, every default written out</summary>
            <pre className="mono">{JSON.stringify(request, null, 2)}</pre>
          </details>
          {ROOT === '' ? <Curl command={curl('GET', `/api/backtests/${id}`)} /> : null}
        </div>
      </Panel>
    </>
  );
}

const Data = ({ coverage }: { coverage: NonNullable<Backtest['coverage']> }) => (
  <Panel title="Over which data" flush>
    <table className="rows cards">
      <thead>
        <tr>
          <th>Instrument</th>
          <th>Kind</th>
          <th>From</th>
          <th>To</th>
          <th className="num">Rows</th>
          <th className="num">Gaps</th>
          <th>Source</th>
        </tr>
      </thead>
      <tbody>
        {coverage.map(({ tokenId, kind, resolutionSec, from, to, rows, gaps, source, hash }) => (
          <tr key={`${tokenId}${kind}${resolutionSec}`}>
            <td data-label="Instrument" className="mono" title={tokenId}>
              {shortToken(tokenId)}
            </td>
            <td data-label="Kind">
              {kind.replace('_', ' and ')}
              {resolutionSec > 0 ? `, each ${duration(resolutionSec * 1_000)}` : ''}
            </td>
            <td data-label="From">{from ? <Time at={from} /> : '—'}</td>
            <td data-label="To">{to ? <Time at={to} /> : '—'}</td>
            <td data-label="Rows" className="num">
              {amount(rows)}
            </td>
            <td data-label="Gaps" className="num">
              {amount(gaps)}
            </td>
            <td data-label="Source" title={hash}>
              {source.replace('_', ' ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
