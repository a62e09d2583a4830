import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PayoutAuditCheck } from '../../../engine/ledger/money/payout-audit-check.ts';
import { checkSettlement } from '../../../engine/ledger/orders/settlement-event-release.ts';
import type { AuditRow, FillEntry } from '../../../engine/ledger/rows.ts';
import { findOne, firstOf, LEDGER, setFields, verifyChanged } from './ledger.ts';

const settled = findOne(LEDGER.fills, ({ kind }) => kind === 'settlement');
const part = findOne(LEDGER.fillParts, ({ fill_id }) => fill_id === settled.id);
const AT = '2026-11-21T00:17:02.000Z';

type Payout = { readonly position: string; readonly amount: number; readonly value: number };

const fillOf = ({ position, amount, value }: Payout, index: number): FillEntry => ({
  fill: { ...settled, id: `f-${index}`, amount: `${amount}.0`, price: `${value}.000`, applied_at: AT },
  parts: [{ ...part, position_id: position }],
  cash: [],
});
const auditOf = ({ position, amount, value }: Payout): AuditRow => ({
  ...firstOf(LEDGER.payouts),
  at: AT,
  subject_id: position,
  before: { amount: String(amount) },
  after: { amount: '0', value: String(value) },
});
const differences = (fills: readonly Payout[], audits: readonly Payout[]): number => {
  let count = 0;
  const report = () => void count++;
  const stated = new PayoutAuditCheck(audits.map(auditOf));
  for (const fill of fills.map(fillOf)) stated.compare(fill, report);
  stated.end(report);
  return count;
};

const payouts = fc.array(
  fc.record({
    position: fc.constantFrom('p-1', 'p-2'),
    amount: fc.integer({ min: 1, max: 3 }),
    value: fc.integer({ min: 0, max: 1 }),
  }),
  { maxLength: 6 },
);

describe('a payout', () => {
  test('has an audit row of its own, in whatever order they are read', () => {
    fc.assert(
      fc.property(payouts, (paid) => {
        expect(differences(paid, paid.toReversed())).toBe(0);
      }),
    );
  });

  test('without its row is found, and so is a row without its payout', () => {
    fc.assert(
      fc.property(payouts, fc.nat(), (paid, at) => {
        fc.pre(paid.length > 0);
        const rest = paid.toSpliced(at % paid.length, 1);
        expect(differences(paid, rest)).toBe(1);
        expect(differences(rest, paid)).toBe(1);
      }),
    );
  });

  test.each<[string, Partial<Payout>]>([
    ['another position', { position: 'p-2' }],
    ['another amount', { amount: 2 }],
    ['another value', { value: 0 }],
  ])('of %s differs from the one in the trail', (_what, other) => {
    const paid: Payout = { position: 'p-1', amount: 1, value: 1 };
    expect(differences([{ ...paid, ...other }], [paid])).toBe(2);
  });

  test('that the trail lacks is a difference of the account', () => {
    expect(verifyChanged((rows) => void rows.payouts.splice(0)).map(({ field }) => field)).toEqual([
      'audit row of the settlement',
    ]);
    expect(
      verifyChanged((rows) => setFields(firstOf(rows.payouts), { at: '2026-11-21T00:17:03Z' })).map(
        ({ field }) => field,
      ),
    ).toEqual(['audit row of the settlement', 'settlement']);
  });

  test.each([
    ['outcome', '1', []],
    ['outcome', '0', []],
    ['outcome', '0.5', []],
    ['outcome', '1.000001', ['settlement price']],
    ['outcome', '-0.1', ['settlement price']],
    ['spot', '1', ['settlement']],
    ['spot', '1000000', ['settlement', 'settlement price']],
  ] as const)(
    'of an instrument of kind %s at %s is compared with the payouts possible for it',
    (kind, price, found) => {
      const fields: string[] = [];
      const instrument = { token_id: settled.token_id, kind, settlement_value: price };
      checkSettlement(
        { ...settled, price },
        new Map([[settled.token_id, instrument]]),
        (_subject, _id, field) => void fields.push(field),
      );
      expect(fields).toEqual(found);
    },
  );
});
