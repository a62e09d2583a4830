import { mean } from './moments.ts';
import { normalQuantile } from './normal-distribution.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';
import type { Trade } from './trade-tracker.ts';

const BINS = 10;
/** 19 of 20 intervals contain the true share. */
const Z = normalQuantile(0.975);

/** A value that was stated before, 0 to 1, and the outcome. */
type Stated = { readonly stated: number; readonly outcome: number };

/** Contracts for which a value within one tenth was stated, and their outcomes. */
export type ReliabilityBin = {
  readonly from: number;
  readonly count: number;
  readonly meanStated: Ratio;
  readonly meanOutcome: Ratio;
  /** Where the true share of outcomes lies with 95 % confidence (Wilson 1927); null without contracts. */
  readonly interval: { readonly low: number; readonly high: number } | null;
};

/** Compares what was stated with outcomes, in ten bins of equal width. */
export function reliabilityOf(all: readonly Stated[]): ReliabilityBin[] {
  const byBin = Map.groupBy(all, ({ stated }) => binOf(stated));
  return Array.from({ length: BINS }, (_, bin) => {
    const inside = byBin.get(bin) ?? [];
    const meanOutcome = meanOf(inside.map(({ outcome }) => outcome));
    return {
      from: bin / BINS,
      count: inside.length,
      meanStated: meanOf(inside.map(({ stated }) => stated)),
      meanOutcome,
      interval: meanOutcome.value === null ? null : wilsonInterval(meanOutcome.value, inside.length),
    };
  });
}

/** The score interval of a share of `count` (Wilson 1927). It is not symmetric and lies within 0 and 1, also for few. */
function wilsonInterval(share: number, count: number): { low: number; high: number } {
  const weight = Z ** 2 / count;
  const middle = (share + weight / 2) / (1 + weight);
  const half = (Z / (1 + weight)) * Math.sqrt((share * (1 - share)) / count + weight / (4 * count));
  // Exactly 0 and 1 at the ends, where the difference leaves a residue.
  return { low: share === 0 ? 0 : middle - half, high: share === 1 ? 1 : middle + half };
}

const binOf = (value: number): number => Math.min(Math.max(Math.floor(value * BINS), 0), BINS - 1);

const meanOf = (values: readonly number[]): Ratio =>
  values.length === 0 ? missingRatio('no_trades') : ratio(mean(values), 'no_trades');

/** Contracts bought at prices within one tenth of a dollar, and their settlement values. */
export type CalibrationBin = Pick<ReliabilityBin, 'count' | 'meanOutcome' | 'interval'> & {
  readonly fromPrice: number;
  readonly meanPrice: Ratio;
};

export type EntryPriceCalibration = {
  /** The mean square of price minus outcome: 0 is foresight, 0.25 a coin toss. */
  readonly brier: Ratio;
  readonly bins: readonly CalibrationBin[];
};

/** Compares the entry prices of contracts that were held until settlement with their settlement values. */
export function entryPriceCalibrationOf(
  trades: readonly Pick<Trade, 'entryPrice' | 'settledAt'>[],
): EntryPriceCalibration {
  const settled = trades.flatMap(({ entryPrice, settledAt }) =>
    settledAt === null ? [] : [{ stated: Number(entryPrice), outcome: Number(settledAt) }],
  );
  return {
    brier: meanOf(settled.map(({ stated, outcome }) => (stated - outcome) ** 2)),
    bins: reliabilityOf(settled).map(({ from, meanStated, ...bin }) => ({
      fromPrice: from,
      meanPrice: meanStated,
      ...bin,
    })),
  };
}
