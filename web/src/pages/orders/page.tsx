import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { PageHead } from '../../ui/panel.tsx';
import { ApprovalQueue } from './approval-queue.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { OrderDrawer } from './drawer.tsx';
import { OrderHistory } from './history.tsx';

export function OrdersPage() {
  const search = useSearch({ from: '/shell/orders' });
  const navigate = useNavigate({ from: '/orders' });
  const [reviewed, setReviewed] = useState<string | null>(search.approve ?? null);
  const pending = useQuery({
    ...trpc.console.orders.queryOptions({ status: 'pending', limit: 200 }),
    refetchInterval: 15_000,
  });
  const open = (order: string | undefined) => void navigate({ search: (now) => ({ ...now, order }) });
  // The address may have asked for the dialog, as a notification does: closed, it asks no more.
  const close = () => {
    setReviewed(null);
    if (search.approve) void navigate({ search: ({ approve: _approve, ...now }) => now, replace: true });
  };
  return (
    <div className="page">
      <PageHead title="Orders" />
      <ApprovalQueue query={pending} onReview={setReviewed} onOpen={open} />
      <OrderHistory
        search={search}
        onSearch={(change) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true })}
        onOpen={open}
      />
      {search.order ? (
        <OrderDrawer
          key={search.order}
          id={search.order}
          onClose={() => open(undefined)}
          onReview={setReviewed}
        />
      ) : null}
      {reviewed ? <ApproveDialog id={reviewed} onClose={close} /> : null}
    </div>
  );
}
