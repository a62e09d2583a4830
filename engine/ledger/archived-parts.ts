import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { readArchivedEquity, statedEquity, storedPointOf } from '../books/accounting/archived-equity.ts';
import { type Archive, ArchiveDamaged, type StatedPart, statedParts } from '../platform/archive/archive.ts';
import { EVIDENCE_FILE } from '../platform/archive/evidence-file.ts';
import { DomainError } from '../platform/errors.ts';
import type { Difference, LedgerAccount, StoredBooks } from './rows.ts';

/** An archive that is not read. */
export const UNREAD = 'unread';
/** The archive that is read; null if there is none. */
export type ReadArchive = Archive | null | typeof UNREAD;

/**
 * Reads each archived file of an account with evidence, and compares it with the orders that refer to it; and each with points of
 * blueprints, which nothing else of the ledger states. The walk over the books compares evidence with the digests of its order, and
 * points of equity with the books. The walk over the chains proves the digests of files.
 *
 * @throws DomainError `archived_unavailable` if there are files, and the archive does not answer or is null
 */
export async function verifyArchivedParts(
  db: Db,
  accountId: string,
  archive: Archive | null,
): Promise<Difference[]> {
  const parts = (await statedParts(db, accountId)).filter(
    ({ equityMode, isOfBlueprints }) => equityMode === null || isOfBlueprints,
  );
  if (parts.length === 0) return [];
  if (archive === null) throw DomainError.of('archived_unavailable');
  const differences: Difference[] = [];
  for (const part of parts) {
    const found = await differenceOf(db, accountId, archive, part);
    if (found !== null) differences.push(fileDiffers(accountId, part, found));
  }
  return differences;
}

/** Archived points of equity, and the differences of files that are not as they were sealed: their points are missing. */
type ArchivedPoints = { readonly points: StoredBooks['equityPoints']; readonly differences: Difference[] };

/**
 * Reads the archived points of these books, in the caller's transaction: none of an archive that is not read.
 *
 * @throws DomainError `archived_unavailable` if there are files, and the archive does not answer or is null
 */
export async function readArchivedPoints(
  db: Db,
  { accountId, mode }: LedgerAccount,
  archive: ReadArchive,
): Promise<ArchivedPoints> {
  const points: StoredBooks['equityPoints'][number][] = [];
  const differences: Difference[] = [];
  if (archive === UNREAD) return { points, differences };
  for (const part of await statedEquity({ db, accountId, mode }, '-infinity')) {
    try {
      for (const row of await readArchivedEquity(archive, [part]))
        points.push({ account_id: accountId, mode, ...storedPointOf(row) });
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      differences.push(fileDiffers(accountId, part, differenceByDamage(error)));
    }
  }
  return { points, differences };
}

type Found = Pick<Difference, 'expected' | 'actual'>;

const differenceByDamage = ({ damage }: ArchiveDamaged): Found => ({
  expected: 'as it was sealed',
  actual: damage,
});

const fileDiffers = (accountId: string, { number }: StatedPart, found: Found): Difference => ({
  accountId,
  subject: 'archived_part',
  id: String(number),
  field: 'file',
  ...found,
});

async function differenceOf(
  db: Db,
  accountId: string,
  archive: Archive,
  part: StatedPart,
): Promise<Found | null> {
  try {
    if (part.isOfBlueprints) {
      await archive.file(part);
      return null;
    }
    const ids = (await archive.rows(part, EVIDENCE_FILE)).map(({ orderId }) => orderId);
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
    return differenceByDamage(error);
  }
}
