import { signedFineShare } from '../format/number.ts';
import { monthRows, type Statistics } from '../format/statistics.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** A return so large has the full tint. */
const FULL_TINT = 0.1;

/** The return of each UTC month, compounded to years. */
export function MonthlyTable({ monthly }: Pick<Statistics, 'monthly'>) {
  if (monthly.length === 0) return <p className="plain dim">No day has ended yet.</p>;
  return (
    <table className="rows months">
      <thead>
        <tr>
          <th>Year</th>
          {MONTHS.map((month) => (
            <th key={month} className="num">
              {month}
            </th>
          ))}
          <th className="num">Year</th>
        </tr>
      </thead>
      <tbody>
        {monthRows(monthly).map(({ year, months, total }) => (
          <tr key={year} tabIndex={0}>
            <th scope="row">{year}</th>
            {months.map((month, index) => (
              <Cell key={MONTHS[index]} month={month} />
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
      title={isPartial ? 'Not the whole month' : undefined}
      style={{
        background: `color-mix(in srgb, var(${value < 0 ? '--down' : '--up'}) ${tint}%, transparent)`,
      }}
    >
      {signedFineShare(value)}
      {isPartial ? (
        <>
          <span aria-hidden>*</span>
          <span className="sr"> not the whole month</span>
        </>
      ) : null}
    </td>
  );
}
