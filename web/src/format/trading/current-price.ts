/** One price of a market on its page: parts that are read at different instants take the newest of them. */

export type BestPrices = { bid: number | null; ask: number | null };

const mirrored = (price: number | null): number | null => (price === null ? null : 1 - price);

/** A market with the best prices of the book of one outcome; with two outcomes, the other's are those mirrored. */
export function withBestPrices<Of extends { outcomes: readonly BestPrices[] }>(
  market: Of,
  index: number,
  { bid, ask }: BestPrices,
): Of {
  const other = market.outcomes.length === 2 ? { bid: mirrored(ask), ask: mirrored(bid) } : {};
  return {
    ...market,
    outcomes: market.outcomes.map((outcome, at) => ({
      ...outcome,
      ...(at === index ? { bid, ask } : other),
    })),
  };
}

type Point = { at: string; value: number };

/** A history that ends at the current price, which is shown above it. */
export const withPriceNow = (
  past: readonly Point[],
  price: number | null | undefined,
  asOf: string | null,
): readonly Point[] =>
  price != null && asOf !== null && Date.parse(past.at(-1)?.at ?? '') < Date.parse(asOf)
    ? [...past, { at: asOf, value: price }]
    : past;

type Bar = { t: string; h: number; l: number; c: number };
type Trade = { price: number; asOf: string; source: string };

/** The bars, the last trade included: in the last bar if it was made in its time. A stale trade is not. */
export function withLastTrade<Of extends Bar>(
  bars: readonly Of[],
  durationMs: number,
  trade: Trade | undefined,
): readonly Of[] {
  const last = bars.at(-1);
  if (!last || !trade || trade.source === 'stale') return bars;
  const sinceOpenMs = Date.parse(trade.asOf) - Date.parse(last.t);
  if (!(sinceOpenMs >= 0 && sinceOpenMs < durationMs)) return bars;
  const { price } = trade;
  return [
    ...bars.slice(0, -1),
    { ...last, c: price, h: Math.max(last.h, price), l: Math.min(last.l, price) },
  ];
}
