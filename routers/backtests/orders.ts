import { z } from 'zod';
import { SIDES } from '../../db/vocabulary.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { anyJson, decimalNumber, listOf, timestamp } from '../schemas.ts';
import { ResultRowsInput, resultPageOf } from './result-rows.ts';

const BacktestOrder = z
  .object({
    id: z.string(),
    at: timestamp,
    nodeId: z.string(),
    tokenId: z.string(),
    side: z.enum(SIDES),
    type: z.enum(['limit', 'market']),
    amount: decimalNumber,
    limitPrice: decimalNumber.nullable(),
    status: z.string(),
    statusReason: z.string().nullable(),
    filledAmount: decimalNumber,
    averagePrice: decimalNumber.nullable(),
    reason: z.string(),
    receipt: anyJson.meta({ description: 'The measured values and verdict of each risk rule.' }),
  })
  .meta({ id: 'BacktestOrder' });

export const orders = route({
  method: 'GET',
  path: '/api/backtests/{id}/orders',
  access: { kind: 'scope', scope: 'blueprints:read', heavy: true },
  tag: 'Backtests',
  summary: 'The orders of a backtest',
  description: 'All order intents, refused ones too, oldest first, each with its receipt.',
  pages: true,
  example: {
    path: { id: EXAMPLE.backtestId },
    response: [
      {
        id: EXAMPLE.orderId,
        at: '2026-09-02T10:00:00.000Z',
        nodeId: 'buy',
        tokenId: 'BTCUSDT',
        side: 'buy',
        type: 'market',
        amount: 0.001,
        limitPrice: 60_400,
        status: 'filled',
        statusReason: null,
        filledAmount: 0.001,
        averagePrice: 60_100,
        reason: 'The condition became true.',
        receipt: null,
      },
    ],
  },
  input: ResultRowsInput,
  output: listOf(BacktestOrder),
  resolve: async (call) => [...(await resultPageOf(call, 'order'))],
});
