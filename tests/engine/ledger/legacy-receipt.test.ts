import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findOne, firstOf, LEDGER, line, receiptOf, setFields } from './ledger.ts';
import { type LedgerRows, verifyRows } from './ledger-pages.ts';

/** An account's rows as the first edition left them, and as its migrations convert them. */
const recorded = JSON.parse(
  readFileSync(new URL('./first-edition.json', import.meta.url), 'utf8'),
) as LedgerRows;
const migrated = (): LedgerRows => ({
  ...structuredClone(recorded),
  tradingAccount: { ...recorded.tradingAccount, tripped_at: null },
  writeOffs: [],
  payouts: recorded.fills
    .filter(({ kind }) => kind === 'settlement')
    .map(({ id, applied_at }) => ({
      ...firstOf(LEDGER.payouts),
      at: applied_at,
      subject_id: findOne(recorded.fillParts, ({ fill_id }) => fill_id === id).position_id,
    })),
  trips: [],
  reductions: [],
});

describe('a ledger that the first edition began', () => {
  test('agrees, by the rules of its time', () => {
    expect(verifyRows(migrated())).toEqual([]);
  });

  test('sells counted per minute then: a receipt without them is found', () => {
    const rows = migrated();
    const sell = findOne(rows.orders, ({ side, status }) => side === 'sell' && status === 'filled');
    setFields(line(receiptOf(sell), 'maxOrdersPerMinute'), { actual: null, verdict: 'skipped' });
    expect(verifyRows(rows).map(({ id, field }) => `${id} ${field}`)).toContainEqual(
      expect.stringMatching(new RegExp(`^${sell.id} receipt of`)),
    );
  });

  test('no present receipt may pass for one of that time', () => {
    const rows = structuredClone(LEDGER);
    const decidedAt = (order: { receipt: unknown }) => receiptOf(order).decidedAt;
    const last = firstOf(rows.orders.toSorted((a, b) => (decidedAt(a) < decidedAt(b) ? 1 : -1)));
    const { trippedAt: _, ...day } = receiptOf(last).day;
    setFields(receiptOf(last), { day });
    const found = verifyRows(rows);
    expect(firstOf(found)).toMatchObject({ id: last.id });
    expect(found).toContainEqual({
      accountId: LEDGER.accountId,
      subject: 'trade_order',
      id: last.id,
      field: 'day of the receipt',
      expected: 'whether it had tripped',
      actual: 'left out',
    });
  });
});
