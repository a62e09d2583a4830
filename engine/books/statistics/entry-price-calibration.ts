import { mean } from './moments.ts';
import { missingRatio, type Ratio, ratio } from './ratio.ts';
import type { Trade } from './trade-tracker.ts';

const BINS = 10;

/** Contracts bought at prices within one tenth of a dollar, and their settlement values. */
export type CalibrationBin = {
  readonly fromPrice: number;
  readonly count: number;
  readonly meanPrice: Ratio;
  readonly meanOutcome: Ratio;
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
    settledAt === null ? [] : [{ price: Number(entryPrice), outcome: Number(settledAt) }],
  );
  return {
    brier: meanOf(settled.map(({ price, outcome }) => (price - outcome) ** 2)),
    bins: Array.from({ length: BINS }, (_, bin) => {
      const inside = settled.filter(({ price }) => binOf(price) === bin);
      return {
        fromPrice: bin / BINS,
        count: inside.length,
        meanPrice: meanOf(inside.map(({ price }) => price)),
        meanOutcome: meanOf(inside.map(({ outcome }) => outcome)),
      };
    }),
  };
}

const binOf = (price: number): number => Math.min(Math.max(Math.floor(price * BINS), 0), BINS - 1);

const meanOf = (values: readonly number[]): Ratio =>
  values.length === 0 ? missingRatio('no_trades') : ratio(mean(values), 'no_trades');
