import { describe, expect, test } from 'vitest';
import { exact } from '../../../../engine/platform/decimal.ts';
import type { RiskSnapshot } from '../../../../engine/risk/risk-snapshot.ts';
import { type ApproveInputs, planApprove } from '../../../../engine/trading/orders/entry/plan-approve.ts';
import type { OrderRow } from '../../../../engine/trading/orders/row.ts';
import { SNAPSHOT } from '../../risk/risk-snapshot.ts';
import { market, NOW, refusalOf } from './market.ts';
import { at, changedTo, order } from './order.ts';

const BY = { actor: 'session:me', now: NOW };
const QUIET: RiskSnapshot = { ...SNAPSHOT, held: [], day: null };
const TRIPPING: RiskSnapshot = {
  ...QUIET,
  day: { realizedPnl: exact('-250'), openingUnrealizedPnl: exact(0) },
};

const facts = (terms: Partial<OrderRow> = {}, of: Partial<ApproveInputs> = {}): ApproveInputs => ({
  order: order({
    status: 'pending',
    expires_at: at(60_000),
    amount: '10.000',
    limit_price: '0.500',
    ...terms,
  }),
  hasEnded: false,
  market: market(),
  snapshot: QUIET,
  drawable: { allocations: [], holdings: [] },
  ...of,
});
const refused = (of: ApproveInputs, ifVersion?: number) => refusalOf(() => planApprove(of, BY, ifVersion));

describe('an approval', () => {
  test('queues the order exactly as displayed, with a receipt of its own, and leaves an audit row', () => {
    const given = facts();
    expect(planApprove(given, BY)).toEqual({
      kind: 'queued',
      outcome: {
        changes: [
          {
            before: given.order,
            set: {
              status: 'queued',
              approved_by: 'session:me',
              approval_receipt: expect.objectContaining({
                decidedAt: at(0),
                verdict: 'queued',
                rulesVersion: 3,
              }),
              queued_at: at(0),
              expires_at: at(30_000),
              reason_code: null,
              reason: null,
              updated_at: at(0),
            },
            step: { to: 'queued', actor: 'session:me', reason: null },
            released: [],
          },
        ],
        audits: [
          {
            action: 'order.approved',
            subjectId: 'o-1',
            before: { status: 'pending' },
            after: {
              status: 'queued',
              rulesVersion: 3,
              side: 'buy',
              amount: '10',
              price: '0.5',
              venue: 'venue-a',
              tokenId: 'KXTEST:yes',
              title: 'Test',
            },
            at: NOW,
          },
        ],
        events: [changedTo('queued')],
      },
    });
  });

  test('gives an order 30 s to be sent, and none beyond its good-till time', () => {
    const endOf = (good_till: string) => {
      const approved = planApprove(facts({ good_till }), BY);
      return approved?.kind === 'queued' ? approved.outcome.changes[0]?.set.expires_at : null;
    };
    expect(endOf(at(29_999))).toBe(at(29_999));
    expect(endOf(at(30_001))).toBe(at(30_000));
  });

  test('twice has one effect', () => {
    expect(planApprove(facts({ status: 'queued', approved_by: 'session:me' }), BY, 99)).toBeNull();
  });

  test('is valid for the reviewed version only', () => {
    expect(planApprove(facts(), BY, 4)?.kind).toBe('queued');
    expect(refused(facts(), 3).code).toBe('precondition_failed');
  });

  test('is refused for an order that is no longer pending, whatever version was reviewed', () => {
    expect(refused(facts({ expires_at: at(0) }), 3).code).toBe('intent_expired');
    expect(refused(facts({ status: 'declined' })).code).toBe('intent_not_pending');
  });

  test('is refused once the deployment has ended', () => {
    expect(refused(facts({}, { hasEnded: true }))).toMatchObject({
      code: 'invalid_state',
      message: 'The deployment of order o-1 has ended: it cannot be approved any more.',
    });
  });

  test('is refused while the market is closed, or has moved out of the band', () => {
    expect(refused(facts({}, { market: market({ instrument: { status: 'closed' } }) })).code).toBe(
      'market_not_open',
    );
    expect(refused(facts({ type: 'market', limit_price: '0.49' })).code).toBe('price_moved');
  });

  test('is refused by a rule that the order would break now', () => {
    expect(refused(facts({ size: '100.01' })).code).toBe('risk_rule_violated');
  });
});

describe('the daily loss at an approval', () => {
  test('trips a buy, with the rule as its reason', () => {
    expect(planApprove(facts({}, { snapshot: TRIPPING }), BY)).toMatchObject({
      kind: 'daily_loss_reached',
      denial: { rule: 'maxDailyLoss', limit: '250', actual: '250' },
    });
  });

  test('refuses a buy where the account has tripped before', () => {
    const snapshot = { ...TRIPPING, trippedAt: new Date(0) };
    expect(refused(facts({}, { snapshot })).code).toBe('risk_rule_violated');
  });

  test('lets a sell of a holding pass', () => {
    const drawable = {
      allocations: [{ position_id: 'p', amount: '10' }],
      holdings: [{ positionId: 'p', blueprintId: 'b-1', held: exact(10), free: exact(10) }],
    };
    expect(planApprove(facts({ side: 'sell' }, { snapshot: TRIPPING, drawable }), BY)?.kind).toBe('queued');
    const gone = { ...drawable, holdings: [] };
    expect(refused(facts({ side: 'sell' }, { snapshot: TRIPPING, drawable: gone })).code).toBe(
      'risk_rule_violated',
    );
  });
});

describe('an approval of a live order', () => {
  const queuedBy = (of: ApproveInputs) => {
    const approved = planApprove(of, BY);
    return approved?.kind === 'queued' ? approved.outcome.changes[0]?.set : null;
  };

  test('lets an entry without an end rest for ten minutes from now on, and keeps a stated end', () => {
    expect(queuedBy(facts({ mode: 'live', type: 'limit', time_in_force: 'gtc' }))).toMatchObject({
      good_till: at(600_000),
    });
    expect(
      queuedBy(facts({ mode: 'live', type: 'limit', time_in_force: 'gtc', good_till: at(900_000) })),
    ).not.toHaveProperty('good_till');
    expect(queuedBy(facts({ mode: 'live', time_in_force: 'ioc' }))).not.toHaveProperty('good_till');
  });

  test("is refused without a route to its venue, or above the operator's limit", () => {
    const route = { connectionId: null, state: null, isLiveOn: true };
    expect(refused(facts({ mode: 'live' }, { route }))).toMatchObject({ code: 'risk_rule_violated' });
    const live = { service: { maxOrder: '1' }, spentToday: '0' };
    expect(refused(facts({ mode: 'live', size: '5' }, { live }))).toMatchObject({
      code: 'risk_rule_violated',
      message: expect.stringMatching(/operator allows up to 1 USD an order/),
    });
  });
});
