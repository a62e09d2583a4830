import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogOnce } from '../../server/kernel/rounds/log-once.ts';
import { contextOf } from '../../server/kernel/rounds/options.ts';
import { LossLimitMonitor } from '../../server/workers/trading/loss-limit-monitor.ts';
import { openedForEachTest } from '../support/opened.ts';
import { buyAbove, type Deployed, openRunnerWorld } from './support.ts';

const world = openedForEachTest(openRunnerWorld);
let watches: LossLimitMonitor[];
beforeEach(async () => {
  watches = [];
});
afterEach(() => Promise.all(watches.map((watch) => watch.stop())));

/** The watch of one process; `nudged` counts how often order work was called. */
function watching() {
  const nudged: number[] = [];
  const context = contextOf(world.options({ wakeOrders: () => void nudged.push(1) }));
  const watch = new LossLimitMonitor(context, new LogOnce(context.log));
  watches.push(watch);
  return { watch, nudged };
}

/** A blueprint that holds one unit bought at 101, of an account with a daily loss limit of 10 USD. */
async function holder(): Promise<Deployed> {
  const accountId = await world.account({ maxDailyLoss: 10 });
  const deployed = await world.deploy(buyAbove(100), accountId);
  await world.price('101');
  await world.runner().tick();
  await world.fillQueued();
  return deployed;
}
const trippedAt = async ({ accountId }: Deployed) =>
  (
    await world.db
      .selectFrom('trading_account')
      .select('tripped_at')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
  ).tripped_at;

describe('the watch over daily losses', () => {
  test('trips an account without new orders, and calls the order work to cancel its resting ones', async () => {
    const deployed = await holder();
    const { watch, nudged } = watching();
    await watch.check();
    expect([await trippedAt(deployed), nudged.length]).toEqual([null, 0]);
    await world.price('80');
    await expect.poll(() => watch.check().then(() => trippedAt(deployed))).not.toBeNull();
    expect(nudged.length).toBeGreaterThan(0);
  });

  test('runs in one process at a time, and in the next one once that has stopped', async () => {
    const deployed = await holder();
    const [first, second] = [watching(), watching()];
    await first.watch.check();
    await world.price('80');
    await second.watch.check();
    expect(await trippedAt(deployed)).toBeNull();
    await first.watch.stop();
    await expect.poll(() => second.watch.check().then(() => trippedAt(deployed))).not.toBeNull();
  });
});
