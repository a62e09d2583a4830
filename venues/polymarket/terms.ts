/** What a Polymarket record says of trading in it: fees and the grid of prices. Pure. */
import { complement, trimmed } from '../parse/decimal.ts';
import type { FeeSchedule, PriceRange } from '../port.ts';
import type { ExchangeKind } from './trading/contracts.ts';
import type { WireTerms } from './wire.ts';

/** Without fees only where the record says so; enabled without a schedule, or silent about it, the fee is unknown. */
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

/** Which contract settles the market; null where the record leaves it open, or names a protocol nobody here knows. */
export function contractOf({
  version,
  negRisk,
}: Pick<WireTerms, 'version' | 'negRisk'>): ExchangeKind | null {
  if (version === 'v2') return 'v3';
  if (version !== 'v1' || negRisk === null) return null;
  return negRisk ? 'neg_risk' : 'standard';
}
