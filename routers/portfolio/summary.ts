import { z } from 'zod';
import { portfolioSummary } from '../../engine/books/accounting/portfolio.ts';
import { route } from '../route.ts';
import { decimalNumber } from '../schemas.ts';

const Summary = z
  .object({
    runningBlueprints: z.number(),
    openPositions: z.number().meta({ description: 'Distinct instruments held.' }),
    pendingOrders: z.number().meta({ description: 'Intents that wait for approval.' }),
    totalPnl: decimalNumber.meta({ description: 'USD. Realized plus unrealized at marks, after fees.' }),
  })
  .meta({ id: 'PortfolioSummary' });

export const summary = route({
  method: 'GET',
  path: '/api/portfolio',
  access: { kind: 'scope', scope: 'portfolio:read' },
  tag: 'Portfolio',
  summary: 'Portfolio summary',
  description: 'Counts and profit and loss of the whole account.',
  example: { response: { runningBlueprints: 2, openPositions: 3, pendingOrders: 1, totalPnl: 12.34 } },
  input: z.strictObject({}),
  output: Summary,
  resolve: ({ ctx }) => portfolioSummary(ctx.work),
});
