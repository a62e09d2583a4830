import { fineShare, usd } from '../format/number.ts';
import type { Statistics } from '../format/statistics.ts';
import { duration } from '../format/time.ts';
import { Time } from '../ui/time.tsx';

/** The ten deepest falls, deepest first. */
export function DrawdownTable({ drawdowns, to }: Pick<Statistics, 'drawdowns' | 'to'>) {
  if (drawdowns.length === 0) return <p className="plain dim">It never fell below a peak.</p>;
  return (
    <table className="rows cards">
      <thead>
        <tr>
          <th className="num">Depth</th>
          <th className="num">USD</th>
          <th>Peak</th>
          <th>Deepest</th>
          <th>Peak again</th>
          <th className="num">Took</th>
        </tr>
      </thead>
      <tbody>
        {drawdowns.map(({ share: depth, usd: deep, peakAt, troughAt, recoveredAt }) => (
          <tr key={`${peakAt}${troughAt}`}>
            <td data-label="Depth" className="num">
              {fineShare(-depth)}
            </td>
            <td data-label="USD" className="num">
              {usd(-deep)}
            </td>
            <td data-label="Peak">
              <Time at={peakAt} />
            </td>
            <td data-label="Deepest">
              <Time at={troughAt} />
            </td>
            <td data-label="Peak again">
              {recoveredAt === null ? <span className="dim">not yet</span> : <Time at={recoveredAt} />}
            </td>
            <td data-label="Took" className="num">
              {duration(Date.parse(recoveredAt ?? to) - Date.parse(peakAt))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
