import { z } from 'zod';
import { coverageOf, type SeriesCoverage } from '../../engine/history/coverage.ts';
import { recordedRanges } from '../../engine/history/quote-log.ts';
import type { Range as Stretch } from '../../engine/history/ranges.ts';
import { intervalName } from '../../engine/history/series-intervals.ts';
import { invalid } from '../../engine/platform/errors.ts';
import { route } from '../route.ts';
import { moment, singleLineText, timestamp } from '../schemas.ts';
import { requestedSeries } from './schemas.ts';

const Range = z.object({
  from: timestamp,
  until: timestamp,
  quotes: z.int(),
});

const Span = z.object({ from: timestamp, to: timestamp });

const Series = z
  .object({
    interval: z.string(),
    kind: z.enum(['candle', 'bid_ask', 'midpoint']),
    from: timestamp,
    to: timestamp,
    held: z.array(Span).meta({ description: 'Spans for which the venue was asked and has responded.' }),
    gaps: z
      .array(Span)
      .meta({ description: 'Within `held`: the venue has no data, after two requests. Never filled in.' }),
    importable: z.array(Span).meta({ description: 'Spans that the venue can still provide.' }),
    unavailable: z.array(Span).meta({ description: 'Spans that the venue no longer provides, or not yet.' }),
    requests: z.int(),
    seconds: z.int().meta({ description: 'The time that an import of all `importable` spans takes.' }),
    rows: z.int(),
    sizeBytes: z.int(),
    source: z.string().nullable().meta({ description: 'The source; several are joined with `+`.' }),
    coarser: z.array(z.string()).meta({
      description:
        'Longer intervals for which the venue still provides spans that it no longer provides for this one.',
    }),
  })
  .meta({ id: 'HistorySeriesCoverage' });

const Coverage = z
  .object({
    tokenId: z.string(),
    ranges: z.array(Range).meta({
      description:
        'Oldest first, at most the newest 500. In gaps between them, of more than 30 seconds, there is no data, and none is made up.',
    }),
    sizeBytes: z.int(),
    series: Series.nullable().meta({ description: 'Present if `interval` was requested.' }),
  })
  .meta({ id: 'HistoryCoverage' });

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 365;

export const coverage = route({
  method: 'GET',
  path: '/api/history/coverage',
  access: { kind: 'scope', scope: 'market_data:read' },
  tag: 'Market data',
  summary: 'Read the recorded data of an instrument',
  description:
    'Quotes of instruments in use are stored, for 30 days unless the operator sets another retention. An instrument that was never in use has no range. With `interval`, the stored history too, of the last year unless `from` and `to` are given.',
  example: {
    query: { tokenId: 'BTCUSDT' },
    response: {
      tokenId: 'BTCUSDT',
      ranges: [{ from: '2026-11-19T09:00:00.412Z', until: '2026-11-20T09:05:00.120Z', quotes: 43_351 }],
      sizeBytes: 498_112,
      series: null,
    },
  },
  input: z.strictObject({
    tokenId: singleLineText(1, 200)
      .optional()
      .meta({ description: 'Required. As in the views of markets, or a crypto symbol.' }),
    interval: singleLineText(1, 4).optional().meta({
      description:
        'Venue A: `1m`, `1h`, `1d`. Venue B: `1m`, `5m`, `30m`, `3h`, `12h`. Crypto: `1s` to `1d`.',
    }),
    from: moment
      .optional()
      .meta({ description: 'The beginning of the range; a year before its end by default.' }),
    to: moment.optional().meta({ description: 'The end of the range; now by default.' }),
  }),
  output: Coverage,
  resolve: async ({ ctx, input: { tokenId, interval, from, to } }) => {
    if (tokenId === undefined) {
      throw invalid([{ path: '/tokenId', code: 'required', message: 'is required' }]);
    }
    const recorded = { tokenId, ...(await recordedRanges(ctx.work.db, tokenId)) };
    if (interval === undefined) return { ...recorded, series: null };
    const key = requestedSeries(tokenId, interval);
    const nowMs = ctx.market.now();
    const toMs = to === undefined ? nowMs : Date.parse(to);
    const fromMs = from === undefined ? toMs - DEFAULT_DAYS * DAY_MS : Date.parse(from);
    const range = { fromMs, toMs };
    if (fromMs >= toMs)
      throw invalid([{ path: '/to', code: 'out_of_range', message: 'is not after `from`' }]);
    const found = await coverageOf(ctx.work.db, key, range, nowMs);
    const head = { interval: intervalName(key.resolutionMs), kind: key.kind, ...viewSpan(range) };
    return { ...recorded, series: { ...head, ...viewSeries(found) } };
  },
});

const viewSpan = ({ fromMs, toMs }: Stretch) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});

const viewSeries = ({ held, gaps, importable, unavailable, effort, ...facts }: SeriesCoverage) => ({
  held: held.map(viewSpan),
  gaps: gaps.map(viewSpan),
  importable: importable.map(viewSpan),
  unavailable: unavailable.map(viewSpan),
  ...effort,
  rows: facts.rows,
  sizeBytes: facts.sizeBytes,
  source: facts.source,
  coarser: [...facts.coarser],
});
