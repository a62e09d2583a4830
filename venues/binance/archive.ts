/** Binance's published archives of candles: a zip of one CSV file per month or day, and its checksum beside it. Pure. */
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import {
  type CandleRow,
  type HistoryRange,
  KLINE_INTERVALS,
  type KlineInterval,
  rowsOfPage,
} from '../history-source.ts';
import { klineRow } from './history.ts';

/** An archive does not match its name or checksum: damaged, cut, or of something else. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

export type Archive = {
  readonly symbol: string;
  readonly resolutionMs: number;
  /** The month or day that it covers. */
  readonly span: HistoryRange;
  readonly rows: readonly CandleRow[];
  /** Number of lines that are no candles. */
  readonly unread: number;
};

const NAME = /^([A-Z0-9]{5,20})-(\d{1,2}[smhd])-(\d{4})-(\d{2})(?:-(\d{2}))?\.zip$/;
/** A month of minutes unpacked is some 6 MB, a day of seconds 11. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;
/** Times are microseconds since 2025. No millisecond of this era has as many digits. */
const MICROSECONDS_FROM = 1e14;

/**
 * Returns the candles of an archive.
 *
 * @param name `BTCUSDT-1m-2025-01.zip`, which names its content
 * @param checksum content of its `.CHECKSUM` file: the SHA-256, and the name
 * @throws ArchiveError if the bytes do not match the checksum, or are no archive of candles
 */
export function readArchive(name: string, bytes: Buffer, checksum: string): Archive {
  const { symbol, resolutionMs, span } = subjectOf(name);
  const [expected = '', of = ''] = checksum.trim().split(/\s+\*?/);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (expected.toLowerCase() !== actual || (of !== '' && of !== name)) {
    throw new ArchiveError(
      `${name} does not match its checksum: ${actual} instead of ${expected || 'none'}.`,
    );
  }
  const schema = klineRow(resolutionMs);
  const lines = unpacked(name, bytes)
    .toString('latin1')
    .split('\n')
    .filter((line) => /^\d/.test(line));
  const read = lines.flatMap((line) => {
    const result = schema.safeParse(fieldsOf(line));
    return result.success ? [result.data] : [];
  });
  const { rows } = rowsOfPage(read, span);
  if (rows.length === 0) throw new ArchiveError(`${name} does not contain the candles that its name states.`);
  return { symbol, resolutionMs, span, rows, unread: lines.length - rows.length };
}

function subjectOf(name: string): Pick<Archive, 'symbol' | 'resolutionMs' | 'span'> {
  const [, symbol, interval, year, month, day] = NAME.exec(name) ?? [];
  const resolutionMs = KLINE_INTERVALS[interval as KlineInterval];
  if (symbol === undefined || resolutionMs === undefined) {
    throw new ArchiveError(`${name} is not the name of an archive, such as BTCUSDT-1m-2025-01.zip.`);
  }
  const [y, m] = [Number(year), Number(month) - 1];
  const span =
    day === undefined
      ? { fromMs: Date.UTC(y, m, 1), toMs: Date.UTC(y, m + 1, 1) }
      : { fromMs: Date.UTC(y, m, Number(day)), toMs: Date.UTC(y, m, Number(day) + 1) };
  return { symbol, resolutionMs, span };
}

/** The fields of a line in the API's format: times in milliseconds. */
function fieldsOf(line: string): unknown[] {
  const fields: unknown[] = line.trim().split(',');
  for (const column of [0, 6]) fields[column] = milliseconds(Number(fields[column]));
  fields[8] = Number(fields[8]);
  return fields;
}

const milliseconds = (time: number): number => (time >= MICROSECONDS_FROM ? Math.floor(time / 1_000) : time);

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

/** Unpacks the single file of a zip. */
function unpacked(name: string, bytes: Buffer): Buffer {
  try {
    const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    const entry = bytes.readUInt32LE(end + 16);
    const isOne = end >= 0 && bytes.readUInt32LE(end) === END_SIGNATURE && bytes.readUInt16LE(end + 10) === 1;
    if (!isOne || end + END_BYTES > bytes.length || bytes.readUInt32LE(entry) !== ENTRY_SIGNATURE) {
      throw new RangeError('not a zip of one file');
    }
    const method = bytes.readUInt16LE(entry + 10);
    const packedSize = bytes.readUInt32LE(entry + 20);
    const size = bytes.readUInt32LE(entry + 24);
    const local = bytes.readUInt32LE(entry + 42);
    if (bytes.readUInt32LE(local) !== LOCAL_SIGNATURE) throw new RangeError('no file');
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + packedSize);
    if (packed.length !== packedSize || size > UNPACKED_MAX_BYTES)
      throw new RangeError('too long or truncated');
    if (method !== STORED && method !== DEFLATED) throw new RangeError('an unsupported compression');
    const file = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: size + 1 });
    if (file.length !== size) throw new RangeError('an unexpected size');
    return file;
  } catch (cause) {
    throw new ArchiveError(`${name} cannot be unpacked.`, { cause });
  }
}
