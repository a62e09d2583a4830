import type { FILL_KINDS } from '../../../db/entities/order.ts';
import type { Side } from '../../../db/vocabulary.ts';
import { Exact, toMoney, ZERO } from '../../platform/decimal.ts';
import { valueAt } from '../../platform/valuation.ts';

/** A position as a fill finds it. */
export type Holding = { positionId: string; amount: Exact; totalCost: Exact };

/** The part of a fill that goes to one position, in order. */
export type Draw = Holding & { draw: Exact };

export type FillFacts = {
  side: Side;
  amount: Exact;
  price: Exact;
  fee: Exact;
  /**
   * The part of a bought amount that the venue withheld as its fee, in units of the instrument. `fee` is its value. Default 0.
   */
  withheld?: Exact;
};

/** The effect of a fill on one position: the change of `amount`, the `cost` added or removed, and the result it realizes. */
export type FillPart = { positionId: string; amount: Exact; cost: Exact; fee: Exact; realizedPnl: Exact };

export type AppliedFill = {
  parts: FillPart[];
  /** USD. Price times amount. */
  notional: Exact;
  /** USD. What was paid or received for it: its notional, without a fee withheld from the bought amount. */
  traded: Exact;
  /** USD. After the fee. */
  realizedPnl: Exact;
  /** A sell that brought in less than it cost, its own fee included. A buy is never one. */
  isLoss: boolean;
  /** The amount sold beyond all holdings. Only a venue that fills after it has confirmed a cancel can cause it. */
  unbacked: Exact;
};

/**
 * Applies one execution to the positions it is drawn from. Pure, and exact to the 12 places of the ledger: nothing is
 * created or lost by rounding, because the last part takes the remainder.
 *
 * A buy adds its notional to the cost of one position. A sell takes cost × q / amount out of each position, half-even, and
 * the whole cost where nothing is left. Fees are realized when paid and never become cost. A fee withheld from the bought
 * amount is treated as a smaller buy, with the value of the fee paid.
 */
export function applyFill(fill: FillFacts, draws: readonly Draw[]): AppliedFill {
  const notional = valueAt(fill.amount, fill.price);
  const withheld = fill.withheld ?? ZERO;
  const moved = fill.amount.minus(withheld);
  const traded = withheld.isZero() ? notional : notional.minus(fill.fee);
  const sumOfDraws = draws.reduce((sum, { draw }) => sum.plus(draw), ZERO);
  const notionals = split(traded, draws, moved);
  const fees = split(fill.fee, draws, moved);
  const parts = draws.map((draw, index): FillPart => {
    const proceeds = notionals[index] ?? ZERO;
    const fee = fees[index] ?? ZERO;
    if (fill.side === 'buy') {
      return { ...part(draw), cost: proceeds, fee, realizedPnl: fee.negated() };
    }
    const cost = costOf(draw);
    return { ...part(draw), cost, fee, realizedPnl: proceeds.minus(cost).minus(fee) };
  });
  const realizedPnl = parts.reduce((sum, { realizedPnl }) => sum.plus(realizedPnl), ZERO);
  return {
    parts,
    notional,
    traded,
    realizedPnl,
    isLoss: fill.side === 'sell' && realizedPnl.isNegative() && !realizedPnl.isZero(),
    unbacked: moved.minus(sumOfDraws),
  };
}

const part = ({ positionId, draw }: Draw) => ({ positionId, amount: draw });

/** The cost that leaves with `draw`: its share, half-even to 12 places. The last draw takes the remainder. */
function costOf({ amount, totalCost, draw }: Draw): Exact {
  return draw.eq(amount) ? totalCost : toMoney(totalCost.times(draw).div(amount));
}

/** Splits money by amounts; the last part takes the remainder. */
function split(money: Exact, draws: readonly Draw[], whole: Exact): Exact[] {
  let left = money;
  return draws.map(({ draw }, index) => {
    const share = index === draws.length - 1 ? left : toMoney(money.times(draw).div(whole));
    left = left.minus(share);
    return share;
  });
}

/** One line of the account's cash book, USD: in above zero, out below. */
export type CashMovement = { kind: (typeof FILL_KINDS)[number] | 'fee'; amount: Exact };

/** The cash movements of a fill: the amount paid or received, and its fee if it has one. */
export function cashMovements(
  { kind, side, fee }: { kind: (typeof FILL_KINDS)[number]; side: Side; fee: Exact },
  { traded: paid }: Pick<AppliedFill, 'traded'>,
): CashMovement[] {
  const traded: CashMovement = { kind, amount: side === 'buy' ? paid.negated() : paid };
  return fee.isZero() ? [traded] : [traded, { kind: 'fee', amount: fee.negated() }];
}

export type Reservation = { positionId: string; left: Exact };

/**
 * Selects the positions that a sell's fill is drawn from. First come those the order reserved, in its order. A fill that
 * arrives after the reservation was given up also draws on any other holding, oldest first. If anything is held, there is
 * at least one draw: money always has a position to be booked to.
 */
export function drawsOfSell(
  amount: Exact,
  reservations: readonly Reservation[],
  holdings: readonly Holding[],
): Draw[] {
  const byId = new Map(holdings.map((holding) => [holding.positionId, { ...holding, draw: ZERO }]));
  let left = amount;
  const take = (draw: Draw | undefined, most: Exact) => {
    if (draw === undefined) return;
    const taken = Exact.max(Exact.min(left, most, draw.amount.minus(draw.draw)), ZERO);
    draw.draw = draw.draw.plus(taken);
    left = left.minus(taken);
  };
  for (const { positionId, left: reserved } of reservations) take(byId.get(positionId), reserved);
  for (const draw of byId.values()) take(draw, left);

  const draws = [...byId.values()];
  const nonZero = draws.filter(({ draw }) => draw.gt(0));
  return nonZero.length > 0 ? nonZero : draws.slice(0, 1);
}
