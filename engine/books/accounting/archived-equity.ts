import { sql } from 'kysely';
import type { Mode } from '../../../db/vocabulary.ts';
import { type Archive, STATED, type StatedPart } from '../../platform/archive/archive.ts';
import { EQUITY_FILE, type EquityRow } from '../../platform/archive/equity-file.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';

type Books = Pick<Work, 'db' | 'accountId' | 'mode'>;

/** Names the points of these books that are in the archive: a table of one column, `at`, the first of each file. */
export const FIRST_ARCHIVED = ({ accountId, mode }: { accountId: string; mode: Mode }) => sql`
  select first_at as at from archived_part where account_id = ${accountId} and equity_mode = ${mode}`;

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
    select ${STATED} from archived_part
    where account_id = ${accountId} and equity_mode = ${mode} and first_at <= ${until}
      and last_at >= coalesce(greatest(
        (select max(at) from equity_point where account_id = ${accountId} and mode = ${mode} and at <= ${since}),
        (select max(at) from (${FIRST_ARCHIVED({ accountId, mode })}) f where at <= ${since})), '-infinity')
    order by first_at, number`.execute(db);
  return rows;
}

/**
 * Reads the points of these files, by time.
 *
 * @throws DomainError `archived_unavailable` if there are any, and the archive does not answer, has lost one or is null
 */
export async function readArchivedEquity(
  archive: Archive | null,
  parts: readonly StatedPart[],
): Promise<EquityRow[]> {
  if (parts.length === 0) return [];
  if (archive === null) throw DomainError.of('archived_unavailable');
  const files: EquityRow[][] = [];
  for (const part of parts) files.push(await archive.rows(part, EQUITY_FILE));
  return files.flat().sort((a, b) => Number(a.at - b.at));
}

/** Returns the point as its row was in the database, without its books. */
export function storedPointOf(row: EquityRow) {
  const { equity, cash, realizedPnl: realized_pnl, unrealizedPnl: unrealized_pnl } = row;
  return { at: isoOf(row), equity, cash, realized_pnl, unrealized_pnl };
}

export const isoOf = ({ at }: EquityRow): string => new Date(Number(at)).toISOString();
