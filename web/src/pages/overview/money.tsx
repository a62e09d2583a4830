import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { trpc } from '../../api/trpc.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { signedUsd, usd } from '../../format/number.ts';
import { t } from '../../language/language.ts';
import { Panel, RowSkeleton } from '../../ui/panel.tsx';
import { priceWords, usePrices } from '../../ui/prices.tsx';
import { Pnl } from '../../ui/status.tsx';

const REFRESH_MS = 10_000;
const SHOWN_MAX = 8;

/** The account in numbers that add up: what it is worth, and what was made. */
export function MoneyPanel() {
  const { data } = useQuery(trpc.console.account.queryOptions({}));
  const usage = useQuery(trpc.riskRules.usage.queryOptions({}));
  const prices = usePrices();
  const free = usage.data?.lines.find(({ rule }) => rule === 'buyingPower')?.headroom ?? null;
  return (
    <Panel
      title={t('Money')}
      actions={
        prices && <span className="dim small">{t('at {source}', { source: priceWords(prices.source) })}</span>
      }
    >
      <dl className="sums">
        <Sum name={t('Cash')}>{usd(data?.cash)}</Sum>
        <Sum name={t('Positions at marks')}>{usd(data?.worth)}</Sum>
        <Sum name={t('Equity')} isTotal>
          {usd(data?.equity)}
        </Sum>
        <Sum name={t('Realized')}>
          <Pnl value={data?.realizedPnl} />
        </Sum>
        <Sum name={t('Unrealized')}>
          <Pnl value={data?.unrealizedPnl} />
        </Sum>
        <Sum name={t('Total profit and loss')} isTotal>
          <Pnl value={data?.totalPnl} />
        </Sum>
        <Sum name={t('Today, UTC')}>
          <Pnl value={data?.dayPnl} />
        </Sum>
        <Sum name={t('Buying power')}>{usd(free)}</Sum>
      </dl>
    </Panel>
  );
}

type SumProps = { name: string; isTotal?: boolean; children: ReactNode };

const Sum = ({ name, isTotal = false, children }: SumProps) => (
  <div className={isTotal ? 'sum total' : 'sum'}>
    <dt>{name}</dt>
    <dd className="num" data-sum={name}>
      {children}
    </dd>
  </div>
);

/** What each strategy made, the best first; the last line is all of them. */
export function ProfitByStrategy() {
  const performance = useQuery({
    ...trpc.console.performance.queryOptions({}),
    refetchInterval: REFRESH_MS,
  });
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const sparks = useQuery({ ...trpc.console.sparks.queryOptions({}), staleTime: 6 * REFRESH_MS });
  const names = new Map(blueprints.data?.map(({ id, name }) => [id, name]));
  const lines = new Map(sparks.data?.map(({ blueprintId, made }) => [blueprintId, made]));
  const rows = [...(performance.data ?? [])].sort((one, other) => other.totalPnl - one.totalPnl);
  if (performance.data?.length === 0) return null;
  const most = Math.max(...rows.map(({ totalPnl }) => Math.abs(totalPnl)), 0);
  const rest = rows.slice(SHOWN_MAX);
  const sum = (of: typeof rows) => of.reduce((total, { totalPnl }) => total + totalPnl, 0);
  return (
    <Panel title={t('Profit by strategy')} flush>
      {performance.data ? null : <RowSkeleton rows={3} height={22} />}
      <table className="rows by-strategy">
        <thead>
          <tr>
            <th>{t('Strategy')}</th>
            <th className="lesser">{t('Last week')}</th>
            <th className="bar">
              <span className="sr">{t('Share')}</span>
            </th>
            <th className="num">{t('Profit and loss')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_MAX).map(({ blueprintId, totalPnl }) => (
            <tr key={blueprintId}>
              <td className="clip strategy-name">
                {names.has(blueprintId) ? (
                  <Link to="/blueprints/$id" params={{ id: blueprintId }} search={{ tab: 'performance' }}>
                    {names.get(blueprintId)}
                  </Link>
                ) : (
                  <span className="dim">{t('deleted')}</span>
                )}
              </td>
              <td className="lesser">
                <Sparkline values={lines.get(blueprintId) ?? []} label={t('How it went in the last week')} />
              </td>
              <td className="bar">
                <span className="profit-bar" aria-hidden>
                  <i
                    className={totalPnl < 0 ? 'loss' : 'gain'}
                    style={{ width: `${most === 0 ? 0 : (Math.abs(totalPnl) / most) * 50}%` }}
                  />
                </span>
              </td>
              <td className="num">
                <Pnl value={totalPnl} />
              </td>
            </tr>
          ))}
          {rest.length > 0 ? (
            <tr>
              <td className="dim">{t('{rest} more', { rest: rest.length })}</td>
              <td className="lesser" />
              <td className="bar" />
              <td className="num">{signedUsd(sum(rest))}</td>
            </tr>
          ) : null}
          <tr>
            <th scope="row">{t('All')}</th>
            <td className="lesser" />
            <td className="bar" />
            <td className="num" data-all-strategies>
              <strong>
                <Pnl value={sum(rows)} />
              </strong>
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}
