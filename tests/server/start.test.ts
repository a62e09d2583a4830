import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/kernel/config.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { startService } from '../../server/process/service.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { openWorld } from '../support/world.ts';

const SETTINGS = { PORT: '0', NODE_ENV: 'test', LIVE_TRADING: 'off', RATE_LIMITS: 'off' };
const CREDENTIAL_KEYS = `k1:${randomBytes(32).toString('base64')}`;

test.each([
  ['a demo account and a runner', { ROLE: 'all' }],
  ['a demo account and the key of second factors', { ROLE: 'api', CREDENTIAL_KEYS }],
])(
  'a start whose first connections the database refuses asks again, and ends with %s',
  {
    tags: ['long'],
  },
  async (_what, settings) => {
    const world = await openWorld();
    const wire = await DatabaseProxy.open(world.database.connection);
    await wire.close();
    const dataDir = mkdtempSync(path.join(tmpdir(), 'start-'));
    const logged: string[] = [];
    const log = openLogger(
      'info',
      new Writable({
        write(line, _encoding, done) {
          logged.push(String(line));
          if (String(line).includes('retrying')) void wire.mend();
          done();
        },
      }),
    );
    const config = readConfig({ ...SETTINGS, ...settings });
    const service = await startService({
      config,
      connection: wire.carry(world.database.connection),
      market: world.market,
      simulatorUrl: world.market.simulatorUrl,
      authSecret: 'a secret of the tests, long enough for signing',
      demoDir: dataDir,
      log,
    });
    try {
      expect(service.demo?.email).toBe('demo@example.com');
      expect(logged.filter((line) => line.includes('retrying'))).toHaveLength(1);
      if (config.role === 'all')
        await expect.poll(() => world.db.selectFrom('shard').selectAll().execute()).not.toEqual([]);
    } finally {
      await service.stop();
      await wire.close();
      await world.close();
      rmSync(dataDir, { recursive: true });
    }
  },
);
