import { z } from 'zod';
import { EQUITY_RANGES, equityHistory } from '../../engine/accounting/equity.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf, timestamp } from '../schemas.ts';

const EquityPoint = z
  .object({
    at: timestamp,
    equity: z.number().meta({ description: 'USD. Cash plus positions at their marks.' }),
    cash: z.number(),
    realizedPnl: z.number(),
    unrealizedPnl: z.number(),
  })
  .meta({ id: 'EquityPoint' });

export const history = route({
  method: 'GET',
  path: '/api/portfolio/history',
  access: { kind: 'scope', scope: 'portfolio:read', heavy: true },
  tag: 'Portfolio',
  summary: 'Equity history',
  description: 'Equity every 5 minutes from the first deploy, ascending.',
  example: {
    query: { range: '1d' },
    response: [
      { at: EXAMPLE.createdAt, equity: 10003.4, cash: 9915.1, realizedPnl: 2.1, unrealizedPnl: 1.3 },
    ],
  },
  input: z.strictObject({ range: z.enum(EQUITY_RANGES).optional().meta({ description: '1w by default.' }) }),
  output: listOf(EquityPoint),
  resolve: async ({ ctx, input: { range = '1w' } }) =>
    (await equityHistory(ctx.work, range)).map(({ at, equity, cash, realizedPnl, unrealizedPnl }) => ({
      at,
      equity: Number(equity),
      cash: Number(cash),
      realizedPnl: Number(realizedPnl),
      unrealizedPnl: Number(unrealizedPnl),
    })),
});
