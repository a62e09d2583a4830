import { type Exact, toMoney } from './decimal.ts';

/** What an amount is worth at a price, to the places of the ledger. USD. */
export const valueAt = (amount: Exact, price: Exact): Exact => toMoney(amount.times(price));

/** What a unit of a holding cost, not rounded: whoever shows it rounds. USD. */
export const averageCostOf = (held: { amount: Exact; totalCost: Exact }): Exact =>
  held.totalCost.div(held.amount);

/** What it would gain to sell all of it at a price, before fees. USD. */
export const unrealizedAt = (held: { amount: Exact; totalCost: Exact }, price: Exact): Exact =>
  valueAt(held.amount, price).minus(held.totalCost);
