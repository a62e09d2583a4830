import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Outputs, trpc } from '../api/trpc.ts';
import { usd } from '../format/number.ts';
import { t } from '../language/language.ts';
import { ProblemNotice } from '../ui/problem.tsx';
import { Pnl } from '../ui/status.tsx';

/** The account in one row of figures that add up: the result, its parts, and the free cash. On the overview also its work. */
export function AccountFigures({ hasWork = false }: { hasWork?: boolean }) {
  const account = useQuery(trpc.console.account.queryOptions({}));
  const { data } = account;
  const limitOf = (rule: string) => data?.limits.find((limit) => limit.rule === rule);
  const slots = limitOf('maxOpenPositions');
  if (account.error && !data) {
    return <ProblemNotice error={account.error} retry={() => void account.refetch()} />;
  }
  return (
    <dl className="panel sums">
      <Sum name={t('Total P&L')}>
        <Pnl value={data?.totalPnl} />
      </Sum>
      <Sum name={t('Today, UTC')}>
        <Pnl value={data?.dayPnl} />
      </Sum>
      <Sum name={t('Realized')}>
        <Pnl value={data?.realizedPnl} />
      </Sum>
      <Sum name={t('Unrealized')}>
        <Pnl value={data?.unrealizedPnl} />
      </Sum>
      <Sum name={t('Cash')}>{usd(data?.cash)}</Sum>
      <Sum name={t('Market value')}>{usd(data?.worth)}</Sum>
      <Sum name={t('Free cash')}>{usd(limitOf('buyingPower')?.headroom)}</Sum>
      <Sum name={t('Instruments held')}>
        <Link to="/portfolio" className={data && slots && data.openPositions > slots.limit ? 'bad' : ''}>
          {data && slots ? t('{count} of {limit}', { count: data.openPositions, limit: slots.limit }) : '—'}
        </Link>
      </Sum>
      {hasWork ? <Work of={data} /> : null}
    </dl>
  );
}

type Account = Outputs['console']['account'];

/** The strategies that run, and the orders that wait for a person. */
const Work = ({ of: data }: { of: Account | undefined }) => (
  <>
    <Sum name={t('Running')}>
      <Link to="/blueprints" search={{ status: 'running' }}>
        {data?.runningBlueprints ?? '—'}
      </Link>
    </Sum>
    <Sum name={t('Awaiting approval')}>
      <Link to="/orders" className={data && data.pendingOrders > 0 ? 'warn' : ''}>
        {data?.pendingOrders ?? '—'}
      </Link>
    </Sum>
  </>
);

const Sum = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="sum">
    <dt>{name}</dt>
    <dd className="num" data-sum={name}>
      {children}
    </dd>
  </div>
);
