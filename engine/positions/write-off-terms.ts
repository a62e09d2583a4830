import type { Work } from '../context.ts';
import { Decimal, type Exact, exact, ZERO } from '../decimal.ts';
import { KINDS } from '../instruments/kinds.ts';
import { readHoldings } from '../orders/read/holdings.ts';
import type { Market } from '../orders/row.ts';
import { totalHeld } from '../orders/terms/allocate.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { dustIn, endOf } from '../orders/terms/stuck.ts';

/** Why there is no other way out, in words, and the most one unit may be booked at, USD, a decimal string. */
export type WriteOffTerms = { reason: string; valueMax: string };

/**
 * What a person may know before a write-off: null where nothing of the instrument is held, or where it can be sold or will
 * be paid.
 *
 * @throws DomainError `not_found` for an instrument nobody has used yet.
 */
export async function writeOffTerms(work: Work, tokenId: string): Promise<WriteOffTerms | null> {
  const market = await readMarket(work, tokenId);
  const now = await work.clock(work.db);
  const held = totalHeld(await readHoldings(work, { tokenId, blueprintId: null, now }));
  const reason = held.gt(0) ? stuckReason(market, held) : null;
  if (reason === null) return null;
  return { reason, valueMax: valueMax(market, await markOf(work, tokenId)).toFixed() };
}

/** Why nobody can sell what is held and no venue will pay for it, or null. Pure. */
export function stuckReason(market: Market, held: Exact): string | null {
  const { status, settlement_value } = market.instrument;
  const isOpen = status === 'open' && settlement_value === null;
  return endOf(market.instrument) ?? (isOpen ? dustIn(market, held) : null);
}

/** No unit is booked at more than it could pay: a bid or mark, and 1 for an outcome nobody bids for any more. Pure. */
export function valueMax({ instrument, quote }: Market, mark: Exact): Exact {
  if (endOf(instrument) === null) return quote?.bid == null ? mark : exact(quote.bid);
  return KINDS[instrument.kind].payoutMax ?? Decimal.max(mark, ZERO);
}

export async function markOf(work: Work, tokenId: string): Promise<Exact> {
  const quote = await work.db
    .selectFrom('quote')
    .select('mark_price')
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return exact(quote?.mark_price ?? 0);
}
