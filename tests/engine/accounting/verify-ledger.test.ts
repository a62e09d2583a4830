import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { LedgerRows } from '../../../engine/accounting/ledger/rows.ts';
import { verifyAccount } from '../../../engine/accounting/verify-ledger.ts';
import type { Receipt } from '../../../engine/risk/receipt.ts';

/**
 * One account's rows as the tests on a real database left them: buys of two blueprints, a reserved exit, closes narrowed,
 * wide and approved later, fees, a loss, denials, an intent that expired, a second day.
 */
const LEDGER = JSON.parse(readFileSync(new URL('./ledger.json', import.meta.url), 'utf8')) as LedgerRows;

function verifyChanged(change: (rows: LedgerRows) => void) {
  const rows = structuredClone(LEDGER);
  change(rows);
  return verifyAccount(rows);
}

/** Puts other values in place of what is recorded. */
const set = <Row extends object>(row: Row, values: { [Field in keyof Row]?: unknown }): void => {
  Object.assign(row, values);
};

/** One of many, which must be there. */
function one<Item>(items: readonly Item[], fits: (item: Item) => boolean): Item {
  const found = items.find(fits);
  if (found === undefined) throw new Error('The recorded ledger has no such row.');
  return found;
}

const approved = (rows: LedgerRows) => one(rows.orders, (order) => order.approval_receipt !== null);
const exit = (rows: LedgerRows) => one(rows.orders, (order) => order.preapproved_release !== null);
const denied = (rows: LedgerRows) => one(rows.orders, (order) => order.reason_code === 'maxOrderSize');
const soldFill = (rows: LedgerRows) => one(rows.fills, (fill) => fill.order_id === approved(rows).id);
const partsOf = (rows: LedgerRows) => rows.fillParts.filter((part) => part.fill_id === soldFill(rows).id);
const receiptOf = (order: { receipt: unknown }) => order.receipt as Receipt;
const firstOf = <Item>(items: readonly Item[]): Item => one(items, () => true);
const line = (receipt: Receipt, rule: string) => one(receipt.lines, (each) => each.rule === rule);

test('what fills, steps and receipts say of themselves is right', () => {
  expect(verifyAccount(LEDGER)).toEqual([]);
});

describe('every number is compared, to the last digit', () => {
  test.each<[string, (rows: LedgerRows) => void, string]>([
    ['position: amount', (rows) => set(firstOf(rows.positions), { amount: '1' }), 'position: amount'],
    ['position: cost', (rows) => set(firstOf(rows.positions), { total_cost: '1' }), 'position: totalCost'],
    [
      'position: realized',
      (rows) => set(firstOf(rows.positions), { realized_pnl: '1' }),
      'position: realizedPnl',
    ],
    ['position: fees', (rows) => set(firstOf(rows.positions), { fees: '1' }), 'position: fees'],
    ['position: fills', (rows) => set(firstOf(rows.positions), { fill_count: 99 }), 'position: fillCount'],
    ['account: cash', (rows) => set(rows.tradingAccount, { cash: '1' }), 'trading_account: cash'],
    [
      'account: cash',
      (rows) => set(rows.tradingAccount, { cash: '1' }),
      'trading_account: deposits + realized - cost',
    ],
    [
      'account: realized',
      (rows) => set(rows.tradingAccount, { realized_pnl: '1' }),
      'trading_account: realizedPnl',
    ],
    [
      'account: last loss',
      (rows) => set(rows.tradingAccount, { last_loss_at: null }),
      'trading_account: lastLossAt',
    ],
    [
      'account: another last loss',
      (rows) => set(rows.tradingAccount, { last_loss_at: '2026-11-20 11:00:00+00' }),
      'trading_account: lastLossAt',
    ],
    [
      'a cash entry',
      (rows) =>
        set(
          one(rows.cashEntries, ({ kind }) => kind === 'fee'),
          { amount: '-1' },
        ),
      'cash_entry: amount',
    ],
    [
      'a cash entry',
      (rows) =>
        set(
          one(rows.cashEntries, ({ kind }) => kind === 'fee'),
          { amount: '-1' },
        ),
      'trading_account: sum of cash entries',
    ],
    [
      'a deposit',
      (rows) =>
        set(
          one(rows.cashEntries, ({ kind }) => kind === 'deposit'),
          { amount: '1' },
        ),
      'trading_account: cash',
    ],
    ['a missing cash entry', (rows) => void rows.cashEntries.splice(1, 1), 'cash_entry: amount'],
    ['a missing fill', (rows) => void rows.fills.splice(0, 1), 'trade_order: filledAmount'],
    ['the price of a fill', (rows) => set(soldFill(rows), { price: '0.5' }), 'fill_allocation: realizedPnl'],
    ['the fee of a fill', (rows) => set(soldFill(rows), { fee: '0.06' }), 'fill_allocation: fee'],
    ['the cost of a part', (rows) => set(firstOf(partsOf(rows)), { cost: '1' }), 'fill_allocation: cost'],
    ['the fee of a part', (rows) => set(firstOf(partsOf(rows)), { fee: '1' }), 'fill_allocation: fee'],
    [
      'the profit of a part',
      (rows) => set(firstOf(partsOf(rows)), { realized_pnl: '1' }),
      'fill_allocation: realizedPnl',
    ],
    [
      'a part of more than is held',
      (rows) => set(firstOf(partsOf(rows)), { amount: '99' }),
      'position: amount after fill',
    ],
    ['an order: status', (rows) => set(approved(rows), { status: 'canceled' }), 'trade_order: status'],
    ['an order: filled', (rows) => set(approved(rows), { filled_amount: '1' }), 'trade_order: filledAmount'],
    [
      'an order: notional',
      (rows) => set(approved(rows), { filled_notional: '1' }),
      'trade_order: filledNotional',
    ],
    ['an order: fees', (rows) => set(approved(rows), { fees: '1' }), 'trade_order: fees'],
    [
      'what is used of a reservation',
      (rows) =>
        set(
          one(rows.reservations, (each) => each.order_id === approved(rows).id),
          { filled_amount: '0' },
        ),
      'order_allocation: filledAmount of',
    ],
    ['a day: realized', (rows) => set(firstOf(rows.days), { realized_pnl: '1' }), 'account_day: realizedPnl'],
    [
      'a day: opening',
      (rows) => set(firstOf(rows.days), { opening_unrealized_pnl: '1' }),
      'account_day: opening seen by order',
    ],
    ['a missing day', (rows) => void rows.days.splice(0, 1), 'account_day: opening seen by order'],
  ])('%s', (_what, change, found) => {
    expect(verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`)).toContainEqual(
      expect.stringContaining(found),
    );
  });

  test('a difference names account, row, field, what it should be and what it is', () => {
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

  test('a missing number is said to be missing', () => {
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
        set(
          one(rows.steps, (step) => step.number === 2),
          { to_status: 'open' },
        ),
      /^step 2$/,
    ],
    [
      'from another status',
      (rows) =>
        set(
          one(rows.steps, (step) => step.number === 3),
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
        set(
          one(rows.steps, (step) => step.number === 3),
          { seq: '0' },
        ),
      /^step 3$/,
    ],
  ])('%s are reported', (_what, change, field) => {
    expect(verifyChanged(change)).toContainEqual(
      expect.objectContaining({ subject: 'order_transition', field: expect.stringMatching(field) }),
    );
  });

  test('say from where to where they should have gone', () => {
    const first = one(LEDGER.steps, (step) => step.number === 2);
    const [difference] = verifyChanged((rows) => {
      one(rows.steps, (step) => step.seq === first.seq).to_status = 'open';
    });
    expect(difference).toMatchObject({
      id: first.order_id,
      expected: 'a step from queued',
      actual: 'queued to open',
    });
    const [born] = verifyChanged((rows) => {
      firstOf(rows.steps).from_status = 'pending';
    });
    expect(born).toMatchObject({ expected: 'a step from birth', actual: 'pending to queued' });
  });
});

describe('every decision is judged again', () => {
  const changedReceipt = (change: (rows: LedgerRows) => void) =>
    verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`);

  test.each<[string, (rows: LedgerRows) => void]>([
    ['the verdict', (rows) => set(receiptOf(denied(rows)), { verdict: 'queued' })],
    ['a line of a denial', (rows) => set(line(receiptOf(denied(rows)), 'maxOrderSize'), { verdict: 'pass' })],
    ['the rate', (rows) => set(line(receiptOf(denied(rows)), 'maxOrdersPerMinute'), { actual: '1' })],
    [
      'the open instruments',
      (rows) => set(line(receiptOf(denied(rows)), 'maxOpenPositions'), { actual: '7' }),
    ],
    ['the loss of the day', (rows) => set(line(receiptOf(denied(rows)), 'maxDailyLoss'), { actual: '7' })],
    [
      'the cool-down',
      (rows) => set(line(receiptOf(denied(rows)), 'cooldownAfterLossSec'), { note: 'no loss' }),
    ],
    ['the free cash', (rows) => set(line(receiptOf(denied(rows)), 'buyingPower'), { limit: '7' })],
    ['what was free', (rows) => set(line(receiptOf(exit(rows)), 'heldAndFree'), { limit: '7' })],
    ['the standing approval', (rows) => set(exit(rows), { preapproved_release: null })],
    ['another release', (rows) => set(exit(rows), { preapproved_release: 2 })],
    ['a missing line', (rows) => void receiptOf(denied(rows)).lines.pop()],
    [
      'a line too many',
      (rows) => void receiptOf(denied(rows)).lines.push(firstOf(receiptOf(denied(rows)).lines)),
    ],
    ['the size', (rows) => set(denied(rows), { size: '1' })],
    ['the worst fee', (rows) => set(denied(rows), { worst_fee: '1' })],
    ['the amount', (rows) => set(exit(rows), { amount: '3' })],
    [
      'the approval',
      (rows) => set(line(approved(rows).approval_receipt as Receipt, 'heldAndFree'), { limit: '1' }),
    ],
    [
      'an approval that was none',
      (rows) =>
        set(line(approved(rows).approval_receipt as Receipt, 'requireApprovalAbove'), { verdict: 'wait' }),
    ],
    [
      'a blueprint',
      (rows) =>
        set(exit(rows), {
          blueprint_id: one(rows.positions, (each) => each.blueprint_id !== exit(rows).blueprint_id)
            .blueprint_id,
        }),
    ],
    [
      'a reservation that was not there',
      (rows) =>
        set(
          one(rows.reservations, (each) => each.order_id === exit(rows).id),
          { amount: '3' },
        ),
    ],
  ])('%s', (_what, change) => {
    expect(changedReceipt(change)).toContainEqual(expect.stringContaining('trade_order: receipt of'));
  });

  test('and what differs is said line by line', () => {
    const [difference] = verifyChanged((rows) => {
      line(receiptOf(denied(rows)), 'maxOrderSize').actual = '7';
    });
    expect(difference?.expected).toMatch(
      /^denied: maxOrderSize 50\/6 deny, requireApprovalAbove 50\/0\.5 wait, /,
    );
    expect(difference?.actual).toMatch(/^denied: maxOrderSize 7\/6 deny, /);
    const [skipped] = verifyChanged((rows) => {
      line(receiptOf(exit(rows)), 'maxOrderSize').actual = '7';
    });
    expect(skipped?.expected).toMatch(/^queued: maxOrderSize -\/6 skipped, /);
  });

  test.each<[string, (receipt: Receipt) => void, string]>([
    ['cash', (receipt) => set(receipt, { cash: '1' }), 'cash on the receipt'],
    ['reserved cash', (receipt) => set(receipt, { reserved: '1' }), 'reserved on the receipt'],
    [
      'realized of the day',
      (receipt) => set(receipt.day, { realizedPnl: '1' }),
      'realizedPnl on the receipt',
    ],
    [
      'opening of the day',
      (receipt) => set(receipt.day, { openingUnrealizedPnl: '1' }),
      'opening seen by order',
    ],
    ['marks', (receipt) => set(receipt, { marks: [] }), 'amount of KXTEST-26:yes on the receipt'],
    [
      'the amount of a mark',
      (receipt) => set(firstOf(receipt.marks), { amount: '1' }),
      'amount of KXTEST-26:yes on the receipt',
    ],
    ['its time', (receipt) => set(receipt, { decidedAt: '2026-11-20T12:00:05.000Z' }), 'time of the receipt'],
    ['its rules', (receipt) => set(receipt.rules, { maxOrderSize: '7' }), 'rules of version 3'],
    ['a version there was not', (receipt) => set(receipt, { rulesVersion: 77 }), 'rules of version 77'],
    ['an older version', (receipt) => set(receipt, { rulesVersion: 2 }), 'rulesVersion'],
    ['a later version', (receipt) => set(receipt, { rulesVersion: 4 }), 'rulesVersion'],
  ])('the receipt: %s', (_what, change, field) => {
    const found = verifyChanged((rows) => change(receiptOf(denied(rows))));
    expect(found.map((difference) => difference.field)).toContainEqual(expect.stringContaining(field));
  });

  test('the rules of a version are those of the audit trail', () => {
    const found = verifyChanged((rows) => {
      const { after } = one(
        rows.ruleChanges,
        (change) => (change.after as { version: number }).version === 3,
      );
      (after as { maxOrderSize: string }).maxOrderSize = '7';
    });
    expect(found.map(({ field }) => field)).toContain('rules of version 3');
  });

  test('rules that were changed before a decision were in force at it', () => {
    const found = verifyChanged((rows) => {
      one(rows.ruleChanges, (change) => (change.after as { version: number }).version === 4).at =
        '2026-11-20 12:00:01.5+00';
    });
    expect(found.map(({ field }) => field)).toContain('rulesVersion');
    const late = verifyChanged((rows) => {
      one(rows.ruleChanges, (change) => (change.after as { version: number }).version === 3).at =
        '2026-11-20 12:00:01.5+00';
    });
    expect(late.map(({ field }) => field)).toContain('rulesVersion');
  });

  test('an account that has done nothing has nothing wrong', () => {
    const { accountId, mode, tradingAccount, rules } = LEDGER;
    const empty = {
      accountId,
      mode,
      rules,
      tradingAccount: { ...tradingAccount, cash: '0', realized_pnl: '0', last_loss_at: null },
      orders: [],
      steps: [],
      reservations: [],
      fills: [],
      fillParts: [],
      cashEntries: [],
      positions: [],
      days: [],
      ruleChanges: [],
    };
    expect(verifyAccount(empty)).toEqual([]);
  });
});
