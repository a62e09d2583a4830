import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../engine/platform/decimal.ts';
import { accountValuesOf } from '../../../engine/risk/account-values.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { startDrawdownState } from '../../../engine/risk/drawdown-state.ts';
import type { IntentRiskInputs } from '../../../engine/risk/risk-inputs.ts';
import { aggregatesOf } from '../../../engine/risk/risk-snapshot.ts';
import { DEFAULT_LIMITS, NEW_ACCOUNT_LIMITS, rulesOf } from '../../../engine/risk/rule-limits.ts';
import { ruleUsageOf } from '../../../engine/risk/rule-usage.ts';
import { byOptionalRule, type OptionalRuleName } from '../../../engine/risk/rules/catalogue.ts';
import { account, intent, limitFor, rules } from './arbitraries.ts';
import { NOW, SNAPSHOT } from './risk-snapshot.ts';

const NAMES = Object.keys(byOptionalRule(() => null)) as OptionalRuleName[];

/** {@link SNAPSHOT} without its intent: 5 USD of A held, 1 of B held and 10.5 on order, 2 of C on order. */
const IDLE = aggregatesOf(SNAPSHOT, ZERO, NOW);

const buy = (fields: Partial<IntentRiskInputs> = {}): IntentRiskInputs => ({
  tokenId: 'A',
  side: 'buy',
  amount: exact(10),
  size: exact('4.5'),
  maxFee: exact('0.5'),
  approval: { by: 'nobody' },
  ...fields,
});

const evaluate = (limits: Partial<Record<OptionalRuleName, string>>, order = buy()) =>
  decide({ ...SNAPSHOT.rules, ...limits }, IDLE, order, NOW);
const lineOf = (name: OptionalRuleName, limit: string, order = buy()) =>
  evaluate({ [name]: limit }, order).receipt.find(({ rule }) => rule === name);
const usedOf = (name: OptionalRuleName, limit: string) =>
  ruleUsageOf({ ...SNAPSHOT, rules: { ...SNAPSHOT.rules, [name]: limit } }, NOW).find(
    ({ rule }) => rule === name,
  );

describe.each(byNames())('%s', (name, rule) => {
  test('is off in every new account, and then appears nowhere', () => {
    expect(rulesOf(DEFAULT_LIMITS)).not.toHaveProperty(name);
    expect(rulesOf(NEW_ACCOUNT_LIMITS.live)).not.toHaveProperty(name);
    expect(evaluate({}).receipt.map((line) => line.rule)).not.toContain(name);
    expect(ruleUsageOf(SNAPSHOT, NOW).map((line) => line.rule)).not.toContain(name);
  });

  test('blocks no sell, whatever its limit', () => {
    fc.assert(
      fc.property(rules, limitFor(rule), account, intent, (others, limit, a, i) => {
        const sell: IntentRiskInputs = { ...i, side: 'sell' };
        const off = decide(others, a, sell, NOW);
        const on = decide({ ...others, [name]: limit }, a, sell, NOW);
        expect(on.verdict).toBe(off.verdict);
        expect(on.receipt.find((line) => line.rule === name)).toMatchObject({
          verdict: 'skipped',
          note: 'reduces',
        });
      }),
      { numRuns: 200 },
    );
  });
});

function byNames() {
  const all = byOptionalRule((rule) => rule);
  return NAMES.map((name) => [name, all[name]] as const);
}

describe('maxPositionSize', () => {
  test.each([
    ['what is held counts at cost, the buy with its fee: at the limit', 'A', '10', 'pass', '10'],
    ['a cent too little', 'A', '9.99', 'deny', '10'],
    ['what other buys may still cost counts as well', 'B', '16.5', 'pass', '16.5'],
    ['what is only being bought', 'C', '6.99', 'deny', '7'],
    ['what is new', 'Z', '5', 'pass', '5'],
    ['a limit of 0', 'Z', '0', 'deny', '5'],
  ])('%s', (_, tokenId, limit, verdict, actual) => {
    expect(lineOf('maxPositionSize', limit, buy({ tokenId }))).toMatchObject({ limit, actual, verdict });
  });

  test('its usage is the largest exposure in one instrument', () => {
    expect(usedOf('maxPositionSize', '20')).toMatchObject({ used: '11.5', headroom: '8.5' });
  });

  test('a refusal states limit and value', () => {
    expect(evaluate({ maxPositionSize: '9' }).denial).toEqual({
      rule: 'maxPositionSize',
      code: 'maxPositionSize',
      limit: '9',
      actual: '10',
      message: 'maxPositionSize is 9 USD, with this order 10 USD would be at stake in its instrument.',
    });
  });
});

describe('maxVenueExposure', () => {
  const [here, beside, elsewhere] = ['KXA-26:yes', 'KXB-26:no', 'BTCUSDT'];
  const account = {
    ...IDLE,
    exposures: new Map([
      [here, exact(5)],
      [beside, exact(7)],
      [elsewhere, exact(40)],
    ]),
  };
  const lineAt = (limit: string, tokenId: string) =>
    decide({ ...SNAPSHOT.rules, maxVenueExposure: limit }, account, buy({ tokenId }), NOW).receipt.find(
      ({ rule }) => rule === 'maxVenueExposure',
    );

  test.each([
    ['all instruments of the venue count, at the limit', here, '17', 'pass', '17'],
    ['a cent too little', here, '16.99', 'deny', '17'],
    ['an instrument that is new there', 'KXC-26:yes', '17', 'pass', '17'],
    ['what is at stake elsewhere does not count', elsewhere, '45', 'pass', '45'],
    ['a limit of 0', here, '0', 'deny', '17'],
  ])('%s', (_, tokenId, limit, verdict, actual) => {
    expect(lineAt(limit, tokenId)).toMatchObject({ limit, actual, verdict });
  });

  test('its usage is the largest exposure at one venue', () => {
    const buying = [...account.exposures].map(([tokenId, reserve]) => ({ tokenId, reserve }));
    const at = { ...SNAPSHOT, held: [], buying, rules: { ...SNAPSHOT.rules, maxVenueExposure: '50' } };
    expect(ruleUsageOf(at, NOW).find(({ rule }) => rule === 'maxVenueExposure')).toMatchObject({
      used: '40',
      headroom: '10',
    });
  });
});

describe('maxGrossExposure', () => {
  test.each([
    ['everything held or being bought counts, at the limit', 'A', '23.5', 'pass', '23.5'],
    ['a cent too little', 'A', '23.49', 'deny', '23.5'],
    ['whatever the instrument', 'Z', '23.49', 'deny', '23.5'],
    ['a limit of 0', 'Z', '0', 'deny', '23.5'],
  ])('%s', (_, tokenId, limit, verdict, actual) => {
    expect(lineOf('maxGrossExposure', limit, buy({ tokenId }))).toMatchObject({ limit, actual, verdict });
  });

  test('its usage is the whole exposure, and sizing nodes have the rest', () => {
    expect(usedOf('maxGrossExposure', '20')).toMatchObject({ used: '18.5', headroom: '1.5' });
    const at = (limit: string) => ({ ...SNAPSHOT, rules: { ...SNAPSHOT.rules, maxGrossExposure: limit } });
    expect(accountValuesOf({ ...at('20'), trippedAt: null }, NOW, 0).orderHeadroom).toBe(1.5);
    expect(accountValuesOf(at('3'), NOW, 0).orderHeadroom).toBe(0);
  });
});

describe('maxBlueprintBudget', () => {
  test.each([
    ['what the blueprint holds and may still pay counts, at the limit', 'one', '20.5', 'pass', '20.5'],
    ['a cent too little', 'one', '20.49', 'deny', '20.5'],
    ['what others have at stake does not count', 'two', '8', 'pass', '8'],
    ['a blueprint that has nothing yet', 'three', '5', 'pass', '5'],
    ['an order of no blueprint yet', undefined, '4.99', 'deny', '5'],
    ['a limit of 0', 'two', '0', 'deny', '8'],
  ])('%s', (_, blueprintId, limit, verdict, actual) => {
    expect(lineOf('maxBlueprintBudget', limit, buy({ blueprintId }))).toMatchObject({
      limit,
      actual,
      verdict,
    });
  });

  test('its usage is the largest exposure of one blueprint', () => {
    expect(usedOf('maxBlueprintBudget', '20')).toMatchObject({ used: '15.5', headroom: '4.5' });
  });
});

describe('maxDrawdown', () => {
  const below = (usd: string, trippedAt: Date | null = null) => ({
    ...IDLE,
    drawdown: { below: exact(usd), trippedAt },
  });
  const at = (account: typeof IDLE) => decide({ ...SNAPSHOT.rules, maxDrawdown: '20' }, account, buy(), NOW);
  const lineAt = (account: typeof IDLE) => at(account).receipt.find(({ rule }) => rule === 'maxDrawdown');
  const TRIPPED = '2026-11-20T12:00:00.000Z';

  test('lets a buy through until the limit is reached, and if nothing is known yet', () => {
    expect(lineAt(below('19.99'))).toMatchObject({ verdict: 'pass', actual: '19.99', headroom: '0.01' });
    expect(lineAt(below('20'))).toMatchObject({ verdict: 'deny', actual: '20' });
    expect(lineAt(IDLE)).toMatchObject({ verdict: 'pass', actual: '0' });
  });

  test('a refusal states limit and value', () => {
    expect(at(below('20')).denial?.message).toBe(
      'maxDrawdown is 20 USD, the account is 20 USD below its high-water mark.',
    );
  });

  test('once tripped, denies every buy until it is changed, and states since when', () => {
    const stopped = below('3', NOW);
    expect(lineAt(stopped)).toMatchObject({ verdict: 'deny', actual: '3', note: `tripped at ${TRIPPED}` });
    expect(at(stopped).denial).toMatchObject({
      code: 'maxDrawdown',
      message: `maxDrawdown was reached at ${TRIPPED}: buys are denied until this rule is changed.`,
    });
  });

  test('its usage is the distance from the mark, and it states when no buy passes whatever is left', () => {
    const watch = startDrawdownState(exact(10), NOW);
    const on = { ...SNAPSHOT, watch, rules: { ...SNAPSHOT.rules, maxDrawdown: '20' } };
    const lineOf = (snapshot: typeof on) =>
      ruleUsageOf(snapshot, NOW).find(({ rule }) => rule === 'maxDrawdown');
    expect(lineOf(on)).toEqual({ rule: 'maxDrawdown', limit: '20', used: '13.2', headroom: '6.8' });
    expect(lineOf({ ...on, watch: { ...watch, trippedAt: NOW } })?.note).toBe(
      `tripped at ${TRIPPED}: no buys until this rule is changed`,
    );
  });
});
