import type { Work } from '../context.ts';
import { Decimal, type Exact, exact, ZERO } from '../decimal.ts';
import { KINDS } from '../instruments/kinds.ts';
import { readHoldings } from '../orders/read/holdings.ts';
import type { Market } from '../orders/row.ts';
import { type FreeHolding, totalHeld } from '../orders/terms/allocate.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { dustIn, endOf } from '../orders/terms/stuck.ts';

/** Why there is no other way out, in words, and the most one unit may be booked at, USD, a decimal string. */
export type WriteOffTerms = { reason: string; valueMax: string };

/**
 * What a person may know before a write-off of all that is held, or of what one blueprint holds: null where that is
 * nothing, or where it can be sold or will be paid.
 *
 * @throws DomainError `not_found` for an instrument nobody has used yet.
 */
export async function writeOffTerms(
  work: Work,
  tokenId: string,
  blueprintId: string | null = null,
): Promise<WriteOffTerms | null> {
  const market = await readMarket(work, tokenId);
  const now = await work.clock(work.db);
  const { chosen, all } = chosenOf(
    await readHoldings(work, { tokenId, blueprintId: null, now }),
    blueprintId,
  );
  const reason = chosen.length > 0 ? stuckReason(market, totalHeld(chosen), totalHeld(all)) : null;
  if (reason === null) return null;
  return { reason, valueMax: valueMax(market, await markOf(work, tokenId)).toFixed() };
}

/** What of the account's holdings is to be written off: all, or a blueprint's. */
export const chosenOf = (all: readonly FreeHolding[], blueprintId: string | null) => ({
  all,
  chosen: all.filter((holding) => blueprintId === null || holding.blueprintId === blueprintId),
});

/**
 * Why nobody can sell `held` by itself and no venue will pay for it, or null. Where all of the account's could be sold
 * together, it says so: nobody has to sell what others hold to be rid of a rest. Pure.
 */
export function stuckReason(market: Market, held: Exact, all: Exact = held): string | null {
  const { status, settlement_value } = market.instrument;
  const end = endOf(market.instrument);
  if (end !== null) return end;
  const dust = status === 'open' && settlement_value === null ? dustIn(market, held) : null;
  if (dust === null || dustIn(market, all) !== null) return dust;
  return `${dust} All ${all.toFixed()} of the account can be sold together.`;
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
