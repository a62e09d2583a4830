import { z } from 'zod';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { decimalNumber, listOf, timestamp } from '../schemas.ts';

export const PositionView = z
  .object({
    tokenId: z.string(),
    venue: z.enum(VENUE_IDS),
    title: z.string(),
    amount: decimalNumber,
    amountClosing: decimalNumber.meta({ description: 'Reserved by live sells.' }),
    averageCost: decimalNumber.meta({ description: 'USD per unit, fees not included.' }),
    markPrice: decimalNumber.nullable().meta({ description: 'USD. Best bid; null until the first quote.' }),
    unrealizedPnl: decimalNumber.nullable(),
    realizedPnl: decimalNumber,
    blueprintId: z.uuid(),
    openedAt: timestamp,
    updatedAt: timestamp,
    isDust: z.literal(true).optional().meta({
      description:
        'Live mode only: the whole holding is below the venue’s minimum sell size. It is no open position.',
    }),
  })
  .meta({ id: 'Position', description: 'One blueprint’s holding of one instrument.' });

export const positions = route({
  method: 'GET',
  path: '/api/portfolio/positions',
  access: { kind: 'scope', scope: 'portfolio:read' },
  tag: 'Portfolio',
  summary: 'List positions',
  description: 'Holdings, one row per instrument and blueprint.',
  example: {
    response: [
      {
        tokenId: 'BTCUSDT',
        venue: 'crypto',
        title: 'BTC/USDT',
        amount: 0.001,
        amountClosing: 0,
        averageCost: 86398.01,
        markPrice: 86512.4,
        unrealizedPnl: 0.11439,
        realizedPnl: -0.08639801,
        blueprintId: EXAMPLE.blueprintId,
        openedAt: EXAMPLE.createdAt,
        updatedAt: EXAMPLE.updatedAt,
      },
    ],
  },
  input: z.strictObject({}),
  output: listOf(PositionView),
  resolve: ({ ctx }) => listPositions(ctx.work),
});
