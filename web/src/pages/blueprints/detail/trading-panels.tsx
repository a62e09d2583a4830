import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../api/trpc.ts';
import type { Range } from '../../../charts/equity.tsx';
import { RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { ClosedTrades } from './closed-trades.tsx';
import { Fills } from './fills.tsx';
import { Firings } from './firings.tsx';
import { OpenPositions } from './open-positions.tsx';
import { TradesOnPrice } from './trades-on-price.tsx';

/** Fills are told by the stream; what it may have missed is read so often. */
const REFRESH_MS = 60_000;

/** Where it bought and sold, what it holds, what each way in and out came to, and which step acted when. */
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
      <Firings id={id} steps={steps} />
    </>
  );
}
