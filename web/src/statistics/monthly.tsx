import { signedFineShare } from '../format/number.ts';
import { monthRows, type Statistics } from '../format/research/statistics.ts';
import { msg, t } from '../language/language.ts';

const MONTHS = [
  msg('Jan'),
  msg('Feb'),
  msg('Mar'),
  msg('Apr'),
  msg('May'),
  msg('Jun'),
  msg('Jul'),
  msg('Aug'),
  msg('Sep'),
  msg('Oct'),
  msg('Nov'),
  msg('Dec'),
] as const;

/** The return that has the full tint. */
const FULL_TINT = 0.1;

/** The return of each UTC month, compounded to years. */
export function MonthlyTable({ monthly }: Pick<Statistics, 'monthly'>) {
  if (monthly.length === 0) return <p className="plain dim">{t('No complete day yet.')}</p>;
  return (
    <table className="rows months">
      <thead>
        <tr>
          <th>{t('Year')}</th>
          {MONTHS.map((month) => (
            <th key={t(month)} className="num">
              {t(month)}
            </th>
          ))}
          <th className="num">{t('Year')}</th>
        </tr>
      </thead>
      <tbody>
        {monthRows(monthly).map(({ year, months, total }) => (
          <tr key={year} tabIndex={0}>
            <th scope="row">{year}</th>
            {months.map((month, index) => (
              <Cell key={month?.month ?? `none ${index}`} month={month} />
            ))}
            <td className="num">
              <strong>{signedFineShare(total)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ month }: { month: Statistics['monthly'][number] | null }) {
  if (month === null) return <td className="num dim">·</td>;
  const { value, isPartial } = month;
  const tint = Math.round(Math.min(1, Math.abs(value) / FULL_TINT) * 34);
  return (
    <td
      className="num"
      title={isPartial ? t('Not the whole month') : undefined}
      style={{
        background: `color-mix(in srgb, var(${value < 0 ? '--down' : '--up'}) ${tint}%, transparent)`,
      }}
    >
      {signedFineShare(value)}
      {isPartial ? (
        <>
          <span aria-hidden>*</span>
          <span className="sr"> {t('not the whole month')}</span>
        </>
      ) : null}
    </td>
  );
}
