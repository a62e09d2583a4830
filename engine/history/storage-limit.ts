import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

/** Share of all history that every account may use. The last share is reserved for accounts below theirs. */
const SHARE = 1 / 4;
const MB = 1_048_576;

/** Bytes of all history, and those counted for one account. */
export type HistoryBytes = { readonly total: number; readonly own: number };

/** History has reached its storage limit: stored rows stay, and nothing more is fetched. */
export class HistoryLimitReached extends Error {
  override readonly name = 'HistoryFull';
}

/** Says why an account may fetch nothing more; null while there is room. Pure. */
export function fullHistoryReason({ total, own }: HistoryBytes, maxBytes: number): string | null {
  const mb = (bytes: number) => Math.floor(bytes / MB);
  if (total >= maxBytes) {
    return `Stored history has reached its limit of ${mb(maxBytes)} MB (HISTORY_MAX_MB): nothing more is imported.`;
  }
  const share = maxBytes * SHARE;
  if (own < share || total < maxBytes - share) return null;
  return `History that this account imported takes ${mb(own)} MB. Beyond ${mb(share)} MB the last ${mb(share)} MB of HISTORY_MAX_MB are kept for other accounts. Ask the operator to raise it.`;
}

/** @throws HistoryFull where an account, or the service itself (null), may fetch nothing more. */
export async function requireHistoryRoom(db: Db, accountId: string | null, maxBytes: number): Promise<void> {
  if (maxBytes === Number.POSITIVE_INFINITY) return;
  const problem = fullHistoryReason(await historyBytes(db, accountId), maxBytes);
  if (problem !== null) throw new HistoryLimitReached(problem);
}

async function historyBytes(db: Db, accountId: string | null): Promise<HistoryBytes> {
  const { rows } = await sql<{ total: string; own: string }>`
    select coalesce(sum(size_bytes), 0) as total,
      coalesce(sum(size_bytes) filter (where paid_by = ${accountId}::uuid), 0) as own
    from history_chunk`.execute(db);
  return { total: Number(rows[0]?.total), own: Number(rows[0]?.own) };
}
