import type { Outputs } from '../api/trpc.ts';

export type Mark = {
  tokenId: string;
  blueprintId: string;
  markPrice: number | null;
  unrealizedPnl: number | null;
};
type Performance = Outputs['console']['performance'][number];

/**
 * Values strategies at new marks of all positions: their sum is the account's total at these marks. Null if a position has no
 * mark or no row, and they must be read again.
 */
export function resultsAtMarks(rows: readonly Performance[], marks: readonly Mark[]): Performance[] | null {
  const known = new Set(rows.map(({ blueprintId }) => blueprintId));
  const unrealized = new Map<string, number>();
  for (const { blueprintId, unrealizedPnl } of marks) {
    if (unrealizedPnl === null || !known.has(blueprintId)) return null;
    unrealized.set(blueprintId, (unrealized.get(blueprintId) ?? 0) + unrealizedPnl);
  }
  return rows.map((row) => {
    const unrealizedPnl = unrealized.get(row.blueprintId) ?? 0;
    return { ...row, unrealizedPnl, totalPnl: row.realizedPnl + unrealizedPnl };
  });
}
