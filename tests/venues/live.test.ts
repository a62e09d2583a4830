import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/kernel/config.ts';
import { LIVE_URLS } from '../../simulator/market-data.ts';

const manual = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');

describe('live market data', () => {
  test.each(Object.entries(LIVE_URLS))('%s is asked by HTTPS at a host that the manual names', (_, url) => {
    const { protocol, hostname } = new URL(url);
    expect(protocol).toBe('https:');
    expect(manual).toContain(`| \`${hostname}\` |`);
  });

  test('is the default of production, and of no other environment', () => {
    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://localhost/x',
      AUTH_SECRET: 'qT3vXn8Zk1pLw5RyUe7Ha2Sd9Fg4Jc6B',
      PUBLIC_URL: 'https://example.com',
    };
    expect(readConfig({}).marketData).toBe('simulator');
    expect(readConfig(production).marketData).toBe('live');
    expect(readConfig({ ...production, MARKET_DATA: 'simulator' }).marketData).toBe('simulator');
  });
});
