import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { trpc } from '../../../api/trpc.ts';
import { curl } from '../../../ui/copy.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Panel, RowSkeleton } from '../../../ui/panel.tsx';
import { ProblemNotice } from '../../../ui/problem.tsx';
import { OrderTable } from '../../orders/table.tsx';

const LIMIT = 200;

export function OrdersTab({ id }: { id: string }) {
  const orders = useQuery(trpc.console.orders.queryOptions({ blueprintId: id, limit: LIMIT }));
  const navigate = useNavigate();
  const open = (order: string) => void navigate({ to: '/orders', search: { blueprint: id, order } });
  return (
    <Panel title="Orders of this blueprint" flush>
      {orders.error && !orders.data ? <ProblemNotice error={orders.error} /> : null}
      {!orders.data && !orders.error ? <RowSkeleton rows={6} height={22} /> : null}
      {orders.data?.length === 0 ? (
        <Empty
          title="No orders yet"
          why="Its order, close and exit steps raise them once it runs."
          command={curl('GET', `/api/orders?blueprintId=${id}`)}
        />
      ) : null}
      {orders.data && orders.data.length > 0 ? <OrderTable rows={orders.data} onOpen={open} /> : null}
    </Panel>
  );
}
