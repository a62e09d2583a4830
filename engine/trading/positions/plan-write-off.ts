import type { PositionRow } from '../../books/accounting/booking.ts';
import { Exact, exact, sumOf, ZERO } from '../../platform/decimal.ts';
import { DomainError } from '../../platform/errors.ts';
import { KIND_RULES } from '../../platform/instruments/kinds.ts';
import type { Market } from '../orders/row.ts';
import { type FreeHolding, totalFree, totalHeld } from '../orders/terms/allocate.ts';
import { dustReason, marketEndReason } from '../orders/terms/unsellable.ts';
import { type Payout, wholePositionFill } from './plan-settlement.ts';

/** Request for a write-off. `value` is the value of one unit, USD, a decimal string. */
export type WriteOffRequest = { tokenId: string; value: string; blueprintId?: string };
export type WrittenOff = { tokenId: string; amount: string; value: string; realizedPnl: string };

/** Inputs of a write-off, all of one moment. `mark` is the instrument's mark price; holdings are sorted oldest first. */
export type WriteOffFacts = {
  readonly market: Market;
  readonly mark: Exact;
  readonly holdings: readonly FreeHolding[];
  readonly positions: readonly PositionRow[];
  /** The venue account that holds them; absent on paper. */
  readonly connectionId?: string | null;
};

/**
 * Writes off an unsellable holding of an instrument at a value that a person states. Pure.
 *
 * @throws DomainError `not_found` without such a position; `validation_failed` for a value above its maximum; `invalid_state`
 *   if it can be sold or will be paid, or an order still reserves some of it.
 */
export function planWriteOff(
  { tokenId, value: stated, blueprintId }: WriteOffRequest,
  { market, mark, holdings, positions, connectionId = null }: WriteOffFacts,
  now: Date,
): Payout & { readonly written: WrittenOff } {
  const { chosen, all } = holdingsToWriteOff(holdings, blueprintId ?? null);
  if (chosen.length === 0) throw new DomainError('not_found', `Nothing of ${tokenId} is held.`);
  const reason = reasonFor(market, totalHeld(chosen), totalHeld(all));
  if (!totalFree(chosen).eq(totalHeld(chosen))) {
    throw new DomainError('invalid_state', `An order still holds some of ${tokenId}: cancel it first.`);
  }
  const value = exact(stated);
  refuseValue(value, maxUnitValue(market, mark));

  const ids = new Set(chosen.map(({ positionId }) => positionId));
  const held = positions.filter(({ id }) => ids.has(id));
  const { venue } = market.instrument;
  const fills = held.map((position) =>
    wholePositionFill(position, { kind: 'write_off', venue, price: value, connectionId, now }),
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

/** Selects the holdings to write off: all, or those of a blueprint. */
export const holdingsToWriteOff = (all: readonly FreeHolding[], blueprintId: string | null) => ({
  all,
  chosen: all.filter((holding) => blueprintId === null || holding.blueprintId === blueprintId),
});

/**
 * Returns why `held` can neither be sold alone nor be paid out, or null. The reason mentions if the account's whole holding can
 * be sold together, but that is not required. Pure.
 */
export function unsellableReason(market: Market, held: Exact, all: Exact = held): string | null {
  const { status, settlement_value } = market.instrument;
  const end = marketEndReason(market.instrument);
  if (end !== null) return end;
  const dust = status === 'open' && settlement_value === null ? dustReason(market, held) : null;
  if (dust === null || dustReason(market, all) !== null) return dust;
  return `${dust} All ${all.toFixed()} of the account can be sold together.`;
}

/** Returns the maximum value of a unit: the bid or mark; in an ended market the maximum payout (1 for an outcome). Pure. */
export function maxUnitValue({ instrument, quote }: Market, mark: Exact): Exact {
  if (marketEndReason(instrument) === null) return quote?.bid == null ? mark : exact(quote.bid);
  return KIND_RULES[instrument.kind].payoutMax ?? Exact.max(mark, ZERO);
}

/** Returns the reason of the write-off for the audit trail. */
function reasonFor(market: Market, held: Exact, all: Exact): string {
  const reason = unsellableReason(market, held, all);
  if (reason !== null) return reason;
  const { token_id, status } = market.instrument;
  const remedy =
    status === 'open' ? 'It can be sold: close it.' : 'It will be paid once its venue states the value.';
  throw new DomainError('invalid_state', `${token_id} cannot be written off. ${remedy}`);
}

function refuseValue(value: Exact, most: Exact): void {
  if (value.gte(0) && value.lte(most)) return;
  const message = `The value must be from 0 to ${most.toFixed()} USD, got ${value.toFixed()}.`;
  throw new DomainError('validation_failed', message, {
    issues: [{ path: '/value', code: 'invalid_value', message }],
  });
}
