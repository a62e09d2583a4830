import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDigest } from '../../engine/ledger/orders/digests.ts';
import type { StepRow } from '../../engine/ledger/rows.ts';
import { DECISION_INPUT_COLUMNS, transitionDigest } from '../../engine/platform/transition-digest.ts';
import type { OrderRow } from '../../engine/trading/orders/row.ts';
import { approved, findOne, LEDGER } from './ledger/ledger.ts';

const order = { ...approved(LEDGER), good_till: null } as OrderRow;
const creation = findOne(LEDGER.steps, ({ order_id, number }) => order_id === order.id && number === 1);
const approval = findOne(LEDGER.steps, ({ order_id, number }) => order_id === order.id && number === 2);
const sent = findOne(LEDGER.steps, ({ order_id, number }) => order_id === order.id && number === 3);

describe('the digest of a decision', () => {
  test('is the same for a row to be stored and for the row that is read', () => {
    const [read, stored] = ['2026-11-20 12:00:00.5+00', '2026-11-20T12:00:00.500Z'];
    expect(transitionDigest({ ...order, created_at: read }, { ...creation, at: read })).toBe(
      transitionDigest({ ...order, created_at: stored }, { ...creation, at: stored }),
    );
  });

  test('does not depend on the order of keys, at any depth', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, each]) => [key, shuffled(each)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (inputs) => {
        const json = JSON.parse(JSON.stringify(inputs));
        const again = shuffled(json) as OrderRow['inputs'];
        expect(transitionDigest({ ...order, inputs: again }, creation)).toBe(
          transitionDigest({ ...order, inputs: json }, creation),
        );
      }),
    );
  });

  test.each(DECISION_INPUT_COLUMNS)('is another with another %s', (column) => {
    const moment = ['step_at', 'created_at'].includes(column) ? '2030-01-01T00:00:00.000Z' : 'other';
    expect(transitionDigest({ ...order, [column]: moment }, creation)).not.toBe(
      transitionDigest(order, creation),
    );
  });

  test.each(['from_status', 'to_status', 'at', 'expires_at', 'actor', 'reason'] as const)(
    'is another with another %s of its step',
    (column) => {
      const other = column.endsWith('at') ? '2030-01-01T00:00:00.000Z' : 'open';
      expect(transitionDigest(order, { ...sent, [column]: other })).not.toBe(transitionDigest(order, sent));
    },
  );

  test('of a step to queued covers the end of the order, which an approval sets; no other step does', () => {
    const other = { ...order, good_till: '2030-01-01T00:00:00.000Z' };
    expect(transitionDigest(other, approval)).not.toBe(transitionDigest(order, approval));
    expect(transitionDigest(other, creation)).toBe(transitionDigest(order, creation));
    expect(transitionDigest(other, sent)).toBe(transitionDigest(order, sent));
  });

  test('of an approval covers its receipt, and no other step does', () => {
    const other = { ...order, approval_receipt: {} };
    expect(transitionDigest(other, approval)).not.toBe(transitionDigest(order, approval));
    expect(transitionDigest(other, creation)).toBe(transitionDigest(order, creation));
    expect(transitionDigest(other, sent)).toBe(transitionDigest(order, sent));
  });
});

describe('a step', () => {
  const found = (step: Partial<StepRow>, since: string | null = null): string[] => {
    const fields: string[] = [];
    const report = (_subject: string, _id: string, field: string, _expected: string, actual: string) =>
      void fields.push(`${field}: ${actual}`);
    checkDigest({ row: order }, { ...creation, ...step }, since === null ? null : new Date(since), report);
    return fields;
  };

  test('has the digest of its own decision', () => {
    expect(found({ digest: transitionDigest(order, creation) })).toEqual([]);
    expect(found({ digest: 'abc' })).toEqual(['digest of step 1: abc']);
    expect(found({ digest: transitionDigest(order, creation), actor: 'session:other' })).toHaveLength(1);
  });

  test('may be without one if it is older than digests, and not later', () => {
    expect(found({ digest: null })).toEqual([]);
    expect(found({ digest: null, at: '2026-11-20T11:59:59.999Z' }, '2026-11-20T12:00:00Z')).toEqual([]);
    expect(found({ digest: null, at: '2026-11-20T12:00:00.000Z' }, '2026-11-20T12:00:00Z')).toEqual([
      'digest of step 1: none',
    ]);
  });
});
