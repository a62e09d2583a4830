import { z } from 'zod';
import { invalid } from '../../engine/platform/errors.ts';
import { compareBacktests } from '../../engine/research/backtests/compare.ts';
import { EXAMPLE } from '../examples.ts';
import { STATISTICS_EXAMPLE, StatisticsView } from '../portfolio/statistics-view.ts';
import { route } from '../route.ts';
import { anyJson, decimalNumber, timestamp } from '../schemas.ts';
import { OUTLINE_EXAMPLE } from './examples.ts';
import { BacktestOutline, viewOutline, viewStatisticsOf } from './schemas.ts';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

const GraphDifferenceView = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  edgesAdded: z.array(z.string()),
  edgesRemoved: z.array(z.string()),
});

const ComparisonView = z
  .object({
    comparable: z.boolean().meta({ description: 'Whether the figures can be compared.' }),
    reasons: z.array(z.enum(['other_range', 'other_cash', 'other_data', 'other_fees', 'unfinished'])),
    runs: z.array(
      z.object({
        backtest: BacktestOutline,
        statistics: StatisticsView.nullable(),
        graph: GraphDifferenceView.meta({ description: 'Compared with the first run, by node id.' }),
      }),
    ),
    requests: z
      .array(z.object({ path: z.string(), values: z.array(anyJson) }))
      .meta({ description: 'Differences of the requests: a JSON Pointer and the value of each run.' }),
    equity: z
      .array(z.object({ at: timestamp, values: z.array(decimalNumber.nullable()) }))
      .meta({ description: 'On a common grid, in the order of the runs.' }),
  })
  .meta({ id: 'BacktestComparison' });

const NO_DIFFERENCE = { added: [], removed: [], changed: [], edgesAdded: [], edgesRemoved: [] };

export const compare = route({
  method: 'GET',
  path: '/api/backtests/compare',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'Compare backtests',
  description:
    'Two to four side by side: figures, and the differences of requests and graphs. Different ranges, cash, data or fees are listed, and make the runs incomparable.',
  alsoAnswers: [404],
  example: {
    query: { ids: `${EXAMPLE.backtestId},${EXAMPLE.backtestId}` },
    response: {
      comparable: true,
      reasons: [],
      runs: [
        { backtest: OUTLINE_EXAMPLE, statistics: STATISTICS_EXAMPLE, graph: NO_DIFFERENCE },
        {
          backtest: OUTLINE_EXAMPLE,
          statistics: STATISTICS_EXAMPLE,
          graph: { ...NO_DIFFERENCE, changed: ['floor'] },
        },
      ],
      requests: [{ path: '/fills/latencyMs', values: [2_000, 0] }],
      equity: [{ at: '2026-09-01T00:00:00.000Z', values: [10_000, 10_000] }],
    },
  },
  input: z.strictObject({
    ids: z
      .string()
      .regex(new RegExp(`^${UUID}(?:,${UUID}){1,3}$`), { error: 'takes two to four ids with commas between' })
      .toLowerCase()
      .optional()
      .meta({ description: 'Required. Two to four ids with commas between.' }),
  }),
  output: ComparisonView,
  resolve: async ({ ctx, input: { ids } }) => {
    if (ids === undefined) throw invalid([{ path: '/ids', code: 'required', message: 'is required' }]);
    const { rows, comparable, reasons, requests, graphs, grid } = await compareBacktests(
      ctx.work,
      ids.split(','),
    );
    return {
      comparable,
      reasons: [...reasons],
      runs: rows.map((row, index) => {
        const {
          added = [],
          removed = [],
          changed = [],
          edgesAdded = [],
          edgesRemoved = [],
        } = graphs[index] ?? {};
        return {
          backtest: viewOutline(row),
          statistics: row.summary && viewStatisticsOf(row, row.summary),
          graph: {
            added: [...added],
            removed: [...removed],
            changed: [...changed],
            edgesAdded: [...edgesAdded],
            edgesRemoved: [...edgesRemoved],
          },
        };
      }),
      requests: requests.map(({ path, values }) => ({ path, values: values.map((value) => value ?? null) })),
      equity: grid.map(({ atMs, equity }) => ({ at: new Date(atMs).toISOString(), values: [...equity] })),
    };
  },
});
