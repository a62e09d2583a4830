/**
 * Kills the process that sends a basket's orders: before and after each of its statements, and around each answer of the venue,
 * as in `mortal-process.ts`. The next processes evaluate and recover, until the basket is complete or undone.
 */
import { expect } from 'vitest';
import { isFinal } from '../../engine/platform/order-states.ts';
import type { Brokers } from '../../engine/trading/orders/execution/brokers.ts';
import { reconcileOrder, syncOrder } from '../../engine/trading/orders/execution/reconcile.ts';
import { cancelAtVenue, sendOrder } from '../../engine/trading/orders/execution/send.ts';
import type { Deployed, Nodes } from '../runner/support.ts';
import { openTimedWorld, type TimedWorld } from '../runner/timed.ts';
import { MortalDatabase, MortalProcess } from './mortal-process.ts';
import { ScriptedBroker } from './scripted-broker.ts';

const BTC = 'BTCUSDT';
export const ETH = 'ETHUSDT';
const UNITS = 5;
/** 5 % below the limit of 101. */
const FLOOR = 95.95;
const PASSES_MAX = 60;

const leg = (instrument: string): Nodes[string] => ({
  type: 'leg',
  config: { instrument, basket: 'pair', maxLoss: 0.05, fillWithinSec: 20, undoWithinSec: 60 },
  inputs: { when: 'above', amount: 'amount', price: 'last' },
});
/** Two legs, which begin once the price is above 100. */
export const BASKET: Nodes = {
  last: { type: 'crypto.price', config: { symbol: BTC, field: 'last' } },
  level: { type: 'constant', config: { value: 100 } },
  amount: { type: 'constant', config: { value: UNITS } },
  above: { type: 'compare', config: { op: 'gt' }, inputs: { a: 'last', b: 'level' } },
  one: leg(BTC),
  two: leg(ETH),
};

/** A venue that fills the first leg on arrival, the second only if it `fillsBoth`, and every sell. */
class LegVenue extends ScriptedBroker {
  readonly #fillsBoth: boolean;

  constructor(now: () => Date, fillsBoth: boolean) {
    super(now);
    this.#fillsBoth = fillsBoth;
  }

  override async place(...request: Parameters<ScriptedBroker['place']>) {
    const [{ id, side, tokenId, amount }] = request;
    const isKnown = this.orders.has(id);
    const placed = await super.place(...request);
    const isFilled = side === 'sell' || tokenId === BTC || this.#fillsBoth;
    if (isFilled && !isKnown) this.fill(id, { amount, price: '100', fee: '0' });
    return placed.kind === 'taken' ? { kind: 'taken' as const, order: this.state(id) } : placed;
  }
}

const ordersOf = (world: TimedWorld, deployed: Deployed) => world.orders(deployed);

/** Moves each order on that has not ended, as any process does. */
async function moveOn(world: TimedWorld, brokers: Brokers, deployed: Deployed): Promise<void> {
  const work = world.workOf(deployed.accountId);
  for (const { id, status, cancel_requested_at } of await ordersOf(world, deployed)) {
    if (isFinal(status)) continue;
    if (status === 'queued') await sendOrder(work, brokers, id);
    else if (status === 'submitted' || status === 'unknown') await reconcileOrder(work, brokers, id);
    else if (cancel_requested_at !== null) await cancelAtVenue(work, brokers, id);
    await syncOrder(work, brokers, id);
  }
}

const ENDS: ReadonlySet<string> = new Set(['basket_complete', 'undone']);

async function hasEnded(world: TimedWorld, deployed: Deployed): Promise<boolean> {
  const states = await world.states(deployed);
  const areFinal = (await ordersOf(world, deployed)).every(({ status }) => isFinal(status));
  return areFinal && ['one', 'two'].every((id) => ENDS.has(states[id]?.reason?.code ?? ''));
}

/** Expects both legs or none, at the venue and in the books; each order was sent once, and none sold below its floor. */
async function expectWhole(world: TimedWorld, venue: LegVenue, deployed: Deployed): Promise<boolean> {
  const left = (await venue.positions()).filter(({ amount }) => Number(amount) !== 0);
  const isComplete = left.length > 0;
  const expected = isComplete ? [`${BTC} ${UNITS}`, `${ETH} ${UNITS}`] : [];
  expect(left.map(({ tokenId, amount }) => `${tokenId} ${Number(amount)}`).sort()).toEqual(expected);
  expect(await world.held(deployed)).toBe(isComplete ? 2 * UNITS : 0);
  const sent = venue.placed.map(({ id }) => id);
  expect(new Set(sent).size).toBe(sent.length);
  const orders = await ordersOf(world, deployed);
  const sells = orders.filter(({ side }) => side === 'sell');
  expect(orders.length - sells.length).toBe(2);
  for (const { limit_price } of sells) expect(Number(limit_price)).toBeGreaterThanOrEqual(FLOOR);
  expect((await world.blueprint(deployed)).status).toBe('running');
  return isComplete;
}

/** Kills at one of `every` points. Returns the number of points, and how many baskets were completed and undone. */
export async function killBetweenLegs(every: number) {
  const world = await openTimedWorld();
  try {
    world.market.list(ETH);
    const database = new MortalDatabase(world.pool);
    const ends = { points: 0, complete: 0, undone: 0 };
    for (let dyingAt = 1, isOver = false; !isOver; dyingAt += every) {
      const venue = new LegVenue(() => new Date(world.market.now()), dyingAt % 2 === 0);
      const deployed = await world.deploy(BASKET);
      await world.at('101');
      const mortal = new MortalProcess(dyingAt, async () => new Date(world.market.now()));
      database.by = mortal;
      await moveOn(world, { of: () => mortal.broker(venue) }, deployed).catch((error: unknown) => {
        if (!mortal.isDead) throw error;
      });
      database.by = null;
      [isOver, ends.points] = [!mortal.isDead, mortal.steps];
      for (let pass = 0; pass < PASSES_MAX && !(await hasEnded(world, deployed)); pass++) {
        await world.wait(3_000);
        await world.expire();
        await moveOn(world, venue, deployed);
        await world.at('101');
      }
      ends[(await expectWhole(world, venue, deployed)) ? 'complete' : 'undone']++;
      await world.stop(deployed);
    }
    return ends;
  } finally {
    await world.close();
  }
}
