import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../../engine/risk/receipt.ts';
import {
  approved,
  denied,
  exit,
  findOne,
  firstOf,
  LEDGER,
  line,
  receiptOf,
  setFields,
  verifyChanged,
} from './ledger.ts';
import { type LedgerRows, verifyRows } from './ledger-pages.ts';

/** Decided at the very instant at which version 4 of the rules came into force. */
const isAtChange = (order: { receipt: unknown }) => receiptOf(order).decidedAt === '2026-11-20T12:17:02.000Z';

describe('every decision is evaluated again', () => {
  const changedReceipt = (change: (rows: LedgerRows) => void) =>
    verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`);

  test.each<[string, (rows: LedgerRows) => void]>([
    ['the verdict', (rows) => setFields(receiptOf(denied(rows)), { verdict: 'queued' })],
    [
      'a line of a denial',
      (rows) => setFields(line(receiptOf(denied(rows)), 'maxOrderSize'), { verdict: 'pass' }),
    ],
    ['the rate', (rows) => setFields(line(receiptOf(denied(rows)), 'maxOrdersPerMinute'), { actual: '7' })],
    [
      'the open instruments',
      (rows) => setFields(line(receiptOf(denied(rows)), 'maxOpenPositions'), { actual: '7' }),
    ],
    [
      'the loss of the day',
      (rows) => setFields(line(receiptOf(denied(rows)), 'maxDailyLoss'), { actual: '7' }),
    ],
    [
      'the cool-down',
      (rows) => setFields(line(receiptOf(denied(rows)), 'cooldownAfterLossSec'), { note: 'no loss' }),
    ],
    [
      'a mark that was older',
      (rows) => {
        for (const mark of receiptOf(denied(rows)).marks) mark.asOf = '2026-11-20T11:00:00.000Z';
      },
    ],
    ['the free cash', (rows) => setFields(line(receiptOf(denied(rows)), 'buyingPower'), { limit: '7' })],
    ['what was free', (rows) => setFields(line(receiptOf(exit(rows)), 'heldAndFree'), { limit: '7' })],
    ['the standing approval', (rows) => setFields(exit(rows), { preapproved_release: null })],
    ['another release', (rows) => setFields(exit(rows), { preapproved_release: 2 })],
    ['a missing line', (rows) => void receiptOf(denied(rows)).lines.pop()],
    [
      'a line too many',
      (rows) => void receiptOf(denied(rows)).lines.push(firstOf(receiptOf(denied(rows)).lines)),
    ],
    ['the size', (rows) => setFields(denied(rows), { size: '1' })],
    ['the worst fee', (rows) => setFields(denied(rows), { worst_fee: '1' })],
    ['the amount', (rows) => setFields(exit(rows), { amount: '3' })],
    [
      'the approval',
      (rows) => setFields(line(approved(rows).approval_receipt as Receipt, 'heldAndFree'), { limit: '1' }),
    ],
    [
      'an approval that was none',
      (rows) =>
        setFields(line(approved(rows).approval_receipt as Receipt, 'requireApprovalAbove'), {
          verdict: 'wait',
        }),
    ],
    [
      'a blueprint',
      (rows) =>
        setFields(exit(rows), {
          blueprint_id: findOne(rows.positions, (each) => each.blueprint_id !== exit(rows).blueprint_id)
            .blueprint_id,
        }),
    ],
    [
      'a reservation that was not there',
      (rows) =>
        setFields(
          findOne(rows.allocations, (each) => each.order_id === exit(rows).id),
          { amount: '3' },
        ),
    ],
  ])('%s', (_what, change) => {
    expect(changedReceipt(change)).toContainEqual(expect.stringContaining('trade_order: receipt of'));
  });

  test('each difference is reported line by line', () => {
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
    ['cash', (receipt) => setFields(receipt, { cash: '1' }), 'cash on the receipt'],
    ['reserved cash', (receipt) => setFields(receipt, { reserved: '1' }), 'reserved on the receipt'],
    [
      'realized of the day',
      (receipt) => setFields(receipt.day, { realizedPnl: '1' }),
      'realizedPnl on the receipt',
    ],
    [
      'opening of the day',
      (receipt) => setFields(receipt.day, { openingUnrealizedPnl: '1' }),
      'opening seen by order',
    ],
    [
      'a trip there was not',
      (receipt) => setFields(receipt.day, { trippedAt: '2026-11-20T12:00:00.000Z' }),
      'trippedAt on the receipt',
    ],
    ['marks', (receipt) => setFields(receipt, { marks: [] }), 'amount of KXTEST-26:yes on the receipt'],
    [
      'the amount of a mark',
      (receipt) =>
        setFields(
          findOne(receipt.marks, (mark) => mark.tokenId === 'KXTEST-26:yes'),
          { amount: '1' },
        ),
      'amount of KXTEST-26:yes on the receipt',
    ],
    [
      'its time',
      (receipt) => setFields(receipt, { decidedAt: '2026-11-20T12:00:05.000Z' }),
      'time of the receipt',
    ],
    ['its rules', (receipt) => setFields(receipt.rules, { maxOrderSize: '7' }), 'rules of version 3'],
    ['a version there was not', (receipt) => setFields(receipt, { rulesVersion: 77 }), 'rules of version 77'],
    ['an older version', (receipt) => setFields(receipt, { rulesVersion: 2 }), 'rulesVersion'],
    ['a later version', (receipt) => setFields(receipt, { rulesVersion: 4 }), 'rulesVersion'],
  ])('the receipt: %s', (_what, change, field) => {
    const found = verifyChanged((rows) => change(receiptOf(denied(rows))));
    expect(found.map((difference) => difference.field)).toContainEqual(expect.stringContaining(field));
  });

  test('the rules of a version are those of the audit trail', () => {
    const found = verifyChanged((rows) => {
      const { after } = findOne(
        rows.ruleChanges,
        (change) => (change.after as { version: number }).version === 3,
      );
      (after as { maxOrderSize: string }).maxOrderSize = '7';
    });
    expect(found.map(({ field }) => field)).toContain('rules of version 3');
  });

  test('rules that were changed before a decision were in force at it', () => {
    const found = verifyChanged((rows) => {
      findOne(rows.ruleChanges, (change) => (change.after as { version: number }).version === 4).at =
        '2026-11-20 12:01:01.5+00';
    });
    expect(found.map(({ field }) => field)).toContain('rulesVersion');
    const late = (rows: LedgerRows) => {
      findOne(rows.ruleChanges, (change) => (change.after as { version: number }).version === 3).at =
        '2026-11-20 12:01:01.5+00';
    };
    const lateFields = verifyChanged(late).map(({ field }) => field);
    expect(lateFields).toContain('rulesVersion');
    const otherWayRound = verifyChanged((rows) => {
      late(rows);
      rows.ruleChanges.reverse();
    });
    expect(otherWayRound.map(({ field }) => field)).toEqual(lateFields);
  });

  test('after the clock went back versions give the order, not times', () => {
    const HOUR_MS = 3_600_000;
    const earlier = (at: string) => new Date(Date.parse(at) - HOUR_MS).toISOString();
    const isLater = (version: number) => version > 3;
    const found = verifyChanged((rows) => {
      // Version 4 and its decisions: an hour back, before version 3 by the clock.
      const orders = new Set<string>();
      for (const order of rows.orders) {
        if (!isLater(receiptOf(order).rulesVersion)) continue;
        orders.add(order.id);
        receiptOf(order).decidedAt = earlier(receiptOf(order).decidedAt);
      }
      for (const step of rows.steps) {
        if (orders.has(step.order_id)) step.at = earlier(step.at);
      }
      for (const change of rows.ruleChanges) {
        if (isLater((change.after as { version: number }).version)) change.at = earlier(change.at);
      }
    });
    expect(found.filter(({ field }) => field === 'rulesVersion')).toEqual([]);
  });

  test('a version is never older than that of the decision before', () => {
    const found = verifyChanged((rows) => {
      for (const change of rows.ruleChanges) change.at = '2026-11-20 11:00:00+00';
      receiptOf(denied(rows)).rulesVersion = 2;
    });
    expect(found).toContainEqual({
      accountId: LEDGER.accountId,
      subject: 'trade_order',
      id: denied(LEDGER).id,
      field: 'rulesVersion',
      expected: 'the version in force',
      actual: '2',
    });
  });

  test('nor within the instant of a change, when either version may be in force', () => {
    const [first, second] = ['queued', 'denied'].map((status) => ({
      id: findOne(LEDGER.orders, (order) => isAtChange(order) && order.status === status).id,
    }));
    const found = verifyChanged((rows) => {
      setFields(receiptOf(findOne(rows.orders, ({ id }) => id === first?.id)), { rulesVersion: 4 });
      setFields(receiptOf(findOne(rows.orders, ({ id }) => id === second?.id)), { rulesVersion: 3 });
    });
    expect(found.filter(({ field }) => field === 'rulesVersion')).toMatchObject([
      { id: second?.id, expected: 'the version in force', actual: '3' },
    ]);
  });

  test('rules without any change are those of the account, to the last digit', () => {
    const rows = structuredClone(LEDGER);
    rows.ruleChanges = [];
    const { version } = rows.rules ?? { version: 0 };
    const inForce = findOne(rows.orders, (order) => receiptOf(order).rulesVersion === version);
    const rulesFound = (all: LedgerRows) =>
      verifyRows(all).filter(({ id, field }) => id === inForce.id && field.startsWith('rules of version'));
    expect(rulesFound(rows)).toEqual([]);
    expect(rulesFound({ ...rows, rules: undefined })).toHaveLength(1);
  });

  test('a node sells the holding of its own blueprint: the rest of the account does not count for it', () => {
    const wide = findOne(
      LEDGER.orders,
      (order) => order.origin === 'manual' && line(receiptOf(order), 'heldAndFree').limit === '6',
    );
    expect(verifyChanged(() => {})).toEqual([]);
    const found = verifyChanged((rows) => {
      findOne(rows.orders, ({ id }) => id === wide.id).origin = 'close';
    });
    expect(found).toMatchObject([{ id: wide.id, field: expect.stringContaining('receipt of') }]);
  });

  test('rules without a change are those of the account, and a change states the rules before it', () => {
    const unchanged = structuredClone(LEDGER);
    const last = firstOf(unchanged.ruleChanges.toReversed()).after as { version: number };
    for (const order of unchanged.orders) {
      for (const receipt of [order.receipt, order.approval_receipt] as (Receipt | null)[]) {
        if (receipt) receipt.rulesVersion = last.version;
      }
    }
    unchanged.ruleChanges = [];
    const found = verifyRows(unchanged).map(({ field }) => field);
    expect(found).toContain(`rules of version ${last.version}`);
    expect(found.filter((field) => field === 'rulesVersion')).toEqual([]);

    const second = firstOf(LEDGER.ruleChanges.slice(2));
    const onlySecond = verifyChanged((rows) => {
      rows.ruleChanges = rows.ruleChanges.filter(({ id }) => id === second.id);
    });
    const before = (second.before as { version: number }).version;
    expect(onlySecond.map(({ field }) => field)).not.toContain(`rules of version ${before}`);
    expect(onlySecond.map(({ field }) => field)).toContain(`rules of version ${before - 1}`);
  });

  test('an approval without a receipt is a difference, not a crash', () => {
    const found = verifyChanged((rows) => setFields(approved(rows), { approval_receipt: null }));
    expect(found).toEqual([
      {
        accountId: LEDGER.accountId,
        subject: 'trade_order',
        id: approved(LEDGER).id,
        field: 'approvalReceipt',
        expected: 'the receipt of its approval',
        actual: 'missing',
      },
    ]);
  });

  test('a difference on a receipt is reported with both values', () => {
    const { id } = denied(LEDGER);
    const found = verifyChanged((rows) => {
      const receipt = receiptOf(denied(rows));
      setFields(receipt, { decidedAt: '2026-11-20T12:01:02.001Z', cash: '1' });
      setFields(receipt.day, { realizedPnl: '2' });
      setFields(receipt.rules, { maxOrderSize: '7' });
      receipt.marks = receipt.marks.filter(({ tokenId }) => tokenId === 'KXTEST-26:no');
    });
    const at = (field: string) => found.find((each) => each.id === id && each.field === field);
    const { cash, day, rules, marks } = receiptOf(denied(LEDGER));
    expect(at('cash on the receipt')).toMatchObject({ subject: 'trade_order', expected: cash, actual: '1' });
    expect(at('realizedPnl on the receipt')).toMatchObject({
      subject: 'trade_order',
      expected: day.realizedPnl,
      actual: '2',
    });
    expect(at('time of the receipt')).toMatchObject({
      subject: 'trade_order',
      expected: '2026-11-20 12:01:02+00',
      actual: '2026-11-20T12:01:02.001Z',
    });
    const version = at('rules of version 3');
    expect(version).toMatchObject({ subject: 'trade_order' });
    expect(JSON.parse(version?.expected ?? '')).toEqual(rules);
    expect(JSON.parse(version?.actual ?? '')).toEqual({ ...rules, maxOrderSize: '7' });
    expect(at('amount of KXTEST-26:yes on the receipt')).toMatchObject({
      subject: 'trade_order',
      expected: findOne(marks, ({ tokenId }) => tokenId === 'KXTEST-26:yes').amount,
      actual: 'missing',
    });
  });

  test('a new account has no differences', () => {
    const { accountId, mode, tradingAccount, rules } = LEDGER;
    const empty = {
      accountId,
      mode,
      rules: rules && { ...rules, version: 1 },
      tradingAccount: { ...tradingAccount, cash: '0', realized_pnl: '0', last_loss_at: null },
      orders: [],
      steps: [],
      allocations: [],
      fills: [],
      fillParts: [],
      cashEntries: [],
      positions: [],
      days: [],
      ruleChanges: [],
      trips: [],
      reductions: [],
      writeOffs: [],
      payouts: [],
    };
    expect(verifyRows(empty)).toEqual([]);
  });
});
