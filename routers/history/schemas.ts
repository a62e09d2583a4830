import { z } from 'zod';
import { JOB_STATUSES } from '../../db/vocabulary.ts';
import type { Import } from '../../engine/history/import-queue.ts';
import type { SeriesKey } from '../../engine/history/series.ts';
import { intervalName, intervalsOf, seriesOf } from '../../engine/history/series-intervals.ts';
import { invalid } from '../../engine/platform/errors.ts';
import { venueOf } from '../../venues/port.ts';
import { timestamp } from '../schemas.ts';

export const HistoryImport = z
  .object({
    id: z.uuid(),
    tokenId: z.string(),
    interval: z.string(),
    from: timestamp,
    to: timestamp,
    status: z.enum(JOB_STATUSES),
    progress: z.number().meta({ description: '0 to 1.' }),
    rows: z.int().meta({ description: 'Rows that it has imported so far.' }),
    gaps: z.int().meta({ description: 'Spans for which the venue has no data, after two requests.' }),
    differences: z.int().meta({
      description: 'Stored months for which the venue now returns other data: they stay unchanged.',
    }),
    failure: z.string().nullable(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'HistoryImport' });

export const viewImport = ({ key, range, ...facts }: Import): z.input<typeof HistoryImport> => ({
  id: facts.id,
  tokenId: key.tokenId,
  interval: intervalName(key.resolutionMs),
  from: new Date(range.fromMs).toISOString(),
  to: new Date(range.toMs).toISOString(),
  status: facts.status,
  progress: facts.progress,
  rows: facts.rows,
  gaps: facts.gaps,
  differences: facts.differences,
  failure: facts.failure,
  createdAt: facts.createdAt,
  endedAt: facts.endedAt,
});

/** The requested series. @throws DomainError `validation_failed` if there is none */
export function requestedSeries(tokenId?: string, interval?: string): SeriesKey {
  if (tokenId === undefined || interval === undefined) {
    const path = tokenId === undefined ? '/tokenId' : '/interval';
    throw invalid([{ path, code: 'required', message: 'is required' }]);
  }
  const venue = venueOf(tokenId);
  if (venue === null) {
    throw invalid([
      { path: '/tokenId', code: 'invalid_format', message: 'does not have the form of any instrument' },
    ]);
  }
  const key = seriesOf(tokenId, interval);
  if (key !== null) return key;
  const message = `is none of ${intervalsOf(venue).join(', ')}`;
  throw invalid([{ path: '/interval', code: 'invalid_value', message }]);
}
