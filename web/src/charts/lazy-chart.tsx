import { onDemand } from '../ui/help/on-demand.tsx';
import { Skeleton } from '../ui/panel.tsx';
import type { SeriesChartProps } from './series-chart.tsx';

/** The height of the row of a user's own levels, below a chart. */
export const LEVELS_PX = 40;

/** A chart whose library loads when there is something to draw. */
export const LazyChart = onDemand<SeriesChartProps>(
  async () => (await import('./series-chart.tsx')).SeriesChart,
  ({ height, levelsOf }) => <Skeleton height={height + (levelsOf ? LEVELS_PX : 0)} />,
);
