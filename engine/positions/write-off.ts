import { underAccountLock } from '../account-lock.ts';
import { bookFill } from '../accounting/book-fill.ts';
import { audit } from '../audit.ts';
import type { Work } from '../context.ts';
import { type Exact, exact, sumOf, ZERO } from '../decimal.ts';
import { DomainError } from '../errors.ts';
import { recordEvents } from '../events.ts';
import { readHoldings } from '../orders/read/holdings.ts';
import type { Market } from '../orders/row.ts';
import { totalFree, totalHeld } from '../orders/terms/allocate.ts';
import { readMarket } from '../orders/terms/read-market.ts';
import { chosenOf, markOf, stuckReason, valueMax } from './write-off-terms.ts';

/** `value` is what one unit is booked at, USD, a decimal string. */
export type WriteOffRequest = { tokenId: string; value: string; blueprintId?: string };
export type WrittenOff = { tokenId: string; amount: string; value: string; realizedPnl: string };

/**
 * Takes what is held of an instrument off the books at a value a person states, where nobody can sell it and no venue will
 * pay for it: the venue does not know it any more, has settled it without a value, or takes nothing so small. Booked like
 * a settlement, as a movement of its own kind, with an audit row for each position.
 *
 * @throws DomainError `not_found` without such a position, `invalid_state` where it can be sold or will be paid, or an order
 *   still holds some of it, `validation_failed` for a value above what it could be worth.
 */
export async function writeOff(work: Work, request: WriteOffRequest): Promise<WrittenOff> {
  const { tokenId, blueprintId = null } = request;
  return underAccountLock(work, async (tx, now) => {
    const market = await readMarket(tx, tokenId);
    const { chosen, all } = chosenOf(
      await readHoldings(tx, { tokenId, blueprintId: null, now }),
      blueprintId,
    );
    if (chosen.length === 0) throw new DomainError('not_found', `Nothing of ${tokenId} is held.`);
    const reason = reasonFor(market, totalHeld(chosen), totalHeld(all));
    if (!totalFree(chosen).eq(totalHeld(chosen))) {
      throw new DomainError('invalid_state', `An order still holds some of ${tokenId}: cancel it first.`);
    }
    const value = exact(request.value);
    refuseValue(value, valueMax(market, await markOf(tx, tokenId)));

    const realized: Exact[] = [];
    for (const { positionId } of chosen) {
      const position = await tx.db
        .selectFrom('position')
        .select(['amount', 'total_cost', 'fill_count'])
        .where('account_id', '=', tx.accountId)
        .where('id', '=', positionId)
        .executeTakeFirstOrThrow();
      const amount = exact(position.amount);
      const draw = { positionId, amount, totalCost: exact(position.total_cost), draw: amount };
      const venueTradeId = `write_off:${positionId}:${position.fill_count}`;
      const fill = {
        kind: 'write_off' as const,
        orderId: null,
        tokenId,
        venue: market.instrument.venue,
        venueTradeId,
        side: 'sell' as const,
        amount,
        price: value,
        fee: ZERO,
        at: now,
      };
      const booked = await bookFill(tx, fill, now, async () => [draw]);
      if (booked === null) throw new Error(`Position ${positionId} holds what was written off already.`);
      realized.push(booked.realizedPnl);
      await audit(tx, {
        action: 'position.written_off',
        subjectId: positionId,
        before: { tokenId, amount: amount.toFixed(), cost: draw.totalCost.toFixed() },
        after: {
          value: value.toFixed(),
          realizedPnl: booked.realizedPnl.toFixed(),
          reason,
          tradeId: venueTradeId,
        },
        at: now,
      });
    }
    await recordEvents(
      tx,
      now,
      chosen.map((holding) => ({
        type: 'position.changed' as const,
        payload: { tokenId, blueprintId: holding.blueprintId, writtenOff: value.toFixed() },
      })),
    );
    return {
      tokenId,
      amount: totalHeld(chosen).toFixed(),
      value: value.toFixed(),
      realizedPnl: sumOf(realized).toFixed(),
    };
  });
}

/** Why there is no other way out, in words for the audit trail. */
function reasonFor(market: Market, held: Exact, all: Exact): string {
  const reason = stuckReason(market, held, all);
  if (reason !== null) return reason;
  const { token_id, status } = market.instrument;
  const way = status === 'open' ? 'It can be sold: close it.' : 'It will be paid once its venue says what.';
  throw new DomainError('invalid_state', `${token_id} cannot be written off. ${way}`);
}

function refuseValue(value: Exact, most: Exact): void {
  if (value.gte(0) && value.lte(most)) return;
  const message = `The value must be from 0 to ${most.toFixed()} USD, got ${value.toFixed()}.`;
  throw new DomainError('validation_failed', message, {
    issues: [{ path: '/value', code: 'invalid_value', message }],
  });
}
