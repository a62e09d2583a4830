import { z } from 'zod';
import { EQUITY_RANGES, equityHistory } from '../../engine/books/accounting/equity.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { decimalNumber, listOf, timestamp } from '../schemas.ts';

const EquityPoint = z
  .object({
    at: timestamp,
    equity: decimalNumber.meta({ description: 'USD. Cash plus positions at their marks.' }),
    cash: decimalNumber,
    realizedPnl: decimalNumber,
    unrealizedPnl: decimalNumber,
  })
  .meta({ id: 'EquityPoint' });

export const history = route({
  method: 'GET',
  path: '/api/portfolio/history',
  access: { kind: 'scope', scope: 'portfolio:read', heavy: true },
  tag: 'Portfolio',
  summary: 'Equity history',
  description:
    'Equity from the first deploy, ascending: every 5 minutes, and of a long time the last point of each of some 400 steps.',
  example: {
    query: { range: '1d' },
    response: [
      { at: EXAMPLE.createdAt, equity: 10003.4, cash: 9915.1, realizedPnl: 2.1, unrealizedPnl: 1.3 },
    ],
  },
  input: z.strictObject({ range: z.enum(EQUITY_RANGES).optional().meta({ description: '1w by default.' }) }),
  output: listOf(EquityPoint),
  resolve: ({ ctx, input: { range = '1w' } }) => equityHistory(ctx.work, range, ctx.archive),
});
