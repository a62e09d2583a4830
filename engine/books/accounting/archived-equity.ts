import { sql } from 'kysely';
import type { Mode } from '../../../db/vocabulary.ts';
import { type Archive, STATED, type StatedPart } from '../../platform/archive/archive.ts';
import {
  BLUEPRINT_EQUITY_FILE,
  type BlueprintEquityRow,
  EQUITY_FILE,
  type EquityRow,
} from '../../platform/archive/equity-file.ts';
import type { RowFormat } from '../../platform/archive/row-file.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ParquetValue } from '../../platform/parquet.ts';

type Books = Pick<Work, 'db' | 'accountId' | 'mode'>;

/** The files with points of these books themselves. */
const FILES_OF = ({ accountId, mode }: { accountId: string; mode: Mode }) => sql`
  archived_part where account_id = ${accountId} and equity_mode = ${mode} and blueprint_ids is null`;

/** Names the points of these books that are in the archive: a table of one column, `at`, the first of each file. */
export const FIRST_ARCHIVED = (books: { accountId: string; mode: Mode }) => sql`
  select first_at as at from ${FILES_OF(books)}`;

/**
 * Returns the files with points of the books in a span, or with the last one before it; oldest first. Call it in the
 * snapshot in which `equity_point` is read: each point is in one of both then.
 */
export async function statedEquity(
  { db, accountId, mode }: Books,
  since: Date | '-infinity',
  until: Date | 'infinity' = 'infinity',
): Promise<StatedPart[]> {
  const { rows } = await sql<StatedPart>`
    select ${STATED} from ${FILES_OF({ accountId, mode })} and first_at <= ${until}
      and last_at >= coalesce(greatest(
        (select max(at) from equity_point where account_id = ${accountId} and mode = ${mode} and at <= ${since}),
        (select max(at) from (${FIRST_ARCHIVED({ accountId, mode })}) f where at <= ${since})), '-infinity')
    order by first_at, number`.execute(db);
  return rows;
}

/** As {@link statedEquity}, of one blueprint and `blueprint_equity`. */
export async function statedBlueprintEquity(
  { db, accountId, mode }: Books,
  blueprintId: string,
  since: Date,
): Promise<StatedPart[]> {
  const files = sql`archived_part where account_id = ${accountId} and equity_mode = ${mode}
    and blueprint_ids @> array[${blueprintId}::uuid]`;
  // Files of one month have other blueprints too: their times say nothing about the order of the points of this one.
  const { rows } = await sql<StatedPart>`
    select ${STATED} from ${files} and last_at >= coalesce(date_trunc('month', greatest(
      (select max(at) from blueprint_equity
        where account_id = ${accountId} and mode = ${mode} and blueprint_id = ${blueprintId} and at <= ${since}),
      (select max(last_at) from ${files} and last_at <= ${since})), 'UTC'), '-infinity')
    order by first_at, number`.execute(db);
  return rows;
}

/** Returns the files with points of any blueprint of the books, oldest first. */
export async function statedBlueprints({ db, accountId, mode }: Books): Promise<StatedPart[]> {
  const { rows } = await sql<StatedPart>`
    select ${STATED} from archived_part
    where account_id = ${accountId} and equity_mode = ${mode} and blueprint_ids is not null
    order by first_at, number`.execute(db);
  return rows;
}

/**
 * Reads the points of these files, by time.
 *
 * @throws DomainError `archived_unavailable` if there are any, and the archive does not answer, has lost one or is null
 */
export const readArchivedEquity = (
  archive: Archive | null,
  parts: readonly StatedPart[],
): Promise<EquityRow[]> => readPoints(archive, parts, EQUITY_FILE);

/** As {@link readArchivedEquity}, of one blueprint, or of all. */
export const readArchivedBlueprints = (
  archive: Archive | null,
  parts: readonly StatedPart[],
  blueprintId: string | null = null,
): Promise<BlueprintEquityRow[]> =>
  readPoints(
    archive,
    parts,
    BLUEPRINT_EQUITY_FILE,
    (row) => blueprintId === null || row.blueprintId === blueprintId,
  );

async function readPoints<Row extends Readonly<Record<string, ParquetValue>> & { readonly at: bigint }>(
  archive: Archive | null,
  parts: readonly StatedPart[],
  format: RowFormat<Row>,
  isWanted: (row: Row) => boolean = () => true,
): Promise<Row[]> {
  if (parts.length === 0) return [];
  if (archive === null) throw DomainError.of('archived_unavailable');
  const files: Row[][] = [];
  for (const part of parts) files.push((await archive.rows(part, format)).filter(isWanted));
  return files.flat().sort((a, b) => Number(a.at - b.at));
}

/** Returns the point as its row was in the database, without its books. */
export function storedPointOf(row: EquityRow) {
  const { equity, cash, realizedPnl: realized_pnl, unrealizedPnl: unrealized_pnl } = row;
  return { at: isoOf(row), equity, cash, realized_pnl, unrealized_pnl };
}

/** As {@link storedPointOf}. */
export function storedBlueprintPointOf(row: BlueprintEquityRow) {
  const { blueprintId: blueprint_id, realizedPnl: realized_pnl, unrealizedPnl: unrealized_pnl, held } = row;
  return { blueprint_id, at: isoOf(row), realized_pnl, unrealized_pnl, held };
}

export const isoOf = ({ at }: { readonly at: bigint }): string => new Date(Number(at)).toISOString();
