import type { Work } from '../../platform/context.ts';
import { type Exact, exact } from '../../platform/decimal.ts';
import { readSellablePositions } from '../orders/read/sellable-positions.ts';
import { totalHeld } from '../orders/terms/allocate.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { holdingsToWriteOff, maxUnitValue, unsellableReason } from './plan-write-off.ts';

/** Reason why a holding is unsellable, and the maximum value of one unit, USD, a decimal string. */
export type WriteOffTerms = { reason: string; valueMax: string };

/**
 * Reads the terms of a write-off, of the whole holding or of one blueprint's. Null if nothing is held, or the holding can be
 * sold or will be paid.
 *
 * @throws DomainError `not_found` for an instrument that no account has used yet.
 */
export async function writeOffTerms(
  work: Work,
  tokenId: string,
  blueprintId: string | null = null,
): Promise<WriteOffTerms | null> {
  const market = await readMarket(work, tokenId);
  const now = await work.clock(work.db);
  const { chosen, all } = holdingsToWriteOff(
    await readSellablePositions(work, { tokenId, blueprintId: null, now }),
    blueprintId,
  );
  const reason = chosen.length > 0 ? unsellableReason(market, totalHeld(chosen), totalHeld(all)) : null;
  if (reason === null) return null;
  return { reason, valueMax: maxUnitValue(market, await readMarkPrice(work, tokenId)).toFixed() };
}

export async function readMarkPrice(work: Work, tokenId: string): Promise<Exact> {
  const quote = await work.db
    .selectFrom('quote')
    .select('mark_price')
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return exact(quote?.mark_price ?? 0);
}
