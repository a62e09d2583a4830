import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import { composeOrder } from '../../../../engine/trading/orders/entry/compose.ts';
import type { ProposalFacts } from '../../../../engine/trading/orders/entry/evaluate-proposal.ts';
import type { ProposedIntent } from '../../../../engine/trading/orders/entry/proposed-intent.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../../../engine/trading/orders/settings.ts';
import { SNAPSHOT } from '../../risk/risk-snapshot.ts';
import { market, NOW, refusalOf } from './market.ts';
import { at, ORDER } from './order.ts';

const HELD = [
  { positionId: 'p-1', blueprintId: 'b-1', held: exact(4), free: exact(3) },
  { positionId: 'p-2', blueprintId: 'b-2', held: exact(9), free: exact(9) },
];

const compose = (intent: Partial<ProposedIntent> = {}, facts: Partial<ProposalFacts> = {}) =>
  composeOrder(
    {
      origin: 'manual',
      blueprintId: 'b-1',
      tokenId: 'KXTEST:yes',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      amount: '10.0',
      limitPrice: '0.50',
      inputs: { price: 1 },
      ...intent,
    },
    {
      market: market(),
      holdings: [],
      snapshot: { ...SNAPSHOT, held: [], day: null },
      approval: { by: 'nobody' },
      ...facts,
    },
    { accountId: 'a', mode: 'paper', id: 'o-1', now: NOW, settings: DEFAULT_TRADING_SETTINGS },
  );

describe('an intent that every rule passes', () => {
  test('becomes an order that is queued for 30 s, without fills', () => {
    const { order, ...rest } = compose();
    expect(order).toEqual({
      ...ORDER,
      ...{ deployment_id: null, release_number: null, node_id: null, step_at: null, origin: 'manual' },
      status: 'queued',
      receipt: expect.objectContaining({ decidedAt: at(0), verdict: 'queued', rulesVersion: 3 }),
      inputs: { price: 1 },
      decided_quote: { bid: '0.48', ask: '0.5', last: null, asOf: at(0) },
      ...{ created_at: at(0), queued_at: at(0), updated_at: at(0), expires_at: at(30_000) },
      version: 1,
    });
    expect(order.receipt).not.toHaveProperty('envelope');
    expect(rest).toEqual({ allocations: [], goesFirst: false });
  });

  test('stores its origin', () => {
    const raised = { deploymentId: 'd-1', releaseNumber: 3, nodeId: 'n-1', stepAt: new Date(at(-1)) };
    expect(compose({ ...raised, origin: 'order' }).order).toMatchObject({
      deployment_id: 'd-1',
      release_number: 3,
      node_id: 'n-1',
      step_at: at(-1),
      origin: 'order',
    });
  });

  test('is good till its stated end, and waits no longer than that', () => {
    expect(compose({ expireAfterSec: 20 }).order).toMatchObject({
      good_till: at(20_000),
      expires_at: at(20_000),
    });
    expect(compose({ expireAfterSec: 40 }).order).toMatchObject({
      good_till: at(40_000),
      expires_at: at(30_000),
    });
  });

  test('never rests if it is a market order', () => {
    expect(compose({ type: 'market', expireAfterSec: 20 }).order).toMatchObject({
      type: 'market',
      time_in_force: 'ioc',
      limit_price: '0.52',
      good_till: null,
    });
    expect(compose({ timeInForce: 'ioc' }).order).toMatchObject({ type: 'limit', time_in_force: 'ioc' });
  });
});

describe('an intent above the approval limit', () => {
  test('is pending for 15 minutes', () => {
    expect(compose({ amount: '101' }).order).toMatchObject({
      status: 'pending',
      queued_at: null,
      ended_at: null,
      expires_at: at(15 * 60_000),
    });
  });
});

describe('an intent that a rule denies', () => {
  test('has ended at its creation, for that reason, reserves nothing and has no good-till time', () => {
    const { order, allocations } = compose(
      { side: 'sell', amount: '13', expireAfterSec: 20, allocate: 'account' },
      { holdings: HELD },
    );
    expect(order).toMatchObject({
      status: 'denied',
      reason_code: 'heldAndFree',
      reason: '12 are held and free, this order would sell 13.',
      receipt: { verdict: 'denied' },
      ended_at: at(0),
      expires_at: null,
      good_till: null,
    });
    expect(allocations).toEqual([]);
  });

  test('reserves nothing even if it could', () => {
    const envelope = { keyId: 'k', spentToday: '0', isOutside: true, hasEnded: false } as const;
    const { order, allocations } = compose({ side: 'sell', amount: '5' }, { holdings: HELD, envelope });
    expect(order).toMatchObject({ status: 'denied', receipt: { envelope } });
    expect(allocations).toEqual([]);
  });
});

describe('a sell', () => {
  const exit = { side: 'sell', amount: '5', deploymentId: 'd-1' } as const;
  const byDeploy = { holdings: HELD, approval: { by: 'deploy', release: 3 } } as const;

  test('reserves its positions, oldest first, the free amount of each', () => {
    const { allocations } = compose({ side: 'sell', amount: '5' }, { holdings: HELD });
    expect(allocations.map(({ positionId, amount }) => [positionId, amount.toFixed()])).toEqual([
      ['p-1', '3'],
      ['p-2', '2'],
    ]);
  });

  test('of an exit that its deploy approved keeps the release, and takes amounts from pending closes', () => {
    const { order, goesFirst } = compose({ ...exit, origin: 'exit' }, byDeploy);
    expect(order).toMatchObject({ status: 'queued', preapproved_release: 3 });
    expect(goesFirst).toBe(true);
  });

  test('of an order node, a target or a person takes nothing from others', () => {
    expect(compose({ ...exit, origin: 'order' }, byDeploy).goesFirst).toBe(false);
    expect(compose({ ...exit, origin: 'exit', isKept: true }, byDeploy).goesFirst).toBe(false);
    expect(compose({ side: 'sell', amount: '5' }, byDeploy).goesFirst).toBe(false);
  });

  test('of an exit that is pending itself takes nothing from others', () => {
    const holdings = [{ positionId: 'p', blueprintId: 'b-1', held: exact(150), free: exact(150) }];
    const { order, goesFirst } = compose({ ...exit, origin: 'exit', amount: '150' }, { holdings });
    expect(order.status).toBe('pending');
    expect(goesFirst).toBe(false);
  });
});

test('nothing is composed if there is nothing to decide', () => {
  const closed = market({ instrument: { status: 'closed' } });
  expect(refusalOf(() => compose({}, { market: closed })).code).toBe('market_not_open');
});

test("a live proposal is denied without a route to its venue, or above the operator's limit", () => {
  const route = { connectionId: null, state: null, isLiveOn: true };
  expect(compose({}, { route }).order.status).toBe('denied');
  const live = { service: { maxOrder: '1' }, spentToday: '0' };
  expect(compose({}, { live }).order).toMatchObject({
    status: 'denied',
    reason: expect.stringMatching(/operator allows up to 1 USD an order/),
  });
});
