import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { MODES } from '../../../db/vocabulary.ts';
import type { Archive } from '../../platform/archive/archive.ts';
import { blueprintEquityOf, equityOf } from './equity.ts';
import { EVIDENCE, IS_EVIDENCE_DUE } from './evidence.ts';
import { DUE_BEFORE, type SealedPart, seal } from './seal.ts';

/** Returns the accounts with rows to archive. */
export async function findAccountsToArchive(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account a
    where exists (select from trade_order where account_id = a.id and ${IS_EVIDENCE_DUE})
      or exists (select from equity_point where account_id = a.id and mode = any(${MODES}::text[]) and at < ${DUE_BEFORE})
      or exists (select from blueprint_equity where account_id = a.id and at < ${DUE_BEFORE})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Moves an account's old evidence and points of equity into the archive, a file at a time (see `seal`).
 *
 * @throws Error if the archive does not answer, or returns anything else: the rows stay
 */
export async function* archiveAccount(
  db: Db,
  archive: Archive,
  accountId: string,
): AsyncGenerator<SealedPart & { readonly what: 'orders' | 'points' }> {
  for await (const part of seal(db, archive, accountId, EVIDENCE)) yield { ...part, what: 'orders' };
  for (const mode of MODES) {
    for await (const part of seal(db, archive, accountId, equityOf(mode))) yield { ...part, what: 'points' };
    for await (const part of seal(db, archive, accountId, blueprintEquityOf(mode)))
      yield { ...part, what: 'points' };
  }
}
