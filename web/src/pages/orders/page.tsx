import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { t } from '../../language/language.ts';
import { LockedNotice } from '../../ui/lock/locked-notice.tsx';
import { PageHead } from '../../ui/panel.tsx';
import { ApprovalQueue } from './approval-queue.tsx';
import { ApproveDialog } from './approve-dialog.tsx';
import { OrderDrawer } from './drawer.tsx';
import { OrderHistory } from './history.tsx';

export function OrdersPage() {
  const search = useSearch({ from: '/shell/orders' });
  const navigate = useNavigate({ from: '/orders' });
  const [chosen, setReviewed] = useState<string | null>(null);
  const reviewed = chosen ?? search.approve ?? null;
  /** The orders reviewed one after another, as they waited when the review began; null if one is reviewed alone. */
  const [row, setRow] = useState<readonly string[] | null>(null);
  const pending = useQuery({
    ...trpc.console.orders.queryOptions({ status: 'pending', limit: 200 }),
    refetchInterval: 15_000,
  });
  const open = (order: string | undefined) => void navigate({ search: (now) => ({ ...now, order }) });
  // The address may have asked for the dialog, as a notification does: once closed, it no longer asks.
  const close = () => {
    setReviewed(null);
    setRow(null);
    if (search.approve) void navigate({ search: ({ approve: _approve, ...now }) => now, replace: true });
  };
  const reviewAll = (ids: readonly string[]) => {
    setRow(ids);
    setReviewed(ids[0] ?? null);
  };
  const index = reviewed === null ? -1 : (row?.indexOf(reviewed) ?? -1);
  const next = index < 0 ? undefined : row?.[index + 1];
  return (
    <div className="page">
      <PageHead title={t('Orders')} />
      <LockedNotice />
      <ApprovalQueue query={pending} onReview={setReviewed} onReviewAll={reviewAll} onOpen={open} />
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
      {reviewed ? (
        <ApproveDialog
          key={reviewed}
          id={reviewed}
          position={row && index >= 0 ? { at: index + 1, of: row.length } : undefined}
          onNext={next === undefined ? undefined : () => setReviewed(next)}
          onClose={close}
        />
      ) : null}
    </div>
  );
}
