import { expect, test } from 'vitest';
import type { FillRow } from '../../../../engine/books/accounting/booking.ts';
import { IntentCounter } from '../../../../engine/research/playback/intent-counter.ts';
import { Recorder } from '../../../../engine/research/playback/record/recorder.ts';
import { EventQueue, type ScheduledEvent } from '../../../../engine/research/playback/trader/event-queue.ts';
import { OrderEventScheduler } from '../../../../engine/research/playback/trader/order-event-scheduler.ts';
import { SimulatedLiquidity } from '../../../../engine/research/playback/trader/simulated-liquidity.ts';
import { SimulatedMarkets } from '../../../../engine/research/playback/trader/simulated-markets.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { coin, factFromStart, requestOf } from '../../../support/backtest.ts';
import { NOW } from '../../trading/orders/market.ts';
import { at, order } from '../../trading/orders/order.ts';

const T = NOW.getTime();
const LATENCY_MS = 250;

type Patch = Parameters<typeof requestOf>[1];

function watching(patch: Patch = {}) {
  const request = requestOf(
    { from: at(-60_000), to: at(600_000) },
    { fills: { latencyMs: LATENCY_MS }, ...patch },
  );
  const listed = {
    tokenId: 'A',
    facts: [factFromStart(coin({ token_id: 'A' }))],
    prices: null,
    minutes: null,
    barMs: 1,
  };
  const market = new SimulatedMarkets([listed], [], []);
  const parts: { kind: string; rows: readonly object[] }[] = [];
  const recorder = new Recorder(
    { fromMs: T - 60_000, toMs: T + 600_000, start: '10000', riskFree: 0, isChecked: false, visuals: [] },
    (part) => parts.push(part),
  );
  const [queue, tally] = [new EventQueue(), new IntentCounter()];
  const fills: FillRow[] = [];
  const trades: string[] = [];
  const ended: OrderRow[] = [];
  const watch = new OrderEventScheduler({
    request,
    market,
    recorder,
    tally,
    queue,
    offers: new SimulatedLiquidity(market, request.fills),
    fillsOf: () => fills,
    onTrade: (tokenId, atMs) => trades.push(`${tokenId} ${atMs - T}`),
    onEnd: (order) => ended.push(order),
    isThrough: () => false,
  });
  const dues = (): ScheduledEvent[] => {
    const all: ScheduledEvent[] = [];
    for (let due = queue.take(T + 1e9); due !== undefined; due = queue.take(T + 1e9)) all.push(due);
    return all.map((due) => ({ ...due, atMs: due.atMs - T }));
  };
  const rowsOf = (kind: string) => {
    recorder.flush();
    return parts.filter((part) => part.kind === kind).flatMap(({ rows }) => rows);
  };
  return { watch, dues, tally, fills, trades, ended, rowsOf };
}

const own = (fields: Partial<OrderRow>) => order({ id: 'o', token_id: 'A', ...fields });

const fillRow = (fields: Partial<FillRow> = {}): FillRow => ({
  account_id: 'a',
  id: 'f-1',
  order_id: 'o',
  mode: 'paper',
  kind: 'trade',
  token_id: 'A',
  venue: 'crypto',
  venue_trade_id: 't-1',
  side: 'buy',
  amount: '4',
  price: '0.5',
  fee: '0.01',
  fee_asset: 'USD',
  fee_amount: '0.01',
  liquidity: 'taker',
  state: 'final',
  connection_id: null,
  at: at(0),
  applied_at: at(0),
  ...fields,
});

test('a queued order arrives after the latency, once', () => {
  const { watch, dues } = watching();
  watch.see(own({ status: 'queued' }), T);
  watch.see(own({ status: 'queued' }), T + 1);
  expect(dues()).toEqual([{ atMs: LATENCY_MS, kind: 'arrive', id: 'o' }]);
});

test('a pending order is approved after the requested delay, and expires at its time; it is counted once', () => {
  const { watch, dues, tally } = watching({ risk: { approvals: { policy: 'auto', delaySec: 30 } } });
  watch.see(own({ status: 'pending', expires_at: at(90_000) }), T);
  watch.see(own({ status: 'pending', expires_at: at(90_000) }), T);
  expect(dues()).toEqual([
    { atMs: 30_000, kind: 'approve', id: 'o' },
    { atMs: 90_000, kind: 'expire', id: 'o' },
  ]);
  expect(tally.counts().approvals).toBe(1);
});

test('without approvals, a pending order only expires, if it has an end', () => {
  const { watch, dues } = watching({ risk: { approvals: { policy: 'never', delaySec: 30 } } });
  watch.see(own({ status: 'pending', expires_at: at(90_000) }), T);
  watch.see(own({ id: 'other', status: 'pending', expires_at: null }), T);
  expect(dues()).toEqual([{ atMs: 90_000, kind: 'expire', id: 'o' }]);
});

test('a resting order is canceled at its time, once, and a cancel reaches the venue after the latency', () => {
  const { watch, dues } = watching();
  watch.see(own({ status: 'open', good_till: at(5_000) }), T);
  watch.see(own({ status: 'partially_filled', good_till: at(5_000) }), T + 10);
  watch.see(own({ id: 'endless', status: 'open', good_till: null }), T);
  expect(dues()).toEqual([{ atMs: 5_000, kind: 'expire', id: 'o' }]);
  watch.see(own({ status: 'open', good_till: at(5_000), cancel_requested_at: at(20) }), T + 20);
  expect(dues()).toEqual([{ atMs: 20 + LATENCY_MS, kind: 'cancel', id: 'o' }]);
});

test('each fill is reported once, and an order once it has ended, with the average price of its fills', () => {
  const { watch, dues, tally, fills, trades, ended, rowsOf } = watching();
  fills.push(fillRow());
  watch.see(own({ status: 'partially_filled', filled_amount: '4', filled_notional: '2' }), T);
  expect(ended).toEqual([]);
  fills.push(fillRow({ id: 'f-2', amount: '6', price: '0.6' }));
  const filled = own({
    status: 'filled',
    filled_amount: '10',
    filled_notional: '5.6',
    reason_code: null,
    receipt: { verdict: 'queued' },
  });
  watch.see(filled, T + 5);
  expect(trades).toEqual(['A 0', 'A 5']);
  expect(rowsOf('fill')).toEqual([
    {
      orderId: 'o',
      at: at(0),
      tokenId: 'A',
      side: 'buy',
      amount: '4',
      price: '0.5',
      fee: '0.01',
      source: 'order',
      grade: 'gap',
    },
    {
      orderId: 'o',
      at: at(0),
      tokenId: 'A',
      side: 'buy',
      amount: '6',
      price: '0.6',
      fee: '0.01',
      source: 'order',
      grade: 'gap',
    },
  ]);
  expect(ended).toEqual([filled]);
  expect(tally.counts()).toMatchObject({ orders: 1, filled: 1 });
  expect(rowsOf('order')).toEqual([
    {
      id: 'o',
      at: filled.created_at,
      nodeId: 'n-1',
      tokenId: 'A',
      side: 'buy',
      type: 'limit',
      amount: '10',
      limitPrice: '0.5',
      status: 'filled',
      statusReason: null,
      filledAmount: '10',
      averagePrice: '0.56',
      reason: '',
      receipt: { verdict: 'queued' },
    },
  ]);
  expect(dues()).toEqual([]);
});

test('an order without fills has no average, and its reason is that of its venue', () => {
  const { watch, rowsOf } = watching();
  watch.see(own({ status: 'rejected', node_id: null, reason_code: 'too_small', reason: 'Too small.' }), T);
  expect(rowsOf('order')).toMatchObject([
    { nodeId: '', status: 'rejected', averagePrice: null, statusReason: 'too_small', reason: 'Too small.' },
  ]);
  expect([...watch.orders]).toEqual([]);
});

test('a payout without an order is reported under its own id', () => {
  const { watch, rowsOf, fills } = watching();
  fills.push(fillRow());
  watch.see(own({ status: 'filled', filled_amount: '4', filled_notional: '2' }), T);
  watch.settled(fillRow({ id: 'p', order_id: null, side: 'sell', price: '1', fee: '0' }), T + 9);
  const payout = { orderId: 'p', source: 'settlement', price: '1', grade: null };
  expect(rowsOf('fill')[1]).toMatchObject(payout);
});

test('for each node the last two orders are stored in their present state, the youngest first', () => {
  const { watch } = watching();
  const seen = () =>
    [...watch.orders].map(([node, orders]) => [node, orders.map(({ id, status }) => `${id} ${status}`)]);
  watch.see(own({ id: 'o-1', status: 'open' }), T);
  watch.see(own({ id: 'o-2', status: 'open' }), T);
  watch.see(own({ id: 'o-1', status: 'canceled' }), T);
  watch.see(own({ id: 'x-1', status: 'open', node_id: 'n-2' }), T);
  expect(seen()).toEqual([
    ['n-1', ['o-2 open', 'o-1 canceled']],
    ['n-2', ['x-1 open']],
  ]);
  watch.see(own({ id: 'o-3', status: 'queued' }), T);
  expect(seen()[0]).toEqual(['n-1', ['o-3 queued', 'o-2 open']]);
});
