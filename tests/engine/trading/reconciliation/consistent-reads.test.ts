import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { isReconciled } from '../../../../engine/trading/connections/is-reconciled.ts';
import {
  differenceFindingOf,
  type OpenDifference,
} from '../../../../engine/trading/reconciliation/compare/difference-finding.ts';
import {
  EQUAL_REREADS,
  readConsistently,
} from '../../../../engine/trading/reconciliation/compare/read-consistently.ts';
import { dueParts } from '../../../../engine/trading/reconciliation/due-parts.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');

describe('a confirmed read', () => {
  const read = async (answers: readonly number[], ours: number) => {
    let reads = 0;
    const answer = await readConsistently(
      async () => {
        const next = answers[Math.min(reads++, answers.length - 1)];
        if (next === undefined) throw new Error('unreadable');
        return next;
      },
      { agrees: (reported) => reported === ours, isSame: (a, b) => a === b, pause: async () => undefined },
    );
    return { answer, reads };
  };

  test('row 91: an empty page that comes once is not accepted; the same answer has to come three times more', async () => {
    expect(await read([0, 10], 10)).toEqual({ answer: 10, reads: 2 });
    expect(await read([0], 10)).toEqual({ answer: 0, reads: 1 + EQUAL_REREADS });
    expect(await read([1, 2, 1, 2, 1, 2, 1, 2], 10)).toMatchObject({ answer: null });
  });

  test('row 91: a read that fails is no answer', async () => {
    await expect(read([], 10)).rejects.toThrow('unreadable');
  });

  test('reads end, and a differing answer came three times more in a row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(2), { minLength: 12, maxLength: 12 }), async (answers) => {
        const { answer, reads } = await read(answers, 0);
        expect(reads).toBeLessThanOrEqual(1 + 2 * EQUAL_REREADS);
        if (answer === null || answer === 0) return;
        expect(new Set(answers.slice(reads - 1 - EQUAL_REREADS, reads))).toEqual(new Set([answer]));
      }),
    );
  });
});

describe('differences that stop entries', () => {
  const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1_000);
  const open = (more: Partial<OpenDifference> = {}): OpenDifference => ({
    kind: 'unexplained',
    worth: exact(60),
    since: at(60),
    ...more,
  });

  test.each([
    ['above 0.5 % of the equity for a minute', open(), true],
    ['for less than a minute', open({ since: at(59) }), false],
    ['of 0.5 % of the equity', open({ worth: exact(50) }), false],
    ['of unknown worth', open({ worth: null }), true],
    ['by foreign trades', open({ kind: 'external_fill' }), true],
    ['of pairs that the venue has paid out', open({ kind: 'netting' }), true],
    ['that passes on its own', open({ kind: 'lag' }), false],
    ['of a foreign order, which has done nothing yet', open({ kind: 'external_order' }), false],
  ])('a difference %s', (_, difference, isImpaired) => {
    const found = differenceFindingOf([difference], exact(10_000), NOW);
    expect(found === null).toBe(!isImpaired);
    if (found !== null) expect(found).toMatchObject({ kind: 'impaired', code: 'unexplained_difference' });
  });

  test('and the reason states the amount, if it is known', () => {
    const reasonOf = (...differences: OpenDifference[]) =>
      differenceFindingOf(differences, exact(100), NOW)?.reason;
    expect(reasonOf(open({ worth: exact('12.345') }), open({ worth: exact(1) }))).toBe(
      'The venue and the books differ by 13.34 USD. Look at the differences of the connection.',
    );
    expect(reasonOf(open(), open({ worth: null }))).toBe(
      'The venue and the books differ by an unknown amount. Look at the differences of the connection.',
    );
  });

  test('for a small account a dollar is the limit', () => {
    expect(differenceFindingOf([open({ worth: exact(1) })], exact(10), NOW)).toBeNull();
    expect(differenceFindingOf([open({ worth: exact('1.01') })], exact(10), NOW)).not.toBeNull();
  });
});

describe('the schedule of comparisons', () => {
  const done = (secondsAgo: number) => {
    const at = new Date(NOW.getTime() - secondsAgo * 1_000);
    return { orders: at, fills: at, books: at };
  };

  test('everything at first, then each part at its interval, sooner without a stream', () => {
    const never = { orders: null, fills: null, books: null };
    expect(dueParts(never, NOW, { isStreaming: true })).toEqual(['orders', 'fills', 'books']);
    expect(dueParts(done(9), NOW, { isStreaming: true })).toEqual([]);
    expect(dueParts(done(10), NOW, { isStreaming: true })).toEqual(['books']);
    expect(dueParts(done(30), NOW, { isStreaming: true })).toEqual(['orders', 'books']);
    expect(dueParts(done(60), NOW, { isStreaming: true })).toEqual(['orders', 'fills', 'books']);
    expect(dueParts(done(5), NOW, { isStreaming: false })).toEqual(['orders', 'fills']);
    expect(dueParts(done(4), NOW, { isStreaming: false })).toEqual([]);
  });

  test('holdings and money every ten seconds, and once a minute if many share the rate limit of an address', () => {
    const isDue = (seconds: number, booksEveryMs: number) =>
      dueParts(done(seconds), NOW, { isStreaming: true, booksEveryMs }).includes('books');
    expect([isDue(10, 1_600), isDue(10, 32_000), isDue(32, 32_000)]).toEqual([true, false, true]);
    expect([isDue(59, 3_200_000), isDue(60, 3_200_000)]).toEqual([false, true]);
  });

  test('no entry before the account was compared since it was opened', () => {
    expect(isReconciled(null, NOW)).toBe(false);
    expect(isReconciled(NOW, null)).toBe(false);
    expect(isReconciled(new Date(NOW.getTime() - 1), NOW)).toBe(false);
    expect(isReconciled(NOW.toISOString(), NOW)).toBe(true);
  });
});
