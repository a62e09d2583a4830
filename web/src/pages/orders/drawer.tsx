import { Button, Drawer } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { invalidate, newIdempotencyKey, type Outputs, trpc } from '../../api/trpc.ts';
import { exactTime } from '../../format/exact-time.ts';
import { amount, shortToken, usd } from '../../format/number.ts';
import {
  BY_HAND_ID,
  limitWords,
  nodeNameOf,
  notionalOf,
  outcomeOf,
  sideWords,
} from '../../format/trading/order.ts';
import { priceAt, venueTitle } from '../../format/trading/venue.ts';
import { t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useAuditActors } from '../../ui/audit-subjects.tsx';
import { CopyButton, Id } from '../../ui/copy.tsx';
import { RowSkeleton } from '../../ui/panel.tsx';
import { priceSourceWords } from '../../ui/price-source.tsx';
import { ProblemNotice } from '../../ui/problem.tsx';
import { RuleResults } from '../../ui/rule-results.tsx';
import { OrderStatusMark, orderStatusWords } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { TranslatedReason } from '../../ui/translated-reason.tsx';
import { RejectButton } from './approval-queue.tsx';
import { DecisionValues } from './decision-values.tsx';

type Order = Outputs['console']['order'];
type DrawerProps = { id: string; onClose: () => void; onReview: (id: string) => void };

/** One order from its intent to its end: timeline, rules with numbers, fills, and its cause. */
export function OrderDrawer({ id, onClose, onReview }: DrawerProps) {
  const order = useQuery(trpc.console.order.queryOptions({ id }));
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={560}>
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label={t('Order')}>
        <Drawer.Body pt="md">
          <div className="row apart drawer-head">
            <h2>{t('Order')}</h2>
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

const AT_REST = new Set(['open', 'partially_filled']);
function Detail({ order, onReview }: { order: Order; onReview: (id: string) => void }) {
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const name = blueprints.data?.find(({ id }) => id === order.blueprintId)?.name;
  const price = (value: number | null) => priceAt(order.venue, value);
  const actorOf = useAuditActors();
  return (
    <div className="stack wide" data-subject={order.id}>
      <div className="row apart">
        <span className="row">
          <OrderStatusMark status={order.status} />
          <Id id={order.id} label={t('order ID')} />
        </span>
        <span className="row">
          {order.status === 'pending' ? (
            <>
              <RejectButton row={order} />
              <Button data-review onClick={() => onReview(order.id)}>
                {t('Review…')}
              </Button>
            </>
          ) : null}
          {order.canCancel ? <CancelButton order={order} /> : null}
        </span>
      </div>
      {order.reason ? (
        <div className="notice warn">
          <TranslatedReason of={order.reason} />
        </div>
      ) : null}
      <dl className="facts">
        <dt>{t('Order')}</dt>
        <dd>
          {sideWords(order.side)} {amount(order.amount)} {outcomeOf(order.tokenId)} {order.title}
        </dd>
        <dt>{t('Instrument')}</dt>
        <dd>
          {venueTitle(order.venue)} <code>{shortToken(order.tokenId)}</code>{' '}
          <CopyButton text={order.tokenId} label={t('Copy instrument')} />
        </dd>
        <dt>{t('Type')}</dt>
        <dd>
          <HowWords order={order} />
        </dd>
        <dt>{limitWords(order)}</dt>
        <dd>{price(order.limitPrice)}</dd>
        <dt>{t('Prices')}</dt>
        <dd>{priceSourceWords(order.priceSource)}</dd>
        <dt>{t('Notional')}</dt>
        <dd>{usd(notionalOf(order, order.endedAt !== null))}</dd>
        <dt>{t('Filled')}</dt>
        <dd>
          {t('{filledAmount} at {averagePrice}, fees {fees}', {
            filledAmount: amount(order.filledAmount),
            averagePrice: price(order.averagePrice),
            fees: usd(order.fees),
          })}
        </dd>
        <dt>{t('Strategy')}</dt>
        <dd>
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
        </dd>
      </dl>
      <DecisionValues order={order} />
      <section className="stack tight">
        <h2>{t('Timeline')}</h2>
        <ol className="timeline">
          {order.timeline.map((step) => (
            <li key={`${step.status}${step.at}`}>
              <strong>{orderStatusWords(step.status)}</strong> <Time at={step.at} write={exactTime} />{' '}
              <span className="dim">{t('by {actor}', { actor: actorOf(step.actor) })}</span>
              {step.reason ? (
                <div className="dim small">
                  <TranslatedReason of={step.reason} />
                </div>
              ) : null}
            </li>
          ))}
        </ol>
      </section>
      <section className="stack tight">
        <h2>
          <Trans
            message="Risk receipt <span>rules version {rulesVersion}</span>"
            values={{ rulesVersion: order.receipt.rulesVersion }}
            tags={{ span: <span className="dim small" /> }}
          />
        </h2>
        <RuleResults lines={order.receipt.lines} />
      </section>
      {order.approvalReceipt ? (
        <section className="stack tight">
          <h2>{t('Checked again at the approval')}</h2>
          <RuleResults lines={order.approvalReceipt.lines} />
        </section>
      ) : null}
      <Fills order={order} />
    </div>
  );
}

/** How it trades, in the words of the ticket; before it rests, `expiresAt` is the end of another wait. */
function HowWords({ order: { type, timeInForce, status, expiresAt } }: { order: Order }) {
  if (type === 'market') return t('At the market, within the price band');
  if (timeInForce === 'ioc') return t('At a limit, immediate or cancel');
  if (timeInForce === 'fok') return t('At a limit, fill or kill');
  if (expiresAt === null || !AT_REST.has(status)) return t('At a limit, until filled or canceled');
  return <Trans message="At a limit, until {time}" values={{ time: <Time at={expiresAt} /> }} />;
}

function Fills({ order }: { order: Order }) {
  if (order.fills.length === 0) return null;
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
