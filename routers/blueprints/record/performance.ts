import { z } from 'zod';
import { blueprintPerformance } from '../../../engine/books/accounting/performance.ts';
import { EXAMPLE } from '../../examples.ts';
import { route } from '../../route.ts';
import { decimalNumber } from '../../schemas.ts';
import { BlueprintId } from '../schemas.ts';

const Performance = z
  .object({
    realizedPnl: decimalNumber.meta({ description: 'USD, after fees.' }),
    unrealizedPnl: decimalNumber.meta({ description: 'USD, at marks.' }),
    fees: decimalNumber.meta({ description: 'USD paid.' }),
    fills: z.number().int(),
  })
  .meta({ id: 'Performance', description: 'A blueprint’s result, over all its deployments.' });

export const performance = route({
  method: 'GET',
  path: '/api/blueprints/{id}/performance',
  access: { kind: 'scope', scope: 'portfolio:read' },
  tag: 'Blueprints',
  summary: 'Read a blueprint’s performance',
  description: 'Realized and unrealized profit and loss, fees and fills over all its deployments.',
  example: {
    path: { id: EXAMPLE.blueprintId },
    response: { realizedPnl: 4.2, unrealizedPnl: -0.35, fees: 0.18, fills: 12 },
  },
  input: BlueprintId,
  output: Performance,
  resolve: ({ ctx, input }) => blueprintPerformance(ctx.work, input.id),
});
