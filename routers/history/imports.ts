import { z } from 'zod';
import { listImports } from '../../engine/history/import-queue.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { HistoryImport, viewImport } from './schemas.ts';

export const imports = route({
  method: 'GET',
  path: '/api/history/imports',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'List imports of history and their progress',
  description: 'The 50 newest of the account, newest first.',
  example: {
    response: [
      {
        id: EXAMPLE.fillId,
        tokenId: 'BTCUSDT',
        interval: '1m',
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-07-01T00:00:00.000Z',
        status: 'running',
        progress: 0.42,
        rows: 109_440,
        gaps: 0,
        differences: 0,
        failure: null,
        createdAt: EXAMPLE.updatedAt,
        endedAt: null,
      },
    ],
  },
  input: z.strictObject({}),
  output: listOf(HistoryImport),
  resolve: async ({ ctx }) => (await listImports(ctx.work)).map(viewImport),
});
