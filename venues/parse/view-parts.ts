/** Parts that the views of several venues share. Pure. */

import type { FeeSchedule, PriceRange } from '../reads.ts';
import type { Fees, Market } from '../views.ts';
import { difference, toNumber, toNumberOrNull } from './decimal.ts';

/** A fee schedule as views show it. */
export const feesOf = (schedule: FeeSchedule | null): Fees | null => schedule && feesViewOf(schedule);

export const feesViewOf = ({ formula, takerRate, makerRate, exponent, roundUpTo }: FeeSchedule): Fees => ({
  formula,
  takerRate: toNumber(takerRate),
  makerRate: toNumber(makerRate),
  exponent,
  roundUpTo: toNumberOrNull(roundUpTo),
});

/** Best ask minus best bid, where both are there. */
export const spreadOf = ({ bid, ask }: { bid: string | null; ask: string | null }): number | null =>
  bid === null || ask === null ? null : toNumber(difference(ask, bid));

export const ladderStepOf = ({ start, end, step }: PriceRange): Market['tickLadder'][number] => ({
  start: toNumber(start),
  end: toNumber(end),
  step: toNumber(step),
});
