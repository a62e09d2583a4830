import { z } from 'zod';
import { backtestEquityCurve } from '../../engine/research/backtests/backtest-equity-curve.ts';
import { readBacktest } from '../../engine/research/backtests/row.ts';
import { EXAMPLE } from '../examples.ts';
import { StatisticsView } from '../portfolio/statistics-view.ts';
import { route } from '../route.ts';
import { decimalNumber, queryInteger, timestamp } from '../schemas.ts';
import { BacktestId, viewStatisticsOf } from './schemas.ts';

const POINTS_MIN = 10;
const POINTS_MAX = 2_000;

const EquityView = z
  .object({
    points: z.array(z.object({ at: timestamp, equity: decimalNumber, held: decimalNumber })).meta({
      description: 'Oldest first. For each span, the lowest and the highest point.',
    }),
    monthly: StatisticsView.shape.monthly,
    drawdowns: StatisticsView.shape.drawdowns,
  })
  .meta({ id: 'BacktestEquity' });

export const equity = route({
  method: 'GET',
  path: '/api/backtests/{id}/equity',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'The equity of a backtest',
  description: 'The curve thinned for a chart, monthly returns, and the ten deepest drawdowns.',
  example: {
    path: { id: EXAMPLE.backtestId },
    query: { points: 2_000 },
    response: {
      points: [{ at: '2026-09-01T00:00:00.000Z', equity: 10_000, held: 0 }],
      monthly: [{ month: '2026-09', value: 0.0012, isPartial: false }],
      drawdowns: [],
    },
  },
  input: BacktestId.extend({
    points: queryInteger(POINTS_MIN, POINTS_MAX)
      .optional()
      .meta({ description: 'Most points to return; 2000 by default.' }),
  }),
  output: EquityView,
  resolve: async ({ ctx, input: { id, points = POINTS_MAX } }) => {
    const row = await readBacktest(ctx.work, id);
    const curve = await backtestEquityCurve(ctx.work, id, points);
    const figures = row.summary && viewStatisticsOf(row, row.summary);
    return {
      points: curve.map(({ atMs, equity: worth, held }) => ({
        at: new Date(atMs).toISOString(),
        equity: worth,
        held,
      })),
      monthly: figures?.monthly ?? [],
      drawdowns: figures?.drawdowns ?? [],
    };
  },
});
