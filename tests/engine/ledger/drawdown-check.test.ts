import { describe, expect, test } from 'vitest';
import { DrawdownCheck } from '../../../engine/ledger/orders/drawdown-check.ts';
import type { AuditRow, StoredBooks } from '../../../engine/ledger/rows.ts';
import { exact } from '../../../engine/platform/decimal.ts';
import { firstOf, LEDGER, receiptOf } from './ledger.ts';

const SINCE = '2026-11-20T11:00:00.000Z';
const AT = '2026-11-20T12:00:00.000Z';
const RECEIPT = receiptOf(firstOf(LEDGER.orders));

const entry = (at: string, after: object): AuditRow => ({
  ...firstOf(LEDGER.ruleChanges),
  at,
  before: null,
  after: after as AuditRow['after'],
});
const WATCH: StoredBooks['watch'] = {
  account_id: 'a',
  mode: 'paper',
  since: SINCE,
  high_water_mark: '20.000000000000',
  rising_to: null,
  rising_since: null,
  beyond_since: null,
  tripped_at: null,
};
const ON = { ...firstOf([LEDGER.rules]), max_drawdown: '5' } as StoredBooks['rules'];
type DrawdownInput = ConstructorParameters<typeof DrawdownCheck>[0];

function watched(terms: Partial<DrawdownInput> = {}) {
  const found: string[][] = [];
  const drawdowns = new DrawdownCheck(
    {
      accountId: 'a',
      watches: [entry(SINCE, { highWaterMark: '20.0', rulesVersion: 1 })],
      stops: [],
      ruleChanges: [],
      watch: WATCH,
      rules: ON,
      ...terms,
    },
    (...difference) => found.push(difference),
  );
  return { drawdowns, found };
}
const DRAWDOWN = { since: SINCE, highWaterMark: '20', realizedPnl: '3', trippedAt: null };
type Drawdown = Omit<typeof DRAWDOWN, 'trippedAt'> & { trippedAt: string | null };
const receipt = (drawdown: Drawdown | undefined, maxDrawdown: string | undefined = '5') => {
  const { maxDrawdown: _, ...rules } = RECEIPT.rules;
  return {
    ...RECEIPT,
    decidedAt: AT,
    rules: { ...rules, ...(maxDrawdown !== '' && { maxDrawdown }) },
    ...(drawdown !== undefined && { drawdown }),
  };
};
const BOOKED = { realized: exact(3), unrealized: exact('-1.5') };
const differs = (field: string, expected: string, actual: string) => [
  'trade_order',
  'o-1',
  `${field} on the receipt`,
  expected,
  actual,
];

describe('the receipt of the drawdown stop', () => {
  test('states the distance from the mark by the books, and that the stop had not tripped', () => {
    const { drawdowns, found } = watched();
    const seen = drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    expect(seen?.below.toFixed()).toBe('18.5');
    expect(seen?.trippedAt).toBeNull();
    expect(found).toEqual([]);
    const higher = drawdowns.at('o-1', receipt(DRAWDOWN), { ...BOOKED, unrealized: exact(40) });
    expect(higher?.below.toFixed()).toBe('0');
  });

  test('has the rule while it is on, and only then', () => {
    const { drawdowns, found } = watched();
    expect(drawdowns.at('o-1', receipt(undefined, ''), BOOKED)).toBeNull();
    expect(found).toEqual([]);
    expect(drawdowns.at('o-1', receipt(undefined), BOOKED)).toBeNull();
    drawdowns.at('o-1', receipt(DRAWDOWN, ''), BOOKED);
    expect(found).toEqual([differs('drawdown', 'given', 'absent'), differs('drawdown', 'absent', 'given')]);
  });

  test('has the realized profit of the books', () => {
    const { drawdowns, found } = watched();
    drawdowns.at('o-1', receipt({ ...DRAWDOWN, realizedPnl: '4' }), BOOKED);
    expect(found).toEqual([differs('realizedPnl of the drawdown', '3', '4')]);
  });

  test('states since when the stop tripped the account, as in the audit trail', () => {
    const stops = [entry('2026-11-20T11:30:00.000Z', {})];
    const { drawdowns, found } = watched({ stops });
    const stopped = { ...DRAWDOWN, trippedAt: '2026-11-20T11:30:00.000Z' };
    expect(drawdowns.at('o-1', receipt(stopped), BOOKED)?.trippedAt).toEqual(
      new Date('2026-11-20T11:30:00.000Z'),
    );
    expect(found).toEqual([]);
    drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    expect(found).toEqual([differs('trippedAt of the drawdown', '2026-11-20T11:30:00.000Z', 'none')]);
  });

  test('within the instant of a trip may state either, and nothing else', () => {
    const { drawdowns, found } = watched({ stops: [entry(AT, {})] });
    drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    drawdowns.at('o-1', receipt({ ...DRAWDOWN, trippedAt: AT }), BOOKED);
    expect(found).toEqual([]);
    drawdowns.at('o-1', receipt({ ...DRAWDOWN, trippedAt: SINCE }), BOOKED);
    expect(found).toEqual([differs('trippedAt of the drawdown', `none or ${AT}`, SINCE)]);
  });
});

describe('the high-water mark', () => {
  test('is started by the audit trail', () => {
    const { drawdowns, found } = watched({
      watches: [entry('2026-11-20T10:00:00.000Z', { highWaterMark: '1' })],
    });
    drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    expect(found).toEqual([differs('highWaterMark', 'one that the audit trail begins', '20')]);
    const without = watched({ watches: [{ ...entry(SINCE, {}), after: null }] });
    without.drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    expect(without.found).toHaveLength(1);
  });

  test('is at least its start, and from then on only rises', () => {
    const { drawdowns, found } = watched();
    const at = (highWaterMark: string) =>
      drawdowns.at('o-1', receipt({ ...DRAWDOWN, highWaterMark }), BOOKED);
    at('19.99');
    expect(found.splice(0)).toEqual([differs('highWaterMark', '20 or more', '19.99')]);
    at('20');
    at('25');
    at('25');
    expect(found).toEqual([]);
    at('24');
    at('25');
    expect(found).toEqual([differs('highWaterMark', '25 or more', '24')]);
  });

  test('restarts where the rule was turned on again', () => {
    const again = '2026-11-20T11:30:00.000Z';
    const { drawdowns, found } = watched({
      watches: [entry(SINCE, { highWaterMark: '20' }), entry(again, { highWaterMark: '7' })],
    });
    drawdowns.at('o-1', receipt(DRAWDOWN), BOOKED);
    drawdowns.at('o-1', receipt({ ...DRAWDOWN, since: again, highWaterMark: '7' }), BOOKED);
    expect(found).toEqual([]);
  });
});

describe('the final row of the drawdown stop', () => {
  const ended = (terms: Partial<DrawdownInput> = {}) => {
    const { drawdowns, found } = watched(terms);
    drawdowns.end();
    return found;
  };
  const differs = (expected: string, actual: string) => [
    'drawdown_watch',
    'a',
    'highWaterMark',
    expected,
    actual,
  ];

  test('exists while the rule is on, and not while it is off', () => {
    expect(ended()).toEqual([]);
    expect(ended({ rules: undefined, watch: undefined })).toEqual([]);
    expect(ended({ watch: undefined })).toEqual([differs('a row', 'none')]);
    expect(ended({ rules: undefined })).toEqual([differs('no row', 'one')]);
    expect(ended({ rules: ON && { ...ON, max_drawdown: null } })).toEqual([differs('no row', 'one')]);
  });

  test('is no lower than at the last decision', () => {
    const { drawdowns, found } = watched();
    drawdowns.at('o-1', receipt({ ...DRAWDOWN, highWaterMark: '21' }), BOOKED);
    drawdowns.end();
    expect(found).toEqual([differs('21 or more', '20')]);
    expect(ended({ watches: [] })).toEqual([differs('one that the audit trail begins', '20')]);
  });
});
