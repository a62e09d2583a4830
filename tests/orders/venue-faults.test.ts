/**
 * Lost requests and answers of orders, row by row of the table of faults for live trading. The venue is scripted. Faults of one
 * venue's wire format are tested against its simulator.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { applyReport } from '../../engine/trading/orders/execution/apply-report.ts';
import { brokersByMode } from '../../engine/trading/orders/execution/brokers.ts';
import { syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { sendOrder } from '../../engine/trading/orders/execution/send.ts';
import {
  atScriptedVenue,
  broker,
  fillsOf,
  fixture,
  LAST_ARRIVAL_MS,
  queueOrder,
  reconcile,
  sendResting,
  sendUnanswered,
  statusOf,
  steps,
  system,
} from '../support/scripted-venue.ts';
import { intentOf, LIVE_SETTINGS } from '../support/trading-fixture.ts';

atScriptedVenue();

describe('a request or its answer is lost', () => {
  test.each([
    'row 1: connection refused before anything is sent',
    'row 2: request dropped before processing, client waits',
    'row 11: 500/503, order does not exist',
  ])('%s: unknown, absent with proof, `rejected/never_arrived`, never sent again', async () => {
    const order = await sendUnanswered('never_arrive');
    fixture.wait(LAST_ARRIVAL_MS);
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('unknown');
    fixture.wait(1);
    await reconcile(order);
    expect(await fixture.order(order.id)).toMatchObject({ status: 'rejected', reason_code: 'never_arrived' });
    await sendOrder(system(order.trader), broker, order.id);
    expect(broker.placed).toHaveLength(1);
  });

  test.each([
    'row 3: create processed, answer dropped (resting)',
    'row 8: answer is HTTP 200 with half a JSON body',
    'row 9: 201 without order object',
    'row 10: 500/502 HTML, order exists',
  ])('%s: unknown, found, open, under the name the venue gave it', async () => {
    const order = await sendUnanswered('lose_answer');
    await reconcile(order);
    expect(await fixture.order(order.id)).toMatchObject({ status: 'open', venue_order_id: `v-${order.id}` });
    expect(await steps(order.trader, order.id)).toEqual(['queued', 'submitted', 'unknown', 'open']);
  });

  test('row 4: create processed and fully filled, answer dropped: filled, each fill once', async () => {
    const order = await sendUnanswered('lose_answer');
    broker.fill(order.id, { amount: '4' });
    broker.fill(order.id, { amount: '6' }, 'filled');
    await Promise.all([reconcile(order), reconcile(order), reconcile(order)]);
    expect(await statusOf(order.id)).toBe('filled');
    expect(await fillsOf(order.id)).toHaveLength(2);
  });

  test('row 5: create processed 9 s later than sent, find in between absent: unknown until then, never rejected early', async () => {
    const order = await sendUnanswered('never_arrive');
    for (const _ of [1, 2, 3]) {
      fixture.wait(3_000);
      await reconcile(order);
      expect(await statusOf(order.id)).toBe('unknown');
    }
    broker.arrive(order.id);
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('open');
  });

  test.each([
    'row 12: our own retry layer repeats the POST, 409 `order_already_exists`',
    'row 13: the same on venue B, `Duplicated`',
    'row 14: the same while open on crypto, -2010 Duplicate',
  ])('%s: exists, find, one order', async () => {
    const order = await queueOrder();
    broker.next = 'exists';
    await sendOrder(system(order.trader), broker, order.id);
    expect(await statusOf(order.id)).toBe('unknown');
    await reconcile(order);
    expect(await statusOf(order.id)).toBe('open');
  });

  test('row 15: at most one POST per dispatch row: one function in the service places orders, after it has stored the row', async () => {
    const root = path.join(import.meta.dirname, '../..');
    const files = globSync('{server,routers,engine,openapi}/**/*.ts', { cwd: root });
    const placing = files.filter((file) => /\.place\(/.test(readFileSync(path.join(root, file), 'utf8')));
    const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
    const sending = 'engine/trading/orders/execution/send.ts';
    const others = [
      // The paper venue in memory: its orders never leave the process.
      'engine/research/account/paper-account.ts',
      // An operator's own orders at the demo of a venue, started by hand: none of them has a row.
      'server/cli/trading-check/order-checks.ts',
    ];
    expect(placing.sort()).toEqual([sending, ...others].sort());
    for (const file of others) expect(textOf(file).match(/\.place\(/g)).toHaveLength(1);
    expect(textOf('engine/research/account/paper-account.ts')).toContain(
      'this.venue = new MemoryPaperVenue(',
    );
    const measuring = files.filter((file) => /from '.*\btrading-check\//.test(textOf(file)));
    expect(measuring).toEqual(['server/cli/venues-check.ts']);
    const text = textOf(sending);
    expect(text.match(/\.place\(/g)).toHaveLength(1);
    expect(text.match(/recordDispatch\(/g)).toHaveLength(1);

    const order = await sendResting();
    const again = fixture.db
      .insertInto('order_dispatch')
      .values((eb) => ({
        account_id: order.trader.accountId,
        order_id: order.id,
        client_order_id: order.id,
        request: eb.lit(null) as never,
        signed_for: fixture.now(),
        arrives_by: fixture.now(),
        sent_at: fixture.now(),
      }))
      .execute();
    await expect(again).rejects.toThrow();
    const rewritten = fixture.db
      .updateTable('order_dispatch')
      .set({ arrives_by: new Date(0) })
      .where('order_id', '=', order.id)
      .execute();
    await expect(rewritten).rejects.toThrow('history');
  });

  test('row 16: duplicate answer, and the late one of the race after find has applied: nothing twice, nothing back', async () => {
    const order = await sendUnanswered('lose_answer');
    const late = broker.state(order.id);
    broker.fill(order.id, { amount: '4' });
    await reconcile(order);
    for (const answer of [late, late, broker.state(order.id)])
      await applyReport(system(order.trader), order.id, answer);
    expect(await statusOf(order.id)).toBe('partially_filled');
    expect(await fillsOf(order.id)).toHaveLength(1);
    expect(await steps(order.trader, order.id)).toEqual([
      'queued',
      'submitted',
      'unknown',
      'partially_filled',
    ]);
  });
});

test('row 83: a status that cannot be parsed is no answer: nothing changes', async () => {
  const { trader, id } = await sendResting();
  broker.find = async () => {
    throw new Error('The venue says `hibernating`.');
  };
  await expect(syncOrder(system(trader), broker, id)).rejects.toThrow('hibernating');
  expect(await statusOf(id)).toBe('open');
});

test('an order that cannot be made into a request is canceled with the reason, and nothing is sent', async () => {
  const { trader, id } = await queueOrder();
  broker.unpreparable = { code: 'tick_changed', reason: 'The tick is 0.001 now.' };
  expect(await sendOrder(system(trader), broker, id)).toBeNull();
  expect(await fixture.order(id)).toMatchObject({ status: 'canceled', reason_code: 'tick_changed' });
  expect(broker.placed).toEqual([]);
});

test('a definite refusal by the venue is `rejected` with its code', async () => {
  const { trader, id } = await queueOrder();
  broker.next = 'refuse';
  await sendOrder(system(trader), broker, id);
  expect(await fixture.order(id)).toMatchObject({ status: 'rejected', reason_code: 'refused' });
});

test('an order of a mode without a broker is not sent, least of all on paper', async () => {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  const live = { ...trader.work(), mode: 'live' as const };
  const { id } = await proposeIntent(live, intentOf(trader), LIVE_SETTINGS);
  await expect(sendOrder(live, brokersByMode({ paper: broker }), id)).rejects.toThrow(
    'No broker trades live',
  );
  expect(await statusOf(id)).toBe('queued');
  expect(broker.placed).toEqual([]);
  await sendOrder(live, brokersByMode({ live: broker }), id);
  expect(await statusOf(id)).toBe('open');
});
