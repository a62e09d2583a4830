import { expect, test } from 'vitest';
import { startSimulator } from '../../simulator/index.ts';

test('403: no web page moves the simulated prices or sets a fault at a venue; programs may', async () => {
  const simulator = await startSimulator({ seed: 'pages' });
  try {
    const command = (path: string, headers: Record<string, string>) =>
      fetch(`${simulator.url}/simulator/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', ...headers },
        body: JSON.stringify({ advance: 60_000, prefix: '/kalshi', fault: { kind: 'freeze' } }),
      });
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: simulator.url },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect((await command('clock', headers)).status).toBe(403);
      expect((await command('faults', headers)).status).toBe(403);
    }
    expect((await fetch(`${simulator.url}/kalshi/trade-api/v2/markets?limit=1`)).status).toBe(200);
    expect((await command('clock', {})).status).toBe(200);
  } finally {
    await simulator.close();
  }
});
