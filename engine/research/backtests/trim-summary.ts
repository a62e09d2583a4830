import type { BacktestSummary } from '../playback/result.ts';
import type { StoredSummary } from './row.ts';

const SUMMARY_BYTES_MAX = 20_480;
/** Limit of listed trades that are open at the end; all are counted. */
const OPEN_LISTED_MAX = 20;
const VERDICTS_MAX = 40;
/** Limit of listed months, the newest: twenty years. */
const MONTHS_MAX = 240;

/** Converts a summary to its stored form: unbounded lists are cut, with the number of open trades. */
export function trimSummaryForStorage(summary: BacktestSummary): StoredSummary {
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
