import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { readHoldings } from '../orders/read/holdings.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { bookPayout, readHolder, readPositions } from './payout.ts';
import { markOf } from './write-off-terms.ts';
import { type WriteOffRequest, type WrittenOff, writeOffAt } from './writing-off.ts';

export type { WriteOffRequest, WrittenOff } from './writing-off.ts';

/**
 * Takes what is held of an instrument off the books at a value a person states, where nobody can sell it and no venue will
 * pay for it: the venue does not know it any more, has settled it without a value, or takes nothing so small. Booked like
 * a settlement, as a movement of its own kind, with an audit row for each position.
 *
 * @throws DomainError `not_found` without such a position, `invalid_state` where it can be sold or will be paid, or an order
 *   still holds some of it, `validation_failed` for a value above what it could be worth.
 */
export async function writeOff(work: Work, request: WriteOffRequest): Promise<WrittenOff> {
  const { tokenId } = request;
  return underAccountLock(work, async (tx, now) => {
    const facts = {
      market: await readMarket(tx, tokenId),
      mark: await markOf(tx, tokenId),
      holdings: await readHoldings(tx, { tokenId, blueprintId: null, now }),
      positions: await readPositions(tx, tokenId),
      connectionId: await readHolder(tx, tokenId),
    };
    const { written, ...payout } = writeOffAt(request, facts, now);
    await bookPayout(tx, now, payout);
    return written;
  });
}
