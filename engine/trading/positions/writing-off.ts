import type { PositionRow } from '../../books/accounting/booking.ts';
import { Decimal, type Exact, exact, sumOf, ZERO } from '../../platform/decimal.ts';
import { DomainError } from '../../platform/errors.ts';
import { KINDS } from '../../platform/instruments/kinds.ts';
import type { Market } from '../orders/row.ts';
import { type FreeHolding, totalFree, totalHeld } from '../orders/terms/allocate.ts';
import { dustIn, endOf } from '../orders/terms/stuck.ts';
import { type Payout, wholeOf } from './settlement.ts';

/** `value` is what one unit is booked at, USD, a decimal string. */
export type WriteOffRequest = { tokenId: string; value: string; blueprintId?: string };
export type WrittenOff = { tokenId: string; amount: string; value: string; realizedPnl: string };

/** What a write-off is judged by, all of one moment. `mark` is of the instrument; what is held, oldest first. */
export type WriteOffFacts = {
  readonly market: Market;
  readonly mark: Exact;
  readonly holdings: readonly FreeHolding[];
  readonly positions: readonly PositionRow[];
  /** The venue account that holds them; absent on paper. */
  readonly connectionId?: string | null;
};

/**
 * Takes what is held of an instrument off the books at a value a person states, where nobody can sell it and no venue will
 * pay for it. Pure.
 *
 * @throws DomainError `not_found` without such a position, `invalid_state` where it can be sold or will be paid, or an order
 *   still holds some of it, `validation_failed` for a value above what it could be worth.
 */
export function writeOffAt(
  { tokenId, value: stated, blueprintId }: WriteOffRequest,
  { market, mark, holdings, positions, connectionId = null }: WriteOffFacts,
  now: Date,
): Payout & { readonly written: WrittenOff } {
  const { chosen, all } = chosenOf(holdings, blueprintId ?? null);
  if (chosen.length === 0) throw new DomainError('not_found', `Nothing of ${tokenId} is held.`);
  const reason = reasonFor(market, totalHeld(chosen), totalHeld(all));
  if (!totalFree(chosen).eq(totalHeld(chosen))) {
    throw new DomainError('invalid_state', `An order still holds some of ${tokenId}: cancel it first.`);
  }
  const value = exact(stated);
  refuseValue(value, valueMax(market, mark));

  const ids = new Set(chosen.map(({ positionId }) => positionId));
  const held = positions.filter(({ id }) => ids.has(id));
  const { venue } = market.instrument;
  const fills = held.map((position) =>
    wholeOf(position, { kind: 'write_off', venue, price: value, connectionId, now }),
  );
  return {
    fills,
    audits: fills.map(({ fill, draws: [draw], realizedPnl }) => ({
      action: 'position.written_off',
      subjectId: draw.positionId,
      before: { tokenId, amount: fill.amount.toFixed(), cost: draw.totalCost.toFixed() },
      after: {
        value: value.toFixed(),
        realizedPnl: realizedPnl.toFixed(),
        reason,
        tradeId: fill.venueTradeId,
      },
      at: now,
    })),
    events: held.map(({ blueprint_id }) => ({
      type: 'position.changed' as const,
      payload: { tokenId, blueprintId: blueprint_id, writtenOff: value.toFixed() },
    })),
    written: {
      tokenId,
      amount: totalHeld(chosen).toFixed(),
      value: value.toFixed(),
      realizedPnl: sumOf(fills.map(({ realizedPnl }) => realizedPnl)).toFixed(),
    },
  };
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
