import { z } from 'zod';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { listPositions, type PositionView as PositionRow } from '../../engine/accounting/portfolio.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf, timestamp } from '../schemas.ts';

const PositionView = z
  .object({
    tokenId: z.string(),
    venue: z.enum(VENUE_IDS),
    title: z.string(),
    amount: z.number(),
    amountClosing: z.number().meta({ description: 'Reserved by live sells.' }),
    averageCost: z.number().meta({ description: 'USD per unit, fees not included.' }),
    markPrice: z.number().nullable().meta({ description: 'USD. Best bid; null until the first quote.' }),
    unrealizedPnl: z.number().nullable(),
    realizedPnl: z.number(),
    blueprintId: z.uuid(),
    openedAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Position', description: 'What one blueprint holds of one instrument.' });

const viewPosition = (row: PositionRow): z.input<typeof PositionView> => ({
  ...row,
  amount: Number(row.amount),
  amountClosing: Number(row.amountClosing),
  averageCost: Number(row.averageCost),
  markPrice: row.markPrice === null ? null : Number(row.markPrice),
  unrealizedPnl: row.unrealizedPnl === null ? null : Number(row.unrealizedPnl),
  realizedPnl: Number(row.realizedPnl),
});

export const positions = route({
  method: 'GET',
  path: '/api/portfolio/positions',
  access: { kind: 'scope', scope: 'portfolio:read' },
  tag: 'Portfolio',
  summary: 'List positions',
  description: 'What is held, one row per instrument and blueprint.',
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
  resolve: async ({ ctx }) => (await listPositions(ctx.work)).map(viewPosition),
});
