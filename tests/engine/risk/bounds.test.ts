import { describe, expect, test } from 'vitest';
import { exact, ZERO } from '../../../engine/platform/decimal.ts';
import { decide } from '../../../engine/risk/decide.ts';
import { keyLimitsOf } from '../../../engine/risk/key-limits.ts';
import type { IntentRiskInputs, RouteInputs, SpendingLimitInputs } from '../../../engine/risk/risk-inputs.ts';
import { aggregatesOf } from '../../../engine/risk/risk-snapshot.ts';
import { routeBlockOf, routeCheckOf } from '../../../engine/risk/route-block.ts';
import { NOW, SNAPSHOT } from './risk-snapshot.ts';

const order = (fields: Partial<IntentRiskInputs> = {}): IntentRiskInputs => ({
  tokenId: 'A',
  side: 'buy',
  amount: exact(10),
  size: exact(4),
  maxFee: exact(0),
  approval: { by: 'nobody' },
  ...fields,
});
const bounded = (fields: Partial<SpendingLimitInputs>): SpendingLimitInputs => ({
  keyId: 'k',
  spentToday: '0',
  isOutside: false,
  hasEnded: false,
  ...fields,
});
const linesOf = (intent: IntentRiskInputs) =>
  decide(SNAPSHOT.rules, aggregatesOf(SNAPSHOT, exact(1_000), NOW), intent, NOW).receipt;
const namesOf = (fields: Partial<SpendingLimitInputs>, more: Partial<IntentRiskInputs> = {}) =>
  keyLimitsOf(order({ envelope: bounded(fields), ...more })).map(({ check }) => check.name);

describe('the spending limits of a key', () => {
  const ALL = { maxOrder: '5', maxDay: '9', alwaysApprove: true, isOutside: true, hasEnded: true } as const;

  test('list their bounds, and are empty without a key', () => {
    expect(keyLimitsOf(order())).toEqual([]);
    expect(namesOf({})).toEqual([]);
    expect(namesOf(ALL)).toEqual([
      'keyMaxOrder',
      'keyMaxDay',
      'keyBlueprints',
      'keyEnded',
      'keyAlwaysApprove',
    ]);
  });

  test('hold up no sell by bounds of buys, and no exit that a deploy approved by any bound', () => {
    expect(namesOf(ALL, { side: 'sell' })).toEqual(['keyBlueprints', 'keyAlwaysApprove']);
    expect(namesOf(ALL, { side: 'sell', approval: { by: 'deploy', release: 1 } })).toEqual([]);
  });

  test.each<[Partial<SpendingLimitInputs>, string]>([
    [{ maxOrder: '3' }, 'This order is 4 USD; the key allows up to 3 USD an order.'],
    [
      { maxDay: '9', spentToday: '6' },
      'The key would have bought 10 USD since 00:00 UTC; it allows up to 9 USD a day.',
    ],
    [{ isOutside: true }, 'The key was not made for this blueprint.'],
    [
      { hasEnded: true },
      'The key behind this order is revoked or has expired: deployments of the key can no longer buy.',
    ],
  ])('%j: a refusal says why', (fields, message) => {
    const envelope = bounded(fields);
    expect(
      decide(SNAPSHOT.rules, aggregatesOf(SNAPSHOT, ZERO, NOW), order({ envelope }), NOW).denial?.message,
    ).toBe(message);
  });

  test.each<[Partial<SpendingLimitInputs>, string, string]>([
    [{ maxOrder: '4' }, 'keyMaxOrder', 'pass'],
    [{ maxOrder: '3.99' }, 'keyMaxOrder', 'deny'],
    [{ maxDay: '10', spentToday: '6' }, 'keyMaxDay', 'pass'],
    [{ maxDay: '10', spentToday: '6.01' }, 'keyMaxDay', 'deny'],
    [{ isOutside: true }, 'keyBlueprints', 'deny'],
    [{ hasEnded: true }, 'keyEnded', 'deny'],
    [{ alwaysApprove: true }, 'keyAlwaysApprove', 'wait'],
  ])('%j: %s says %s', (fields, name, verdict) => {
    const line = linesOf(order({ envelope: bounded(fields) })).find(({ rule }) => rule === name);
    expect(line).toMatchObject({ verdict });
  });
});

describe('the route of a live order', () => {
  const way = (fields: Partial<RouteInputs> = {}): RouteInputs => ({
    connectionId: 'c',
    state: 'ready',
    isLiveOn: true,
    ...fields,
  });

  test.each<[string, Partial<RouteInputs>, string | null, string | null]>([
    ['ready', {}, null, null],
    ['no connection', { connectionId: null }, 'no_connection', 'no_connection'],
    ['a connection without a state', { state: null }, 'no_connection', 'no_connection'],
    ['switched off by the operator', { isLiveOn: false }, 'live_trading_off', null],
    ['reduce only', { state: 'reduce_only' }, 'connection_reduce_only', null],
    ['unverified', { state: 'unverified' }, 'connection_unverified', 'connection_unverified'],
    ['halted', { state: 'halted' }, 'connection_halted', 'connection_halted'],
    ['expired', { state: 'expired' }, 'connection_expired', 'connection_expired'],
    ['revoked', { state: 'revoked' }, 'connection_revoked', 'connection_revoked'],
  ])('%s: a buy and a sell state why they are not sent', (_what, fields, buy, sell) => {
    expect(routeBlockOf(way(fields), 'buy')?.code ?? null).toBe(buy);
    expect(routeBlockOf(way(fields), 'sell')?.code ?? null).toBe(sell);
    expect(routeBlockOf(way(fields), 'buy')?.message).not.toBe('');
  });

  test('is a line of the receipt, and absent on paper', () => {
    expect(routeCheckOf(order())).toEqual([]);
    const lineOf = (fields: Partial<RouteInputs>) =>
      linesOf(order({ route: way(fields) })).find(({ rule }) => rule === 'connection');
    expect(lineOf({})).toMatchObject({ verdict: 'pass', limit: '0', actual: '0' });
    expect(lineOf({ state: 'halted' })).toMatchObject({
      verdict: 'deny',
      actual: '1',
      note: 'connection_halted',
    });
  });
});
