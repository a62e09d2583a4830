import { z } from 'zod';
import { DIMENSIONS_MAX } from '../../../engine/research/search/request.ts';
import { HEATMAP_METRICS, readHeatmap } from '../../../engine/research/sweeps/sweep-heatmap.ts';
import { exactInteger } from '../../schemas.ts';
import { SweepId, Value } from '../../sweeps/schemas.ts';
import { procedure } from '../../trpc.ts';

const AxisValueView = z.object({ first: Value, last: Value });

const Grid = z.object({
  x: z.array(AxisValueView),
  y: z.array(AxisValueView),
  cells: z.array(
    z.object({
      x: z.int(),
      y: z.int(),
      trials: z.int(),
      median: z.number(),
      best: z.number(),
      bestNumber: z.int(),
    }),
  ),
});

const dimension = exactInteger(0, DIMENSIONS_MAX - 1);

/** Two dimensions of a sweep against each other, by one figure, for a heat map. */
export const sweepGrid = procedure({ scope: 'blueprints:read' })
  .input(SweepId.extend({ x: dimension, y: dimension, metric: z.enum(HEATMAP_METRICS) }))
  .output(Grid)
  .query(async ({ ctx, input: { id, ...axes } }) => {
    const { x, y, cells } = await readHeatmap(ctx.work, id, axes);
    return { x: [...x], y: [...y], cells: [...cells] };
  });
