import { z } from 'zod';
import { accountStatistics } from '../../engine/books/accounting/books-statistics.ts';
import { EQUITY_RANGES } from '../../engine/books/accounting/equity.ts';
import { route } from '../route.ts';
import { RANGE_DEFAULT, STATISTICS_EXAMPLE, StatisticsView, viewStatistics } from './statistics-view.ts';

export const statistics = route({
  method: 'GET',
  path: '/api/portfolio/statistics',
  access: { kind: 'scope', scope: 'portfolio:read', heavy: true },
  tag: 'Portfolio',
  summary: 'Read the account’s statistics',
  description:
    'Return, risk and trades over a range, by one set of definitions for live trading and simulation. Trades count where they ended.',
  example: { query: { range: '1m' }, response: STATISTICS_EXAMPLE },
  input: z.strictObject({ range: z.enum(EQUITY_RANGES).optional().meta({ description: '1m by default.' }) }),
  output: StatisticsView,
  resolve: async ({ ctx, input: { range = RANGE_DEFAULT } }) =>
    viewStatistics(await accountStatistics(ctx.work, range, ctx.archive)),
});
