import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { pageMode } from '../../api/here.ts';
import { readProblem } from '../../api/problem.ts';
import { client, type Outputs, readAgain, trpc } from '../../api/trpc.ts';
import { environmentWords } from '../../format/connection.ts';
import { estimateFill } from '../../format/fill.ts';
import { modeWords } from '../../format/mode.ts';
import { amount, signedShare, usd } from '../../format/number.ts';
import { describeOrder, outcomeOf, quantityOf } from '../../format/order.ts';
import { priceAt, venueTitle } from '../../format/venue.ts';
import { useMoneyBlock } from '../../live/store.ts';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { RowSkeleton } from '../../ui/panel.tsx';
import { RuleLines } from '../../ui/receipt.tsx';
import { Age } from '../../ui/time.tsx';
import { useMarketNow } from '../../ui/use-market-now.ts';

/** How often the order and the rules are asked again while the dialog is open. */
const RECHECK_MS = 5_000;

type Order = Outputs['console']['order'];
type Terms = Outputs['console']['approval']['terms'];

/** The facts of an approval, kept fresh while it is open: the order, the book now, and what the rules say now. */
type ApproveProps = {
  id: string;
  /** Where it stands among those that are reviewed one after another. */
  place?: { at: number; of: number } | undefined;
  /** Goes on to the next of them; absent at the last. */
  onNext?: (() => void) | undefined;
  onClose: () => void;
};

export function ApproveDialog({ id, place, onNext, onClose }: ApproveProps) {
  const order = useQuery({
    ...trpc.console.order.queryOptions({ id }),
    staleTime: 0,
    refetchInterval: RECHECK_MS,
  });
  if (!order.data) {
    return (
      <ConfirmDialog
        title="Approve this order?"
        action="Approve"
        blocked={order.error ? readProblem(order.error).message : 'Reading the order…'}
        pending={false}
        error={order.error}
        onConfirm={() => {}}
        onClose={onClose}
      >
        <RowSkeleton rows={4} height={16} />
      </ConfirmDialog>
    );
  }
  return <Facts order={order.data} place={place} onNext={onNext} onClose={onClose} />;
}

const NO_LONGER = 'This order does not wait any more: it was handled already, or it ended.';

function Facts({ order, place, onNext, onClose }: Omit<ApproveProps, 'id'> & { order: Order }) {
  const { market, blocked } = useMarketNow(order.tokenId);
  const moneyBlock = useMoneyBlock();
  const check = useRulesNow(order);
  const approve = useMutation({
    mutationFn: (idempotencyKey: string) =>
      client.orders.approve.mutate(
        { id: order.id },
        { context: { idempotencyKey, ifMatch: `"v${order.version}"` } },
      ),
    onSettled: () => readAgain(),
    onSuccess: () => {
      notifications.show({ message: `Approved: ${describeOrder(order)}.` });
      (onNext ?? onClose)();
    },
  });
  const blueprints = useQuery(trpc.console.blueprints.queryOptions({}));
  const name = blueprints.data?.find(({ id }) => id === order.blueprintId)?.name ?? 'a blueprint';
  const raisedBy = order.nodeId ? `step “${order.nodeId}” of ${name}` : 'a person or key';
  const waits = order.status === 'pending';
  const isReal = (check.terms?.mode ?? pageMode) === 'live';
  const unread = isReal && !check.terms ? 'Reading what it costs…' : null;
  const what = `${order.side} of ${amount(order.amount)} ${outcomeOf(order.tokenId)} ${order.title}`;
  return (
    <ConfirmDialog
      title={`${place ? `${place.at} of ${place.of}: ` : ''}Approve ${what} at ${order.side === 'buy' ? 'up to' : 'no less than'} ${priceAt(order.venue, order.limitPrice)} (${usd(order.size)})?`}
      action={`Approve ${order.side} of ${quantityOf(order.amount, order)} for ${usd(order.size)}`}
      danger={isReal}
      typeToConfirm={isReal && check.terms ? heaviness(order, check.terms) : undefined}
      blocked={waits ? (moneyBlock ?? blocked ?? unread) : NO_LONGER}
      pending={approve.isPending}
      error={approve.error}
      onConfirm={(key) => approve.mutate(key)}
      onClose={onClose}
    >
      <dl className="facts">
        {isReal ? <RealMoney order={order} terms={check.terms} /> : null}
        <dt>Raised</dt>
        <dd>
          <Age at={order.createdAt} /> by {raisedBy}
          {order.expiresAt ? (
            <>
              , ends <Age at={order.expiresAt} />
            </>
          ) : null}
        </dd>
        {market ? <BookNow order={order} market={market} /> : <BookUnknown />}
        <dt>Worst fee</dt>
        <dd>{usd(order.worstFee)}</dd>
      </dl>
      <section aria-label="Risk rules" className="stack tight">
        <strong className="small">Risk rules {check.when}</strong>
        <RuleLines lines={check.lines} />
      </section>
      {onNext ? (
        <div>
          <Button variant="default" disabled={approve.isPending} onClick={onNext}>
            {waits ? 'Leave it waiting, and go on' : 'Go on'}
          </Button>
        </div>
      ) : null}
    </ConfirmDialog>
  );
}

/** What is typed before real money is approved: of a buy what it may cost at most, so that it has been read. */
const heaviness = ({ side }: Order, { worstCost }: Terms): string =>
  side === 'buy' ? worstCost.toFixed(2) : 'sell';

/** Where an order with real money goes, and what it may cost at most. */
function RealMoney({ order, terms }: { order: Order; terms: Terms | undefined }) {
  if (terms === undefined) return <Fact title="Mode">…</Fact>;
  const { mode, venue, connection, worstCost } = terms;
  return (
    <>
      <Fact title="Mode">
        <span className="chip live">{modeWords(mode).title}</span> a real order
      </Fact>
      <Fact title="Goes to">
        {venueTitle(venue)}
        {connection
          ? `, through “${connection.label}” (${environmentWords(connection.environment).toLowerCase()})`
          : ', by no connection: the approval is refused'}
      </Fact>
      <Fact title={order.side === 'buy' ? 'Costs at most' : 'Brings at least'}>
        <strong>{usd(order.side === 'buy' ? worstCost : order.size - worstCost)}</strong>{' '}
        <span className="dim">with the fee</span>
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
 * What the rules say of it now: the check the approval will take, without effect. Free cash leaves out its own part. Once
 * it was refused, what refused it.
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
    return { terms, lines: approvalReceipt.lines, when: 'when it was to be approved' };
  return now.data
    ? { terms, lines: now.data.lines, when: 'now' }
    : { terms, lines: receipt.lines, when: 'when it was raised' };
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
      <dt>Book now</dt>
      <dd>
        bid {write(bid)} · ask {write(ask)} · read <Age at={market.readAt} />
      </dd>
      <dt>Would fill</dt>
      <dd className={estimate.filled < wanted ? 'warn' : undefined}>
        {estimate.averagePrice === null
          ? 'nothing within the limit now'
          : `${amount(estimate.filled)} of ${amount(wanted)} at ${write(estimate.averagePrice)} on average`}
      </dd>
      <dt>Price since then</dt>
      <dd>{drift(order, side === 'buy' ? ask : bid, write)}</dd>
    </>
  );
}

const BookUnknown = () => (
  <>
    <dt>Book now</dt>
    <dd className="dim">—</dd>
  </>
);

/** How far the price one would pay has moved since the decision. */
function drift(order: Order, now: number | null, write: (price: number | null) => string): string {
  const then = quotedThen(order);
  if (then === null || now === null || then === 0) return '—';
  const moved = now - then;
  return `${write(then)} then, ${write(now)} now (${signedShare(moved / then)})`;
}

function quotedThen({ decidedQuote, side }: Order): number | null {
  if (typeof decidedQuote !== 'object' || decidedQuote === null) return null;
  const value: unknown = Object.entries(decidedQuote).find(
    ([name]) => name === (side === 'buy' ? 'ask' : 'bid'),
  )?.[1];
  const price = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(price) ? price : null;
}
