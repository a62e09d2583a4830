import type { Work } from '../context.ts';

/** Decimals are strings in USD. */
export type BlueprintPerformance = {
  realizedPnl: string;
  unrealizedPnl: string;
  fees: string;
  fills: number;
};

export async function blueprintPerformance(_work: Work, _blueprintId: string): Promise<BlueprintPerformance> {
  throw new Error('under construction');
}
