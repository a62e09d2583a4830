import type { Bars } from './bars.ts';

const LATENCY_MS = 2_000;
const [FAST, SLOW] = [10, 30];

export type LoopFill = { readonly side: 'buy' | 'sell'; readonly at: string; readonly price: string };

/**
 * Reproduces the graph of `crossing(10, 30, …)` in twenty lines without an engine. Buys when the mean of 10 closes rises above
 * that of 30. Sells when it lies below. Both happen at the next open. `deployedAt` is the first row at which the graph is
 * evaluated.
 */
export function crossingLoop({ columns, count }: Bars, deployedAt = SLOW - 1): LoopFill[] {
  const mean = (row: number, length: number): number => {
    let sum = 0;
    for (let one = row + 1 - length; one <= row; one++) sum += columns.close[one] as number;
    return sum / length;
  };
  const fills: LoopFill[] = [];
  let [wasAbove, isHeld]: [boolean | null, boolean] = [null, false];
  for (let row = deployedAt; row + 1 < count; row++) {
    const [fast, slow] = [mean(row, FAST), mean(row, SLOW)];
    const isTurn = isHeld ? fast < slow : fast > slow && wasAbove === false;
    if (isTurn) {
      const atMs = (columns.openTimeMs[row + 1] as number) + LATENCY_MS;
      const price = String(columns.open[row + 1]);
      fills.push({ side: isHeld ? 'sell' : 'buy', at: new Date(atMs).toISOString(), price });
      isHeld = !isHeld;
    }
    wasAbove = fast > slow;
  }
  return fills;
}
