import { heldPositionsOf } from '../../books/accounting/positions-of.ts';
import { underAccountLock } from '../../platform/account-lock.ts';
import type { Work } from '../../platform/context.ts';
import { readSellablePositions } from '../orders/read/sellable-positions.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { bookPayout, readHoldingConnection } from './payout.ts';
import { planWriteOff, type WriteOffRequest, type WrittenOff } from './plan-write-off.ts';
import { readMarkPrice } from './write-off-terms.ts';

export type { WriteOffRequest, WrittenOff } from './plan-write-off.ts';

/**
 * Writes off an unsellable holding of an instrument at a value that a person states. Unsellable means: delisted by its
 * venue, settled without a value, or below the venue's minimum. Booked like a settlement, as a separate kind of movement, with
 * an audit row for each position.
 *
 * @throws DomainError `not_found` without such a position; `validation_failed` for a value above its maximum; `invalid_state`
 *   if it can be sold or will be paid, or an order still reserves some of it.
 */
export async function writeOff(work: Work, request: WriteOffRequest): Promise<WrittenOff> {
  const { tokenId } = request;
  return underAccountLock(work, async (tx, now) => {
    const facts = {
      market: await readMarket(tx, tokenId),
      mark: await readMarkPrice(tx, tokenId),
      holdings: await readSellablePositions(tx, { tokenId, blueprintId: null, now }),
      positions: await heldPositionsOf(tx, tokenId).execute(),
      connectionId: await readHoldingConnection(tx, tokenId),
    };
    const { written, ...payout } = planWriteOff(request, facts, now);
    await bookPayout(tx, now, payout);
    return written;
  });
}
