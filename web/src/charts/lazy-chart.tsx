import { onDemand } from '../ui/help/on-demand.tsx';
import { Skeleton } from '../ui/panel.tsx';
import type { LevelsChartProps } from './own-levels.tsx';
import type { SeriesChartProps } from './series-chart.tsx';

/** A chart whose library loads when there is something to draw. */
export const LazyChart = onDemand<SeriesChartProps>(
  async () => (await import('./series-chart.tsx')).SeriesChart,
  ({ height }) => <Skeleton height={height} />,
);

/** The height of the row of a user's own levels, below a chart. */
export const LEVELS_PX = 40;

/** The same with levels that the user sets. */
export const LazyLevelsChart = onDemand<LevelsChartProps>(
  async () => (await import('./own-levels.tsx')).LevelsChart,
  ({ height }) => <Skeleton height={height + LEVELS_PX} />,
);
