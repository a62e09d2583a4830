import { z } from 'zod';
import { invalid } from '../../../engine/platform/errors.ts';
import { readBacktest } from '../../../engine/research/backtests/row.ts';
import { anyJson, decimalNumber, moment, timestamp, uuid } from '../../schemas.ts';
import { procedure } from '../../trpc.ts';

const BacktestStateView = z.object({
  at: timestamp,
  /** The graph of the run. */
  visual: anyJson,
  /** The last state of each node, by its id. */
  nodes: anyJson,
  positions: z.array(z.object({ tokenId: z.string(), amount: decimalNumber })),
  openOrders: z.int(),
});

/** The state of a backtest at an instant within it: the state of each node of its graph, and its holdings. */
export const backtestStep = procedure({ scope: 'blueprints:read' })
  .input(z.strictObject({ id: uuid, at: moment }))
  .output(BacktestStateView)
  .query(async ({ ctx, input: { id, at } }) => {
    const row = await readBacktest(ctx.work, id);
    const { from, to } = row.request;
    if (Date.parse(at) <= Date.parse(from) || Date.parse(at) > Date.parse(to)) {
      throw invalid([
        { path: '/at', code: 'invalid_value', message: `must lie after ${from} and not after ${to}` },
      ]);
    }
    const { positions, nodes, ...rest } = await ctx.backtestStateAt(row, new Date(at).toISOString());
    return { ...rest, visual: row.visual, nodes, positions: [...positions] };
  });
