import { z } from 'zod';
import { requestImport } from '../../engine/history/import-queue.ts';
import { invalid } from '../../engine/platform/errors.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { moment, singleLineText } from '../schemas.ts';
import { HistoryImport, requestedSeries, viewImport } from './schemas.ts';

export const requestHistory = route({
  method: 'POST',
  path: '/api/history/import',
  access: { kind: 'scope', scope: 'blueprints:write' },
  tag: 'Market data',
  summary: 'Import history of an instrument',
  description:
    'Queues the import of whole months that touch the range; stored spans are not requested again. A runner starts it within seconds, with half of the venue’s rate limit. At most 10 imports of an account wait or run.',
  example: {
    request: { tokenId: 'BTCUSDT', interval: '1m', from: '2026-01-01T00:00:00Z', to: '2026-07-01T00:00:00Z' },
    response: {
      id: EXAMPLE.fillId,
      tokenId: 'BTCUSDT',
      interval: '1m',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-07-01T00:00:00.000Z',
      status: 'queued',
      progress: 0,
      rows: 0,
      gaps: 0,
      differences: 0,
      failure: null,
      createdAt: EXAMPLE.updatedAt,
      endedAt: null,
    },
  },
  input: z.strictObject({
    tokenId: singleLineText(1, 200).meta({ description: 'As in the views of markets, or a crypto symbol.' }),
    interval: singleLineText(1, 4).meta({
      description:
        'Venue A: `1m`, `1h`, `1d`. Venue B: `1m`, `5m`, `30m`, `3h`, `12h`. Crypto: `1s` to `1d`.',
    }),
    from: moment,
    to: moment,
  }),
  output: HistoryImport,
  resolve: async ({ ctx, input: { tokenId, interval, from, to } }) => {
    const range = { fromMs: Date.parse(from), toMs: Date.parse(to) };
    if (range.fromMs >= range.toMs) {
      throw invalid([{ path: '/to', code: 'out_of_range', message: 'is not after `from`' }]);
    }
    const now = await ctx.work.clock(ctx.work.db);
    return viewImport(await requestImport(ctx.work, requestedSeries(tokenId, interval), range, now));
  },
});
