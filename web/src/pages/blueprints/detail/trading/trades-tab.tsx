import { ClosedTrades } from './closed-trades.tsx';
import { Fills } from './fills.tsx';
import { OpenPositions } from './open-positions.tsx';

/** Open positions, the result of each closed trade, and each fill. */
export const TradesTab = ({ id }: { id: string }) => (
  <div className="stack">
    <OpenPositions id={id} />
    <ClosedTrades id={id} />
    <Fills id={id} />
  </div>
);
