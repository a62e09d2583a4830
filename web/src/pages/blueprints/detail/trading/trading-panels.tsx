import { PendingRows } from '../../../../ui/pending-rows.tsx';
import { ClosedTrades } from './closed-trades.tsx';
import { Fills } from './fills.tsx';
import { NodeLog } from './node-log.tsx';
import { OpenPositions } from './open-positions.tsx';
import { useTrading } from './use-trading.ts';

/** Open positions, the result of each closed trade, fills, and which step acted when. */
export function TradingPanels({ id }: { id: string }) {
  const query = useTrading(id);
  if (!query.data) return <PendingRows query={query} rows={4} height={70} />;
  const { steps } = query.data;
  return (
    <>
      <OpenPositions id={id} />
      <ClosedTrades id={id} />
      <Fills id={id} />
      <NodeLog id={id} steps={steps} />
    </>
  );
}
