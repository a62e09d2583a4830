import { expect, test } from 'vitest';
import { startSampleBlueprint } from '../../engine/usecases/blueprints/running/start-sample-blueprint.ts';
import type { MarketData } from '../../venues/port.ts';
import { openRunnerWorld } from '../runner/support.ts';
import { openedForEachTest } from '../support/opened.ts';

const world = openedForEachTest(openRunnerWorld);

test('a refused sample leaves nothing behind, so the same button works later', async () => {
  const accountId = await world.account();
  const market: MarketData = Object.assign(Object.create(world.market) as MarketData, {
    instrument: (tokenId: string) => world.market.instrument(tokenId),
    at: () => ({ top: () => Promise.reject(new Error('no quote')) }),
  });
  const start = (admit: () => Promise<void>) =>
    startSampleBlueprint(world.workOf(accountId), { market, admit, shardCount: 1 });
  const blueprints = () =>
    world.db.selectFrom('blueprint').select('status').where('account_id', '=', accountId).execute();

  await expect(start(() => Promise.reject(new Error('asked too much')))).rejects.toThrow('asked too much');
  expect(await blueprints()).toEqual([]);

  expect(await start(async () => {})).toMatchObject({ status: 'running' });
  expect(await blueprints()).toEqual([{ status: 'running' }]);
  await expect(start(async () => {})).rejects.toMatchObject({ code: 'invalid_state' });
});
