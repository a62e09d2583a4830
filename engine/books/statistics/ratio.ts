/** Why a figure cannot be told. */
export const REASONS = [
  'no_trades',
  'no_wins',
  'no_losses',
  'too_few',
  'too_short',
  'zero_variance',
  'no_downside',
  'no_drawdown',
] as const;
export type Reason = (typeof REASONS)[number];

/** A figure, or why there is none. Never a number that stands for something else, never infinite. */
export type Ratio = { readonly value: number } | { readonly value: null; readonly reason: Reason };

export const none = (reason: Reason): Ratio => ({ value: null, reason });

/** A figure of finite numbers; `reason` where they overflow what a number holds. */
export const ratio = (value: number, reason: Reason): Ratio =>
  Number.isFinite(value) ? { value } : none(reason);
