import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import { databaseClock, systemWork } from '../../engine/platform/context.ts';
import { priceSourceHistory, recordPriceSource } from '../../engine/platform/price-source.ts';
import { startMessage } from '../../server/process/start-message.ts';
import { addConnection } from '../support/trading.ts';
import { openWorld, type World } from '../support/world.ts';

describe('the price source of trades', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const periods = () => world.db.selectFrom('price_period').select('source').orderBy('since').execute();
  let starts = 0;
  /** As a start does; no two starts are in one millisecond. */
  const note = async (source: 'simulator' | 'live') => {
    const db = systemDb(world.pool);
    const at = await databaseClock(db);
    await recordPriceSource(db, source, new Date(at.getTime() + ++starts));
  };

  test('is stored when it changes, and not at every start', async () => {
    await note('simulator');
    await note('simulator');
    expect(await periods()).toEqual([{ source: 'simulator' }]);
    await note('live');
    await note('live');
    await note('simulator');
    expect((await periods()).map(({ source }) => source)).toEqual(['simulator', 'live', 'simulator']);
  });

  test('is never changed afterwards', async () => {
    await expect(world.db.deleteFrom('price_period').execute()).rejects.toThrow();
    await expect(world.db.updateTable('price_period').set({ source: 'live' }).execute()).rejects.toThrow();
  });

  test('of an account that never traded is empty', async () => {
    expect(
      await priceSourceHistory(systemWork(world.pool, { accountId: randomUUID(), mode: 'paper' })),
    ).toEqual({
      now: 'simulator',
      traded: [],
    });
  });

  test('live trading is refused on a database in which simulated venues were connected', async () => {
    const keys = { CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}` };
    const started = () => world.another({ ...keys, LIVE_TRADING: 'on', MARKET_DATA: 'live' });
    await note('live');
    await (await started()).stop();
    await note('simulator');
    await addConnection(await world.account());
    await expect(started()).rejects.toThrow('LIVE_TRADING=off');
    await note('live');
    await expect(started()).rejects.toThrow('LIVE_TRADING=off');
    await (await world.another({ ...keys, LIVE_TRADING: 'off', MARKET_DATA: 'live' })).stop();
  });

  test('is printed at the start', () => {
    const said = (marketData: 'simulator' | 'live') =>
      startMessage({
        config: { publicUrl: 'http://localhost:3000', marketData },
        address: { host: '127.0.0.1', port: 3000 },
        dataDir: '.data',
        demo: null,
        demoConnections: [],
        isTerminal: true,
      });
    expect(said('simulator')).toMatch(/Prices +simulated/);
    expect(said('live')).toMatch(/Prices +live/);
  });
});
