/** Hundreds of connections whose venues do not respond, beside paper and others: none may wait for them. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Work } from '../../engine/platform/context.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import { findFillsMissing, findQueued } from '../../engine/trading/orders/execution/queue.ts';
import { cancelOrder } from '../../engine/trading/orders/lifecycle/end-order.ts';
import { type OrderWork, startOrderWork } from '../../server/workers/trading/orders/order-work.ts';
import { ScriptedBroker } from '../support/scripted-broker.ts';
import {
  fillingBroker,
  intentOf,
  LIVE_SETTINGS,
  openTradingFixture,
  type Trader,
  type TradingFixture,
  YES,
} from '../support/trading-fixture.ts';

const CONNECTIONS = 210;

let fixture: TradingFixture;
let work: OrderWork | null = null;
beforeAll(async () => {
  fixture = await openTradingFixture();
});
beforeEach(() => fixture.quote(YES));
afterEach(async () => {
  await work?.stop();
  work = null;
});
// Every account is verified.
afterAll(() => fixture.close(), 300_000);

type LiveTrader = Trader & { live: () => Work };

async function liveTrader(): Promise<LiveTrader> {
  const trader = await fixture.trader();
  await fixture.openLive(trader);
  return { ...trader, live: () => ({ ...trader.work(), mode: 'live' }) };
}

const buy = (trader: LiveTrader) =>
  proposeIntent(trader.live(), intentOf(trader, { amount: '1' }), LIVE_SETTINGS);
const buyOnPaper = (trader: Trader) => proposeIntent(trader.work(), intentOf(trader, { amount: '1' }));

/** As many at a time as the pool has room for. */
async function each<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let at = 0; at < count; at += 6) {
    const lot = Array.from({ length: Math.min(6, count - at) }, (_, within) => make(at + within));
    made.push(...(await Promise.all(lot)));
  }
  return made;
}

/** A venue that accepts orders and does not respond until released; it cancels resting orders at once. */
class DeafBroker extends ScriptedBroker {
  readonly #answered = Promise.withResolvers<void>();
  letGo = () => this.#answered.resolve();

  override async place(...order: Parameters<ScriptedBroker['place']>) {
    const placed = await super.place(...order);
    await this.#answered.promise;
    return placed;
  }
}

function start(brokers: Brokers): void {
  const logged: object[] = [];
  const log = (fields: object, message: string) => void logged.push({ ...fields, message });
  const paper = { advance: async () => [] };
  work = startOrderWork({
    pool: fixture.pool,
    brokers,
    trading: LIVE_SETTINGS,
    paper,
    clock: fixture.clock,
    log: { info: log, warn: log, error: log },
    periodMs: 20,
  });
}

const reaches = (id: string, status: string) =>
  expect.poll(async () => (await fixture.order(id)).status, { timeout: 30_000 }).toBe(status);

test('hundreds of connections that hang delay neither paper, nor others, nor cancels', {
  tags: ['long'],
}, async () => {
  const deaf = new DeafBroker(fixture.now);
  const sound = fillingBroker(fixture.now);
  const [other, ...busy] = await each(CONNECTIONS, liveTrader);
  const [first] = busy;
  if (other === undefined || first === undefined) throw new Error('There are no traders.');
  // One of them has an order that rests already.
  const resting = await buy(first);
  const calm = new ScriptedBroker(fixture.now);
  const brokers = (at: LiveTrader['accountId'][]): Brokers => ({
    of: ({ accountId, mode }) => (mode === 'live' && at.includes(accountId) ? deaf : sound),
  });
  start({ of: () => calm });
  await reaches(resting.id, 'open');
  await work?.stop();
  for (const [id, state] of calm.orders) deaf.orders.set(id, state);

  const hanging = (await each(2 * busy.length, (at) => buy(busy[at % busy.length] ?? first))).map(
    ({ id }) => id,
  );
  start(brokers(busy.map(({ accountId }) => accountId)));
  const [paper, live] = [await buyOnPaper(first), await buy(other)];
  await cancelOrder(first.live(), resting.id);
  await Promise.all([
    reaches(paper.id, 'filled'),
    reaches(live.id, 'filled'),
    reaches(resting.id, 'canceled'),
  ]);
  await expect.poll(() => deaf.placed.length, { timeout: 60_000 }).toBe(hanging.length);
  expect((await fixture.order(hanging[0] ?? '')).status).toBe('submitted');
  deaf.letGo();
  await work?.stop();
  // Each was sent once.
  expect(new Set(deaf.placed.map(({ id }) => id)).size).toBe(deaf.placed.length);
  for (const id of hanging) expect((await fixture.order(id)).status).toBe('open');
});

test('work that one connection is too slow for hides neither orders of paper nor of others', async () => {
  const [slow, other] = [await liveTrader(), await liveTrader()];
  const waiting = await each(12, () => buy(slow));
  fixture.wait(1);
  const later = [await buy(other), await buyOnPaper(slow)];
  const found = await findQueued(fixture.db, fixture.now(), 5);
  const ids = found.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(later.map(({ id }) => id)));
  expect(waiting.filter(({ id }) => ids.includes(id))).toHaveLength(5);
  expect(await findQueued(fixture.db, fixture.now(), 5, [])).toEqual([
    expect.objectContaining({ id: later[1]?.id, connectionId: null }),
  ]);

  await fixture.db
    .insertInto('order_dispatch')
    .values(
      [...waiting, ...later.slice(0, 1)].map(({ id, account_id, connection_id }, at) => ({
        account_id,
        order_id: id,
        connection_id,
        lease_epoch: null,
        client_order_id: id,
        venue_order_id: null,
        request: '{}',
        signed_for: fixture.now(),
        arrives_by: fixture.now(),
        sent_at: fixture.now(),
        fills_missing_since: new Date(fixture.now().getTime() + at),
      })),
    )
    .execute();
  const missing = (await findFillsMissing(fixture.db, 5)).map(({ id }) => id);
  expect(missing).toEqual([...waiting.slice(0, 5), ...later.slice(0, 1)].map(({ id }) => id));
}, 120_000);
