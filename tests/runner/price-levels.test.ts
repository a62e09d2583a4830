import { expect, test } from 'vitest';
import { readPriceLevels } from '../../engine/usecases/blueprints/record/price-levels.ts';
import { BTC } from './fake-market.ts';
import { buyAbove, openRunnerWorld } from './support.ts';

const GUARDED = {
  ...buyAbove(100),
  exit: { type: 'exit', config: { instrument: BTC, stopLoss: 0.2, takeProfit: 1, trailing: 0.1 } },
  target: { type: 'target', config: { instrument: BTC, takeProfit: 0.5 } },
};

test('an open position has the levels of its cost, its exits and its resting target, and none of another account', async () => {
  let nowMs = Date.now();
  const world = await openRunnerWorld({ clock: async () => new Date(nowMs) });
  try {
    world.market.clock = () => nowMs;
    const { accountId, blueprintId } = await world.deploy(GUARDED);
    const runner = world.runner();
    const tickAt = async (price: string) => {
      nowMs += 2_000;
      await world.price(price);
      await runner.tick(nowMs, nowMs);
    };
    const levels = async (of = accountId) =>
      (await readPriceLevels(world.workOf(of), blueprintId)).map(({ kind, price }) => [kind, price]);
    await tickAt('101');
    expect(await levels()).toEqual([]);
    await world.fillQueued();
    const cost = Number((await levels())[0]?.[1]);
    const near = (price: number) => expect.closeTo(price, 1);
    // The exit trails from the first bid that it sees, and the target rests from the next step on.
    await tickAt('110');
    await tickAt('120');
    await tickAt('115');
    expect(await levels()).toEqual([
      ['entry', cost],
      ['stop', near(cost * 0.8)],
      ['takeProfit', near(cost * 2)],
      ['trailing', 108],
      ['target', near(cost * 1.5)],
    ]);
    expect(await levels(await world.account())).toEqual([]);
    await world.stop({ accountId, blueprintId });
    expect(await levels()).toEqual([['entry', cost]]);
  } finally {
    await world.close();
  }
});
