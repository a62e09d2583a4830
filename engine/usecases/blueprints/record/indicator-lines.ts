import type { MarketData } from '../../../../venues/port.ts';
import type { Work } from '../../../platform/context.ts';
import { ClosedCandles, WINDOW_MAX } from '../../../strategy/graph/candles.ts';
import {
  type DrawnIndicator,
  indicatorsOf,
  type LinePoint,
  lineOf,
} from '../../../strategy/graph/indicator-lines.ts';
import { readBlueprint } from '../drafts/row.ts';

export type IndicatorLine = Pick<DrawnIndicator, 'nodeId' | 'name' | 'isPrice'> & {
  points: LinePoint[];
};

/**
 * Computes a blueprint's indicators on the candles of an instrument, as far back as a thousand candles reach.
 *
 * @throws DomainError `not_found`; VenueError while the venue does not return its candles.
 */
export async function indicatorLines(
  work: Work,
  market: MarketData,
  { id, tokenId, instantsMs }: { id: string; tokenId: string; instantsMs: readonly number[] },
): Promise<IndicatorLine[]> {
  const { visual } = await readBlueprint(work, id);
  const read = new Map<string, Promise<ClosedCandles>>();
  const candlesOf = ({ symbol, interval }: DrawnIndicator['candles']) => {
    const candles =
      read.get(interval) ??
      market.closedCandles(symbol, interval, { limit: WINDOW_MAX }).then((all) => ClosedCandles.of(all));
    read.set(interval, candles);
    return candles;
  };
  return Promise.all(
    indicatorsOf(visual, tokenId).map(async (indicator) => {
      const { nodeId, name, isPrice } = indicator;
      const points = lineOf(indicator, await candlesOf(indicator.candles), instantsMs);
      return { nodeId, name, isPrice, points };
    }),
  );
}
