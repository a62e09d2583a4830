import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { type Archive, ArchiveDamaged, type StatedPart, statedParts } from '../platform/archive/archive.ts';
import { DomainError } from '../platform/errors.ts';
import type { Difference } from './rows.ts';

/** An archive that is not read. */
export const UNREAD = 'unread';
/** The archive that is read; null if there is none. */
export type ReadArchive = Archive | null | typeof UNREAD;

/**
 * Reads each archived file of an account, and compares it with the orders that refer to it. The walk over the books compares
 * evidence with the digests of its order. The walk over the chains proves the digests of files.
 *
 * @throws DomainError `archived_unavailable` if there are files, and the archive does not answer or is null
 */
export async function verifyArchivedParts(
  db: Db,
  accountId: string,
  archive: Archive | null,
): Promise<Difference[]> {
  const parts = await statedParts(db, accountId);
  if (parts.length === 0) return [];
  if (archive === null) throw DomainError.of('archived_unavailable');
  const differences: Difference[] = [];
  for (const part of parts) {
    const found = await differenceOf(db, accountId, archive, part);
    if (found !== null)
      differences.push({
        accountId,
        subject: 'archived_part',
        id: String(part.number),
        field: 'file',
        ...found,
      });
  }
  return differences;
}

async function differenceOf(
  db: Db,
  accountId: string,
  archive: Archive,
  part: StatedPart,
): Promise<Pick<Difference, 'expected' | 'actual'> | null> {
  try {
    const ids = [...(await archive.part(part)).keys()];
    const referring = await db
      .selectFrom('trade_order')
      .select((query) => query.fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .where('archived_part', '=', part.number)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .executeTakeFirstOrThrow();
    if (Number(referring.count) === ids.length && ids.length === part.orders) return null;
    return {
      expected: `${part.orders} orders that refer to it`,
      actual: `${referring.count} of its ${ids.length} orders do`,
    };
  } catch (error) {
    if (!(error instanceof ArchiveDamaged)) throw error;
    return { expected: 'as it was sealed', actual: error.damage };
  }
}
