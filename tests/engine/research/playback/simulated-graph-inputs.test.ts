import { expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { SimulatedBooks } from '../../../../engine/research/account/simulated-books.ts';
import {
  positionsIn,
  toOrderFacts,
  unfilledBuyUnitsIn,
} from '../../../../engine/research/playback/trader/simulated-graph-inputs.ts';
import { rulesWith } from '../../../support/backtest.ts';
import { position } from '../../trading/orders/answer.ts';
import { NOW } from '../../trading/orders/market.ts';
import { at, order } from '../../trading/orders/order.ts';

const rows = () =>
  new SimulatedBooks({
    key: { accountId: 'a', mode: 'paper' },
    rules: rulesWith(),
    account: {
      account_id: 'a',
      mode: 'paper',
      cash: '1000',
      realized_pnl: '0',
      last_loss_at: null,
      tripped_at: null,
      trip_reason: null,
      created_at: at(-9),
    },
  });

test('a strategy reads its holding, the unreserved part, its average cost and since when', () => {
  const books = rows();
  const held = position('p', '10', { token_id: 'A', total_cost: '25' });
  books.positions.set('p', held);
  books.positions.set('q', position('q', '0', { token_id: 'B' }));
  const sell = order({ id: 's', side: 'sell', status: 'queued', token_id: 'A' });
  books.insertOrder(sell, [{ positionId: 'p', amount: exact(4) }], 'system');
  expect([...positionsIn(books, NOW)]).toEqual([
    ['A', { amount: '10', free: '6', averageCost: '2.5', openedAt: Date.parse(held.opened_at) }],
  ]);
});

test('the open rest of live buys is summed by instrument; sells add nothing', () => {
  const books = rows();
  const put = (id: string, fields: Parameters<typeof order>[0]) =>
    books.insertOrder(order({ id, side: 'buy', status: 'open', token_id: 'A', ...fields }), [], 'system');
  put('1', { amount: '10', filled_amount: '4' });
  put('2', { amount: '3', filled_amount: '0' });
  put('3', { amount: '5', filled_amount: '0', token_id: 'B' });
  put('4', { amount: '7', side: 'sell' });
  put('5', { amount: '9', status: 'filled', filled_amount: '9' });
  expect([...unfilledBuyUnitsIn(books)]).toEqual([
    ['A', '9'],
    ['B', '5'],
  ]);
});

test('for an order its strategy reads whether it is being canceled, and when it ended', () => {
  const filled = { filled_amount: '2', filled_notional: '200', fees: '0.2' };
  const facts = { id: 'o', ...filled, reason: 'why', expires_at: at(60) };
  expect(toOrderFacts(order({ ...facts, status: 'pending', ended_at: null }))).toEqual({
    id: 'o',
    status: 'pending',
    amount: '10',
    limitPrice: '0.5',
    isCanceling: false,
    filledAmount: '2',
    filledNotional: '200',
    fees: '0.2',
    endedAtMs: null,
    message: 'why',
  });
  expect(toOrderFacts(order({ ...facts, status: 'expired', ended_at: at(60) }))).toMatchObject({
    endedAtMs: Date.parse(at(60)),
  });
  const canceling = { cancel_requested_at: at(1) };
  expect(toOrderFacts(order({ ...facts, ...canceling, status: 'open', expires_at: null }))).toMatchObject({
    isCanceling: true,
  });
});
