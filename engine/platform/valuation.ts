import { type Exact, toMoney } from './decimal.ts';

/** Returns the value of an amount at a price, to the places of the ledger. USD. */
export const valueAt = (amount: Exact, price: Exact): Exact => toMoney(amount.times(price));

/** Returns the average cost of a unit of a holding, not rounded: the display rounds. USD. */
export const averageCostOf = (held: { amount: Exact; totalCost: Exact }): Exact =>
  held.totalCost.div(held.amount);

/** Returns the gain of selling all of it at a price, before fees. USD. */
export const unrealizedAt = (held: { amount: Exact; totalCost: Exact }, price: Exact): Exact =>
  valueAt(held.amount, price).minus(held.totalCost);
