import type { BacktestSummary } from '../playback/result.ts';
import type { StoredSummary } from './row.ts';

const SUMMARY_BYTES_MAX = 16_384;
/** Trades open at the end that are listed; they are all counted. */
const OPEN_LISTED_MAX = 20;
const VERDICTS_MAX = 40;
/** Months listed, the newest: twenty years. */
const MONTHS_MAX = 240;

/** A summary as it is stored: what may grow without end is cut, and of what is open the count stays. */
export function storedSummary(summary: BacktestSummary): StoredSummary {
  const { statistics, verdicts } = summary;
  const { open, monthly } = statistics;
  const stored = {
    ...summary,
    verdicts: verdicts.slice(0, VERDICTS_MAX),
    statistics: { ...statistics, open: open.slice(0, OPEN_LISTED_MAX), monthly: monthly.slice(-MONTHS_MAX) },
    openCount: open.length,
  };
  if (JSON.stringify(stored).length <= SUMMARY_BYTES_MAX) return stored;
  return { ...stored, statistics: { ...stored.statistics, open: [], monthly: monthly.slice(-60) } };
}
