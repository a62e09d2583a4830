/** Imports a venue's history into the database: `npm run history:import -- …`. Can be interrupted and repeated. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { asyncBufferFromFile } from 'hyparquet';
import { isNotInitialized } from '../../db/database-errors.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { importSeries } from '../../engine/history/import.ts';
import { importParquet } from '../../engine/history/parquet-import.ts';
import type { Range } from '../../engine/history/ranges.ts';
import { rowsFrom } from '../../engine/history/rows.ts';
import type { SeriesKey } from '../../engine/history/series.ts';
import { intervalsOf, seriesOf } from '../../engine/history/series-intervals.ts';
import { requireHistoryRoom } from '../../engine/history/storage-limit.ts';
import { currentHistorySource, type Difference, writeHistory } from '../../engine/history/store.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { readArchive } from '../../venues/binance/archive.ts';
import { type Venue, venueOf } from '../../venues/port.ts';
import { reasonOf } from '../kernel/connect-database.ts';
import { LockSession } from '../kernel/rounds/lock-session.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { type CommandResources, openCommandResources } from './command-resources.ts';

const USAGE = `Usage: npm run history:import -- --token BTCUSDT --interval 1m --from 2025-01-01 --to 2026-01-01 [--again]
       npm run history:import -- --zip BTCUSDT-1m-2025-01.zip    (a file or an address, with its .CHECKSUM beside it)
       npm run history:import -- --parquet BTCUSDT.parquet --token BTCUSDT --interval 1m    (with the columns of an export)`;
const PROGRESS_PERIOD_MS = 1_000;
const LOCK_LEASE_MS = 30_000;
/** A month of minutes is 2 MB. */
const ARCHIVE_MAX_BYTES = 64 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 120_000;

type ImportRequest =
  | { readonly zip: string }
  | { readonly parquet: string; readonly key: SeriesKey }
  | { readonly key: SeriesKey; readonly range: Range; readonly isAgain: boolean };

/** Reads the command line; throws a readable message if it is invalid. */
function readRequest(): ImportRequest {
  const { values } = readCommandLine(USAGE, {
    venue: { type: 'string' },
    token: { type: 'string' },
    interval: { type: 'string', default: '1m' },
    from: { type: 'string' },
    to: { type: 'string' },
    again: { type: 'boolean', default: false },
    zip: { type: 'string' },
    parquet: { type: 'string' },
  });
  if (values.zip !== undefined) return { zip: values.zip };
  const { token, interval, venue, from, to, parquet } = values;
  if (token === undefined) refuseCall(USAGE);
  const key = keyOf(token, interval, venue);
  if (parquet !== undefined) return { parquet, key };
  if (from === undefined) refuseCall(USAGE);
  const range = { fromMs: Date.parse(from), toMs: to === undefined ? Date.now() : Date.parse(to) };
  if (!(range.fromMs < range.toMs)) throw new Error(`From ${from} to ${to ?? 'now'} is not a time range.`);
  return { key, range, isAgain: values.again };
}

function keyOf(token: string, interval: string, venue: string | undefined): SeriesKey {
  const listed = venueOf(token);
  if (listed === null || (venue !== undefined && venue !== listed)) {
    throw new Error(`${token} is no instrument of ${venue ?? 'any venue'}.`);
  }
  const key = seriesOf(token, interval);
  if (key === null)
    throw new Error(`There is no ${interval} of ${token}: ${intervalsOf(listed).join(', ')}.`);
  return key;
}

async function run(operation: CommandResources, request: ImportRequest, signal: AbortSignal): Promise<void> {
  const db = systemDb(operation.pool);
  const venue = 'zip' in request ? 'crypto' : request.key.venue;
  const lock = new LockSession(operation.pool, `import-${venue}`, LOCK_LEASE_MS);
  try {
    if (!(await lock.hold())) throw new Error(`Another process imports from ${venue} now. Try again later.`);
    if ('zip' in request) await importArchive(operation, db, request.zip);
    else if ('parquet' in request) await importFile(operation, db, request);
    else await importFromVenue(operation, db, request, signal);
  } finally {
    await lock.close();
  }
}

async function importFromVenue(
  { config, historyArchive }: CommandResources,
  db: Db,
  { key, range, isAgain }: Extract<ImportRequest, { range: Range }>,
  signal: AbortSignal,
): Promise<void> {
  await using market = await openMarketData({
    mode: config.marketData,
    baseUrls: config.venueUrls,
    ...config.simulator,
  });
  const source = await currentHistorySource(db, key.venue);
  if ((source === 'simulator') !== (config.marketData === 'simulator')) {
    throw new Error(
      `The prices of this database are from ${source}, but MARKET_DATA is ${config.marketData}.`,
    );
  }
  const startedMs = performance.now();
  let reportedMs = startedMs;
  const result = await importSeries(db, market, key, range, {
    source,
    signal,
    beforeChunk: () => requireHistoryRoom(db, null, config.historyMaxBytes),
    isAgain,
    archive: historyArchive,
    progress: ({ share, rows, chunk }) => {
      const nowMs = performance.now();
      if (nowMs - reportedMs < PROGRESS_PERIOD_MS) return;
      reportedMs = nowMs;
      const leftSec = Math.ceil(((nowMs - startedMs) / 1_000) * (1 / share - 1));
      const month = new Date(chunk.fromMs).toISOString().slice(0, 10);
      console.error(
        `${(100 * share).toFixed(1)} %  ${rows.toLocaleString('en')} rows, at ${month}, ${leftSec} s left`,
      );
    },
  });
  printDifferences(result.differences);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(
    `${result.rows.toLocaleString('en')} rows of ${key.tokenId} in ${result.pages} pages and ${seconds} s, ${result.gaps} gaps.`,
  );
}

async function importArchive(
  { historyArchive: archive }: CommandResources,
  db: Db,
  source: string,
): Promise<void> {
  const { symbol, resolutionMs, span, rows, unread } = readArchive(
    path.basename(new URL(source, 'file:///').pathname),
    await bytesOf(source),
    (await bytesOf(`${source}.CHECKSUM`)).toString('utf8'),
  );
  await requireRealPrices(db, 'crypto');
  const key: SeriesKey = { venue: 'crypto', tokenId: symbol, kind: 'candle', resolutionMs };
  const answered = { rows: rowsFrom('candle', rows), held: span, source: 'binance_zip' };
  printDifferences(await writeHistory(db, key, answered, new Date(), { archive }));
  console.log(
    `${rows.length.toLocaleString('en')} rows of ${symbol} from ${source}, ${unread} unreadable lines.`,
  );
}

/** Rows of a file are never mixed with simulated ones. */
async function requireRealPrices(db: Db, venue: Venue): Promise<void> {
  if ((await currentHistorySource(db, venue)) === 'simulator') {
    throw new Error('The prices of this database are simulated: a file has real ones.');
  }
}

async function importFile(
  { config }: CommandResources,
  db: Db,
  { parquet, key }: Extract<ImportRequest, { parquet: string }>,
): Promise<void> {
  await requireRealPrices(db, key.venue);
  const { rows, stored } = await importParquet(db, key, await asyncBufferFromFile(parquet), new Date(), () =>
    requireHistoryRoom(db, null, config.historyMaxBytes),
  );
  const kept = rows === stored ? '' : `, ${(rows - stored).toLocaleString('en')} were stored before and stay`;
  console.log(`${stored.toLocaleString('en')} rows of ${key.tokenId} from ${parquet}${kept}.`);
}

function printDifferences(differences: readonly Difference[]): void {
  for (const { chunk, storedHash, offeredHash } of differences) {
    const from = new Date(chunk.fromMs).toISOString();
    console.error(
      `From ${from} on a different history is stored: ${storedHash}, not ${offeredHash}. Nothing was changed.`,
    );
  }
  if (differences.length > 0) process.exitCode = 1;
}

/** Reads a file, or the content of a URL, up to a maximum size. */
async function bytesOf(source: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(source)) return readFile(source);
  const response = await fetch(source, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${source} answered with status ${response.status}.`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ARCHIVE_MAX_BYTES) throw new Error(`${source} is larger than ${ARCHIVE_MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

try {
  const request = readRequest();
  const signal = finishBeforeStopping();
  const operation = await openCommandResources();
  try {
    await run(operation, request, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Stopped. Complete parts are stored; the same command continues from there.');
    process.exitCode = 1;
  } finally {
    await operation.close();
  }
} catch (error) {
  const reason = isNotInitialized(error)
    ? 'There is no database yet: start the service once.'
    : reasonOf(error);
  console.error(`Nothing more was imported: ${reason}`);
  process.exitCode = 1;
}
