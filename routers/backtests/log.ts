import { z } from 'zod';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf, timestamp } from '../schemas.ts';
import { ResultRowsInput, resultPageOf } from './result-rows.ts';

const LogLine = z
  .object({ at: timestamp, code: z.string(), nodeId: z.string().nullable(), message: z.string() })
  .meta({ id: 'BacktestLogLine' });

export const log = route({
  method: 'GET',
  path: '/api/backtests/{id}/log',
  access: { kind: 'scope', scope: 'blueprints:read' },
  tag: 'Backtests',
  summary: 'The log of a backtest',
  description: 'Events other than orders, oldest first: refusals, gaps, settlements, errors of nodes.',
  pages: true,
  example: {
    path: { id: EXAMPLE.backtestId },
    response: [
      {
        at: '2026-09-02T10:00:00.000Z',
        code: 'denied',
        nodeId: 'buy',
        message: 'maxOrderSize: 120 of 100 USD.',
      },
    ],
  },
  input: ResultRowsInput,
  output: listOf(LogLine),
  resolve: async (call) => [...(await resultPageOf(call, 'log'))],
});
