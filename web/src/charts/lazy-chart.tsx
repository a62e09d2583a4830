import { onDemand } from '../ui/help/on-demand.tsx';
import { Skeleton } from '../ui/panel.tsx';
import type { SeriesChartProps } from './series-chart.tsx';

/** A chart whose library loads when there is something to draw. */
export const LazyChart = onDemand<SeriesChartProps>(
  async () => (await import('./series-chart.tsx')).SeriesChart,
  ({ height }) => <Skeleton height={height} />,
);
