import { expect, test } from 'vitest';
import { startMessage } from '../../server/process/start-message.ts';
import type { DemoConnection } from '../../venues/demo-accounts.ts';

const demo = { email: 'demo@example.com', password: 'the-password', key: 'tsk_the-key' };
const said = (isTerminal: boolean, demoConnections: readonly DemoConnection[] = []) =>
  startMessage({
    config: { publicUrl: 'http://localhost:3000', marketData: 'simulator' },
    address: { host: '127.0.0.1', port: 3000 },
    dataDir: '/data',
    demo,
    demoConnections,
    isTerminal,
  });

test('a terminal gets the sign-in and a command that works', () => {
  expect(said(true)).toContain('demo@example.com / the-password');
  expect(said(true)).toContain('Bearer tsk_the-key"');
});

test('a new user sees where the keys of the simulated venues are, and none of them', () => {
  expect(said(true)).not.toContain('Live trading');
  const connection = {
    venue: 'crypto',
    environment: 'demo',
    label: 'Simulated Crypto',
    credentials: { secret: 'the-venue-secret' },
  } as const;
  expect(said(true, [connection])).toMatch(/Live trading +at simulated venues; .*demo-connection-/);
  expect(said(true, [connection])).not.toContain('the-venue-secret');
});

test('a file gets the places of the secrets, and none of them; the command works there too', () => {
  expect(said(false)).not.toContain(demo.password);
  expect(said(false)).not.toContain(demo.key);
  expect(said(false)).toContain('/data/demo-password');
  expect(said(false)).toContain('Bearer $(cat /data/demo-key)"');
});
