import { MODE_PREFIX } from '../api/page-mode.ts';
import type { Backtest } from '../api/row-types.ts';
import { amount } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { tokenName } from '../format/token-name.ts';
import { msg, t } from '../language/language.ts';
import { Curl, curl, Id } from '../ui/copy.tsx';
import { Panel } from '../ui/panel.tsx';
import { Time, TimeSpan } from '../ui/time.tsx';

const FILES = [
  ['report.html', msg('Report')],
  ['trades.csv', msg('Trades as CSV')],
  ['equity.csv', msg('Equity as CSV')],
  ['result.json', msg('All as JSON')],
] as const;

/** The files of a run that has a result. */
export const RunFiles = ({ id }: { id: string }) => (
  <p className="row tight plain">
    {FILES.map(([file, title]) => (
      <a
        key={file}
        className="chip"
        href={`/api/backtests/${id}/${file}`}
        download={file !== 'report.html'}
        target={file === 'report.html' ? '_blank' : undefined}
        rel="noreferrer"
      >
        {t(title)}
      </a>
    ))}
  </p>
);

/** The request of a run and its data. */
export function RunDetails({ run }: { run: Backtest }) {
  const { id, coverage, requestHash, resultHash, result, request } = run;
  return (
    <>
      {coverage && coverage.length > 0 ? <Data coverage={coverage} /> : null}
      <Panel title={t('Run details')}>
        <div className="stack">
          <dl className="facts">
            <dt>{t('Range')}</dt>
            <dd>
              <TimeSpan from={run.from} to={run.to} />, {duration(Date.parse(run.to) - Date.parse(run.from))}
            </dd>
            <dt>{t('Requested')}</dt>
            <dd>
              <Time at={run.createdAt} />
            </dd>
            {result ? (
              <>
                <dt>{t('Work')}</dt>
                <dd>
                  {t(
                    '{evaluations} evaluations over {bars} bars, {gaps} gaps, {ambiguousBars} bars with stop and take profit inside',
                    {
                      evaluations: amount(result.evaluations),
                      bars: amount(result.bars),
                      gaps: amount(result.gaps),
                      ambiguousBars: amount(result.ambiguousBars),
                    },
                  )}
                </dd>
              </>
            ) : null}
            <dt>{t('ID')}</dt>
            <dd>
              <Id id={id} label={t('backtest ID')} />
            </dd>
            <dt>{t('Request')}</dt>
            <dd className="mono">{requestHash.slice(0, 16)}</dd>
            <dt>{t('Result')}</dt>
            <dd className="mono">{resultHash?.slice(0, 16) ?? '—'}</dd>
          </dl>
          <details>
            <summary>{t('The request, every default written out')}</summary>
            <pre className="mono">{JSON.stringify(request, null, 2)}</pre>
          </details>
          {MODE_PREFIX === '' ? <Curl command={curl('GET', `/api/backtests/${id}`)} /> : null}
        </div>
      </Panel>
    </>
  );
}

const Data = ({ coverage }: { coverage: NonNullable<Backtest['coverage']> }) => (
  <Panel title={t('Data sources')} flush>
    <table className="rows cards">
      <thead>
        <tr>
          <th>{t('Instrument')}</th>
          <th>{t('Kind')}</th>
          <th>{t('From')}</th>
          <th>{t('To')}</th>
          <th className="num">{t('Rows')}</th>
          <th className="num">{t('Gaps')}</th>
          <th>{t('Source')}</th>
        </tr>
      </thead>
      <tbody>
        {coverage.map(({ tokenId, kind, resolutionSec, from, to, rows, gaps, source, hash }) => (
          <tr key={`${tokenId}${kind}${resolutionSec}`}>
            <td data-label={t('Instrument')} className="mono" title={tokenId}>
              {tokenName(tokenId)}
            </td>
            <td data-label={t('Kind')}>
              {kind.replace('_', ' and ')}
              {resolutionSec > 0
                ? t(', each {resolutionSec}', { resolutionSec: duration(resolutionSec * 1_000) })
                : ''}
            </td>
            <td data-label={t('From')}>{from ? <Time at={from} /> : '—'}</td>
            <td data-label={t('To')}>{to ? <Time at={to} /> : '—'}</td>
            <td data-label={t('Rows')} className="num">
              {amount(rows)}
            </td>
            <td data-label={t('Gaps')} className="num">
              {amount(gaps)}
            </td>
            <td data-label={t('Source')} title={hash}>
              {source.replace('_', ' ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);
