/** The trading terms in a Polymarket record: fees and the price grid. Pure. */
import { complement, trimmed } from '../parse/decimal.ts';
import type { FeeSchedule, PriceRange } from '../reads.ts';
import type { ExchangeKind } from './trading/contracts.ts';
import type { WireTerms } from './wire.ts';

/** No fee only if the record says so. If fees are enabled without a schedule, or not mentioned, the fee is unknown. */
export function feeScheduleOf({
  feesEnabled,
  feeSchedule,
}: Pick<WireTerms, 'feesEnabled' | 'feeSchedule'>): FeeSchedule | null {
  if (feesEnabled === false) return schedule('0', '0', 1);
  if (feesEnabled !== true || feeSchedule === null || feeSchedule === undefined) return null;
  const { rate, exponent, takerOnly } = feeSchedule;
  return schedule(rate, takerOnly === true ? '0' : rate, exponent);
}

const schedule = (takerRate: string, makerRate: string, exponent: number): FeeSchedule => ({
  formula: 'probability',
  takerRate,
  makerRate,
  exponent,
  roundUpTo: null,
});

/** Prices run from one tick to 1 − tick. */
export function ladderOf(tick: string): PriceRange {
  const step = trimmed(tick);
  return { start: step, end: complement(step), step };
}

/** The contract that settles the market; null if the record does not determine it, or names an unknown protocol. */
export function contractOf({
  version,
  negRisk,
}: Pick<WireTerms, 'version' | 'negRisk'>): ExchangeKind | null {
  if (version === 'v2') return 'v3';
  if (version !== 'v1' || negRisk === null) return null;
  return negRisk ? 'neg_risk' : 'standard';
}
