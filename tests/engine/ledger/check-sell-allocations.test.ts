import { describe, expect, test } from 'vitest';
import { checkFillCashEntries } from '../../../engine/ledger/money/check-fill-cash-entries.ts';
import { checkSellAllocations } from '../../../engine/ledger/orders/check-sell-allocations.ts';
import type { CashRow, FillRow, LedgerOrderRow } from '../../../engine/ledger/rows.ts';
import { exit, findOne, firstOf, LEDGER, setFields, verifyChanged } from './ledger.ts';

const found = (change: Parameters<typeof verifyChanged>[0]): string[] =>
  verifyChanged(change).map(({ subject, field }) => `${subject}: ${field}`);

describe('the reserves of a sell', () => {
  const position = { tokenId: 'T', blueprintId: 'b-1' };
  const differences = (order: Partial<LedgerOrderRow>, amounts: readonly string[]): string[] => {
    const fields: string[] = [];
    const row = { ...exit(LEDGER), token_id: 'T', blueprint_id: 'b-1', amount: '5', ...order };
    const allocations = amounts.map((amount, index) => ({
      ...firstOf(LEDGER.allocations),
      position_id: `p-${index}`,
      amount,
    }));
    const positions = new Map(allocations.map(({ position_id }) => [position_id, position]));
    const books = { positions } as unknown as Parameters<typeof checkSellAllocations>[1];
    checkSellAllocations({ row, allocations }, books, (_subject, _id, field) => void fields.push(field));
    return fields;
  };

  test('are at most its amount, of its instrument and blueprint', () => {
    expect(differences({}, ['2', '3'])).toEqual([]);
    expect(differences({}, ['2', '3.000000000001'])).toEqual(['amount']);
    expect(differences({ token_id: 'U' }, ['2'])).toEqual(['tokenId of p-0']);
    expect(differences({ blueprint_id: 'b-2' }, ['2'])).toEqual(['blueprintId of p-0']);
  });

  test('may be of any blueprint if a person closes', () => {
    expect(differences({ origin: 'manual', blueprint_id: 'b-2' }, ['5'])).toEqual([]);
  });
});

describe('the cash of a fill', () => {
  const fill = findOne(LEDGER.fills, (each) => each.kind === 'trade' && Number(each.fee) > 0);
  const cash = LEDGER.cashEntries.filter(({ fill_id }) => fill_id === fill.id);
  const differences = (entries: readonly CashRow[], terms: Partial<FillRow> = {}): string[] => {
    const fields: string[] = [];
    const entry = { fill: { ...fill, ...terms }, parts: [], cash: entries };
    checkFillCashEntries(entry, (_subject, _id, field) => void fields.push(field));
    return fields;
  };

  test('is booked at the time of the fill, with its fee apart', () => {
    expect(differences(cash)).toEqual([]);
    expect(differences([], { fee: '0' })).toEqual([]);
  });

  test('of another kind or time is found', () => {
    const all = (terms: Partial<CashRow>) => cash.map((entry) => ({ ...entry, ...terms }));
    expect(differences(all({ kind: 'trade' }))).toEqual(['fee']);
    expect(differences(all({ kind: 'fee' }))).toEqual(['fee']);
    expect(differences(all({ kind: 'transfer' }))).toEqual(['kind', 'kind', 'fee']);
    expect(differences(all({ at: '2030-01-01T00:00:00Z' }))).toEqual(['at', 'at']);
  });
});

test('a position without a fill is a difference', () => {
  const forged = found((rows) =>
    rows.positions.push({
      ...firstOf(rows.positions),
      id: 'p-9',
      amount: '0',
      total_cost: '0',
      fill_count: 0,
      realized_pnl: '0',
      fees: '0',
    }),
  );
  expect(forged).toContain('position: fillCount');
});

test('the time to approve or send is that of the last step', () => {
  const forged = found((rows) => {
    const order = firstOf(rows.orders);
    for (const step of rows.steps) if (step.order_id === order.id) setFields(step, { digest: 'any' });
    setFields(order, { expires_at: '2030-01-01T00:00:00Z', good_till: null });
  });
  expect(forged).toContain('trade_order: expiresAt');
});
