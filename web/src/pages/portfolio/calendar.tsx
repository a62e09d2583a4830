import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { type CalendarDay, weeksOf } from '../../format/calendar.ts';
import { signedUsd } from '../../format/number.ts';
import { msg, t } from '../../language/language.ts';
import { Panel, Skeleton } from '../../ui/panel.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import './calendar.css';

const WEEKS_MAX = 8;
const REFRESH_MS = 60_000;
const WEEKDAYS = [
  msg('Mon'),
  msg('Tue'),
  msg('Wed'),
  msg('Thu'),
  msg('Fri'),
  msg('Sat'),
  msg('Sun'),
] as const;

/** The result of each UTC day of the last weeks, from the account's first on. */
export function CalendarPanel() {
  const { data, error, refetch } = useQuery({
    ...trpc.console.days.queryOptions({}),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  });
  const { data: account } = useQuery(trpc.console.account.queryOptions({}));
  if (error && !data) {
    return (
      <Panel title={t('Daily results, UTC')}>
        <ProblemNotice error={error} retry={() => void refetch()} />
      </Panel>
    );
  }
  if (!data) return <Skeleton height={300} />;
  const today = data.days.at(-1)?.day;
  if (today === undefined) return null;
  // Today is the result that the rest of the page adds up to.
  const days = data.days.map((each) =>
    account && each.day === account.asOf.slice(0, 10) ? { ...each, pnl: account.dayPnl } : each,
  );
  const most = Math.max(...days.map(({ pnl }) => Math.abs(pnl)), 0);
  return (
    <Panel title={t('Daily results, UTC')}>
      <table className="calendar">
        <thead>
          <tr>
            <th>
              <span className="sr">{t('Week of')}</span>
            </th>
            {WEEKDAYS.map((day) => (
              <th key={t(day)}>{t(day)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(days, today, WEEKS_MAX).map((week) => (
            <tr key={week[0]?.day}>
              <th scope="row" className="dim">
                {week[0]?.day.slice(5)}
              </th>
              {week.map((each) =>
                each.isWithin ? (
                  <Day key={each.day} of={each} most={most} />
                ) : (
                  <td key={each.day} className="outside" />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** One day, tinted by the part of the largest result that it has. */
const Day = ({ of: { day, pnl }, most }: { of: CalendarDay; most: number }) => (
  <td
    title={`${day}: ${pnl === null ? t('nothing was held or traded') : signedUsd(pnl)}`}
    style={
      { '--tint': `${pnl === null || most === 0 ? 0 : (Math.abs(pnl) / most) * 40}%` } as React.CSSProperties
    }
    className={pnl === null || pnl === 0 ? undefined : pnl > 0 ? 'gain' : 'loss'}
  >
    <span className="calendar-day">{Number(day.slice(8))}</span>
    <span className="num">{pnl === null ? '' : signedUsd(pnl)}</span>
  </td>
);
