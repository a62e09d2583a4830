import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../../api/trpc.ts';
import type { Range } from '../../../../charts/equity.tsx';
import { RowSkeleton } from '../../../../ui/panel.tsx';
import { ProblemNotice } from '../../../../ui/problem.tsx';
import { ClosedTrades } from './closed-trades.tsx';
import { Fills } from './fills.tsx';
import { NodeLog } from './node-log.tsx';
import { OpenPositions } from './open-positions.tsx';
import { TradesOnPrice } from './trades-on-price.tsx';

/** The stream reports fills; this interval covers those that it may have missed. */
const REFRESH_MS = 60_000;

/** Fills on the price, open positions, the result of each closed trade, and which step acted when. */
export function TradingPanels({ id, range }: { id: string; range: Range }) {
  const query = useQuery({ ...trpc.console.trading.queryOptions({ id }), refetchInterval: REFRESH_MS });
  if (query.error && !query.data) {
    return <ProblemNotice error={query.error} retry={() => void query.refetch()} />;
  }
  if (!query.data) return <RowSkeleton rows={4} height={70} />;
  const { instruments, steps } = query.data;
  return (
    <>
      {instruments.length > 0 ? <TradesOnPrice id={id} instruments={instruments} range={range} /> : null}
      <OpenPositions id={id} />
      <ClosedTrades id={id} />
      <Fills id={id} />
      <NodeLog id={id} steps={steps} />
    </>
  );
}
