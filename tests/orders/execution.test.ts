import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { closePosition } from '../../engine/trading/orders/entry/close.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import { cancelDeploymentOrders } from '../../engine/trading/orders/lifecycle/cancel-orders.ts';
import { cancelOrder, expireOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import type { VenueOrder } from '../../venues/broker.ts';
import { begun } from '../support/begun.ts';
import { openedForFile } from '../support/opened.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import { intentOf, openTradingFixture, type Trader, YES } from '../support/trading-fixture.ts';

const fixture = openedForFile(openTradingFixture);
let broker: ScriptedBroker;
beforeEach(async () => {
  broker = new ScriptedBroker(fixture.now);
  await fixture.quote(YES);
});

const system = (trader: Trader) => fixture.workOf(trader.accountId, 'system');
const statusOf = async (id: string) => (await fixture.order(id)).status;
const steps = async (trader: Trader, id: string) =>
  (await readOrder(trader.work(), id)).timeline.map(({ status }) => status);
const fillsOf = (id: string) =>
  fixture.db.selectFrom('fill').selectAll().where('order_id', '=', id).execute();
const audits = async (id: string) =>
  (await fixture.db.selectFrom('audit_event').select('action').where('subject_id', '=', id).execute()).map(
    ({ action }) => action,
  );

async function queued(intent = {}) {
  const trader = await fixture.trader();
  const order = await proposeIntent(trader.work(), intentOf(trader, intent));
  return { trader, id: order.id };
}

async function resting(intent = {}) {
  const { trader, id } = await queued(intent);
  await sendOrder(system(trader), broker, id);
  return { trader, id };
}

describe('sending', () => {
  test('"`intentId` = order `id` = client order id at the venue"', async () => {
    const { trader, id } = await resting();
    expect(broker.placed).toEqual([
      {
        accountId: trader.accountId,
        mode: 'paper',
        id,
        tokenId: YES,
        venue: 'venue-a',
        side: 'buy',
        timeInForce: 'gtc',
        amount: '10',
        limitPrice: '0.5',
        validUntil: new Date(fixture.now().getTime() + 10_000),
        goodTill: null,
      },
    ]);
    expect(await fixture.order(id)).toMatchObject({
      status: 'open',
      venue_order_id: `v-${id}`,
      expires_at: null,
    });
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open']);
  });

  test('an order is sent once, however many senders try', async () => {
    const { trader, id } = await queued();
    await Promise.all(Array.from({ length: 20 }, () => sendOrder(system(trader), broker, id)));
    await sendOrder(system(trader), broker, id);
    expect(broker.placed).toHaveLength(1);
  });

  test('"not sent within 30 s of clearing is never sent, also after an outage"', async () => {
    const { trader, id } = await queued();
    fixture.wait(30_000);
    expect(await sendOrder(system(trader), broker, id)).toBeNull();
    await expireOrder(system(trader), id);
    expect(await fixture.order(id)).toMatchObject({
      status: 'expired',
      reason: 'It was not sent within 30 seconds.',
    });
    await sendOrder(system(trader), broker, id);
    expect(broker.placed).toEqual([]);
  });

  test('an order of a deployment that ended, or halted its entries, is not sent', async () => {
    for (const change of ['ended', 'halted'] as const) {
      const trader = await fixture.trader();
      const deploymentId = await fixture.addDeployment(trader);
      const order = await proposeIntent(
        trader.work(),
        intentOf(trader, { deploymentId, nodeId: 'n', stepAt: fixture.now() }),
      );
      if (change === 'ended') {
        await fixture.endDeployment(deploymentId);
      } else {
        await fixture.db
          .updateTable('deployment_state')
          .set({ halted: true })
          .where('deployment_id', '=', deploymentId)
          .execute();
      }
      expect(await sendOrder(system(trader), broker, order.id)).toBeNull();
      expect(await fixture.order(order.id)).toMatchObject({
        status: 'canceled',
        reason_code: 'deployment_ended',
      });
    }
    expect(broker.placed).toEqual([]);
  });

  test('an order that the venue refuses is `rejected`, with its reason', async () => {
    broker.arriving = { status: 'rejected', reasonCode: 'off_tick', reason: 'Price off the tick.' };
    const { id } = await resting();
    expect(await fixture.order(id)).toMatchObject({
      status: 'rejected',
      reason_code: 'off_tick',
      reason: 'Price off the tick.',
    });
  });
});

describe('"`unknown`: the venue\'s answer was lost: only asking the venue may resolve it, never a resend"', () => {
  test('an answer lost after acceptance: one order at the venue, found by its id', async () => {
    const { trader, id } = await queued();
    broker.next = 'lose_answer';
    expect(await sendOrder(system(trader), broker, id)).toBeNull();
    expect(await statusOf(id)).toBe('unknown');
    await sendOrder(system(trader), broker, id);
    broker.fill(id, { amount: '4' });
    await reconcileOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({
      status: 'partially_filled',
      filled_amount: '4.000000000000',
      reason_code: null,
      reason: null,
    });
    expect(broker.placed).toHaveLength(1);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'unknown', 'partially_filled']);
  });

  test('an order that never arrived is given up only once it can no longer arrive', async () => {
    const { trader, id } = await queued();
    broker.next = 'never_arrive';
    await sendOrder(system(trader), broker, id);
    fixture.wait(15_000);
    await reconcileOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('unknown');
    fixture.wait(1);
    await reconcileOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
    expect(broker.placed).toHaveLength(1);
  });

  test('a sender that died before the answer leaves `submitted`: it becomes unknown and is polled', async () => {
    const { trader, id } = await queued();
    const dying = new ScriptedBroker(fixture.now);
    const dead = Promise.withResolvers<never>();
    dying.place = async (...order) => {
      await broker.place(...order);
      return dead.promise;
    };
    const sending = begun(sendOrder(system(trader), dying, id));
    await expect.poll(() => statusOf(id)).toBe('submitted');
    await expect.poll(() => broker.placed.length).toBe(1);
    await reconcileOrder(system(trader), broker, id);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'unknown', 'open']);

    // Nor does a sender that was only presumed dead change the present state.
    dead.reject(new Error('The line was cut.'));
    await sending;
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'unknown', 'open']);
  });

  test('polls continue while the account is busy: only the end of the order waits for the lock', async () => {
    const { trader, id } = await queued();
    broker.next = 'never_arrive';
    broker.absenceProof = { times: 3, apartMs: 1_000 };
    await sendOrder(system(trader), broker, id);
    const busy = Promise.withResolvers<void>();
    const locked = begun(underAccountLock(system(trader), () => busy.promise));
    const looks = [await reconcileOrder(system(trader), broker, id)];
    fixture.wait(15_001);
    looks.push(await reconcileOrder(system(trader), broker, id));
    fixture.wait(1_000);
    looks.push(await reconcileOrder(system(trader), broker, id));
    busy.resolve();
    await locked;
    expect(looks).toEqual([null, null, null]);
    expect(await statusOf(id)).toBe('unknown');
    fixture.wait(1_000);
    await reconcileOrder(system(trader), broker, id);
    expect(await fixture.order(id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
  });

  test('polls of two processes at one instant count once', async () => {
    const { trader, id } = await queued();
    broker.next = 'never_arrive';
    broker.absenceProof = { times: 3, apartMs: 1_000 };
    await sendOrder(system(trader), broker, id);
    for (const waitMs of [15_001, 1_000]) {
      fixture.wait(waitMs);
      await Promise.all([1, 2, 3].map(() => reconcileOrder(system(trader), broker, id)));
      expect(await statusOf(id)).toBe('unknown');
    }
    fixture.wait(1_000);
    await reconcileOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('rejected');
  });

  test('a live buy of unknown state reserves cash and counts as open', async () => {
    const { trader, id } = await queued();
    broker.next = 'lose_answer';
    await sendOrder(system(trader), broker, id);
    const { receipt } = await proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));
    expect(receipt).toMatchObject({ reserved: '5.175' });
  });
});

/**
 * Applies a report, and repeats it while the account is busy, as the runner's queues do. Of a hundred at once the last wait for
 * all before them.
 */
async function tellUntilTaken(work: Work, id: string, answer: VenueOrder): Promise<void> {
  try {
    await applyReport(work, id, answer);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'overloaded') throw error;
    await tellUntilTaken(work, id, answer);
  }
}

describe('answers', () => {
  test('a fill reported twice, or a hundred times at once, is applied once', async () => {
    const { trader, id } = await resting();
    const answer = broker.fill(id, { amount: '4', fee: '0.07' });
    await Promise.all(Array.from({ length: 100 }, () => tellUntilTaken(system(trader), id, answer)));
    expect(await fillsOf(id)).toHaveLength(1);
    expect((await listPositions(trader.work()))[0]).toMatchObject({ amount: '4', realizedPnl: '-0.07' });
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'partially_filled']);
  });

  test('answers out of order end in the same state, and nothing moves back', async () => {
    const { trader, id } = await resting();
    const first = broker.fill(id, { amount: '3' });
    const second = broker.fill(id, { amount: '2' });
    const last = broker.fill(id, { amount: '5' }, 'filled');
    for (const answer of [second, first, last, second, first]) await applyReport(system(trader), id, answer);
    expect(await fixture.order(id)).toMatchObject({ status: 'filled', filled_amount: '10.000000000000' });
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'partially_filled', 'filled']);
    expect(await fillsOf(id)).toHaveLength(3);
  });

  test('a venue that states filled before it lists all fills is believed once they are there', async () => {
    const { trader, id } = await resting();
    const partial = broker.fill(id, { amount: '3' }, 'filled');
    await applyReport(system(trader), id, partial);
    expect(await statusOf(id)).toBe('partially_filled');
    broker.fill(id, { amount: '7' }, 'filled');
    await syncOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('filled');
  });

  test('totals are sums over the fills', async () => {
    const { trader, id } = await resting();
    broker.fill(id, { amount: '3', price: '0.4', fee: '0.01' });
    broker.fill(id, { amount: '7', price: '0.5', fee: '0.02' }, 'filled');
    await syncOrder(system(trader), broker, id);
    expect(await readOrder(trader.work(), id)).toMatchObject({
      filledAmount: '10',
      averagePrice: '0.47',
      fees: '0.03',
      fills: [
        { amount: '3', price: '0.4', fee: '0.01' },
        { amount: '7', price: '0.5', fee: '0.02' },
      ],
    });
  });
});

describe('canceling an order at the venue', () => {
  test('"A wish to cancel is a column (`cancelRequestedAt`), not a status"; the venue\'s word makes it canceled', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    expect(await fixture.order(id)).toMatchObject({ status: 'open' });
    expect((await readOrder(trader.work(), id)).cancelRequestedAt).toBe(fixture.now().toISOString());
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('canceled');
  });

  test('a fill can be faster than the cancel', async () => {
    const { trader, id } = await resting();
    await cancelOrder(trader.work(), id);
    broker.fill(id, { amount: '10' }, 'filled');
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('filled');
  });

  test('"a late fill is never dropped: it is applied, audited; the status becomes `filled` only when complete"', async () => {
    const { trader, id } = await resting();
    await broker.cancel({ id });
    await syncOrder(system(trader), broker, id);
    expect(await statusOf(id)).toBe('canceled');
    const late = broker.fill(id, { amount: '4' }, 'canceled');
    expect(await applyReport(system(trader), id, late)).toMatchObject({ isLate: true });
    expect(await fixture.order(id)).toMatchObject({ status: 'canceled', filled_amount: '4.000000000000' });
    expect((await listPositions(trader.work()))[0]?.amount).toBe('4');
    const complete = broker.fill(id, { amount: '6' }, 'canceled');
    expect(await applyReport(system(trader), id, complete)).toMatchObject({ isLate: true });
    expect(await statusOf(id)).toBe('filled');
    expect(await audits(id)).toEqual(['fill.late', 'fill.late']);
  });
});

describe('stop', () => {
  async function deployed() {
    const trader = await fixture.trader();
    await fixture.trade(trader, { amount: '100' });
    const deploymentId = await fixture.addDeployment(trader);
    const propose = (nodeId: string, more = {}) =>
      proposeIntent(
        trader.work(),
        intentOf(trader, { deploymentId, nodeId, stepAt: fixture.now(), amount: '5', ...more }),
      );
    const stop = (onlyBuys = false) =>
      underAccountLock(trader.work(), async (tx, now) => {
        await cancelDeploymentOrders(tx, deploymentId, { now, reason: 'Stopped.', onlyBuys });
      });
    return { trader, deploymentId, propose, stop };
  }

  test('"its `pending` and `queued` orders are canceled in it; `submitted` and resting ones get a cancel and may still fill"', async () => {
    const { trader, propose, stop } = await deployed();
    const atVenue = await propose('a');
    await sendOrder(system(trader), broker, atVenue.id);
    const cleared = await propose('b');
    await fixture.setRules(trader, { requireApprovalAbove: 0 });
    const waiting = await propose('c');
    await stop();
    expect(await fixture.order(atVenue.id)).toMatchObject({ status: 'open' });
    expect((await fixture.order(atVenue.id)).cancel_requested_at).not.toBeNull();
    for (const { id } of [cleared, waiting]) {
      expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason: 'Stopped.' });
    }
    broker.fill(atVenue.id, { amount: '5' }, 'filled');
    await cancelAtVenue(system(trader), broker, atVenue.id);
    expect(await statusOf(atVenue.id)).toBe('filled');
    await stop();
  });

  test('"orders that belong to no deployment are untouched; positions stay"', async () => {
    const { trader, stop } = await deployed();
    const { intentId } = await closePosition(trader.work(), { tokenId: YES, amount: '5' });
    await stop();
    expect(await statusOf(intentId)).toBe('queued');
    expect((await listPositions(trader.work()))[0]?.amount).toBe('100');
  });

  test('"In `error`, resting and pending buys are canceled, sells and exits go on"', async () => {
    const { propose, stop } = await deployed();
    const buy = await propose('a');
    const exit = await propose('b', { origin: 'exit', side: 'sell', type: 'market' });
    await stop(true);
    expect([await statusOf(buy.id), await statusOf(exit.id)]).toEqual(['canceled', 'queued']);
  });
});
