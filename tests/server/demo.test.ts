import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { openDemo } from '../../server/demo/demo.ts';
import { expectOk } from '../support/api.ts';
import { openWorld } from '../support/world.ts';

test('first starts together make one demo account, one running strategy, a backtest of each coin’s example and one key', {
  tags: ['long'],
}, async () => {
  const world = await openWorld();
  const others = [await world.another(), await world.another()];
  const dataDir = mkdtempSync(path.join(tmpdir(), 'demo-'));
  try {
    const demos = await Promise.all(
      [world.service, ...others].map(({ pool, auth }) =>
        openDemo({
          pool,
          auth,
          market: world.market,
          dataDir,
          paperCash: '10000',
          shardCount: 16,
          trading: DEFAULT_TRADING_SETTINGS,
        }),
      ),
    );
    expect(new Set(demos.map((demo) => JSON.stringify(demo))).size).toBe(1);
    const { rows } = await sql`select count(*)::int as users from auth."user"`.execute(world.db);
    expect(rows).toEqual([{ users: 1 }]);
    const headers = { authorization: `Bearer ${demos[0]?.key}` };
    const blueprints = expectOk(await world.send('GET', '/api/blueprints', { headers })) as {
      name: string;
      status: string;
    }[];
    expect(blueprints.filter(({ status }) => status === 'running').map(({ name }) => name)).toEqual([
      'First trades',
    ]);
    expect(new Set(blueprints.map(({ name }) => name)).size).toBe(blueprints.length);
    const backtests = expectOk(await world.send('GET', '/api/backtests', { headers })) as { name: string }[];
    expect(backtests.map(({ name }) => name).sort()).toEqual([
      'Mean reversion by RSI',
      'Momentum on candles',
    ]);
  } finally {
    for (const other of others) await other.stop();
    await world.close();
    rmSync(dataDir, { recursive: true });
  }
});
