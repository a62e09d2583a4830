/** Proves the ledger of an account on either side of a move. */

import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { verifyHashChains } from '../../../engine/ledger/hash-chain.ts';
import { type Difference, walkAccount } from '../../../engine/ledger/verify-ledger.ts';
import type { Archive } from '../../../engine/platform/archive/archive.ts';
import { databaseClock } from '../../../engine/platform/context.ts';
import { MoveRefused } from './checks.ts';

const PRINTED_DIFFERENCES_MAX = 5;

type Proven = {
  readonly accountId: string;
  /** The archive that both cells read; null if there is none. */
  readonly archive: Archive | null;
};

/** Proves the ledger in one view of the database. */
export const proveLedger = (db: Db, proven: Proven, where: string): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => refuseDifferences(trx, proven, where));

/** @throws MoveRefused if the books or chains of the account are not right */
export async function refuseDifferences(
  trx: Db,
  { accountId, archive }: Proven,
  where: string,
): Promise<void> {
  const { rows: books } = await sql<{ mode: Mode }>`
    select mode from trading_account where account_id = ${accountId} order by mode`.execute(trx);
  const readAt = await databaseClock(trx);
  const differences: Difference[] = [];
  for (const { mode } of books)
    for await (const part of walkAccount(trx, { accountId, mode }, readAt, undefined, archive))
      differences.push(...part.differences);
  differences.push(...(await verifyHashChains(trx, [accountId])));
  if (differences.length === 0) return;
  const some = differences.slice(0, PRINTED_DIFFERENCES_MAX).map((one) => JSON.stringify(one));
  throw new MoveRefused(
    `The ledger of the account differs ${where}, in ${differences.length} places: ${some.join('; ')}`,
  );
}
