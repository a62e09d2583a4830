import { RowSkeleton } from '../../../../ui/panel.tsx';
import { ProblemNotice } from '../../../../ui/problem.tsx';
import { ClosedTrades } from './closed-trades.tsx';
import { Fills } from './fills.tsx';
import { NodeLog } from './node-log.tsx';
import { OpenPositions } from './open-positions.tsx';
import { useTrading } from './use-trading.ts';

/** Open positions, the result of each closed trade, fills, and which step acted when. */
export function TradingPanels({ id }: { id: string }) {
  const query = useTrading(id);
  if (query.error && !query.data) {
    return <ProblemNotice error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <RowSkeleton rows={4} height={70} />;
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
