import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../../engine/risk/decide.ts';
import {
  isExitSell,
  type ProposedIntent,
  refuseHaltedEntry,
  standingApprovalOf,
  statusByVerdict,
} from '../../../../engine/trading/orders/entry/proposed-intent.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import { goodTillOf } from '../../../../engine/trading/orders/terms/good-till.ts';
import { NOW, refusalOf } from './market.ts';

const later = (ms: number) => new Date(NOW.getTime() + ms);
const verdict = (decision: Partial<Decision>) =>
  statusByVerdict(
    { verdict: 'queued', receipt: [], denial: null, ...decision },
    NOW,
    DEFAULT_TRADING_SETTINGS,
  );

describe('the order that a verdict makes', () => {
  test('a denial ends it at once, with the rule and its message', () => {
    const denial = {
      rule: 'maxOrderSize' as const,
      code: 'maxOrderSize' as const,
      limit: '1',
      actual: '2',
      message: 'Too much.',
    };
    expect(verdict({ verdict: 'denied', denial })).toEqual({
      status: 'denied',
      ended_at: NOW,
      reason_code: 'maxOrderSize',
      reason: 'Too much.',
    });
    expect(verdict({ verdict: 'denied' })).toEqual({
      status: 'denied',
      ended_at: NOW,
      reason_code: null,
      reason: null,
    });
  });

  test('"still pending until it expires (15 minutes by default)"', () => {
    expect(verdict({ verdict: 'pending' })).toEqual({ status: 'pending', expires_at: later(900_000) });
  });

  test('"not sent within 30 s of clearing is never sent"', () => {
    expect(verdict({ verdict: 'queued' })).toEqual({
      status: 'queued',
      queued_at: NOW,
      expires_at: later(30_000),
    });
  });
});

test('no wait outlasts the good-till time', () => {
  const endOf = (verdict: Decision['verdict'], goodTill: Date | null) =>
    statusByVerdict({ verdict, receipt: [], denial: null }, NOW, DEFAULT_TRADING_SETTINGS, goodTill)
      .expires_at;
  expect(endOf('pending', later(60_000))).toEqual(later(60_000));
  expect(endOf('pending', later(901_000))).toEqual(later(900_000));
  expect(endOf('queued', later(10_000))).toEqual(later(10_000));
  expect(endOf('queued', later(60_000))).toEqual(later(30_000));
});

test('only an order that may rest has a time of its own', () => {
  const goodTill = (more: object) =>
    goodTillOf({ type: 'limit', timeInForce: 'gtc', expireAfterSec: 90, ...more }, NOW);
  expect(goodTill({})).toEqual(later(90_000));
  for (const none of [{ type: 'market' }, { timeInForce: 'ioc' }, { expireAfterSec: undefined }])
    expect(goodTill(none)).toBeNull();
});

describe('the standing approval of a deploy', () => {
  type Exit = Parameters<typeof standingApprovalOf>[0];
  const exit: Exit = { origin: 'exit', side: 'sell', preapprovedRelease: 3 };
  const of = (intent: Partial<Exit>, releaseNumber = 3) =>
    standingApprovalOf({ ...exit, ...intent }, { releaseNumber, halted: false });

  test('holds for sells of an exit of the deployed release', () => {
    expect(of({})).toEqual({ by: 'deploy', release: 3 });
  });

  test('and for nothing else: no buy, no other node, no person, no other release, no ended deployment', () => {
    expect(of({ side: 'buy' })).toEqual({ by: 'nobody' });
    for (const origin of ['order', 'close', 'manual'] as const) {
      expect(of({ origin })).toEqual({ by: 'nobody' });
    }
    expect(of({}, 4)).toEqual({ by: 'nobody' });
    expect(standingApprovalOf(exit, null)).toEqual({ by: 'nobody' });
    expect(standingApprovalOf({ origin: 'exit', side: 'sell' }, null)).toEqual({ by: 'nobody' });
  });
});

test('a day order ends with the day in which it was raised, by the clock that ends it, however late it is decided', () => {
  const day = { type: 'limit', timeInForce: 'gtc', dayZone: 'America/New_York' } as const;
  const endOf = (now: string) => goodTillOf(day, new Date(now))?.toISOString();
  expect(endOf('2026-01-02T04:59:59.999Z')).toBe('2026-01-02T05:00:00.000Z');
  expect(endOf('2026-01-02T05:00:00.000Z')).toBe('2026-01-03T05:00:00.000Z');
  const late = goodTillOf({ ...day, waitedMs: 15_000 }, new Date('2026-01-02T05:00:05Z'));
  expect(late?.toISOString()).toBe('2026-01-02T05:00:00.000Z');
});

test("exits and closes of a deployment are exits; its orders and a person's close are not", () => {
  const ways = (deploymentId?: string) =>
    (['order', 'close', 'exit', 'manual'] as const).filter((origin) =>
      isExitSell({ origin, ...(deploymentId === undefined ? {} : { deploymentId }) }),
    );
  expect(ways('d')).toEqual(['close', 'exit', 'manual']);
  expect(ways()).toEqual([]);
});

test('a deployment with an error buys nothing, and still sells', () => {
  const enter = (side: ProposedIntent['side'], halted: boolean) => () =>
    refuseHaltedEntry({ releaseNumber: 1, halted }, { side, deploymentId: 'd-1' });
  expect(refusalOf(enter('buy', true))).toMatchObject({
    code: 'invalid_state',
    message: 'Deployment d-1 has an error: its entries are halted until it is deployed again.',
  });
  expect(enter('sell', true)).not.toThrow();
  expect(enter('buy', false)).not.toThrow();
});
