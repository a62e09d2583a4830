type Level = { price: number; size: number };
export type Box = { width: number; height: number };

/** Paths of the bid and ask sizes up to each price. The middle of the book is in the middle of the box. */
export function depthPaths(
  { bids, asks }: { bids: readonly Level[]; asks: readonly Level[] },
  { width, height }: Box,
): { bid: string; ask: string; reach: number } | null {
  const [bid, ask] = [bids[0], asks[0]];
  if (!bid || !ask) return null;
  const mid = (bid.price + ask.price) / 2;
  const reach = Math.max(mid - (bids.at(-1)?.price ?? mid), (asks.at(-1)?.price ?? mid) - mid);
  const most = Math.max(sum(bids), sum(asks));
  if (!(reach > 0) || !(most > 0)) return null;
  const x = (price: number) => round(((price - mid) / reach + 1) * (width / 2));
  const y = (total: number) => round(height - (total / most) * height);
  const area = (levels: readonly Level[], edge: number) => {
    let [total, path] = [0, ''];
    for (const [index, { price, size }] of levels.entries()) {
      path += index === 0 ? `M${x(price)} ${height}` : `L${x(price)} ${y(total)}`;
      total += size;
      path += `L${x(price)} ${y(total)}`;
    }
    return `${path}L${edge} ${y(total)}L${edge} ${height}Z`;
  };
  return { bid: area(bids, 0), ask: area(asks, width), reach };
}

const sum = (levels: readonly Level[]): number => levels.reduce((total, { size }) => total + size, 0);
const round = (px: number): number => Math.round(px * 10) / 10;
