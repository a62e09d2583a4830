/** Collects the data that nodes need into the needs of a plan. */
import type { CandleSeriesName, NodeNeeds } from '../nodes/node.ts';
import type { CandleNeed, Needs } from '../types.ts';

export type NeedsOfNode = {
  readonly needs: NodeNeeds;
  readonly traded: string | null;
  /** Number of closed candles that the node needs before the step, of each of its series. */
  readonly window: number;
  readonly series: readonly CandleSeriesName[];
};

export function gatherDataNeeds(nodes: readonly NeedsOfNode[]): Needs {
  const all = (...picks: readonly ((node: NeedsOfNode) => string | null | undefined)[]) =>
    [
      ...new Set(picks.flatMap((pick) => nodes.map(pick)).filter((value) => typeof value === 'string')),
    ].sort();
  return {
    quotes: all((node) => node.needs.quote),
    books: all((node) => node.needs.book),
    candles: gatherCandles(nodes),
    instruments: all(
      ({ needs }) => needs.instrument,
      ({ needs }) => needs.quote,
      ({ needs }) => needs.book,
      ({ needs }) => needs.candle?.symbol,
    ),
    listings: all(({ needs }) => needs.listing),
    positions: all((node) => node.needs.position),
    traded: all((node) => node.traded),
    account: nodes.some((node) => node.needs.account === true),
    signals: all(({ needs }) => needs.signal),
  };
}

function gatherCandles(nodes: readonly NeedsOfNode[]): CandleNeed[] {
  const found = new Map<string, CandleNeed>();
  const add = ({ symbol, interval }: CandleSeriesName, window: number, open: boolean) => {
    const key = `${symbol}@${interval}`;
    const known = found.get(key);
    found.set(key, {
      symbol,
      interval,
      window: Math.max(window, known?.window ?? 0),
      open: open || known?.open === true,
    });
  };
  for (const { needs, series, window } of nodes) {
    if (needs.candle !== undefined) add(needs.candle, 1, needs.candle.open);
    for (const each of series) add(each, window, false);
  }
  return [...found.keys()].sort().map((key) => found.get(key) as CandleNeed);
}
