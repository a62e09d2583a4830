import { beforeEach, describe, expect, test } from 'vitest';
import { listPositions } from '../../engine/books/accounting/portfolio.ts';
import { underAccountLock } from '../../engine/platform/account-lock.ts';
import type { Work } from '../../engine/platform/context.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { reconcileOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
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
});

describe('"`unknown`: the venue\'s answer was lost: only asking the venue may resolve it, never a resend"', () => {
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
});
