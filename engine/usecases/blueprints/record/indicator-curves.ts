import type { MarketData } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { ClosedCandles, WINDOW_MAX } from '../../../strategy/graph/candles.ts';
import {
  type ChartIndicator,
  chartIndicatorsOf,
  indicatorLine,
  type LinePoint,
} from '../../../strategy/graph/chart-indicators.ts';
import { readBlueprint } from '../drafts/row.ts';

export type IndicatorCurve = Pick<ChartIndicator, 'nodeId' | 'name' | 'isPrice'> & {
  points: LinePoint[];
};

/**
 * Computes a blueprint's indicators on the candles of an instrument, as far back as a thousand candles reach.
 *
 * @throws DomainError `not_found`; VenueError while the venue does not return its candles.
 */
export async function indicatorCurves(
  work: Work,
  market: MarketData,
  { id, tokenId, instantsMs }: { id: string; tokenId: string; instantsMs: readonly number[] },
): Promise<IndicatorCurve[]> {
  const { visual } = await readBlueprint(work, id);
  const read = new Map<string, Promise<ClosedCandles>>();
  const candlesOf = ({ symbol, interval }: ChartIndicator['candles']) => {
    const candles =
      read.get(interval) ??
      market.closedCandles(symbol, interval, { limit: WINDOW_MAX }).then((all) => ClosedCandles.of(all));
    read.set(interval, candles);
    return candles;
  };
  return Promise.all(
    chartIndicatorsOf(visual, tokenId).map(async (indicator) => {
      const { nodeId, name, isPrice } = indicator;
      const points = indicatorLine(indicator, await candlesOf(indicator.candles), instantsMs);
      return { nodeId, name, isPrice, points };
    }),
  );
}
