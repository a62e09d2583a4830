/** The reasons why a figure is missing. */
export const MISSING_REASONS = [
  'no_trades',
  'no_wins',
  'no_losses',
  'too_few',
  'too_short',
  'zero_variance',
  'no_downside',
  'no_drawdown',
  'no_gain',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

/** A figure, or the reason why there is none. Never a number that stands for something else, never infinite. */
export type Ratio = { readonly value: number } | { readonly value: null; readonly reason: MissingReason };

export const missingRatio = (reason: MissingReason): Ratio => ({ value: null, reason });

/** A finite figure; `reason` if it overflows a number. */
export const ratio = (value: number, reason: MissingReason): Ratio =>
  // Minus zero plus zero is zero: JSON knows no minus zero, so a stored figure would differ from a fresh one.
  Number.isFinite(value) ? { value: value + 0 } : missingRatio(reason);
