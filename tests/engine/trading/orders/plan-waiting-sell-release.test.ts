import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exact, sumOf } from '../../../../engine/platform/decimal.ts';
import {
  planWaitingSellRelease,
  type WaitingSell,
} from '../../../../engine/trading/orders/lifecycle/plan-waiting-sell-release.ts';
import { INSTRUMENT, NOW } from './market.ts';
import { at, changedTo, order } from './order.ts';

const REASON = 'The blueprint sells this position now, so this sell is not needed any more.';
const BY = { actor: 'system', now: NOW };

const allocations = (blueprintId: string, amount: string | number, positionId = `of ${blueprintId}`) => ({
  positionId,
  blueprintId,
  amount: exact(amount),
});
/** A pending sell at 0.46 of all allocations amounts. */
const waiting = (...parts: WaitingSell['allocations'][number][]): WaitingSell => ({
  order: order({
    side: 'sell',
    status: 'pending',
    expires_at: at(1),
    amount: `${sumOf(parts.map(({ amount }) => amount)).toFixed()}.000`,
    limit_price: '0.46',
    size: '6.900',
    worst_fee: '0.300',
  }),
  allocations: parts,
});
const withdraw = (...sells: WaitingSell[]) =>
  planWaitingSellRelease(sells, { instrument: INSTRUMENT, blueprintId: 'mine' }, BY);
const NOTHING = { changes: [], audits: [], events: [] };

test('a sell of several blueprints continues without the holding of one of them, and its audit row states by how much', () => {
  const sell = waiting(allocations('mine', 5), allocations('other', 10));
  expect(withdraw(sell)).toEqual({
    changes: [
      {
        before: sell.order,
        set: { amount: '10', size: '4.6', worst_fee: '0.175', updated_at: at(0) },
        step: null,
        released: ['of mine'],
      },
    ],
    audits: [
      {
        action: 'order.reduced',
        subjectId: 'o-1',
        before: { amount: '15', size: '6.9', worstFee: '0.3' },
        after: { amount: '10', size: '4.6', worstFee: '0.175', soldBy: 'mine' },
        at: NOW,
      },
    ],
    events: [changedTo('pending', { side: 'sell' })],
  });
});

test('each position of the blueprint that the sell draws on is released, and no other', () => {
  const sell = waiting(
    allocations('mine', 5, 'p-1'),
    allocations('mine', 0, 'p-2'),
    allocations('other', 4),
    allocations('mine', 1, 'p-3'),
  );
  expect(withdraw(sell).changes).toMatchObject([{ set: { amount: '4' }, released: ['p-1', 'p-3'] }]);
});

test('a sell of nothing else is canceled, which its own steps record already', () => {
  const sell = waiting(allocations('mine', 15));
  expect(withdraw(sell)).toMatchObject({
    changes: [
      {
        set: { status: 'canceled', reason_code: 'canceled', reason: REASON },
        step: { to: 'canceled', actor: 'system', reason: REASON },
      },
    ],
    audits: [],
    events: [changedTo('canceled', { side: 'sell' })],
  });
});

test('a sell that draws nothing on the blueprint does not change', () => {
  expect(withdraw()).toEqual(NOTHING);
  expect(withdraw(waiting(allocations('other', 15)))).toEqual(NOTHING);
  expect(withdraw(waiting(allocations('mine', 0), allocations('other', 15)))).toEqual(NOTHING);
});

test('a sell past its time is not canceled once more, and does not stop those after it', () => {
  const over = waiting(allocations('mine', 15));
  const next = waiting(allocations('mine', 3));
  const { changes } = withdraw({ ...over, order: { ...over.order, expires_at: at(0) } }, next);
  expect(changes.map(({ before }) => before)).toEqual([next.order]);
});

test('the rest of a sell is the amount of the others, and never has a larger fee than before', () => {
  const Amount = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(Amount, Amount, (mine, others) => {
      const [change] = withdraw(waiting(allocations('mine', mine), allocations('other', others))).changes;
      expect(exact(change?.set.amount ?? 0).toFixed()).toBe(exact(others).toFixed());
      expect(exact(change?.set.worst_fee ?? 1).lte('0.3')).toBe(true);
    }),
  );
});
