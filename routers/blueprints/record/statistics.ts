import { z } from 'zod';
import { blueprintStatistics } from '../../../engine/books/accounting/books-statistics.ts';
import { EQUITY_RANGES } from '../../../engine/books/accounting/equity.ts';
import { EXAMPLE } from '../../examples.ts';
import {
  RANGE_DEFAULT,
  STATISTICS_EXAMPLE,
  StatisticsView,
  viewStatistics,
} from '../../portfolio/statistics-view.ts';
import { route } from '../../route.ts';
import { BlueprintId } from '../schemas.ts';

export const statistics = route({
  method: 'GET',
  path: '/api/blueprints/{id}/statistics',
  access: { kind: 'scope', scope: 'portfolio:read', heavy: true },
  tag: 'Blueprints',
  summary: 'Read a blueprint’s statistics',
  description:
    'Return, risk and trades over a range, over all its deployments. A blueprint has no money of its own: its returns are relative to the account’s equity at the beginning of the range.',
  example: { path: { id: EXAMPLE.blueprintId }, query: { range: '1m' }, response: STATISTICS_EXAMPLE },
  input: BlueprintId.extend({
    range: z.enum(EQUITY_RANGES).optional().meta({ description: '1m by default.' }),
  }),
  output: StatisticsView,
  resolve: async ({ ctx, input: { id, range = RANGE_DEFAULT } }) =>
    viewStatistics(await blueprintStatistics(ctx.work, id, range, ctx.archive)),
});
