import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exact } from '../../../engine/platform/decimal.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { liveDenialOf, liveLimitsOf } from '../../../engine/risk/live-limits.ts';
import type { IntentRiskInputs, LiveOrderInputs, OrderCost } from '../../../engine/risk/risk-inputs.ts';
import { account, intent as anyIntent, rules } from './arbitraries.ts';
import { NOW } from './risk-snapshot.ts';

const NONE: LiveOrderInputs = { service: {}, spentToday: '0' };

const connection = (more: Partial<NonNullable<LiveOrderInputs['connection']>>): LiveOrderInputs => ({
  ...NONE,
  connection: { id: 'c', spentToday: '30', openNotional: '40', ...more },
});

/** `[bound, facts, size at the limit, what is measured there, words about it]`; a hair more breaks it. */
const BOUNDS: [string, LiveOrderInputs, string, string, RegExp][] = [
  [
    'serviceMaxOrder',
    { ...NONE, service: { maxOrder: '25' } },
    '25',
    '25',
    /operator allows up to 25 USD an order/,
  ],
  [
    'serviceMaxDay',
    { service: { maxDay: '100' }, spentToday: '80' },
    '20',
    '100',
    /since 00:00 UTC; the operator allows up to 100 USD a day/,
  ],
  [
    'connectionMaxOrder',
    connection({ maxOrder: '25' }),
    '25',
    '25',
    /connection allows up to 25 USD an order/,
  ],
  [
    'connectionMaxDay',
    connection({ maxDay: '100' }),
    '70',
    '100',
    /since 00:00 UTC; it allows up to 100 USD a day/,
  ],
  [
    'connectionMaxOpenNotional',
    connection({ maxOpenNotional: '100' }),
    '60',
    '100',
    /open entries and positions; it allows up to 100 USD/,
  ],
  [
    'connectionMaxOpenNotional',
    connection({ maxOpenNotional: '100', external: '25.5' }),
    '34.5',
    '100',
    /open entries and positions; it allows up to 100 USD/,
  ],
];

const buy = (size: string, live?: LiveOrderInputs): Pick<IntentRiskInputs, 'side' | 'live'> & OrderCost => ({
  side: 'buy',
  size: exact(size),
  maxFee: exact(0),
  live,
});

describe('the bounds of live orders', () => {
  test.each(BOUNDS)(
    '%s lets its limit through and denies anything above, in words',
    (name, live, size, actual, words) => {
      expect(liveLimitsOf(buy(size, live)).map(({ check }) => check.name)).toEqual([name]);
      expect(liveDenialOf(buy(size, live))).toBeNull();
      const more = exact(size).plus('0.01').toFixed();
      const measured = exact(actual).plus('0.01').toFixed();
      const denial = liveDenialOf(buy(more, live));
      expect(denial).toMatchObject({ rule: name, code: name, actual: measured });
      expect(denial?.message).toMatch(words);
      expect(denial?.message).toContain(`${measured} USD`);
    },
  );

  test.each(BOUNDS)('%s has a title, counts USD, and a higher one is looser', (name, live) => {
    const [{ check } = { check: undefined }] = liveLimitsOf(buy('1', live));
    expect(check).toMatchObject({
      name,
      title: expect.stringMatching(/\w+ \w+/),
      unit: 'USD',
      looser: 'higher',
    });
  });

  test('52: an order and its maximum fee are checked against the venue balance, if it is known', () => {
    const live: LiveOrderInputs = { ...NONE, funds: { available: '10', asOf: NOW.toISOString() } };
    const costing = (size: string, fee: string) => ({ ...buy(size, live), maxFee: exact(fee) });
    expect(liveDenialOf(costing('9.5', '0.5'))).toBeNull();
    const denial = liveDenialOf(costing('9.5', '0.51'));
    expect(denial).toMatchObject({ rule: 'venueFunds', limit: '10', actual: '10.01' });
    expect(denial?.message).toBe(
      'Needs up to 10.01 USD including fees; the largest balance at the venue is 10 USD.',
    );
    expect(liveLimitsOf(buy('1', live))[0]?.check).toMatchObject({
      title: 'Money at the venue',
      unit: 'USD',
      looser: 'higher',
      phrase: '{limit}, needs {actual}',
    });
  });

  test('73: a buy is denied if the other side of its market is held or on order', () => {
    expect(liveDenialOf(buy('1', { ...NONE, otherSide: '0' }))).toBeNull();
    const denial = liveDenialOf(buy('1', { ...NONE, otherSide: '0.01' }));
    expect(denial).toMatchObject({ rule: 'oppositeSide', limit: '0', actual: '0.01' });
    expect(denial?.message).toMatch(/nets both sides .* 0.01 of the other side .* close them first/);
    expect(liveLimitsOf(buy('1', { ...NONE, otherSide: '0' }))[0]?.check).toMatchObject({
      title: 'Held of the other side',
      unit: 'units',
      looser: 'higher',
    });
  });

  test('have no line if unset, on paper, and for sells', () => {
    expect(liveLimitsOf(buy('1', NONE))).toEqual([]);
    expect(liveLimitsOf(buy('1', connection({})))).toEqual([]);
    expect(liveLimitsOf(buy('1'))).toEqual([]);
    expect(liveDenialOf(buy('1'))).toBeNull();
    for (const [, live] of BOUNDS) expect(liveLimitsOf({ ...buy('1000', live), side: 'sell' })).toEqual([]);
  });

  test('name the first of several that are broken', () => {
    const live = { ...connection({ maxOrder: '1' }), service: { maxDay: '1' } };
    expect(liveDenialOf(buy('2', live))?.rule).toBe('serviceMaxDay');
  });
});

const NAMES = [...BOUNDS.map(([name]) => name), 'oppositeSide', 'venueFunds'];

const cap = fc.option(
  fc.nat(200).map((usd) => String(usd)),
  { nil: undefined },
);
const usd = fc.nat(200).map(String);

const liveFacts: fc.Arbitrary<LiveOrderInputs> = fc
  .tuple(cap, cap, cap, cap, cap, usd, usd, usd, cap, cap)
  .map(
    ([maxOrder, maxDay, ofOrder, ofDay, ofOpen, spentToday, spentThere, openNotional, otherSide, funds]) => ({
      ...(otherSide && { otherSide }),
      ...(funds && { funds: { available: funds, asOf: NOW.toISOString() } }),
      service: { ...(maxOrder && { maxOrder }), ...(maxDay && { maxDay }) },
      spentToday,
      connection: {
        id: 'c',
        ...(ofOrder && { maxOrder: ofOrder }),
        ...(ofDay && { maxDay: ofDay }),
        ...(ofOpen && { maxOpenNotional: ofOpen }),
        spentToday: spentThere,
        openNotional,
      },
    }),
  );

test('no rule, approval or spending limit loosens a bound: an order that breaks one is denied in every case', () => {
  fc.assert(
    fc.property(rules, account, anyIntent, liveFacts, (limits, held, intent, live) => {
      const decision = decide(limits, held, { ...intent, live }, NOW);
      const broken = liveDenialOf({ ...intent, live });
      if (broken !== null) expect(decision.verdict).toBe('denied');
      const lines = decision.receipt.filter(({ rule }) => NAMES.includes(rule));
      expect(lines.some(({ verdict }) => verdict === 'deny')).toBe(broken !== null);
      if (intent.side === 'sell') expect(lines).toEqual([]);
    }),
  );
});

test('a bound only ever restricts: an order that passes with it passes without it', () => {
  fc.assert(
    fc.property(rules, account, anyIntent, liveFacts, (limits, held, intent, live) => {
      const [bound, free] = [
        decide(limits, held, { ...intent, live }, NOW),
        decide(limits, held, intent, NOW),
      ];
      expect(bound.receipt.slice(0, free.receipt.length)).toEqual(free.receipt);
      if (bound.verdict !== 'denied') expect(bound.verdict).toBe(free.verdict);
    }),
  );
});
