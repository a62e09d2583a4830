import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../engine/platform/errors.ts';
import type { RiskRule } from '../../../engine/risk/rule.ts';
import {
  catalogueLimitsOf,
  changedRules,
  columnsOf,
  DEFAULT_LIMITS,
  type Limits,
  type RiskRulesPatch,
  refuseInvalidLimits,
  rulesOf,
} from '../../../engine/risk/rule-limits.ts';
import type { RiskRules } from '../../../engine/risk/rules/catalogue.ts';
import { maxOrderSize } from '../../../engine/risk/rules/max-order-size.ts';

const RULES: RiskRules = {
  maxOrderSize: '100',
  maxDailyLoss: '250.5',
  maxOpenPositions: 10,
  maxOrdersPerMinute: 11,
  cooldownAfterLossSec: 300,
  requireApprovalAbove: '50',
};

/** The issues for which a patch is refused; none if it is accepted. */
function issuesOf(patch: RiskRulesPatch) {
  try {
    refuseInvalidLimits(patch);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('validation_failed');
    expect(error.issues).not.toEqual([]);
    expect(error.message).toBe(error.issues?.map(({ message }) => message).join('; '));
    return error.issues;
  }
}

test('the six rules of a row have no trailing zeros', () => {
  expect(
    rulesOf({
      ...DEFAULT_LIMITS,
      max_order_size: '100.000000000000',
      max_daily_loss: '250.500000000000',
      max_open_positions: 10,
      max_orders_per_minute: 11,
      cooldown_after_loss_sec: 300,
      require_approval_above: '50.000000000000',
    }),
  ).toEqual(RULES);
});

test('the rules of a row are read once', () => {
  const row = { ...DEFAULT_LIMITS };
  expect(rulesOf(row)).toBe(rulesOf(row));
});

describe('"`PUT` merges by field"', () => {
  const changed = (patch: RiskRulesPatch) => changedRules(RULES, patch).map(({ name }) => name);

  test('only named fields with another value change', () => {
    expect(changed({ maxOrderSize: '7', maxOpenPositions: 10, maxDailyLoss: undefined })).toEqual([
      'maxOrderSize',
    ]);
    expect(changed({ maxDailyLoss: '250.50', maxOrdersPerMinute: 0 })).toEqual(['maxOrdersPerMinute']);
  });

  test('"`{}` changes nothing"', () => {
    expect(changed({})).toEqual([]);
  });
});

describe('"All are 0 or more; counts and seconds are integers"', () => {
  const MONEY = ['maxOrderSize', 'maxDailyLoss', 'requireApprovalAbove'] as const;
  const WHOLE = ['maxOpenPositions', 'maxOrdersPerMinute', 'cooldownAfterLossSec'] as const;

  test.each(MONEY)('%s: USD from 0 on, to 12 places, as much as the ledger holds', (rule) => {
    for (const fits of [0, '0.000000000001', '99999999999999999999999999']) {
      expect(issuesOf({ [rule]: fits })).toEqual([]);
    }
    for (const wrong of ['-0.000000000001', '0.0000000000001', '100000000000000000000000000', Number.NaN]) {
      expect(issuesOf({ [rule]: wrong })).toMatchObject([{ path: `/${rule}` }]);
    }
  });

  test.each(WHOLE)('%s: an integer from 0 on, as large as the database holds', (rule) => {
    for (const fits of [0, 1, 2_147_483_647]) expect(issuesOf({ [rule]: fits })).toEqual([]);
    for (const wrong of [-1, 0.5, 2_147_483_648]) {
      expect(issuesOf({ [rule]: wrong })).toMatchObject([{ path: `/${rule}` }]);
    }
  });

  test('a refusal says field, range and value, for every field that is wrong', () => {
    expect(issuesOf({ maxOrderSize: -1, maxDailyLoss: 5, maxOpenPositions: 1.5 })).toEqual([
      {
        path: '/maxOrderSize',
        code: 'invalid_value',
        message: 'maxOrderSize: expected an amount of USD of at least 0 with at most 12 decimals, got -1',
      },
      {
        path: '/maxOpenPositions',
        code: 'invalid_value',
        message: 'maxOpenPositions: expected an integer from 0 to 2147483647, got 1.5',
      },
    ]);
  });
});

describe('an optional rule', () => {
  const optional = (isWhole: boolean): RiskRule => ({
    ...maxOrderSize,
    name: 'extra',
    column: 'extra',
    default: null,
    isWhole,
  });
  const catalogue = [optional(false)];
  const names = (before: Limits, patch: object) =>
    changedRules(before, { ...patch }, catalogue).map(({ name }) => name);

  test('is off where its column is null, and then its limit is absent', () => {
    expect(catalogueLimitsOf({ extra: null }, catalogue)).toEqual({});
    expect(catalogueLimitsOf({ extra: '5.500' }, catalogue)).toEqual({ extra: '5.5' });
    expect(catalogueLimitsOf({ extra: '5' }, [optional(true)])).toEqual({ extra: 5 });
  });

  test('is turned on by a limit and off by null, and only that is a change', () => {
    expect(names({}, { extra: '5' })).toEqual(['extra']);
    expect(names({ extra: '5' }, { extra: null })).toEqual(['extra']);
    expect(names({}, { extra: null })).toEqual([]);
    expect(names({ extra: '5' }, { extra: '5.0' })).toEqual([]);
    expect(names({ extra: '5' }, {})).toEqual([]);
  });

  test('is written as its limit, or as null', () => {
    expect(columnsOf(catalogue, { extra: '5.50' })).toEqual({ extra: '5.5' });
    expect(columnsOf(catalogue, { extra: null })).toEqual({ extra: null });
  });

  test('alone can be turned off', () => {
    expect(() => refuseInvalidLimits({ extra: null }, catalogue)).not.toThrow();
    expect(() => refuseInvalidLimits({ extra: '-1' }, catalogue)).toThrow('extra: expected an amount of USD');
    expect(() => refuseInvalidLimits({ maxOrderSize: null })).toThrow(
      'maxOrderSize: expected an amount of USD',
    );
    expect(() => refuseInvalidLimits({ maxOpenPositions: null })).toThrow(
      'maxOpenPositions: expected an integer',
    );
  });
});
