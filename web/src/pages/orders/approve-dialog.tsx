import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { pageMode } from '../../api/page-mode.ts';
import { readProblem } from '../../api/problem.ts';
import { client, invalidate, type Outputs, trpc } from '../../api/trpc.ts';
import { modeWords } from '../../format/mode.ts';
import { amount, signedShare, usd } from '../../format/number.ts';
import { environmentWords } from '../../format/trading/connection.ts';
import { estimateFill } from '../../format/trading/estimate-fill.ts';
import { describeOrder, nodeNameOf, outcomeOf, quantityOf, sideWords } from '../../format/trading/order.ts';
import { priceAt, venueTitle } from '../../format/trading/venue.ts';
import { msg, t } from '../../language/language.ts';
import { Trans } from '../../language/trans.tsx';
import { useMoneyBlockReason } from '../../live/store.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx';
import { RowSkeleton } from '../../ui/panel.tsx';
import { RuleResults } from '../../ui/rule-results.tsx';
import { Age, Until } from '../../ui/time.tsx';
import { useMarketNow } from '../../ui/use-market-now.ts';

/** How often the order and the rules are read again while the dialog is open. */
const RECHECK_MS = 5_000;

type Order = Outputs['console']['order'];
type Terms = Outputs['console']['approval']['terms'];

/** The facts of an approval, updated while it is open: the order, the current book, and the current results of the rules. */
type ApproveProps = {
  id: string;
  /** Its position among the orders that are reviewed one after another. */
  position?: { at: number; of: number } | undefined;
  /** Opens the next of them; absent for the last. */
  onNext?: (() => void) | undefined;
  onClose: () => void;
};

export function ApproveDialog({ id, position, onNext, onClose }: ApproveProps) {
  const order = useQuery({
    ...trpc.console.order.queryOptions({ id }),
    staleTime: 0,
    refetchInterval: RECHECK_MS,
  });
  if (!order.data) {
    return (
      <ConfirmDialog
        title={t('Approve this order?')}
        action={t('Approve')}
        blocked={order.error ? readProblem(order.error).message : t('Reading the order…')}
        pending={false}
        error={order.error}
        onConfirm={() => {}}
        onClose={onClose}
      >
        <RowSkeleton rows={4} height={16} />
      </ConfirmDialog>
    );
  }
  return <Facts order={order.data} position={position} onNext={onNext} onClose={onClose} />;
}

const NO_LONGER = msg('This order no longer awaits approval: it was handled, or it has ended.');

function Facts({ order, position, onNext, onClose }: Omit<ApproveProps, 'id'> & { order: Order }) {
  const { market, blocked } = useMarketNow(order.tokenId);
  const moneyBlock = useMoneyBlockReason();
  const check = useRulesNow(order);
  const approve = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.orders.approve.mutate(
        { id: order.id },
        { context: { idempotencyKey, ifMatch: `"v${order.version}"` } },
      ),
    onSettled: () => invalidate(),
    onSuccess: () => {
      notifications.show({ message: t('Approved: {order}.', { order: describeOrder(order) }) });
      (onNext ?? onClose)();
    },
  });
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const name = blueprints.data?.find(({ id }) => id === order.blueprintId)?.name ?? t('a strategy');
  const raisedBy = order.nodeId
    ? t('node “{nodeId}” of {name}', { nodeId: nodeNameOf(order, order.nodeId), name })
    : t('a person or key');
  const waits = order.status === 'pending';
  const isReal = (check.terms?.mode ?? pageMode) === 'live';
  const unread = isReal && !check.terms ? t('Reading the costs…') : null;
  const what = {
    side: sideWords(order.side),
    amount: amount(order.amount),
    quantity: quantityOf(order.amount, order),
    what: `${outcomeOf(order.tokenId)} ${order.title}`.trim(),
    price: priceAt(order.venue, order.limitPrice),
    size: usd(order.size),
  };
  const question =
    order.side === 'buy'
      ? t('Approve {side} of {amount} {what} at up to {price} ({size})?', what)
      : t('Approve {side} of {amount} {what} at no less than {price} ({size})?', what);
  return (
    <ConfirmDialog
      title={
        position ? t('{at} of {of}: {question}', { at: position.at, of: position.of, question }) : question
      }
      action={
        order.side === 'buy'
          ? t('Approve {side} of {quantity} for up to {size}', what)
          : t('Approve {side} of {quantity} for at least {size}', what)
      }
      danger={isReal}
      typeToConfirm={isReal && check.terms ? heaviness(order, check.terms) : undefined}
      blocked={waits ? (moneyBlock ?? blocked ?? unread) : t(NO_LONGER)}
      pending={approve.isPending}
      error={approve.error}
      onConfirm={(key) => approve.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        {isReal ? <RealMoney order={order} terms={check.terms} /> : null}
        <dt>{t('Raised')}</dt>
        <dd>
          <Trans message="{age} by {raisedBy}" values={{ age: <Age at={order.createdAt} />, raisedBy }} />
          {order.expiresAt ? (
            <Trans message=", expires {age}" values={{ age: <Until at={order.expiresAt} /> }} />
          ) : null}
        </dd>
        {market ? <BookNow order={order} market={market} /> : <BookUnknown />}
        <dt>{t('Worst fee')}</dt>
        <dd>{usd(order.worstFee)}</dd>
      </dl>
      <section aria-label={t('Risk rules')} className="stack tight">
        <strong className="small">{t('Risk rules {when}', { when: check.when })}</strong>
        <RuleResults lines={check.lines} />
      </section>
      {onNext ? (
        <div>
          <Button variant="default" disabled={approve.isPending} onClick={onNext}>
            {waits ? t('Skip for now') : t('Go on')}
          </Button>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}

/** The text typed before a live approval: the maximum cost of a buy, so that it has been read. */
const heaviness = ({ side }: Order, { worstCost }: Terms): string =>
  side === 'buy' ? worstCost.toFixed(2) : 'sell';

/** The destination of a live order, and its maximum cost. */
function RealMoney({ order, terms }: { order: Order; terms: Terms | undefined }) {
  if (terms === undefined) return <Fact title={t('Mode')}>…</Fact>;
  const { mode, venue, connection, worstCost } = terms;
  return (
    <>
      <Fact title={t('Mode')}>
        <Trans
          message="{span} a real order"
          values={{ span: <span className="chip live">{modeWords(mode).title}</span> }}
        />
      </Fact>
      <Fact title={t('Goes to')}>
        {venueTitle(venue)}
        {connection
          ? t(', through “{label}” ({environment})', {
              label: connection.label,
              environment: environmentWords(connection.environment).toLowerCase(),
            })
          : t(', by no connection: the approval is refused')}
      </Fact>
      <Fact title={order.side === 'buy' ? t('Max. cost') : t('Min. proceeds')}>
        <strong>{usd(order.side === 'buy' ? worstCost : order.size - worstCost)}</strong>{' '}
        <span className="dim">{t('with the fee')}</span>
      </Fact>
    </>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);

/**
 * The current results of the rules: the check of the approval, without effect. Free cash leaves out the order's own part. After
 * a refusal, the refusal's receipt.
 */
function useRulesNow({ id, status, receipt, approvalReceipt }: Order) {
  const waits = status === 'pending';
  const now = useQuery({
    ...trpc.console.approval.queryOptions({ id }),
    staleTime: 0,
    refetchInterval: RECHECK_MS,
    enabled: waits,
  });
  const terms = now.data?.terms;
  if (!waits && approvalReceipt)
    return { terms, lines: approvalReceipt.lines, when: t('when it was to be approved') };
  return now.data
    ? { terms, lines: now.data.lines, when: 'now' }
    : { terms, lines: receipt.lines, when: t('when it was raised') };
}

type Market = NonNullable<ReturnType<typeof useMarketNow>['market']>;

function BookNow({ order, market }: { order: Order; market: Market }) {
  const { side, amount: wanted, limitPrice, venue } = order;
  const bid = market.bids[0]?.price ?? null;
  const ask = market.asks[0]?.price ?? null;
  const estimate = estimateFill(side === 'buy' ? market.asks : market.bids, wanted, {
    price: limitPrice,
    side,
  });
  const write = (price: number | null) => priceAt(venue, price, market.tickSize);
  return (
    <>
      <dt>{t('Book now')}</dt>
      <dd>
        <Trans
          message="bid {bid} · ask {ask} · read {age}"
          values={{ bid: write(bid), ask: write(ask), age: <Age at={market.readAt} /> }}
        />
      </dd>
      <dt>{t('Would fill')}</dt>
      <dd className={estimate.filled < wanted ? 'warn' : undefined}>
        {estimate.averagePrice === null
          ? t('nothing within the limit now')
          : t('{filled} of {wanted} at {averagePrice} on average', {
              filled: amount(estimate.filled),
              wanted: amount(wanted),
              averagePrice: write(estimate.averagePrice),
            })}
      </dd>
      <dt>{t('Price since then')}</dt>
      <dd>{drift(order, side === 'buy' ? ask : bid, write)}</dd>
    </>
  );
}

const BookUnknown = () => (
  <>
    <dt>{t('Book now')}</dt>
    <dd className="dim">—</dd>
  </>
);

/** How far the price has moved since the decision. */
function drift(order: Order, now: number | null, write: (price: number | null) => string): string {
  const then = quotedThen(order);
  if (then === null || now === null || then === 0) return '—';
  const moved = now - then;
  return t('{before} then, {now} now ({moved})', {
    before: write(then),
    now: write(now),
    moved: signedShare(moved / then),
  });
}

function quotedThen({ decidedQuote, side }: Order): number | null {
  if (typeof decidedQuote !== 'object' || decidedQuote === null) return null;
  const value: unknown = Object.entries(decidedQuote).find(
    ([name]) => name === (side === 'buy' ? 'ask' : 'bid'),
  )?.[1];
  const price = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(price) ? price : null;
}
