import { z } from 'zod';
import { exportHistory } from '../../engine/history/export.ts';
import { fileRoute } from '../file-route.ts';
import { moment, singleLineText } from '../schemas.ts';
import { requestedSeries } from './schemas.ts';

export const exportFile = fileRoute({
  path: '/api/history/export',
  access: { kind: 'scope', scope: 'market_data:read', heavy: true },
  tag: 'Market data',
  summary: 'Export the stored history of an instrument as Parquet',
  description:
    'Oldest first; instants in UTC, numbers as the venue stated them, null where it stated none. All that is stored, unless `from` or `to` is given; nothing is fetched from the venue. Over REST only.',
  file: { media: 'application/vnd.apache.parquet', name: 'history.parquet' },
  example: { query: { tokenId: 'BTCUSDT', interval: '1m' }, response: 'PAR1…PAR1' },
  input: z.strictObject({
    tokenId: singleLineText(1, 200)
      .optional()
      .meta({ description: 'Required. As in the views of markets, or a crypto symbol.' }),
    interval: singleLineText(1, 4).optional().meta({ description: 'Required: `1m`, `1h`, as in coverage.' }),
    from: moment.optional().meta({ description: 'The beginning of the range.' }),
    to: moment.optional().meta({ description: 'The end of the range, exclusive.' }),
  }),
  chunks: async ({ ctx: { work, market, historyArchive }, input: { tokenId, interval, from, to } }) => {
    const range = {
      fromMs: from === undefined ? 0 : Date.parse(from),
      toMs: to === undefined ? market.now() : Date.parse(to),
    };
    return exportHistory(work.db, historyArchive, requestedSeries(tokenId, interval), range);
  },
});
