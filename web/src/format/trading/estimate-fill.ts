export type Level = { price: number; size: number };
export type Estimate = { filled: number; averagePrice: number | null; worstPrice: number | null };

/** Estimates the fill of `amount` from one side of a book, never past `limit`. For display; orders compute exactly. */
export function estimateFill(
  levels: readonly Level[],
  amount: number,
  limit: { price: number; side: 'buy' | 'sell' } | null,
): Estimate {
  let left = amount;
  let cost = 0;
  let worstPrice: number | null = null;
  for (const { price, size } of levels) {
    if (left <= 0) break;
    if (limit && (limit.side === 'buy' ? price > limit.price : price < limit.price)) break;
    const taken = Math.min(left, size);
    cost += taken * price;
    left -= taken;
    worstPrice = price;
  }
  const filled = amount - left;
  return { filled, averagePrice: filled > 0 ? cost / filled : null, worstPrice };
}
