import { expect, test } from 'vitest';
import { elapsed } from '../../web/src/format/exact-time.ts';
import { decisionReason } from '../../web/src/format/trading/decision-rows.ts';
import { orderEndWords } from '../../web/src/format/trading/order-end-words.ts';

const order = {
  status: 'filled',
  side: 'buy',
  venue: 'crypto',
  amount: 0.5,
  filledAmount: 0.5,
  averagePrice: 100,
  fees: 0.05,
  createdAt: '2026-11-20T12:00:00.000Z',
  queuedAt: '2026-11-20T12:05:00.000Z',
  endedAt: '2026-11-20T12:05:00.028Z',
} as const;

test('a filled order says what was paid or received with its fee, and how long it took after its approval', () => {
  expect(orderEndWords(order)).toBe('Done in 28 ms: paid $50.05, of which $0.05 is the fee.');
  expect(orderEndWords({ ...order, side: 'sell' })).toBe(
    'Done in 28 ms: received $49.95 after a fee of $0.05.',
  );
});

test('an order that waits, rests or ended says whether anything was sent or filled', () => {
  expect(orderEndWords({ ...order, status: 'pending' })).toBe('Not sent: it waits for your decision.');
  expect(orderEndWords({ ...order, status: 'denied' })).toBe('Not sent: a risk rule denied it.');
  expect(orderEndWords({ ...order, status: 'open' })).toBe('Rests at Crypto; nothing is filled yet.');
  expect(orderEndWords({ ...order, status: 'partially_filled', filledAmount: 0.2 })).toBe(
    'Rests at Crypto: 0.2 of 0.5 is filled.',
  );
  expect(orderEndWords({ ...order, status: 'canceled', filledAmount: 0.2 })).toBe(
    'Ended: 0.2 of 0.5 was filled.',
  );
  expect(orderEndWords({ ...order, status: 'expired', filledAmount: 0 })).toBe('Ended without a fill.');
});

test('a span keeps its milliseconds while it is short, and is never negative', () => {
  expect([-5, 0, 999, 2_449, 59_999, 300_000].map(elapsed)).toEqual([
    '0 ms',
    '0 ms',
    '999 ms',
    '2.4 s',
    '59.9 s',
    '5 min',
  ]);
});

test('the reason of a decision is read from its inputs, and from nothing else', () => {
  expect(
    decisionReason({ inputs: [], reason: { code: 'triggered', message: 'The condition turned true.' } }),
  ).toBe('The condition turned true.');
  for (const inputs of [null, 'text', [], {}, { reason: 'x' }, { reason: null }]) {
    expect(decisionReason(inputs)).toBeNull();
  }
});
