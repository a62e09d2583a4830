import { z } from 'zod';
import { invalid } from '../../engine/errors.ts';
import { recordedRanges } from '../../engine/history/quote-log.ts';
import { route } from '../route.ts';
import { line, timestamp } from '../schemas.ts';

const Range = z.object({
  from: timestamp,
  until: timestamp,
  quotes: z.int(),
});

const Coverage = z
  .object({
    tokenId: z.string(),
    ranges: z.array(Range).meta({
      description:
        'Oldest first, at most the newest 500. Between them, more than 30 seconds, nothing was seen: nothing is made up.',
    }),
    sizeBytes: z.int(),
  })
  .meta({ id: 'HistoryCoverage' });

export const coverage = route({
  method: 'GET',
  path: '/api/history/coverage',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'What was recorded of an instrument',
  description:
    'Quotes of instruments in use are kept, 30 days unless the operator says otherwise. One that never was in use has no range.',
  example: {
    query: { tokenId: 'BTCUSDT' },
    response: {
      tokenId: 'BTCUSDT',
      ranges: [{ from: '2026-11-19T09:00:00.412Z', until: '2026-11-20T09:05:00.120Z', quotes: 43_351 }],
      sizeBytes: 498_112,
    },
  },
  input: z.strictObject({
    tokenId: line(1, 200)
      .optional()
      .meta({ description: 'Needed. As in the views of markets, or a crypto symbol.' }),
  }),
  output: Coverage,
  resolve: async ({ ctx, input: { tokenId } }) => {
    if (tokenId === undefined) {
      throw invalid([{ path: '/tokenId', code: 'required', message: 'is required' }]);
    }
    return { tokenId, ...(await recordedRanges(ctx.work.db, tokenId)) };
  },
});
