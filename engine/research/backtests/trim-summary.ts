import type { BacktestSummary } from '../playback/result.ts';
import type { StoredSummary } from './row.ts';

/** As the database writes it. */
const SUMMARY_BYTES_MAX = 65_536;
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
  if (databaseBytesOf(stored) <= SUMMARY_BYTES_MAX) return stored;
  return { ...stored, statistics: { ...stored.statistics, open: [], monthly: monthly.slice(-60) } };
}

/** Returns at least the bytes of the text of a `jsonb`: it has a space after commas and colons, and zeros instead of exponents. */
const databaseBytesOf = (value: StoredSummary): number =>
  Buffer.byteLength(
    JSON.stringify(value).replaceAll(/[,:]|e[+-]([0-9]{1,3})/g, (match, zeros) =>
      zeros === undefined ? `${match} ` : '0'.repeat(Number(zeros)),
    ),
  );
