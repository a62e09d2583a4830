import type { Work } from '../context.ts';

export const EQUITY_RANGES = ['1d', '1w', '1m', 'all'] as const;
export type EquityRange = (typeof EQUITY_RANGES)[number];

/** Decimals are strings in USD, `at` is ISO 8601. */
export type EquityPoint = {
  at: string;
  equity: string;
  cash: string;
  realizedPnl: string;
  unrealizedPnl: string;
};

export async function equityHistory(_work: Work, _range: EquityRange): Promise<EquityPoint[]> {
  throw new Error('under construction');
}
