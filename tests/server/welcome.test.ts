import { expect, test } from 'vitest';
import { welcome } from '../../server/welcome.ts';

const demo = { email: 'demo@example.com', password: 'the-password', key: 'tsk_the-key' };
const said = (isTerminal: boolean) =>
  welcome({
    config: { publicUrl: 'http://localhost:3000', marketData: 'simulator' },
    address: { host: '127.0.0.1', port: 3000 },
    dataDir: '/data',
    demo,
    isTerminal,
  });

test('a terminal is told how to sign in and a line that works', () => {
  expect(said(true)).toContain('demo@example.com / the-password');
  expect(said(true)).toContain('Bearer tsk_the-key"');
});

test('a file is told where the secrets are, and none of them; the line works there too', () => {
  expect(said(false)).not.toContain(demo.password);
  expect(said(false)).not.toContain(demo.key);
  expect(said(false)).toContain('/data/demo-password');
  expect(said(false)).toContain('Bearer $(cat /data/demo-key)"');
});
