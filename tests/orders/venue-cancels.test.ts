/** A venue's responses to cancels, by the same table of faults as in `venue-faults.test.ts`. */
import { describe, expect, test } from 'vitest';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue } from '../../engine/trading/orders/execution/send.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { brokersAt } from '../support/paper-venue.ts';
import {
  atScriptedVenue,
  audits,
  broker,
  fixture,
  sendResting,
  sendUnanswered,
  statusOf,
  steps,
  system,
  workers,
} from '../support/scripted-venue.ts';

atScriptedVenue();

describe('cancels', () => {
  test('row 24: a cancel crosses a full fill, the fill arrives after: applied late, audited, `filled` since complete', async () => {
    const { trader, id } = await sendResting();
    await cancelOrder(trader.work(), id);
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('canceled');
    broker.fill(id, { amount: '10' }, 'filled');
    expect(await syncOrder(system(trader), broker, id)).toMatchObject({ isLate: true });
    expect(await statusOf(id)).toBe('filled');
    expect(await audits(id)).toContain('fill.late');
  });

  test('rows 27, 32, 33: the venue finds nothing to cancel: only the state it lists then counts', async () => {
    const filled = await sendResting();
    await cancelOrder(filled.trader.work(), filled.id);
    broker.fill(filled.id, { amount: '10' }, 'filled');
    await cancelAtVenue(system(filled.trader), broker, filled.id);
    expect(await statusOf(filled.id)).toBe('filled');

    const ended = await sendResting();
    await cancelOrder(ended.trader.work(), ended.id);
    await broker.cancel(ended);
    await cancelAtVenue(system(ended.trader), broker, ended.id);
    expect(await statusOf(ended.id)).toBe('canceled');

    const unseen = await sendResting();
    await cancelOrder(unseen.trader.work(), unseen.id);
    broker.orders.delete(unseen.id);
    await cancelAtVenue(system(unseen.trader), broker, unseen.id);
    expect(await statusOf(unseen.id)).toBe('open');
    expect((await fixture.order(unseen.id)).cancel_requested_at).not.toBeNull();
  });

  test('row 29: a cancel is acknowledged, reads still show it resting, the second cancel finds nothing: one end, no flapping', async () => {
    const { trader, id } = await sendResting();
    await cancelOrder(trader.work(), id);
    const reported = broker.state(id);
    const find = broker.find.bind(broker);
    broker.find = async () => ({ kind: 'found', order: reported });
    await cancelAtVenue(system(trader), broker, id);
    await cancelAtVenue(system(trader), broker, id);
    expect(await statusOf(id)).toBe('open');
    broker.find = find;
    await cancelAtVenue(system(trader), broker, id);
    await applyReport(system(trader), id, reported);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'canceled']);
  });

  test('row 35: the answer to a cancel is lost: the request stays and is repeated, one end', async () => {
    const { trader, id } = await sendResting();
    await cancelOrder(trader.work(), id);
    const cancel = broker.cancel.bind(broker);
    broker.cancel = async (ref) => {
      await cancel(ref);
      throw new Error('connection reset');
    };
    await expect(cancelAtVenue(system(trader), broker, id)).rejects.toThrow('reset');
    expect(await fixture.order(id)).toMatchObject({ status: 'open' });
    expect((await fixture.order(id)).cancel_requested_at).not.toBeNull();
    broker.cancel = cancel;
    await cancelAtVenue(system(trader), broker, id);
    expect(await steps(trader, id)).toEqual(['queued', 'submitted', 'open', 'canceled']);
  });

  test('row 36: a cancel requested while `submitted` or `unknown` is sent as soon as the venue lists the order, never lost', async () => {
    const order = await sendUnanswered('lose_answer');
    await cancelOrder(order.trader.work(), order.id);
    workers.push(
      startOrderWork({
        pool: fixture.pool,
        ...brokersAt(broker),
        clock: fixture.clock,
        log: { info: () => {}, warn: () => {}, error: () => {} },
        periodMs: 20,
      }),
    );
    await expect.poll(() => statusOf(order.id), { timeout: 5_000 }).toBe('canceled');
    expect(broker.state(order.id).status).toBe('canceled');
  });
});
