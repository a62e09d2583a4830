import { describe, expect, test } from 'vitest';
import {
  approved,
  denied,
  exit,
  findOne,
  firstOf,
  LEDGER,
  partsOf,
  receiptOf,
  setFields,
  soldFill,
  verifyChanged,
} from './ledger.ts';
import { type LedgerRows, verifyRows } from './ledger-pages.ts';

test('fills, steps and receipts are consistent', () => {
  expect(verifyRows(LEDGER)).toEqual([]);
});

describe('every number is compared, to the last digit', () => {
  test.each<[string, (rows: LedgerRows) => void, string]>([
    ['position: amount', (rows) => setFields(firstOf(rows.positions), { amount: '1' }), 'position: amount'],
    [
      'position: cost',
      (rows) => setFields(firstOf(rows.positions), { total_cost: '1' }),
      'position: totalCost',
    ],
    [
      'position: realized',
      (rows) => setFields(firstOf(rows.positions), { realized_pnl: '1' }),
      'position: realizedPnl',
    ],
    ['position: fees', (rows) => setFields(firstOf(rows.positions), { fees: '1' }), 'position: fees'],
    [
      'position: fills',
      (rows) => setFields(firstOf(rows.positions), { fill_count: 99 }),
      'position: fillCount',
    ],
    ['account: cash', (rows) => setFields(rows.tradingAccount, { cash: '1' }), 'trading_account: cash'],
    [
      'account: cash',
      (rows) => setFields(rows.tradingAccount, { cash: '1' }),
      'trading_account: deposits + realized - cost',
    ],
    [
      'account: realized',
      (rows) => setFields(rows.tradingAccount, { realized_pnl: '1' }),
      'trading_account: realizedPnl',
    ],
    [
      'account: last loss',
      (rows) => setFields(rows.tradingAccount, { last_loss_at: null }),
      'trading_account: lastLossAt',
    ],
    [
      'account: another last loss',
      (rows) => setFields(rows.tradingAccount, { last_loss_at: '2026-11-20 11:00:00+00' }),
      'trading_account: lastLossAt',
    ],
    [
      'a cash entry',
      (rows) =>
        setFields(
          findOne(rows.cashEntries, ({ kind }) => kind === 'fee'),
          { amount: '-1' },
        ),
      'cash_entry: amount',
    ],
    [
      'a cash entry',
      (rows) =>
        setFields(
          findOne(rows.cashEntries, ({ kind }) => kind === 'fee'),
          { amount: '-1' },
        ),
      'trading_account: sum of cash entries',
    ],
    [
      'a deposit',
      (rows) =>
        setFields(
          findOne(rows.cashEntries, ({ kind }) => kind === 'deposit'),
          { amount: '1' },
        ),
      'trading_account: cash',
    ],
    ['a missing cash entry', (rows) => void rows.cashEntries.splice(1, 1), 'cash_entry: amount'],
    ['a missing fill', (rows) => void rows.fills.splice(0, 1), 'trade_order: filledAmount'],
    [
      'the price of a fill',
      (rows) => setFields(soldFill(rows), { price: '0.5' }),
      'fill_allocation: realizedPnl',
    ],
    ['the fee of a fill', (rows) => setFields(soldFill(rows), { fee: '0.06' }), 'fill_allocation: fee'],
    [
      'the cost of a part',
      (rows) => setFields(firstOf(partsOf(rows)), { cost: '1' }),
      'fill_allocation: cost',
    ],
    ['the fee of a part', (rows) => setFields(firstOf(partsOf(rows)), { fee: '1' }), 'fill_allocation: fee'],
    [
      'the profit of a part',
      (rows) => setFields(firstOf(partsOf(rows)), { realized_pnl: '1' }),
      'fill_allocation: realizedPnl',
    ],
    [
      'a part of more than is held',
      (rows) => setFields(firstOf(partsOf(rows)), { amount: '99' }),
      'position: amount after fill',
    ],
    ['an order: status', (rows) => setFields(approved(rows), { status: 'canceled' }), 'trade_order: status'],
    [
      'an order: filled',
      (rows) => setFields(approved(rows), { filled_amount: '1' }),
      'trade_order: filledAmount',
    ],
    [
      'an order: notional',
      (rows) => setFields(approved(rows), { filled_notional: '1' }),
      'trade_order: filledNotional',
    ],
    ['an order: fees', (rows) => setFields(approved(rows), { fees: '1' }), 'trade_order: fees'],
    [
      'what is used of a reservation',
      (rows) =>
        setFields(
          findOne(rows.allocations, (each) => each.order_id === approved(rows).id),
          { filled_amount: '0' },
        ),
      'order_allocation: filledAmount of',
    ],
    [
      'a day: realized',
      (rows) => setFields(firstOf(rows.days), { realized_pnl: '1' }),
      'account_day: realizedPnl',
    ],
    [
      'a day: opening',
      (rows) => setFields(firstOf(rows.days), { opening_unrealized_pnl: '1' }),
      'account_day: opening seen by order',
    ],
    ['a missing day', (rows) => void rows.days.splice(0, 1), 'account_day: opening seen by order'],
  ])('%s', (_what, change, found) => {
    expect(verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`)).toContainEqual(
      expect.stringContaining(found),
    );
  });

  test('a difference names account, row, field, expected and actual value', () => {
    const differences = verifyChanged((rows) => {
      firstOf(rows.positions).fees = '9.5';
    });
    const { id, fees } = firstOf(LEDGER.positions);
    expect(differences).toEqual([
      {
        accountId: LEDGER.accountId,
        subject: 'position',
        id,
        field: 'fees',
        expected: String(Number(fees)),
        actual: '9.5',
      },
    ]);
  });

  test('a differing amount of a mark is reported with both values', () => {
    const found = verifyChanged((rows) =>
      setFields(
        findOne(receiptOf(denied(rows)).marks, ({ tokenId }) => tokenId === 'KXTEST-26:no'),
        { amount: '77' },
      ),
    );
    expect(found).toMatchObject([
      { field: 'amount of KXTEST-26:no on the receipt', expected: '5', actual: '77' },
    ]);
  });

  test('an order without steps, and a position below zero, are reported', () => {
    const { id } = exit(LEDGER);
    const found = verifyChanged((rows) => {
      rows.steps = rows.steps.filter((step) => step.order_id !== id);
    });
    expect(found).toContainEqual(
      expect.objectContaining({ id, field: 'status', expected: 'none', actual: 'queued' }),
    );
    const short = verifyChanged((rows) => setFields(firstOf(partsOf(rows)), { amount: '99' }));
    expect(short).toContainEqual(expect.objectContaining({ subject: 'position', expected: '0 or more' }));
  });

  test('steps, fills and allocations of missing orders change nothing', () => {
    const found = verifyChanged((rows) => {
      rows.steps.push({ ...firstOf(rows.steps), order_id: 'gone', seq: '99999' });
      rows.allocations.push({ ...firstOf(rows.allocations), order_id: 'gone' });
    });
    expect(found).toEqual([]);
  });

  test('a part of a missing position, and a fill without parts, are differences', () => {
    const found = verifyChanged((rows) => setFields(firstOf(partsOf(rows)), { position_id: 'gone' }));
    expect(found).not.toEqual([]);
    const fill = findOne(LEDGER.fills, ({ kind }) => kind === 'settlement');
    const without = verifyChanged((rows) => {
      rows.fillParts = rows.fillParts.filter(({ fill_id }) => fill_id !== fill.id);
      rows.cashEntries = rows.cashEntries.filter(({ fill_id }) => fill_id !== fill.id);
    });
    expect(without).toContainEqual(
      expect.objectContaining({ subject: 'cash_entry', id: fill.id, expected: '5', actual: '0' }),
    );
    expect(without.some(({ subject }) => subject === 'position')).toBe(true);
  });

  test('a missing number is reported as missing', () => {
    const differences = verifyChanged((rows) => {
      rows.fillParts = rows.fillParts.filter(
        (part) => part.fill_id !== soldFill(rows).id || part.number === 1,
      );
      rows.days.splice(0, 1);
    });
    expect(differences).toContainEqual(
      expect.objectContaining({ subject: 'account_day', expected: 'missing' }),
    );
  });
});

describe('steps', () => {
  test.each<[string, (rows: LedgerRows) => void, RegExp]>([
    [
      'that the table has not',
      (rows) =>
        setFields(
          findOne(rows.steps, (step) => step.number === 2),
          { to_status: 'open' },
        ),
      /^step 2$/,
    ],
    [
      'from another status',
      (rows) =>
        setFields(
          findOne(rows.steps, (step) => step.number === 3),
          { from_status: 'open' },
        ),
      /^step 3$/,
    ],
    [
      'that are missing',
      (rows) =>
        void rows.steps.splice(
          rows.steps.findIndex((step) => step.number === 2),
          1,
        ),
      /^number$/,
    ],
    [
      'out of order',
      (rows) =>
        setFields(
          findOne(rows.steps, (step) => step.number === 3),
          { seq: '0' },
        ),
      /^step 3$/,
    ],
  ])('%s are reported', (_what, change, field) => {
    expect(verifyChanged(change)).toContainEqual(
      expect.objectContaining({ subject: 'order_transition', field: expect.stringMatching(field) }),
    );
  });

  test('are numbered without a gap', () => {
    const missing = findOne(LEDGER.steps, (step) => step.number === 2);
    const found = verifyChanged((rows) => {
      rows.steps = rows.steps.filter(({ seq }) => seq !== missing.seq);
    });
    expect(found).toContainEqual(
      expect.objectContaining({ id: missing.order_id, field: 'number', expected: '2', actual: '3' }),
    );
  });

  test('state the right status before and after', () => {
    const first = findOne(LEDGER.steps, (step) => step.number === 2);
    const [difference] = verifyChanged((rows) => {
      findOne(rows.steps, (step) => step.seq === first.seq).to_status = 'open';
    });
    expect(difference).toMatchObject({
      id: first.order_id,
      expected: 'a step from queued',
      actual: 'queued to open',
    });
    const [born] = verifyChanged((rows) => {
      firstOf(rows.steps).from_status = 'pending';
    });
    expect(born).toMatchObject({ expected: 'a step from creation', actual: 'pending to queued' });
    const [stillborn] = verifyChanged((rows) => {
      firstOf(rows.steps).to_status = 'open';
    });
    expect(stillborn).toMatchObject({ expected: 'a step from creation', actual: 'creation to open' });
  });
});
