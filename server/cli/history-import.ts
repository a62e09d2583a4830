/** Imports a venue's history into the database: `npm run history:import -- …`. Can be interrupted and repeated. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isNothingThere } from '../../db/failures.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { importSeries } from '../../engine/history/import.ts';
import type { Range } from '../../engine/history/ranges.ts';
import { refuseFull } from '../../engine/history/room.ts';
import { rowsFrom } from '../../engine/history/rows.ts';
import type { SeriesKey } from '../../engine/history/series.ts';
import { intervalsOf, seriesOf } from '../../engine/history/series-of.ts';
import { type Difference, sourceNow, writeHistory } from '../../engine/history/store.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { readArchive } from '../../venues/binance/archive.ts';
import { venueOf } from '../../venues/port.ts';
import { reasonOf } from '../kernel/connection.ts';
import { LockSession } from '../kernel/rounds/lock-session.ts';
import { finishBeforeStopping } from '../kernel/stop-signal.ts';
import { readCommandLine, refuseCall } from './command-line.ts';
import { type Operation, openOperation } from './operation.ts';

const USAGE = `Usage: npm run history:import -- --token BTCUSDT --interval 1m --from 2025-01-01 --to 2026-01-01 [--again]
       npm run history:import -- --zip BTCUSDT-1m-2025-01.zip    (a file or an address, with its .CHECKSUM beside it)`;
const PROGRESS_PERIOD_MS = 1_000;
const LOCK_LEASE_MS = 30_000;
/** A month of minutes is 2 MB. */
const ARCHIVE_MAX_BYTES = 64 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 120_000;

type Asked =
  | { readonly zip: string }
  | { readonly key: SeriesKey; readonly range: Range; readonly isAgain: boolean };

/** Reads the command line; throws a readable message if it is invalid. */
function readAsked(): Asked {
  const { values } = readCommandLine(USAGE, {
    venue: { type: 'string' },
    token: { type: 'string' },
    interval: { type: 'string', default: '1m' },
    from: { type: 'string' },
    to: { type: 'string' },
    again: { type: 'boolean', default: false },
    zip: { type: 'string' },
  });
  if (values.zip !== undefined) return { zip: values.zip };
  const { token, interval, venue, from, to } = values;
  if (token === undefined || from === undefined) refuseCall(USAGE);
  const listed = venueOf(token);
  if (listed === null || (venue !== undefined && venue !== listed)) {
    throw new Error(`${token} is no instrument of ${venue ?? 'any venue'}.`);
  }
  const key = seriesOf(token, interval);
  if (key === null)
    throw new Error(`There is no ${interval} of ${token}: ${intervalsOf(listed).join(', ')}.`);
  const range = { fromMs: Date.parse(from), toMs: to === undefined ? Date.now() : Date.parse(to) };
  if (!(range.fromMs < range.toMs)) throw new Error(`From ${from} to ${to ?? 'now'} is not a time range.`);
  return { key, range, isAgain: values.again };
}

async function run(operation: Operation, asked: Asked, signal: AbortSignal): Promise<void> {
  const db = systemDb(operation.pool);
  const venue = 'zip' in asked ? 'crypto' : asked.key.venue;
  const lock = new LockSession(operation.pool, `import-${venue}`, LOCK_LEASE_MS);
  try {
    if (!(await lock.hold())) throw new Error(`Another process imports from ${venue} now. Try again later.`);
    if ('zip' in asked) await importArchive(db, asked.zip);
    else await importFromVenue(operation, db, asked, signal);
  } finally {
    await lock.close();
  }
}

async function importFromVenue(
  { config }: Operation,
  db: Db,
  { key, range, isAgain }: Extract<Asked, { key: SeriesKey }>,
  signal: AbortSignal,
): Promise<void> {
  await using market = await openMarketData({
    mode: config.marketData,
    baseUrls: config.venueUrls,
    ...config.simulator,
  });
  const source = await sourceNow(db, key.venue);
  if ((source === 'simulator') !== (config.marketData === 'simulator')) {
    throw new Error(
      `The prices of this database are from ${source}, but MARKET_DATA is ${config.marketData}.`,
    );
  }
  const startedMs = performance.now();
  let toldMs = startedMs;
  const result = await importSeries(db, market, key, range, {
    source,
    signal,
    beforeChunk: () => refuseFull(db, null, config.historyMaxBytes),
    isAgain,
    progress: ({ share, rows, chunk }) => {
      const nowMs = performance.now();
      if (nowMs - toldMs < PROGRESS_PERIOD_MS) return;
      toldMs = nowMs;
      const leftSec = Math.ceil(((nowMs - startedMs) / 1_000) * (1 / share - 1));
      const month = new Date(chunk.fromMs).toISOString().slice(0, 10);
      console.error(
        `${(100 * share).toFixed(1)} %  ${rows.toLocaleString('en')} rows, at ${month}, ${leftSec} s left`,
      );
    },
  });
  tell(result.differences);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(
    `${result.rows.toLocaleString('en')} rows of ${key.tokenId} in ${result.pages} pages and ${seconds} s, ${result.gaps} gaps.`,
  );
}

async function importArchive(db: Db, place: string): Promise<void> {
  const { symbol, resolutionMs, span, rows, unread } = readArchive(
    path.basename(new URL(place, 'file:///').pathname),
    await bytesOf(place),
    (await bytesOf(`${place}.CHECKSUM`)).toString('utf8'),
  );
  if ((await sourceNow(db, 'crypto')) === 'simulator') {
    throw new Error('The prices of this database are simulated: an archive is of real ones.');
  }
  const key: SeriesKey = { venue: 'crypto', tokenId: symbol, kind: 'candle', resolutionMs };
  const answered = { rows: rowsFrom('candle', rows), held: span, source: 'binance_zip' };
  tell(await writeHistory(db, key, answered, new Date()));
  console.log(
    `${rows.length.toLocaleString('en')} rows of ${symbol} from ${place}, ${unread} unreadable lines.`,
  );
}

function tell(differences: readonly Difference[]): void {
  for (const { chunk, keptHash, offeredHash } of differences) {
    const from = new Date(chunk.fromMs).toISOString();
    console.error(
      `From ${from} on a different history is stored: ${keptHash}, not ${offeredHash}. Nothing was changed.`,
    );
  }
  if (differences.length > 0) process.exitCode = 1;
}

/** Reads a file, or the content of a URL, up to a maximum size. */
async function bytesOf(place: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(place)) return readFile(place);
  const response = await fetch(place, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${place} answered with status ${response.status}.`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > ARCHIVE_MAX_BYTES) throw new Error(`${place} is larger than ${ARCHIVE_MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

try {
  const asked = readAsked();
  const signal = finishBeforeStopping();
  const operation = await openOperation();
  try {
    await run(operation, asked, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    console.error('Stopped. Complete parts are stored; the same command continues from there.');
    process.exitCode = 1;
  } finally {
    await operation.close();
  }
} catch (error) {
  const reason = isNothingThere(error)
    ? 'There is no database yet: start the service once.'
    : reasonOf(error);
  console.error(`Nothing more was imported: ${reason}`);
  process.exitCode = 1;
}
