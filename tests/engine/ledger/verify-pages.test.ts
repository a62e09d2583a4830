import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEDGER } from './ledger.ts';
import { type LedgerRows, verifyRows } from './ledger-pages.ts';

const TABLES = ['orders', 'steps', 'allocations', 'fills', 'fillParts', 'cashEntries'] as const;

/** Deletes a row, or gives one of its fields another row's value. */
const change = fc.record({
  table: fc.constantFrom(...TABLES),
  row: fc.nat(100),
  field: fc.nat(30),
  other: fc.option(fc.nat(100)),
});

function changed(
  changes: readonly { table: (typeof TABLES)[number]; row: number; field: number; other: number | null }[],
) {
  const rows: LedgerRows = structuredClone(LEDGER);
  for (const { table, row, field, other } of changes) {
    const all: object[] = rows[table];
    const chosen = all[row % all.length];
    if (chosen === undefined) continue;
    if (other === null) {
      all.splice(row % all.length, 1);
      continue;
    }
    const fields = Object.keys(chosen);
    const name = fields[field % fields.length] ?? '';
    Object.assign(chosen, { [name]: Reflect.get(all[other % all.length] ?? chosen, name) });
  }
  return rows;
}

describe('pages', () => {
  test('end anywhere: the differences are the same, in the same order', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        (changes, pageEntries) => {
          const rows = changed(changes);
          expect(verifyRows(rows, { pageEntries })).toEqual(verifyRows(rows));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('keep no order without later entries', () => {
    // An order without entries, by its own row, is compared where it is read. Its steps belong to no order.
    const [step] = LEDGER.steps;
    const late = { ...structuredClone(LEDGER), steps: [...LEDGER.steps] };
    if (step !== undefined) late.steps.push({ ...step, seq: '999999', number: 99 });
    const found = verifyRows(late, { pageEntries: 1 });
    expect(found).toContainEqual(expect.objectContaining({ id: step?.order_id, field: 'number' }));
    expect(found).toEqual(verifyRows(late));
  });
});
