import { beforeEach, describe, expect, test } from 'vitest';
import { Books } from '../../../engine/ledger/books.ts';
import { exit, LEDGER, one } from './ledger.ts';

let books: Books;
beforeEach(() => {
  const deposits = LEDGER.cashEntries.filter(({ kind }) => kind === 'deposit');
  books = new Books({ ...LEDGER, deposits }, (subject, id, field) => {
    throw new Error(`The recorded ledger is right, also where it says ${field} of ${subject} ${id}.`);
  });
  for (const row of LEDGER.orders) {
    const reservations = LEDGER.reservations.filter(({ order_id }) => order_id === row.id);
    books.open({ row, reservations, entries: 1 });
  }
});

/** Books what is recorded of one order: the step that gave it birth. */
const bear = (orderId: string) => {
  const step = one(LEDGER.steps, ({ order_id, number }) => order_id === orderId && number === 1);
  const order = books.order(orderId);
  if (order !== undefined) books.step(order, step);
  return { ...step, expiresMs: Date.parse(step.expires_at ?? '') };
};
const fillsOf = (orderId: string) =>
  LEDGER.fills
    .filter(({ order_id }) => order_id === orderId)
    .map((fill) => ({
      fill,
      parts: LEDGER.fillParts.filter(({ fill_id }) => fill_id === fill.id),
      cash: LEDGER.cashEntries.filter(({ fill_id }) => fill_id === fill.id),
    }));
const ids = (orders: readonly { row: { id: string } }[]) => orders.map(({ row }) => row.id);

describe('live buys', () => {
  const intent = one(LEDGER.orders, ({ status }) => status === 'expired');

  test('count until the moment they expire, whether or not a job has run', () => {
    const { expiresMs } = bear(intent.id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), 'none'))).toEqual([intent.id]);
    expect(ids(books.liveBuys(new Date(expiresMs), 'none'))).toEqual([]);
  });

  test('leave out the order that is judged: it does not count against itself', () => {
    const { expiresMs } = bear(intent.id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), intent.id))).toEqual([]);
  });

  test('are buys, and born', () => {
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), 'none'))).toEqual([]);
  });
});

describe('what a position has free', () => {
  const bought = one(LEDGER.orders, ({ amount }) => Number(amount) === 12);
  const { id } = one(LEDGER.positions, ({ blueprint_id }) => blueprint_id === bought.blueprint_id);
  const pending = one(LEDGER.orders, ({ approval_receipt }) => approval_receipt !== null);
  const freeAt = (ms: number, leaveOut = 'none') => {
    const position = books.positions.get(id);
    return position && books.freeOf(position, new Date(ms), leaveOut).toFixed();
  };
  beforeEach(() => {
    for (const entry of fillsOf(bought.id)) books.fill(entry);
  });

  test('is what it holds, less what a cleared sell means to take until it expires', () => {
    expect(freeAt(0)).toBe('12');
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(freeAt(expiresMs - 1)).toBe('10');
    expect(freeAt(expiresMs)).toBe('12');
  });

  test('leaves out the sell that is judged', () => {
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(freeAt(expiresMs - 1, exit(LEDGER).id)).toBe('12');
  });

  test('"Only live sells and approved ones reserve": a pending one does not', () => {
    const { expiresMs, to_status } = bear(pending.id);
    expect(to_status).toBe('pending');
    expect(freeAt(expiresMs - 1)).toBe('12');
  });
});
