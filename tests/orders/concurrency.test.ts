import { beforeEach, describe, expect, test } from 'vitest';
import type { OrderStatus } from '../../db/entities/order.ts';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import { databaseClock } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { approveOrder } from '../../engine/trading/orders/entry/approve.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { cancelOrder, declineOrder, expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import type { RiskRulesPatch } from '../../engine/usecases/risk-rules/rules.ts';
import { begun } from '../support/begun.ts';
import { openedForFile } from '../support/opened.ts';
import {
  addInstrument,
  intentOf,
  NO,
  openTradingFixture,
  type Trader,
  YES,
} from '../support/trading-fixture.ts';
import { inOtherProcess, inThisProcess } from '../support/trading-model.ts';

const fixture = openedForFile(() => openTradingFixture({ poolMax: 40 }));
beforeEach(async () => {
  await fixture.quote(YES);
  await fixture.quote(NO);
});

/** Repeats a task while its account is busy, as clients do: the last of many at once wait for all before them. */
async function untilDecided<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'overloaded') throw error;
    return untilDecided(task);
  }
}

/** Runs all at once and counts the results: a status, a refusal's code, or `ok`. Throws on anything but a refusal. */
async function race(tasks: (() => Promise<unknown>)[]): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    tasks.map(async (task) => {
      try {
        const result = await untilDecided(task);
        return typeof result === 'object' && result !== null && 'status' in result
          ? String(result.status)
          : 'ok';
      } catch (error) {
        if (error instanceof DomainError) return error.code;
        throw error;
      }
    }),
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(outcomes, (outcome) => outcome)).map(([outcome, list]) => [
      outcome,
      list?.length ?? 0,
    ]),
  );
}

const times = <Result>(count: number, task: (index: number) => Promise<Result>) =>
  Array.from({ length: count }, (_, index) => () => task(index));

const PLACES = [
  ['in one process', inThisProcess, 200],
  ['in many processes', inOtherProcess, 40],
] as const;

const stepsTo = async (id: string, status: OrderStatus) =>
  (
    await fixture.db
      .selectFrom('order_transition')
      .select('number')
      .where('order_id', '=', id)
      .where('to_status', '=', status)
      .execute()
  ).length;

describe('many at once: "one database transaction per intent", "whatever number of processes raise intents at once"', () => {
  test.each(PLACES)(
    '%s, parallel closes of one position: exactly what is held is sold, the rest is refused',
    async (_where, run, count) => {
      const trader = await fixture.trader();
      await fixture.trade(trader, { amount: '100' });
      const close = () => run(trader, (work) => closePosition(work, { tokenId: YES, amount: '3' }));
      const outcome = await race(times(count, close));
      expect(outcome).toEqual({ queued: 33, validation_failed: count - 33 });
      expect(await listPositions(trader.work())).toMatchObject([{ amount: '100', amountClosing: '99' }]);
    },
  );

  test.each(PLACES)(
    '%s, parallel approvals of one intent: one effect, and success for all',
    async (_where, run, count) => {
      const trader = await fixture.trader({ requireApprovalAbove: 0 });
      const { id } = await proposeIntent(trader.work(), intentOf(trader));
      const approve = () => run(trader, (work) => approveOrder(work, id));
      expect(await race(times(count, approve))).toEqual({ ok: count });
      expect(await stepsTo(id, 'queued')).toBe(1);
      const audits = await fixture.db
        .selectFrom('audit_event')
        .select('id')
        .where('subject_id', '=', id)
        .execute();
      expect(audits).toHaveLength(1);
    },
  );

  test.each(PLACES)('%s, repeats of one step of a graph: one order', async (_where, run, count) => {
    const trader = await fixture.trader();
    const deploymentId = await fixture.addDeployment(trader);
    const intent = intentOf(trader, { deploymentId, nodeId: 'n', stepAt: fixture.now() });
    const propose = () => run(trader, (work) => proposeIntent(work, intent));
    expect(await race(times(count, propose))).toEqual({ queued: count });
    const orders = await fixture.db
      .selectFrom('trade_order')
      .select('id')
      .where('deployment_id', '=', deploymentId)
      .execute();
    expect(orders).toHaveLength(1);
  });

  const EDGES: [string, RiskRulesPatch, (index: number) => object, Record<string, number>][] = [
    [
      'maxOrderSize',
      { maxOrderSize: 5 },
      (index) => ({ amount: index % 2 ? '10' : '11' }),
      { queued: 25, denied: 25 },
    ],
    [
      'requireApprovalAbove',
      { requireApprovalAbove: 5 },
      (index) => ({ amount: index % 2 ? '10' : '11' }),
      { queued: 25, pending: 25 },
    ],
    ['maxOrdersPerMinute', { maxOrdersPerMinute: 7 }, () => ({}), { queued: 7, denied: 43 }],
    ['buyingPower', {}, () => ({ amount: '1000' }), { queued: 19, denied: 31 }],
    ['maxDailyLoss', { maxDailyLoss: '0.2' }, () => ({}), { denied: 50 }],
    ['cooldownAfterLossSec', { cooldownAfterLossSec: 60 }, () => ({}), { denied: 50 }],
  ];

  const everywhere = EDGES.flatMap(([rule, ...edge]) =>
    PLACES.map(([where, run]) => [rule, where, run, ...edge] as const),
  );

  test.each(everywhere)(
    '50 parallel intents at the edge of %s: not one too many, %s',
    async (rule, _where, run, rules, intent, outcome) => {
      const trader = await fixture.trader();
      if (rule === 'cooldownAfterLossSec') {
        await fixture.trade(trader, {});
        await fixture.trade(trader, { side: 'sell', type: 'market' }, { price: '0.46' });
      }
      if (rule === 'maxDailyLoss') await fixture.trade(trader, {});
      await fixture.setRules(trader, rules);
      const propose = (index: number) =>
        run(trader, (work) => proposeIntent(work, intentOf(trader, intent(index))));
      expect(await race(times(50, propose))).toEqual(outcome);
      const denials = await fixture.db
        .selectFrom('trade_order')
        .select('reason_code')
        .distinct()
        .where('account_id', '=', trader.accountId)
        .where('status', '=', 'denied')
        .execute();
      expect(denials).toEqual('denied' in outcome ? [{ reason_code: rule }] : []);
    },
  );

  test.each(PLACES)(
    '50 parallel intents for ten instruments at the edge of maxOpenPositions, %s: five are open',
    async (where, run) => {
      const tokens = Array.from({ length: 10 }, (_, index) => `EDGE-${where.length}-${index}:yes`);
      for (const token of tokens) await addInstrument(fixture.db, token);
      const trader = await fixture.trader({ maxOpenPositions: 5 });
      const propose = (index: number) =>
        run(trader, (work) => proposeIntent(work, intentOf(trader, { tokenId: tokens[index % 10] ?? YES })));
      const outcome = await race(times(50, propose));
      expect(outcome).toEqual({ queued: 25, denied: 25 });
      const open = await fixture.db
        .selectFrom('trade_order')
        .select('token_id')
        .distinct()
        .where('account_id', '=', trader.accountId)
        .where('status', '=', 'queued')
        .execute();
      expect(open).toHaveLength(5);
    },
  );
});

describe('the lock', () => {
  test('"`now` is the database clock read after the lock": a waiting task decides by the time it got the lock', async () => {
    const trader = await fixture.trader();
    const work = { ...trader.work(), clock: databaseClock };
    const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = begun(
      underAccountLock(work, async (tx) => {
        locked.resolve();
        await held.promise;
        return databaseClock(tx.db);
      }),
    );
    await locked.promise;
    const second = begun(
      inOtherProcess(trader, (waiting) =>
        underAccountLock({ ...waiting, clock: databaseClock }, async (_tx, now) => now),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    held.resolve();
    expect((await second).getTime()).toBeGreaterThanOrEqual((await first).getTime());
  });

  test('rows that only refer to the account can be written while it is held', async () => {
    const trader = await fixture.trader();
    await underAccountLock(trader.work(), () => fixture.addBlueprint(trader.accountId));
  });

  test('a missing account has no lock', async () => {
    await expect(underAccountLock(fixture.workOf(crypto.randomUUID()), async () => {})).rejects.toThrow(
      'There is no account',
    );
  });
});

describe('"compare-and-set on `pending`, under the account\'s lock"; "Racing approvals have one effect", and so do approvals that race something else', () => {
  async function waiting(): Promise<{ trader: Trader; deploymentId: string; id: string }> {
    const trader = await fixture.trader({ requireApprovalAbove: 0 });
    const deploymentId = await fixture.addDeployment(trader);
    const { id } = await proposeIntent(
      trader.work(),
      intentOf(trader, { deploymentId, nodeId: 'n', stepAt: fixture.now() }),
    );
    return { trader, deploymentId, id };
  }
  const statusOf = async (id: string) => (await fixture.order(id)).status;
  const ROUNDS = 12;

  test('against decline: one of the two succeeds, and the other is refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { trader, id } = await waiting();
      const outcome = await race([
        () => approveOrder(trader.work(), id),
        () => declineOrder(trader.work(), id),
      ]);
      expect(outcome).toEqual({ ok: 1, intent_not_pending: 1 });
      expect((await stepsTo(id, 'queued')) + (await stepsTo(id, 'declined'))).toBe(1);
    }
  });

  test('against cancel: canceled in the end, in either order', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { trader, id } = await waiting();
      await race([
        () => inOtherProcess(trader, (work) => approveOrder(work, id)),
        () => inOtherProcess(trader, (work) => cancelOrder(work, id)),
      ]);
      expect(await statusOf(id)).toBe('canceled');
    }
  });

  test('against stop: canceled in the end, and never sent', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { trader, deploymentId, id } = await waiting();
      const stop = () =>
        underAccountLock(trader.work(), async (tx, now) => {
          await cancelDeploymentOrders(tx, deploymentId, { now, reason: 'Stopped.' });
        });
      await race([() => inOtherProcess(trader, (work) => approveOrder(work, id)), stop]);
      expect(await statusOf(id)).toBe('canceled');
    }
  });

  test('against expiry: expired, and no approval succeeds', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { trader, id } = await waiting();
      fixture.wait(15 * 60_000);
      const outcome = await race([
        () => inOtherProcess(trader, (work) => approveOrder(work, id)),
        () => inOtherProcess(trader, (work) => expireOrder(work, id)),
        () => inOtherProcess(trader, (work) => approveOrder(work, id)),
      ]);
      expect(outcome).toEqual({ intent_expired: 2, ok: 1 });
      expect(await statusOf(id)).toBe('expired');
    }
  });

  test('against a rule change: approved by the old rules or refused by the new, never approved by replaced rules', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { trader, id } = await waiting();
      const outcome = await race([
        () => fixture.setRules(trader, { maxOrderSize: 1 }).then(() => undefined),
        () => inOtherProcess(trader, (work) => approveOrder(work, id)),
      ]);
      expect([{ ok: 2 }, { ok: 1, risk_rule_violated: 1 }]).toContainEqual(outcome);
      const { status, approval_receipt } = await fixture.order(id);
      // The new rules cancel an order that the old ones approved, for it is too large.
      expect(status).toBe(outcome['ok'] === 2 ? 'canceled' : 'pending');
      if (status === 'canceled') expect(approval_receipt).toMatchObject({ rulesVersion: 2 });
    }
  });

  test('two approvals with room for one: one succeeds', async () => {
    const trader = await fixture.trader({ requireApprovalAbove: 0 });
    const ids = await Promise.all(
      Array.from({ length: 40 }, () =>
        untilDecided(() => proposeIntent(trader.work(), intentOf(trader))).then(({ id }) => id),
      ),
    );
    await fixture.setRules(trader, { maxOrdersPerMinute: 5 });
    const outcome = await race(
      ids.map((id) => () => inOtherProcess(trader, (work) => approveOrder(work, id))),
    );
    expect(outcome).toEqual({ ok: 5, risk_rule_violated: 35 });
  });
});
