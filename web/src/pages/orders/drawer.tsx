import { Button, Drawer } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { invalidate, newIdempotencyKey, type Outputs, trpc } from '../../api/trpc.ts';
import { amount, shortToken, usd } from '../../format/number.ts';
import {
  BY_HAND_ID,
  decisionInputs,
  describeFilled,
  describeOrder,
  limitWords,
  nodeNameOf,
  notionalOf,
} from '../../format/trading/order.ts';
import { orderEndWords } from '../../format/trading/order-end-words.ts';
import { priceAt, venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { CopyButton, Id } from '../../ui/copy.tsx';
import { RowSkeleton } from '../../ui/panel.tsx';
import { priceSourceWords } from '../../ui/price-source.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { RuleResults } from '../../ui/rule-results.tsx';
import { OrderStatusMark } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';
import { RejectButton } from './approval-queue.tsx';
import { DecisionValues } from './decision-values.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import './order.css';

type Order = Outputs['console']['order'];
type DrawerProps = { id: string; onClose: () => void; onReview: (id: string) => void };

/** One order: whether it is done, its cause, its timeline, the rules with their numbers, and its terms. */
export function OrderDrawer({ id, onClose, onReview }: DrawerProps) {
  const order = useQuery(trpc.console.order.queryOptions({ id }));
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={560}>
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label={t('Order')}>
        <Drawer.Body pt="md">
          <div className="row apart drawer-head">
            <h2 className="order-headline">{order.data ? headlineOf(order.data) : t('Order')}</h2>
            <Drawer.CloseButton aria-label={t('Close')} size={28} />
          </div>
          {order.error && !order.data ? <ProblemNotice error={order.error} /> : null}
          {order.data ? <Detail order={order.data} onReview={onReview} /> : null}
          {!order.data && !order.error ? <RowSkeleton rows={8} /> : null}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** Says what it did once it is filled, until then what it is to do. */
const headlineOf = (order: Order): string =>
  order.status === 'filled' ? describeFilled(order) : describeOrder(order);

const AT_REST = new Set(['open', 'partially_filled']);

function Detail({ order, onReview }: { order: Order; onReview: (id: string) => void }) {
  const rules = order.receipt.lines;
  return (
    <div className="stack wide" data-subject={order.id}>
      <div className="stack tight">
        <p className="plain order-done">
          <OrderStatusMark status={order.status} /> <span>{orderEndWords(order)}</span>
        </p>
        {order.reason ? (
          <div className="notice warn">
            <TranslatedReason of={order.reason} />
          </div>
        ) : null}
        {order.status === 'pending' ? (
          <div className="row">
            <Button data-review onClick={() => onReview(order.id)}>
              {t('Review…')}
            </Button>
            <RejectButton row={order} />
          </div>
        ) : null}
        {order.canCancel ? (
          <div className="row">
            <CancelButton order={order} />
          </div>
        ) : null}
      </div>
      <section className="stack tight">
        <h2>{t('Why')}</h2>
        <Origin order={order} />
        <DecisionValues order={order} />
      </section>
      <section className="stack tight">
        <h2>{t('Timeline')}</h2>
        <OrderTimeline order={order} />
      </section>
      <Fills order={order} />
      <section className="stack tight">
        <h2>{t('Risk rules')}</h2>
        <RuleResults lines={rules} />
      </section>
      {order.approvalReceipt ? (
        <section className="stack tight">
          <h2>{t('Checked again at the approval')}</h2>
          <RuleResults lines={order.approvalReceipt.lines} />
        </section>
      ) : null}
      <Facts order={order} />
    </div>
  );
}

/** The strategy, its node and release; or the person who raised it. */
function Origin({ order }: { order: Order }) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const name = blueprints.data?.find(({ id }) => id === order.blueprintId)?.name;
  return (
    <p className="plain">
      {order.blueprintId === BY_HAND_ID ? (
        t('By hand')
      ) : (
        <Link
          to="/blueprints/$id"
          params={{ id: order.blueprintId }}
          search={order.nodeId ? { node: order.nodeId } : {}}
        >
          {name ?? t('open')}
        </Link>
      )}
      {order.nodeId
        ? t(', node “{nodeId}”', { nodeId: nodeNameOf(order, order.nodeId) })
        : order.blueprintId === BY_HAND_ID
          ? null
          : `, ${t('by hand')}`}
      {order.releaseNumber === null
        ? null
        : t(' in release {releaseNumber}', { releaseNumber: order.releaseNumber })}
    </p>
  );
}

/** The terms of the order, and its ids. */
function Facts({ order }: { order: Order }) {
  const inputs = decisionInputs(order.inputs);
  return (
    <details className="stack tight">
      <summary>{t('Details')}</summary>
      <dl className="facts">
        <dt>{t('Type')}</dt>
        <dd>
          <HowWords order={order} />
        </dd>
        <dt>{limitWords(order)}</dt>
        <dd>{priceAt(order.venue, order.limitPrice)}</dd>
        <dt>{t('Notional')}</dt>
        <dd>{usd(notionalOf(order, order.endedAt !== null))}</dd>
        <dt>{t('Instrument')}</dt>
        <dd>
          {venueTitle(order.venue)} <code>{shortToken(order.tokenId)}</code>{' '}
          <CopyButton text={order.tokenId} label={t('Copy instrument')} />
        </dd>
        <dt>{t('Prices')}</dt>
        <dd>{priceSourceWords(order.priceSource)}</dd>
        <dt>{t('Rules version')}</dt>
        <dd>{order.receipt.rulesVersion}</dd>
        <dt>{t('Order')}</dt>
        <dd>
          <Id id={order.id} label={t('order ID')} />
        </dd>
      </dl>
      {inputs.length > 0 ? (
        <details>
          <summary className="dim small">{t('Values as JSON')}</summary>
          <pre className="mono">{JSON.stringify(inputs, null, 2)}</pre>
        </details>
      ) : null}
    </details>
  );
}

/** How it trades, in the words of the ticket; before it rests, `expiresAt` is the end of another wait. */
function HowWords({ order: { type, timeInForce, status, expiresAt } }: { order: Order }) {
  if (type === 'market') return t('At the market, within the price band');
  if (timeInForce === 'ioc') return t('At a limit, immediate or cancel');
  if (timeInForce === 'fok') return t('At a limit, fill or kill');
  if (timeInForce === 'gtx') return t('At a limit, post-only');
  if (expiresAt === null || !AT_REST.has(status)) return t('At a limit, until filled or canceled');
  return <Trans message="At a limit, until {time}" values={{ time: <Time at={expiresAt} /> }} />;
}

function Fills({ order }: { order: Order }) {
  // The timeline has the figures of a single one.
  if (order.fills.length < 2) return null;
  return (
    <section className="stack tight">
      <h2>{t('Fills')}</h2>
      <table className="rows">
        <thead>
          <tr>
            <th>{t('Time')}</th>
            <th className="num">{t('Amount')}</th>
            <th className="num">{t('Price')}</th>
            <th className="num">{t('Fee')}</th>
          </tr>
        </thead>
        <tbody>
          {order.fills.map((fill) => (
            <tr key={fill.id}>
              <td>
                <Time at={fill.at} />
              </td>
              <td className="num">{amount(fill.amount)}</td>
              <td className="num">{priceAt(order.venue, fill.price)}</td>
              <td className="num">{usd(fill.fee)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CancelButton({ order }: { order: Order }) {
  const [idempotencyKey] = useState(newIdempotencyKey);
  const cancel = useMutation(
    trpc.orders.cancel.mutationOptions({
      trpc: { context: { idempotencyKey } },
      onSuccess: () => {
        notifications.show({ message: t('Cancel requested. A fill may still be faster.') });
        invalidate(trpc.console.order.pathFilter());
        invalidate(trpc.console.orders.pathFilter());
      },
    }),
  );
  return (
    <Button
      variant="default"
      loading={cancel.isPending}
      disabled={order.cancelRequestedAt !== null}
      onClick={() => cancel.mutate({ id: order.id })}
    >
      {order.cancelRequestedAt === null ? t('Cancel order') : t('Cancel requested')}
    </Button>
  );
}
