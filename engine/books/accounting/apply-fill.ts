import type { FILL_KINDS } from '../../../db/entities/order.ts';
import type { Side } from '../../../db/vocabulary.ts';
import { Decimal, type Exact, toMoney, ZERO } from '../../platform/decimal.ts';
import { valueAt } from '../../platform/valuation.ts';

/** A position as a fill finds it. */
export type Holding = { positionId: string; amount: Exact; totalCost: Exact };

/** How much of a fill goes to which position, in order. */
export type Draw = Holding & { draw: Exact };

export type FillFacts = {
  side: Side;
  amount: Exact;
  price: Exact;
  fee: Exact;
  /** What of a buy the venue kept as its fee, in units of what was bought: `fee` is what that is worth. Nothing by default. */
  kept?: Exact;
};

/** What a fill does to one position: `amount` more or less of it, `cost` in or out, and what that realizes. */
export type FillPart = { positionId: string; amount: Exact; cost: Exact; fee: Exact; realizedPnl: Exact };

export type AppliedFill = {
  parts: FillPart[];
  /** USD. Price times amount. */
  notional: Exact;
  /** USD. What was paid or received for it: its notional, without a fee that was kept of what was bought. */
  traded: Exact;
  /** USD. After the fee. */
  realizedPnl: Exact;
  /** A sell that brought in less than it cost, its own fee included. A buy is never one. */
  isLoss: boolean;
  /** What a sell sold that nobody held: only a venue that fills after it has confirmed a cancel can do that. */
  unbacked: Exact;
};

/**
 * What one execution does to the positions it is drawn from. Pure, and exact to the 12 places of the ledger:
 * nothing is created or lost by rounding, because the last part takes what the others leave.
 *
 * A buy adds its notional to the cost of one position. A sell takes cost × q / amount out of each, half-even, and
 * all of it where nothing is left. Fees are realized when paid and never become cost; a fee that the venue kept of what was
 * bought is as if that much had been bought less, and its worth paid.
 */
export function applyFill(fill: FillFacts, draws: readonly Draw[]): AppliedFill {
  const notional = valueAt(fill.amount, fill.price);
  const kept = fill.kept ?? ZERO;
  const moved = fill.amount.minus(kept);
  const traded = kept.isZero() ? notional : notional.minus(fill.fee);
  const drawn = draws.reduce((sum, { draw }) => sum.plus(draw), ZERO);
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
    unbacked: moved.minus(drawn),
  };
}

const part = ({ positionId, draw }: Draw) => ({ positionId, amount: draw });

/** Cost that leaves with `draw`: its share, half-even to 12 places; whoever takes the last takes the rest. */
function costOf({ amount, totalCost, draw }: Draw): Exact {
  return draw.eq(amount) ? totalCost : toMoney(totalCost.times(draw).div(amount));
}

/** Splits money by amounts; the last part takes the rest. */
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

/** How a fill moves cash: what was paid or received, and its fee where it has one. */
export function cashMovements(
  { kind, side, fee }: { kind: (typeof FILL_KINDS)[number]; side: Side; fee: Exact },
  { traded: paid }: Pick<AppliedFill, 'traded'>,
): CashMovement[] {
  const traded: CashMovement = { kind, amount: side === 'buy' ? paid.negated() : paid };
  return fee.isZero() ? [traded] : [traded, { kind: 'fee', amount: fee.negated() }];
}

export type Reservation = { positionId: string; left: Exact };

/**
 * Which positions a sell's fill is drawn from: first what the order reserved, in its order, then, for a fill that
 * came after the reservation was given up, whatever else is held, oldest first. There is at least one draw where
 * there is a holding, so that money always has a position to be booked to.
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
    const taken = Decimal.max(Decimal.min(left, most, draw.amount.minus(draw.draw)), ZERO);
    draw.draw = draw.draw.plus(taken);
    left = left.minus(taken);
  };
  for (const { positionId, left: reserved } of reservations) take(byId.get(positionId), reserved);
  for (const draw of byId.values()) take(draw, left);

  const draws = [...byId.values()];
  const drawn = draws.filter(({ draw }) => draw.gt(0));
  return drawn.length > 0 ? drawn : draws.slice(0, 1);
}
