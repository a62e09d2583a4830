import { signedUsd } from '../format/number.ts';
import { histogramTicks } from '../format/research/histogram-ticks.ts';
import { t } from '../language/language.ts';

export type Bin = { readonly from: number; readonly to: number; readonly count: number };

const HEIGHT = 140;
/** A label this near to the left edge would be cut if it were centered. */
const AT_EDGE = 0.04;

/** How many trades had which result: losses left, wins right, each bar with its number on hover. */
export function Histogram({ bins }: { bins: readonly Bin[] }) {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [first, last] = [bins[0], bins.at(-1)];
  if (!first || !last) return <p className="plain dim">{t('No closed trades yet.')}</p>;
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  return (
    <figure
      className="plain"
      aria-label={t('{all, plural, one {# trade} other {# trades}} between {from} and {to}', {
        all,
        from: signedUsd(first.from),
        to: signedUsd(last.to),
      })}
    >
      <span className="dim small">{t('Number of trades by result, at most {most} in a bar', { most })}</span>
      <div className="histogram" style={{ height: HEIGHT }}>
        {bins.map(({ from, to, count }) => (
          <i
            key={from}
            className={to <= 0 ? 'down' : 'up'}
            style={{ height: `${(count / most) * 100}%` }}
            title={t('{from} to {to}: {count, plural, one {# trade} other {# trades}}', {
              from: signedUsd(from),
              to: signedUsd(to),
              count,
            })}
          />
        ))}
      </div>
      <div className="histogram-axis dim figures" aria-hidden>
        {histogramTicks(bins).map(({ value, share }) => (
          <span
            key={value}
            className="tick"
            style={{ left: `${share * 100}%`, ...(share < AT_EDGE && { transform: 'none' }) }}
          >
            {signedUsd(value)}
          </span>
        ))}
      </div>
      <figcaption className="dim small">{t('Result of a trade, USD')}</figcaption>
    </figure>
  );
}
