import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../engine/platform/decimal.ts';
import { accountValuesOf } from '../../../engine/risk/account-values.ts';
import { BALANCE_CHECKS } from '../../../engine/risk/balance-checks.ts';
import { type Decision, decide } from '../../../engine/risk/decide.ts';
import type { Aggregates, IntentRiskInputs } from '../../../engine/risk/risk-inputs.ts';
import { aggregatesOf, type RiskSnapshot } from '../../../engine/risk/risk-snapshot.ts';
import type { Check, RiskRule } from '../../../engine/risk/rule.ts';
import { DEFAULT_LIMITS, type Limits, refuseInvalidLimits } from '../../../engine/risk/rule-limits.ts';
import { ruleUsageOf } from '../../../engine/risk/rule-usage.ts';
import { API_RULES, byApiRule, isApiRule, RULES } from '../../../engine/risk/rules/catalogue.ts';
import { account, intent, limitFor, rules, snapshot } from './arbitraries.ts';
import { NOW, SNAPSHOT } from './risk-snapshot.ts';

const CATALOGUE: readonly RiskRule[] = RULES;

const IDLE: Aggregates = aggregatesOf(SNAPSHOT, ZERO, NOW);
const buy = (size: string): IntentRiskInputs => ({
  tokenId: 'A',
  side: 'buy',
  amount: exact(1),
  size: exact(size),
  maxFee: ZERO,
  approval: { by: 'nobody' },
});

describe('the documented object', () => {
  test('"any of `maxOrderSize`, `maxDailyLoss`, …": it has these six, and new accounts have a limit of each', () => {
    expect(API_RULES.map(({ name }) => name)).toEqual([
      'maxOrderSize',
      'maxDailyLoss',
      'maxOpenPositions',
      'maxOrdersPerMinute',
      'cooldownAfterLossSec',
      'requireApprovalAbove',
    ]);
    expect(CATALOGUE.filter(isApiRule)).toHaveLength(API_RULES.length);
    expect(CATALOGUE.filter(isApiRule)).toEqual(CATALOGUE.filter((rule) => rule.default !== null));
  });

  test('"Defaults of a new account"', () => {
    expect(DEFAULT_LIMITS).toMatchObject({
      max_order_size: '100',
      max_daily_loss: '250',
      max_open_positions: 10,
      max_orders_per_minute: 10,
      cooldown_after_loss_sec: 300,
      require_approval_above: '50',
    });
  });
});

test('a rule with a line in a receipt has its name, count and parser', () => {
  const words = [...API_RULES, ...BALANCE_CHECKS].map(({ name, title, unit }) => [name, title, unit]);
  expect(words).toEqual([
    ['maxOrderSize', 'Largest order', 'USD'],
    ['maxDailyLoss', 'Daily loss', 'USD'],
    ['maxOpenPositions', 'Open positions', 'instruments'],
    ['maxOrdersPerMinute', 'Orders a minute', 'orders'],
    ['cooldownAfterLossSec', 'Pause after a loss', 'seconds'],
    ['requireApprovalAbove', 'Approval above', 'USD'],
    ['buyingPower', 'Free cash', 'USD'],
    ['heldAndFree', 'Held and free', 'units'],
  ]);
  const checks: readonly Check[] = [...API_RULES, ...BALANCE_CHECKS];
  expect(checks.flatMap(({ name, phrase }) => (phrase === undefined ? [] : [[name, phrase]]))).toEqual([
    ['cooldownAfterLossSec', '{actual} of {limit}'],
    ['buyingPower', '{limit}, needs {actual}'],
    ['heldAndFree', '{limit}, sells {actual}'],
  ]);
  expect(
    checks.flatMap(({ name, usageTitle }) => (usageTitle === undefined ? [] : [[name, usageTitle]])),
  ).toEqual([
    ['maxOpenPositions', 'Held or being bought'],
    ['buyingPower', 'Cash set aside'],
  ]);
});

test('a value by field is one for each of the six, of its own rule', () => {
  expect(byApiRule(({ column }) => column)).toEqual({
    maxOrderSize: 'max_order_size',
    maxDailyLoss: 'max_daily_loss',
    maxOpenPositions: 'max_open_positions',
    maxOrdersPerMinute: 'max_orders_per_minute',
    cooldownAfterLossSec: 'cooldown_after_loss_sec',
    requireApprovalAbove: 'require_approval_above',
  });
});

test('no two rules share a name, a title or a column', () => {
  for (const key of ['name', 'title', 'column'] as const) {
    expect(new Set(CATALOGUE.map((rule) => rule[key])).size).toBe(CATALOGUE.length);
  }
});

describe.each(CATALOGUE.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
  test('describes itself, to a person and to a caller, in sentences', () => {
    expect(rule.title).toMatch(/^[A-Z]/);
    expect(rule.help).toMatch(/^[A-Z].+\.$/);
    expect(rule.description).toMatch(/^[A-Z].+\.$/);
  });

  test('has a default within its bounds, or none and is off', () => {
    expect(() => refuseInvalidLimits({ [name]: rule.default })).not.toThrow();
    expect(() => refuseInvalidLimits({ [name]: -1 })).toThrow(name);
    expect(Object.keys(DEFAULT_LIMITS)).toContain(rule.column);
  });

  test('names itself, its limit and the value in a refusal', () => {
    expect(rule.sentence('17.25', '23.75')).toMatch(new RegExp(`^${name} .*17\\.25.*23\\.75`));
  });

  test('has one line in a receipt and one in the usage, with its limit', () => {
    fc.assert(
      fc.property(rules, limitFor(rule), account, intent, (others, limit, a, i) => {
        const limits = { ...others, [name]: limit };
        const written = exact(limit).toFixed();
        const receipt = decide(limits, a, i, NOW).receipt.filter((line) => line.rule === name);
        expect(receipt).toMatchObject([{ limit: written }]);
        const usage = ruleUsageOf({ ...SNAPSHOT, rules: limits }, NOW).filter((line) => line.rule === name);
        expect(usage).toMatchObject([{ limit: written }]);
      }),
      { numRuns: 100 },
    );
  });

  test(`lets as much or less through when it is tightened: ${rule.looser} is looser`, () => {
    fc.assert(
      fc.property(rules, fc.tuple(limitFor(rule), limitFor(rule)), account, intent, (others, pair, a, i) => {
        const [low, high] = pair.toSorted((x, y) => exact(x).cmp(y));
        const [tight, loose] = rule.looser === 'higher' ? [low, high] : [high, low];
        const verdict = (limit: typeof low) => RANK[decide({ ...others, [name]: limit }, a, i, NOW).verdict];
        expect(verdict(tight)).toBeLessThanOrEqual(verdict(loose));
      }),
      { numRuns: 300 },
    );
  });

  test('leaves as much or less room to sizing nodes when it is tightened', () => {
    fc.assert(
      fc.property(snapshot, fc.tuple(limitFor(rule), limitFor(rule)), (b, pair) => {
        const [low, high] = pair.toSorted((x, y) => exact(x).cmp(y));
        const [tight, loose] = rule.looser === 'higher' ? [low, high] : [high, low];
        const room = (limit: typeof low) => roomOf({ ...b, rules: { ...b.rules, [name]: limit } });
        expect(room(tight)).toBeLessThanOrEqual(room(loose));
      }),
      { numRuns: 200 },
    );
  });

  test(`does to an order what its description of a breach states: ${rule.breach}`, () => {
    const verdicts = new Set<string>();
    fc.assert(
      fc.property(rules, limitFor(rule), account, intent, (others, limit, a, i) => {
        const { receipt } = decide({ ...others, [name]: limit }, a, i, NOW);
        for (const line of receipt) if (line.rule === name) verdicts.add(line.verdict);
      }),
      // A seed: few random cases need not have both verdicts.
      { numRuns: 300, seed: 1 },
    );
    verdicts.delete('skipped');
    expect([...verdicts].sort()).toEqual(['pass', rule.breach].sort());
  });
});

const roomOf = (b: RiskSnapshot): number => accountValuesOf(b, NOW, 0).orderHeadroom ?? Number.NaN;

const RANK: Record<Decision['verdict'], number> = { denied: 0, pending: 1, queued: 2 };

/** Rules that depend on more of an order than its size. */
const LEFT_TO_THE_DECISION = new Set(
  CATALOGUE.filter(({ headroom }) => headroom === undefined).map(({ name }) => name),
);

describe('sizing nodes, usage and decisions agree on one account', () => {
  const denialsOf = (b: RiskSnapshot, size: number) =>
    decide(b.rules, aggregatesOf(b, ZERO, NOW), buy(String(size)), NOW).receipt.filter(
      ({ verdict }) => verdict === 'deny',
    );

  test('a buy of the headroom is denied only by rules about its instrument; a larger one is denied', () => {
    fc.assert(
      fc.property(snapshot, (b) => {
        const room = roomOf(b);
        const denying = room > 0 ? denialsOf(b, room) : [];
        expect(denying.filter(({ rule }) => !LEFT_TO_THE_DECISION.has(rule))).toEqual([]);
        expect(denialsOf(b, room + 0.01)).not.toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the daily loss is the same number in the usage and in the receipt', () => {
    fc.assert(
      fc.property(snapshot, (b) => {
        const { receipt } = decide(b.rules, aggregatesOf(b, ZERO, NOW), buy('1'), NOW);
        const line = receipt.find(({ rule }) => rule === 'maxDailyLoss');
        const used = ruleUsageOf(b, NOW).find(({ rule }) => rule === 'maxDailyLoss');
        expect(used).toMatchObject({ used: line?.actual, headroom: line?.headroom });
      }),
      { numRuns: 300 },
    );
  });

  test('a cool-down that is not over denies, and no other does', () => {
    fc.assert(
      fc.property(snapshot, (b) => {
        const { receipt } = decide(b.rules, aggregatesOf(b, ZERO, NOW), buy('1'), NOW);
        const line = receipt.find(({ rule }) => rule === 'cooldownAfterLossSec');
        const used = ruleUsageOf(b, NOW).find(({ rule }) => rule === 'cooldownAfterLossSec')?.used;
        expect(line?.verdict).toBe(used === '0' ? 'pass' : 'deny');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a rule beyond the six is one more object in the list', () => {
  /** Optional: buys leave at least this much cash free. */
  const minFreeCash: RiskRule = {
    name: 'minFreeCash',
    title: 'Cash kept',
    unit: 'USD',
    column: 'min_free_cash',
    default: null,
    isWhole: false,
    looser: 'lower',
    appliesTo: 'buys',
    breach: 'deny',
    help: 'Buys leave this much cash free.',
    description: 'USD. Buys leave this much cash free.',
    evaluate({ limit, account: { freeCash }, intent: { size, maxFee } }) {
      const left = freeCash.minus(size).minus(maxFee);
      return { actual: left, verdict: left.lt(limit) ? 'deny' : 'pass' };
    },
    usage: ({ account: { freeCash } }) => ({ used: freeCash, note: 'free now' }),
    headroom: ({ limit, account: { freeCash } }) => freeCash.minus(limit),
    sentence: (limit, actual) => `minFreeCash is ${limit} USD, this order would leave ${actual} USD.`,
  };
  const MORE = [...CATALOGUE.slice(0, 2), minFreeCash, ...CATALOGUE.slice(2)];
  const on = (limit: string): RiskSnapshot => ({
    ...SNAPSHOT,
    rules: { ...SNAPSHOT.rules, minFreeCash: limit } as RiskSnapshot['rules'],
  });
  const evaluate = (limits: Limits, order: IntentRiskInputs) => decide(limits, IDLE, order, NOW, MORE);

  test('off: it appears nowhere', () => {
    expect(isApiRule(minFreeCash)).toBe(false);
    expect(evaluate(SNAPSHOT.rules, buy('5'))).toEqual(decide(SNAPSHOT.rules, IDLE, buy('5'), NOW));
    expect(ruleUsageOf(SNAPSHOT, NOW, MORE)).toEqual(ruleUsageOf(SNAPSHOT, NOW));
    expect(accountValuesOf(SNAPSHOT, NOW, 0, MORE)).toEqual(accountValuesOf(SNAPSHOT, NOW, 0));
  });

  test('on: its line is in its position, denies with its message, and skips sells', () => {
    const { rules: limits } = on('980');
    const passed = evaluate(limits, buy('7.5'));
    expect(passed.verdict).toBe('queued');
    expect(passed.receipt.map(({ rule }) => rule)).toEqual([
      'maxOrderSize',
      'requireApprovalAbove',
      'minFreeCash',
      'maxOpenPositions',
      'maxOrdersPerMinute',
      'maxDailyLoss',
      'cooldownAfterLossSec',
      'buyingPower',
    ]);
    expect(passed.receipt[2]).toEqual({
      rule: 'minFreeCash',
      limit: '980',
      actual: '980',
      headroom: '0',
      verdict: 'pass',
    });
    expect(evaluate(limits, buy('8')).denial).toEqual({
      rule: 'minFreeCash',
      code: 'minFreeCash',
      limit: '980',
      actual: '979.5',
      message: 'minFreeCash is 980 USD, this order would leave 979.5 USD.',
    });
    const sold = evaluate(limits, { ...buy('8'), side: 'sell', amount: ZERO });
    expect(sold.receipt[2]).toMatchObject({ rule: 'minFreeCash', verdict: 'skipped', note: 'reduces' });
  });

  test('on: its line is in the usage, and it bounds sizing nodes', () => {
    expect(ruleUsageOf(on('980'), NOW, MORE)[2]).toEqual({
      rule: 'minFreeCash',
      limit: '980',
      used: '987.5',
      headroom: '-7.5',
      note: 'free now',
    });
    expect(accountValuesOf(on('980'), NOW, 0, MORE).orderHeadroom).toBe(7.5);
    expect(accountValuesOf(on('1000'), NOW, 0, MORE).orderHeadroom).toBe(0);
  });

  test('one of the six is never off: a missing limit stops the decision', () => {
    const { maxDailyLoss: _, ...five } = SNAPSHOT.rules;
    expect(() => decide(five, IDLE, buy('5'), NOW)).toThrow('The rule maxDailyLoss has no limit.');
  });
});
