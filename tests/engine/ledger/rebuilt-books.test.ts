import { beforeEach, describe, expect, test } from 'vitest';
import { compareAccount } from '../../../engine/ledger/compare-stored-books.ts';
import { RebuiltBooks } from '../../../engine/ledger/rebuilt-books.ts';
import type { CashRow, FillPartRow, FillRow } from '../../../engine/ledger/rows.ts';
import { exact } from '../../../engine/platform/decimal.ts';
import { exit, findOne, firstOf, LEDGER } from './ledger.ts';

let books: RebuiltBooks;
beforeEach(() => {
  const deposits = LEDGER.cashEntries.filter(({ kind }) => kind === 'deposit');
  books = new RebuiltBooks({ ...LEDGER, deposits }, (subject, id, field) => {
    throw new Error(`The recorded ledger is right, also where it says ${field} of ${subject} ${id}.`);
  });
  for (const row of LEDGER.orders) {
    const allocations = LEDGER.allocations.filter(({ order_id }) => order_id === row.id);
    books.open({ row, allocations, entries: 1 });
  }
});

/** Books the record of one order: the step that created it. */
const bear = (orderId: string) => {
  const step = findOne(LEDGER.steps, ({ order_id, number }) => order_id === orderId && number === 1);
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
  const intent = findOne(LEDGER.orders, ({ status }) => status === 'expired');

  test('count until the moment they expire, whether or not a job has run', () => {
    const { expiresMs } = bear(intent.id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), 'none'))).toEqual([intent.id]);
    expect(ids(books.liveBuys(new Date(expiresMs), 'none'))).toEqual([]);
  });

  test('leave out the order under decision: it does not count against itself', () => {
    const { expiresMs } = bear(intent.id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), intent.id))).toEqual([]);
  });

  test('are buys, and born', () => {
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(ids(books.liveBuys(new Date(expiresMs - 1), 'none'))).toEqual([]);
  });
});

describe('the free amount of a position', () => {
  const bought = findOne(LEDGER.orders, ({ amount }) => Number(amount) === 12);
  const { id } = findOne(LEDGER.positions, ({ blueprint_id }) => blueprint_id === bought.blueprint_id);
  const pending = findOne(LEDGER.orders, ({ approval_receipt }) => approval_receipt !== null);
  const freeAt = (ms: number, leaveOut = 'none') => {
    const position = books.positions.get(id);
    return position && books.freeOf(position, new Date(ms), leaveOut).toFixed();
  };
  beforeEach(() => {
    for (const entry of fillsOf(bought.id)) books.fill(entry);
  });

  test('is the holding, less the rest of a queued sell until it expires', () => {
    expect(freeAt(0)).toBe('12');
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(freeAt(expiresMs - 1)).toBe('10');
    expect(freeAt(expiresMs)).toBe('12');
  });

  test('leaves out the sell under decision', () => {
    const { expiresMs } = bear(exit(LEDGER).id);
    expect(freeAt(expiresMs - 1, exit(LEDGER).id)).toBe('12');
  });

  test('"Only live sells and approved ones reserve": a pending one does not', () => {
    const { expiresMs, to_status } = bear(pending.id);
    expect(to_status).toBe('pending');
    expect(freeAt(expiresMs - 1)).toBe('12');
  });
});

describe('an order without later entries', () => {
  test('is dropped, and reserves while it lives', () => {
    const intent = findOne(LEDGER.orders, ({ status }) => status === 'expired');
    const { expiresMs } = bear(intent.id);
    const order = books.order(intent.id);
    if (order === undefined) throw new Error('It has been opened.');
    books.forget(order);
    expect(books.order(intent.id)).toBeUndefined();
    expect(ids(books.liveBuys(new Date(expiresMs - 1), 'none'))).toEqual([intent.id]);
  });
});

describe('a fill', () => {
  const AT = '2026-11-20T12:00:00.000Z';
  const LATER = '2026-11-20T13:00:00.000Z';
  let own: RebuiltBooks;
  let differences: string[];
  beforeEach(() => {
    differences = [];
    const positions = [{ ...firstOf(LEDGER.positions), id: 'p-1' }];
    own = new RebuiltBooks(
      { deposits: [], positions },
      (...difference) => void differences.push(difference.join(' ')),
    );
  });
  const fill = (terms: Partial<FillRow>): FillRow => ({
    ...firstOf(LEDGER.fills),
    id: 'f-1',
    kind: 'trade',
    order_id: null,
    connection_id: null,
    side: 'buy',
    amount: '10',
    price: '0.5',
    fee: '0',
    fee_asset: 'USD',
    fee_amount: '0',
    applied_at: AT,
    ...terms,
  });
  const part = (amount: string, cost: string, terms: Partial<FillPartRow> = {}): FillPartRow => ({
    ...firstOf(LEDGER.fillParts),
    position_id: 'p-1',
    amount,
    cost,
    fee: '0',
    realized_pnl: '0',
    ...terms,
  });
  const cash = (amount: string): CashRow => ({ ...firstOf(LEDGER.cashEntries), amount });
  const bought = (terms: Partial<FillRow> = {}) =>
    own.fill({ fill: fill(terms), parts: [part('10', '5')], cash: [cash('-5')] });
  const sold = (terms: Partial<FillRow> = {}) =>
    own.fill({
      fill: fill({ side: 'sell', ...terms }),
      parts: [part('10', '5')],
      cash: [cash('5')],
    });

  test('opens a position when it is bought from nothing, and again only after all of it was sold', () => {
    bought();
    bought({ applied_at: LATER });
    expect(own.positions.get('p-1')?.openedAt).toBe(AT);
    sold();
    sold();
    expect(own.positions.get('p-1')?.openedAt).toBe(AT);
    bought({ applied_at: LATER });
    expect(own.positions.get('p-1')?.openedAt).toBe(LATER);
    expect(differences).toEqual([]);
  });

  test('of a buy is booked with all of its amount', () => {
    own.fill({ fill: fill({}), parts: [part('9', '5')], cash: [cash('-5')] });
    expect(differences).toEqual(['fill_allocation f-1 amount 10 9']);
  });

  test('that was booked to no position is compared by its cash only', () => {
    own.fill({ fill: fill({}), parts: [], cash: [] });
    expect(differences).toEqual(['cash_entry f-1 amount -5 0']);
  });

  test('is compared with its own parts, where another part names a missing position', () => {
    own.fill({
      fill: fill({}),
      parts: [part('4', '2', { position_id: 'gone' }), part('6', '7')],
      cash: [cash('-5')],
    });
    expect(differences).toEqual(['fill_allocation f-1 amount 10 4', 'fill_allocation f-1 cost 5 7']);
  });

  test('whose fee the venue took from the bought amount adds that much less', () => {
    const coins = { token_id: 'BTCUSDT', amount: '1', price: '100', fee: '0.1' };
    own.fill({
      fill: fill({ ...coins, fee_asset: 'BTC', fee_amount: '0.001' }),
      parts: [part('0.999', '99.9', { fee: '0.1', realized_pnl: '-0.1' })],
      cash: [cash('-100')],
    });
    expect(differences).toEqual([]);
    expect(own.positions.get('p-1')?.amount.toFixed()).toBe('0.999');
  });

  test('that was reversed removes its amount from filled and drawn of its order', () => {
    const row = { ...firstOf(LEDGER.orders), id: 'o-1' };
    const order = own.open({ row, allocations: [], entries: 2 });
    bought({ order_id: 'o-1' });
    sold({ order_id: 'o-1', kind: 'reversal' });
    expect(order.filledAmount.toFixed()).toBe('0');
    expect(order.filledNotional.toFixed()).toBe('0');
    expect(order.soldByPosition.get('p-1')?.toFixed()).toBe('0');
  });

  test('of a buy counts as paid on its day, by its connection; sells and bookings without a trade do not', () => {
    bought({ connection_id: 'c-1' });
    bought({ connection_id: 'c-1' });
    bought({ kind: 'reversal' });
    sold();
    const paid = own.paidByDay.get('2026-11-20') ?? new Map();
    expect([...paid].map(([id, usd]) => [id, usd.toFixed()])).toEqual([['c-1', '10']]);
  });

  test('of the minute is counted separately for buys, and for all orders', () => {
    for (const [id, side] of [['o-1', 'buy'] as const, ['o-2', 'sell'] as const]) {
      const order = own.open({ row: { ...firstOf(LEDGER.orders), id, side }, allocations: [], entries: 1 });
      own.step(order, { ...firstOf(LEDGER.steps), to_status: 'queued', at: AT });
    }
    const sinceMs = Date.parse(AT) - 1;
    expect([own.queuedAfter(sinceMs), own.queuedAfter(sinceMs, { withSells: true })]).toEqual([1, 2]);
    expect(own.queuedAfter(sinceMs + 1, { withSells: true })).toBe(0);
  });
});

describe('money that moved without a fill', () => {
  const move = (kind: CashRow['kind'], amount: string, at: string): CashRow => ({
    ...firstOf(LEDGER.cashEntries),
    kind,
    amount,
    at,
  });
  const movedBy = (...moves: CashRow[]) => {
    const own = new RebuiltBooks({ deposits: [], positions: [] }, () => {});
    for (const each of moves) own.move(each);
    return own;
  };
  const AT = '2026-11-20T12:00:00.000Z';

  test('from outside is cash and not profit', () => {
    const own = movedBy(move('transfer', '25', AT));
    expect(own.cash).toEqual(exact(25));
    expect(own.realizedPnl.toFixed()).toBe('0');
    expect(own.realizedByDay.size).toBe(0);
    expect(own.moment).toMatchObject({ atMs: Date.parse(AT), cash: exact(25) });
  });

  test('that corrects a fee is profit or loss of its day as well', () => {
    const own = movedBy(
      move('fee_true_up', '-0.3', AT),
      move('fee_true_up', '0.1', AT),
      move('fee_true_up', '1', '2026-11-21T00:00:00.000Z'),
    );
    expect(own.cash.toFixed()).toBe('0.8');
    expect(own.realizedPnl.toFixed()).toBe('0.8');
    expect([...own.realizedByDay].map(([day, usd]) => [day, usd.toFixed()])).toEqual([
      ['2026-11-20', '-0.2'],
      ['2026-11-21', '1'],
    ]);
  });

  test('is in the cash of the account: as money from outside, or as realized result', () => {
    const moves = [move('transfer', '25', AT), move('fee_true_up', '-0.3', AT)];
    const differences: string[] = [];
    const account = {
      accountId: 'a',
      tradingAccount: {
        ...LEDGER.tradingAccount,
        cash: '24.7',
        realized_pnl: '-0.3',
        last_loss_at: null,
      },
      deposits: [],
      moves,
      cashTotal: '24.7',
      days: [{ ...firstOf(LEDGER.days), day: '2026-11-20', realized_pnl: '-0.3' }],
      positions: [],
    };
    compareAccount(
      account,
      movedBy(...moves),
      (...difference) => void differences.push(difference.join(' ')),
    );
    expect(differences).toEqual([]);
  });
});
