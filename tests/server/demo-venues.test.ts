import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Decimal } from 'decimal.js';
import { expect, test } from 'vitest';
import { VENUE_IDS } from '../../db/vocabulary.ts';
import { openDemoVenues } from '../../server/demo/demo-venues.ts';
import { startSimulator } from '../../simulator/index.ts';
import { createDemoAccount, demoConnectionOf } from '../../venues/demo-accounts.ts';
import { KalshiBroker } from '../../venues/kalshi/trading/broker.ts';
import { simulatedHosts } from '../../venues/kalshi/trading/calls.ts';
import { KalshiSigner } from '../../venues/kalshi/trading/sign.ts';
import { ACCESS } from '../../venues/trading-access.ts';

async function inFolder(task: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'demo-venues-'));
  try {
    await task(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

test.each(VENUE_IDS)('an account of the simulated %s has credentials that its demo accepts', (venue) => {
  const { environment, credentials } = demoConnectionOf(venue, createDemoAccount(venue));
  expect(ACCESS[venue].read(environment, credentials)).toMatchObject({ kind: 'read' });
});

test('accounts are the same at every start, and only the owner of the folder can read their credentials', async () => {
  await using simulator = await startSimulator();
  await inFolder(async (dataDir) => {
    const open = async () => {
      const { connections, stop } = await openDemoVenues({ simulatorUrl: simulator.url, dataDir });
      await stop();
      return connections;
    };
    const first = await open();
    expect(first.map(({ venue }) => venue)).toEqual([...VENUE_IDS]);
    expect(await open()).toEqual(first);
    for (const connection of first) {
      const file = path.join(dataDir, `demo-connection-${connection.venue}`);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(connection);
      if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    }
    const money = [...simulator.simulatedVenues.values()].map(({ venue }) => [
      ...venue.exchange.accounts.values(),
    ]);
    expect(money.map((accounts) => accounts.length)).toEqual([1, 1, 1]);
  });
});

test('a restarted simulator knows them again, with their balances', async () => {
  await inFolder(async (dataDir) => {
    for (const expected of ['2500', '2400']) {
      await using simulator = await startSimulator();
      const { connections, stop } = await openDemoVenues({ simulatorUrl: simulator.url, dataDir });
      const { keyId, privateKey } = { keyId: '', privateKey: '', ...connections[0]?.credentials };
      const broker = new KalshiBroker({
        signer: new KalshiSigner(keyId, privateKey),
        hosts: simulatedHosts(simulator.url, 'demo'),
        now: () => simulator.clock.now(),
      });
      expect((await broker.status()).permissions).toContain('trade');
      const exchange = simulator.simulatedVenues.get('kalshi')?.venue.exchange;
      const [account] = [...(exchange?.accounts.values() ?? [])];
      expect(account?.holds('USD/0').toFixed()).toBe(expected);
      if (account !== undefined) exchange?.transfer(account, 'USD/0', new Decimal(-100));
      await stop();
    }
  });
});
