import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { type HistoryArchive, readBody, STORED_BODY } from '../../history/archived-bodies.ts';
import { findSeries } from '../../history/store.ts';
import { readInstrumentFacts } from '../../trading/orders/terms/read-facts.ts';
import { readRecordedSignals } from '../../usecases/signals/read.ts';
import type { QuotesNeed, RunDataNeeds, SeriesNeed } from '../playback/run-data-needs.ts';
import { sha256Of } from './canonical.ts';
import type { PreparedBacktest } from './prepare.ts';
import type { StoredQuotes } from './recorded-quotes.ts';
import { type DataHashes, requestHashOf } from './request-hash.ts';

/**
 * Reads recorded quotes as stored: the run decodes them in its own thread.
 *
 * @throws DomainError `archived_unavailable` if old ones cannot be read from the archive
 * @throws the signal's reason on abort, before the next chunk
 */
export async function readQuoteChunks(
  db: Db,
  archive: HistoryArchive | null,
  { tokenId, fromMs, toMs }: QuotesNeed,
  signal?: AbortSignal,
): Promise<StoredQuotes> {
  const chunks = await db
    .selectFrom('quote_chunk')
    .select(STORED_BODY)
    .where('token_id', '=', tokenId)
    .where('until_at', '>=', new Date(fromMs).toISOString())
    .where('from_at', '<', new Date(toMs).toISOString())
    .orderBy('from_at')
    .execute();
  const bodies: Uint8Array[] = [];
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    bodies.push(new Uint8Array(await readBody(archive, 'quotes', chunk)));
  }
  return { tokenId, fromMs, toMs, bodies };
}

/** Returns hashes of all inputs of a run, without reading the data: stored rows have hashes of their own. */
export async function dataHashesOf(
  db: Db,
  accountId: string,
  prepared: PreparedBacktest,
  needs: RunDataNeeds,
): Promise<string> {
  const facts = await readInstrumentFacts(db, needs.instruments, Date.parse(prepared.request.to));
  const signals = await readRecordedSignals(db, accountId, signalsOf(prepared.request, needs));
  return requestHashOf(prepared, facts, {
    ...(await dataHashes(db, needs)),
    ...Object.fromEntries(
      signals.map(({ name, values }) => [`signal ${name}`, sha256Of(JSON.stringify(values))]),
    ),
  });
}

/** The recorded signals of a run's span. */
export const signalsOf = (
  { from, to }: Pick<PreparedBacktest['request'], 'from' | 'to'>,
  { signals }: Pick<RunDataNeeds, 'signals'>,
) => ({ names: signals, fromMs: Date.parse(from), toMs: Date.parse(to) });

async function dataHashes(db: Db, { series, quotes, minutes }: RunDataNeeds): Promise<DataHashes> {
  const hashes: Record<string, string> = {};
  for (const need of quotes) hashes[`quotes ${need.tokenId}`] = await quoteHashes(db, need);
  const beside = minutes.filter(({ key }) => hashes[`quotes ${key.tokenId}`] !== '');
  for (const need of [...series, ...beside]) {
    const { venue, tokenId, kind, resolutionMs } = need.key;
    hashes[`${venue} ${tokenId} ${kind} ${resolutionMs}`] = await chunkHashes(db, need);
  }
  return hashes;
}

async function chunkHashes(db: Db, { key, fromMs, toMs }: SeriesNeed): Promise<string> {
  const seriesId = await findSeries(db, key);
  if (seriesId === null) return '';
  const rows = await db
    .selectFrom('history_chunk')
    .select('hash')
    .where('series_id', '=', seriesId)
    .where('last_at', '>', new Date(fromMs).toISOString())
    .where('first_at', '<', new Date(toMs).toISOString())
    .orderBy('from_at')
    .execute();
  return rows.map(({ hash }) => hash).join(' ');
}

async function quoteHashes(db: Db, { tokenId, fromMs, toMs }: QuotesNeed): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select coalesce(body_digest, encode(sha256(body), 'hex')) as hash from quote_chunk
    where token_id = ${tokenId} and until_at >= ${new Date(fromMs)} and from_at < ${new Date(toMs)}
    order by from_at`.execute(db);
  return rows.map(({ hash }) => hash).join(' ');
}
