import { expect, test } from 'vitest';
import { DIFFERENCE_KINDS } from '../../db/vocabulary.ts';
import {
  canResolve,
  type Difference,
  differenceAmount,
  differenceHelp,
  differenceSubject,
  differenceTitle,
} from '../../web/src/format/trading/difference.ts';

const CASH: Difference = {
  id: '0198a7c2-0000-7000-8000-000000000001',
  kind: 'unexplained',
  subject: 'cash:USD',
  ours: 102.5,
  theirs: 100,
  worth: 2.5,
  tokenId: null,
  side: null,
  price: null,
  orderId: null,
  firstSeen: '2026-11-22T12:00:00.000Z',
  since: '2026-11-22T12:00:00.000Z',
  lastSeen: '2026-11-22T12:05:00.000Z',
  state: 'open',
  note: null,
  resolvedBy: null,
  resolvedAt: null,
};

test('a difference of any kind is in words, cash in dollars and positions in amounts', () => {
  for (const kind of DIFFERENCE_KINDS) {
    expect(differenceTitle({ ...CASH, kind })).not.toMatch(/_/);
    expect(differenceHelp({ ...CASH, kind })).toMatch(/^[A-Z].*\.$/);
  }
  expect(differenceSubject(CASH)).toBe('Cash (USD)');
  expect(differenceAmount(CASH, CASH.ours)).toBe('$102.50');
  const held = { ...CASH, subject: 'BTCUSDT' };
  expect(differenceSubject(held)).toBe('BTCUSDT');
  expect([differenceAmount(held, 0.5), differenceAmount(held, null)]).toEqual(['0.5', '—']);
});

test('a foreign trade says its instrument and price, beside its id at the venue', () => {
  const sold = { ...CASH, kind: 'external_fill', subject: 'fill:1:2', tokenId: 'BTCUSDT' } as const;
  expect(differenceSubject({ ...sold, side: 'sell', price: 75_196.83 })).toBe(
    'sell BTCUSDT at $75,196.83, fill:1:2',
  );
  expect(differenceSubject({ ...sold, side: 'buy', price: 0.5 })).toBe('buy BTCUSDT at $0.50, fill:1:2');
  expect(differenceSubject(sold)).toBe('fill:1:2');
});

test('a person can resolve an open difference, unless it passes without action', () => {
  expect(canResolve(CASH)).toBe(true);
  expect(canResolve({ ...CASH, kind: 'lag' })).toBe(false);
  expect(canResolve({ ...CASH, kind: 'in_flight' })).toBe(false);
  for (const state of ['gone', 'booked', 'explained'] as const)
    expect(canResolve({ ...CASH, state })).toBe(false);
});
