import { Button, Popover } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { readProblem } from '../../api/problem.ts';
import { invalidate, newIdempotencyKey, type Outputs, trpc } from '../../api/trpc.ts';
import { amount, usd } from '../../format/number.ts';
import { limitWords, originWords, outcomeOf, sideWords } from '../../format/trading/order.ts';
import { priceAt } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { rowKeys } from '../../shell/shortcuts.ts';
import { Id } from '../../ui/copy.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PendingRows } from '../../ui/pending-rows.tsx';
import { Age, Until } from '../../ui/time.tsx';

export type OrderRow = Outputs['console']['orders'][number];

type QueueProps = {
  query: Pick<UseQueryResult<OrderRow[], unknown>, 'data' | 'error' | 'refetch'>;
  onReview: (id: string) => void;
  /** One after another, in this order. */
  onReviewAll: (ids: readonly string[]) => void;
  onOpen: (id: string) => void;
};

/** Orders that wait for approval, the longest waiting first. */
export function ApprovalQueue({ query, onReview, onReviewAll, onOpen }: QueueProps) {
  const rows = query.data?.toReversed();
  return (
    <Panel
      title={`${t('Awaiting approval')}${rows && rows.length > 0 ? ` (${rows.length})` : ''}`}
      flush
      actions={
        rows && rows.length > 1 ? (
          <Button variant="default" onClick={() => onReviewAll(rows.map(({ id }) => id))}>
            {t('Review one by one…')}
          </Button>
        ) : null
      }
    >
      <PendingRows query={query} rows={2} height={34} />
      {rows?.length === 0 ? <NothingWaits /> : null}
      {rows && rows.length > 0 ? (
        <table className="rows cards brief">
          <thead>
            <tr>
              <th className="lesser">{t('Order')}</th>
              <th>{t('Side')}</th>
              <th>{t('Instrument')}</th>
              <th className="num">{t('Amount')}</th>
              <th className="num">{t('Limit')}</th>
              <th className="num">{t('Notional')}</th>
              <th>{t('Strategy')}</th>
              <th>{t('Age')}</th>
              <th>{t('Expires')}</th>
              <th>
                <span className="sr">{t('Actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <QueueRow key={row.id} row={row} onReview={onReview} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      ) : null}
    </Panel>
  );
}

/** The orders that would appear here, and the rule that decides it. */
function NothingWaits() {
  const usage = useQuery(trpc.riskRules.usage.queryOptions({}));
  const rule = <Link to="/risk">{t('Change the rule')}</Link>;
  const limit = usage.data?.lines.find(({ rule: name }) => name === 'requireApprovalAbove')?.limit;
  return (
    <p className="table-note dim">
      {limit === undefined ? (
        <Trans message="Nothing awaits your approval. {rule}" values={{ rule }} />
      ) : limit === 0 ? (
        <Trans
          message="Nothing awaits your approval. Each order waits here until you approve or reject it. {rule}"
          values={{ rule }}
        />
      ) : (
        <Trans
          message="Nothing awaits your approval. An order above {limit} waits here until you approve or reject it. {rule}"
          values={{ limit: usd(limit), rule }}
        />
      )}
    </p>
  );
}

function QueueRow({ row, onReview, onOpen }: { row: OrderRow } & Pick<QueueProps, 'onReview' | 'onOpen'>) {
  return (
    <tr
      data-row={row.id}
      {...rowKeys(() => onOpen(row.id))}
      aria-label={`${sideWords(row.side)} ${row.title}`}
    >
      <td data-label={t('Order')} className="lesser">
        <Id id={row.id} label={t('order ID')} />
      </td>
      <td data-label={t('Side')} data-card="lead">
        <SideWord side={row.side} />
      </td>
      <td data-label={t('Instrument')} data-card="name">
        {outcomeOf(row.tokenId)} {row.title}
      </td>
      <td data-label={t('Amount')} data-card="amount" className="num">
        {amount(row.amount)}
      </td>
      <td data-label={limitWords(row)} data-card="price" className="num">
        {row.type === 'market' ? <span className="dim small">{limitWords(row)} </span> : null}
        {priceAt(row.venue, row.limitPrice)}
      </td>
      <td data-label={t('Notional')} data-card="state" className="num">
        {usd(row.size)}
      </td>
      <td data-label={t('Strategy')} data-card="detail" className="dim">
        {originWords(row)}
      </td>
      <td data-label={t('Age')}>
        <Age at={row.createdAt} />
      </td>
      <td data-label={t('Expires')} data-card="time">
        {row.expiresAt ? <Until at={row.expiresAt} /> : '—'}
      </td>
      <td className="num">
        <span className="row tight end single">
          <RejectButton row={row} />
          <Button data-review onClick={() => onReview(row.id)}>
            {t('Review…')}
          </Button>
        </span>
      </td>
    </tr>
  );
}

export const SideWord = ({ side }: { side: 'buy' | 'sell' }) => (
  <strong className={side === 'buy' ? 'up' : 'down'}>{side === 'buy' ? t('BUY') : t('SELL')}</strong>
);

/** Declining is final and costs nothing: one further press, on the spot. */
export function RejectButton({ row }: { row: Pick<OrderRow, 'id' | 'side' | 'amount'> }) {
  const [isConfirming, setConfirming] = useState(false);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const reject = useMutation(
    trpc.orders.reject.mutationOptions({
      trpc: { context: { idempotencyKey } },
      onSettled: () => invalidate(trpc.console.orders.pathFilter()),
      onSuccess: () => notifications.show({ message: t('Rejected. It will not be sent.') }),
      onError: (error) => notifications.show({ color: 'red', message: readProblem(error).message }),
    }),
  );
  return (
    <Popover opened={isConfirming} onChange={setConfirming} position="bottom-end" withArrow trapFocus>
      <Popover.Target>
        <Button variant="default" onClick={() => setConfirming(true)}>
          {t('Reject…')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Reject this order?')}>
        <div className="stack tight question">
          <span>{t('Rejected for good: this order is never sent. The strategy may request another.')}</span>
          <div className="row">
            <Button variant="default" onClick={() => setConfirming(false)}>
              {t('Keep waiting')}
            </Button>
            <Button color="red" loading={reject.isPending} onClick={() => reject.mutate({ id: row.id })}>
              {t('Reject {side} of {amount}', { side: sideWords(row.side), amount: amount(row.amount) })}
            </Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
