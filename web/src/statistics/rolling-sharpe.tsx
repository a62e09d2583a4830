import { pointsChangeKey } from '../charts/layers.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { factor, rollingSharpePoints, type Statistics } from '../format/research/statistics.ts';
import { t } from '../language/language.ts';
import { Panel } from '../ui/panel.tsx';

const HEIGHT = 180;

/** The Sharpe ratio of the last thirty days over time, green above zero and red below. */
export function RollingSharpePanel({ values }: { values: NonNullable<Statistics['rollingSharpe']> }) {
  const points = rollingSharpePoints(values);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const label = t('Rolling Sharpe, 30 days');
  return (
    <Panel title={label}>
      <LazyChart
        label={label}
        summary={t('It went from {from} to {to}.', { from: factor(first.value), to: factor(last.value) })}
        height={HEIGHT}
        view="rolling-sharpe"
        revision={pointsChangeKey(points)}
        panes={[1]}
        layers={[{ kind: 'baseline', name: label, points, baseline: 0, write: factor, step: 0.01 }]}
      />
    </Panel>
  );
}
