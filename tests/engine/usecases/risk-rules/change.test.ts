import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { type DrawdownState, startDrawdownState } from '../../../../engine/risk/drawdown-state.ts';
import { DEFAULT_LIMITS, type RiskRulesPatch } from '../../../../engine/risk/rule-limits.ts';
import {
  planDrawdownWatch,
  planRulesChange,
  type RulesRow,
  riskRulesViewOf,
} from '../../../../engine/usecases/risk-rules/change.ts';
import { held, NOW, RULES, SNAPSHOT } from '../../risk/risk-snapshot.ts';
import { refusalOf } from '../../trading/orders/market.ts';

const ROW: RulesRow = {
  ...DEFAULT_LIMITS,
  account_id: 'a',
  mode: 'paper',
  version: 3,
  updated_at: '2026-11-19 08:00:00+00',
};
const change = (patch: RiskRulesPatch, before: Partial<RulesRow> = {}) =>
  planRulesChange({ ...ROW, ...before }, patch, NOW);

describe('a change of rules', () => {
  test('moves the named rules and nothing else, one version on, and leaves both in the audit trail', () => {
    expect(change({ maxOpenPositions: 4 })).toEqual({
      row: { ...ROW, max_open_positions: 4, version: 4, updated_at: NOW.toISOString() },
      liftsLatch: false,
      watch: null,
      buysToCancel: null,
      audit: {
        action: 'risk_rules.changed',
        subjectId: null,
        before: { ...RULES, version: 3 },
        after: { ...RULES, maxOpenPositions: 4, version: 4 },
        at: NOW,
      },
      event: { type: 'risk_rules.changed', payload: { version: 4 } },
    });
  });

  test('to the same values changes nothing, not even the version', () => {
    expect(change({})).toBeNull();
    expect(change({ maxOrderSize: '100.00', maxOpenPositions: 10, maxDrawdown: null })).toBeNull();
  });

  test('is refused for a limit that no rule can have', () => {
    expect(refusalOf(() => change({ maxOpenPositions: -1 })).code).toBe('validation_failed');
  });

  test('is refused if the rules are not those that were reviewed, changed or not', () => {
    const changed = (version?: number) => planRulesChange(ROW, { maxOpenPositions: 4 }, NOW, version);
    expect(changed(3)?.row.version).toBe(4);
    expect(refusalOf(() => changed(2)).code).toBe('precondition_failed');
    expect(refusalOf(() => planRulesChange(ROW, {}, NOW, 2)).code).toBe('precondition_failed');
  });

  test('of the daily loss lifts the latch of the day, in either direction', () => {
    expect(change({ maxDailyLoss: '300' })?.liftsLatch).toBe(true);
    expect(change({ maxDailyLoss: '200' })?.liftsLatch).toBe(true);
    expect(change({ maxDailyLoss: '250', maxOrderSize: '1' })?.liftsLatch).toBe(false);
  });

  test('to a smaller order cancels the larger buys, and to a larger one none', () => {
    expect(change({ maxOrderSize: '99.50' })?.buysToCancel).toEqual({
      reasonCode: 'rule_changed',
      reason: 'maxOrderSize was lowered to 99.5 USD.',
      largerThan: '99.5',
    });
    expect(change({ maxOrderSize: '101' })?.buysToCancel).toBeNull();
  });

  test.each<[string, string | null, string | null, string | null]>([
    ['on', null, '10', 'begins'],
    ['off', '10', null, 'ends'],
    ['to another limit', '10', '11', 'restarts'],
  ])('that turns the drawdown stop %s tells its watch', (_what, before, after, watch) => {
    const row = { max_drawdown: before };
    expect(change({ maxDrawdown: after }, row)?.watch).toBe(watch);
    expect(change({ maxDrawdown: before, maxOrderSize: '1' }, row)?.watch).toBeNull();
  });
});

describe('the watch of the drawdown stop', () => {
  const snapshot = { ...SNAPSHOT, realizedPnl: exact(7), held: [held('A', '10', '5', '0.75')] };
  const WATCH: DrawdownState = { ...startDrawdownState(exact(20), NOW), beyondSince: NOW, trippedAt: NOW };

  test("turned on starts from the account's present value, with one event", () => {
    expect(planDrawdownWatch('begins', snapshot, NOW)).toEqual({
      watch: startDrawdownState(exact('9.5'), NOW),
      audits: [
        {
          action: 'drawdown.watched',
          subjectId: null,
          before: null,
          after: { highWaterMark: '9.5', rulesVersion: 3 },
          at: NOW,
        },
      ],
    });
  });

  test('with another limit keeps its mark and forgets its trip', () => {
    expect(planDrawdownWatch('restarts', { ...snapshot, watch: WATCH }, NOW)).toEqual({
      watch: { ...WATCH, beyondSince: null, trippedAt: null },
      audits: [],
    });
    expect(planDrawdownWatch('restarts', snapshot, NOW).watch).toBeNull();
  });

  test('turned off is forgotten', () => {
    expect(planDrawdownWatch('ends', { ...snapshot, watch: WATCH }, NOW)).toEqual({
      watch: null,
      audits: [],
    });
  });
});

test('rules are returned with their version and the time of their change', () => {
  expect(riskRulesViewOf(ROW)).toEqual({ ...RULES, version: 3, updatedAt: '2026-11-19T08:00:00.000Z' });
});
