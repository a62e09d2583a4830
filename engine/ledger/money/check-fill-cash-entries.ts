import { exact, sumOf } from '../../platform/decimal.ts';
import type { FillEntry, Report } from '../rows.ts';

/** Checks the cash entries of a fill: their time, their kind, and the separate fee. Books compare the sum. */
export function checkFillCashEntries({ fill, cash }: FillEntry, report: Report): void {
  for (const { id, kind, at } of cash) {
    if (kind !== fill.kind && kind !== 'fee') report('cash_entry', id, 'kind', `${fill.kind} or fee`, kind);
    if (Date.parse(at) !== Date.parse(fill.applied_at)) report('cash_entry', id, 'at', fill.applied_at, at);
  }
  const fees = sumOf(cash.filter(({ kind }) => kind === 'fee').map(({ amount }) => amount));
  const expected = exact(fill.fee).negated();
  if (!fees.eq(expected)) report('cash_entry', fill.id, 'fee', expected.toFixed(), fees.toFixed());
}
