import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../server/kernel/config.ts';
import { DEFAULT_LIMITS } from '../../server/kernel/rate-limits.ts';

const SECRET = 'qT3vXn8Zk1pLw5RyUe7Ha2Sd9Fg4Jc6B';
const SAFE = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://user:pass@db.example:5432/trading',
  AUTH_SECRET: SECRET,
  PUBLIC_URL: 'https://trade.example',
};

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('These settings were taken.');
}

describe('a setting from a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };

  test('has the same effect as in the environment, without the line break at its end', () => {
    const { AUTH_SECRET: _secret, ...others } = SAFE;
    const file = write('secret', `${SECRET}\n`);
    expect(readConfig({ ...others, AUTH_SECRET_FILE: file }).authSecret).toBe(SECRET);
  });

  test('is refused beside the setting itself, if it cannot be read, and if it is too long; the value is not printed', () => {
    const file = write('other', SECRET);
    expect(refusal({ ...SAFE, AUTH_SECRET_FILE: file })).toContain('AUTH_SECRET and AUTH_SECRET_FILE');
    expect(refusal({ DATABASE_URL_FILE: path.join(folder, 'none') })).toContain('DATABASE_URL_FILE must');
    expect(refusal({ AUTH_SECRET_FILE: write('long', 'x'.repeat(65_537)) })).toContain('64 KB');
    expect(refusal({ PORT_FILE: file })).not.toContain(SECRET);
  });
});

test('an address past a pooler needs the address of the pooler', () => {
  expect(refusal({ DATABASE_DIRECT_URL: 'postgres://u:p@h/d' })).toContain(
    'DATABASE_DIRECT_URL needs DATABASE_URL',
  );
  const both = { DATABASE_URL: 'postgres://u:p@pooler/d', DATABASE_DIRECT_URL: 'postgres://u:p@h/d' };
  expect(readConfig(both)).toMatchObject({
    databaseUrl: both.DATABASE_URL,
    databaseDirectUrl: both.DATABASE_DIRECT_URL,
  });
});

describe('order prices and expiry', () => {
  test('is 0.02 USD, half a percent and 15 minutes unless set', () => {
    expect(readConfig({}).trading).toMatchObject({
      slippage: { outcome: '0.02', spot: '0.005' },
      approvalMs: 900_000,
      isLiveOn: true,
      liveCaps: { maxOrder: '100', maxDay: '500' },
    });
    const caps = { LIVE_MAX_ORDER: '0', LIVE_MAX_DAY: '12.5' };
    const set = { SLIPPAGE_PREDICTION: '0.01', SLIPPAGE_CRYPTO: '0', APPROVAL_TIMEOUT_SEC: '60', ...caps };
    expect(readConfig(set).trading).toMatchObject({
      slippage: { outcome: '0.01', spot: '0' },
      approvalMs: 60_000,
      isLiveOn: true,
      liveCaps: { maxOrder: '0', maxDay: '12.5' },
    });
  });

  test.each([
    ['SLIPPAGE_PREDICTION', '0.5'],
    ['SLIPPAGE_PREDICTION', '-0.1'],
    ['SLIPPAGE_CRYPTO', '1'],
    ['SLIPPAGE_CRYPTO', '1e-3'],
    ['APPROVAL_TIMEOUT_SEC', '0'],
    ['LIVE_MAX_ORDER', '-1'],
    ['LIVE_MAX_DAY', 'none'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(refusal({ [name]: value })).toContain(name);
  });
});

describe('without any setting', () => {
  test('it runs on this machine only, with the simulator, open to sign up, with limits', () => {
    expect(readConfig({})).toMatchObject({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: null,
      dataDir: null,
      role: 'all',
      marketData: 'simulator',
      rateLimits: DEFAULT_LIMITS,
      signUp: 'open',
      logLevel: 'info',
      publicUrl: 'http://localhost:3000',
      corsOrigins: [],
      trustedProxies: [],
      authSecret: null,
      demo: true,
      paperCash: '10000',
    });
  });

  test('the limits have their documented values, per second and burst', () => {
    const rates = Object.fromEntries(
      Object.entries(DEFAULT_LIMITS).map(([name, { points, windowSec }]) => [
        name,
        [points / windowSec, points],
      ]),
    );
    expect(rates).toMatchObject({
      read: [20, 40],
      write: [10, 20],
      market_data: [5, 15],
      brake: [10, 40],
      sign_in_address: [10 / 60, 10],
      brake_account: [200, 200],
      sign_in_email_address: [5 / 60, 5],
      sign_in_email: [50 / 60, 50],
    });
    expect(DEFAULT_LIMITS.auth_failures.points).toBe(200);
    expect(DEFAULT_LIMITS.auth_failures.points / DEFAULT_LIMITS.auth_failures.windowSec).toBeCloseTo(30, -1);
  });

  test('an empty setting counts as missing', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', SIGN_UP: '' })).toEqual(readConfig({}));
  });

  test('the public address follows the port', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });
});

describe('a setting', () => {
  test.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '::1', { host: '::1' }],
    ['DATA_DIR', '/var/lib/x', { dataDir: '/var/lib/x' }],
    ['DATABASE_URL', 'postgresql://u:p@h/d', { databaseUrl: 'postgresql://u:p@h/d' }],
    ['ROLE', 'runner', { role: 'runner' }],
    ['MARKET_DATA', 'live', { marketData: 'live' }],
    ['RATE_LIMITS', 'off', { rateLimits: 'off' }],
    ['RATE_LIMITS', 'on', { rateLimits: DEFAULT_LIMITS }],
    [
      'RATE_LIMITS',
      '{"read":{"points":1,"windowSec":2}}',
      { rateLimits: { ...DEFAULT_LIMITS, read: { points: 1, windowSec: 2 } } },
    ],
    ['SIGN_UP', 'closed', { signUp: 'closed' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['PUBLIC_URL', 'https://trade.example/', { publicUrl: 'https://trade.example' }],
    [
      'TRUSTED_PROXIES',
      'loopback, 10.0.0.0/8,2001:db8::/32, 203.0.113.9',
      { trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32', '203.0.113.9'] },
    ],
    [
      'CORS_ORIGINS',
      ' https://a.example , http://b.example:81/ ,',
      { corsOrigins: ['https://a.example', 'http://b.example:81'] },
    ],
    ['AUTH_SECRET', SECRET, { authSecret: SECRET }],
    ['DEMO', '0', { demo: false }],
    ['PAPER_CASH', '0.5', { paperCash: '0.5' }],
  ])('%s=%s is taken', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected);
  });

  test.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '0x50'],
    ['PORT', '99999999999999999999'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'localhost'],
    ['ROLE', 'web'],
    ['MARKET_DATA', 'fake'],
    ['RATE_LIMITS', 'yes'],
    ['RATE_LIMITS', '{'],
    ['RATE_LIMITS', '{"read":5}'],
    ['RATE_LIMITS', '{"reads":{"points":1,"windowSec":1}}'],
    ['RATE_LIMITS', '{"read":{"points":0,"windowSec":1}}'],
    ['RATE_LIMITS', '{"read":{"points":1,"windowSec":1,"burst":2}}'],
    ['SIGN_UP', 'true'],
    ['LOG_LEVEL', 'verbose'],
    ['PUBLIC_URL', 'trade.example'],
    ['PUBLIC_URL', 'ftp://trade.example'],
    ['CORS_ORIGINS', 'everyone'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['CORS_ORIGINS', '*'],
    ['AUTH_SECRET', 'short'],
    ['AUTH_SECRET', 'x'.repeat(64)],
    ['AUTH_SECRET', 'abcabc'.repeat(10)],
    ['CREDENTIAL_KEYS', 'k1'],
    ['CREDENTIAL_KEYS', `k1:${SECRET}`],
    ['DEMO', 'yes'],
    ['PAPER_CASH', '1e5'],
    ['PAPER_CASH', '-1'],
    ['NODE_ENV', 'prod'],
  ])('%s=%s is refused by name', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(/^Bad settings: /);
    expect(message).toContain(name);
    expect(message).not.toContain('\n');
  });

  test('keys for credentials are used in order, and no setting shows them', () => {
    const [first, second] = [1, 2].map(() => randomBytes(32).toString('base64'));
    const config = readConfig({ CREDENTIAL_KEYS: `k2:${first},k1:${second}` });
    expect(config.credentialKeys?.currentKeyId).toBe('k2');
    expect(inspect(config, { depth: null, showHidden: true })).not.toContain(first);
    expect(refusal({ AUTH_SECRET: `${first}`, CREDENTIAL_KEYS: `k2:${first}` })).toContain('AUTH_SECRET');
    expect(readConfig({}).credentialKeys).toBeNull();
  });

  test('live trading is off where no credentials can be stored', () => {
    expect(refusal({ LIVE_TRADING: 'on' })).toContain('CREDENTIAL_KEYS');
    const keys = `k1:${randomBytes(32).toString('base64')}`;
    expect(readConfig({ LIVE_TRADING: 'on', CREDENTIAL_KEYS: keys }).liveTrading).toBe(true);
  });

  test('a service without settings trades at simulated venues; any other needs an explicit setting', () => {
    expect(readConfig({}).liveTrading).toBe(true);
    expect(readConfig({ LIVE_TRADING: 'off' }).liveTrading).toBe(false);
    expect(readConfig({ MARKET_DATA: 'live' }).liveTrading).toBe(false);
    expect(readConfig({ NODE_ENV: 'test' }).liveTrading).toBe(false);
    expect(readConfig(SAFE).liveTrading).toBe(false);
    expect(readConfig({ ...SAFE, MARKET_DATA: 'simulator' }).liveTrading).toBe(false);
    for (const given of [{}, { LIVE_TRADING: 'off' }, { MARKET_DATA: 'live' }, SAFE]) {
      const { liveTrading, trading } = readConfig(given);
      expect(trading.isLiveOn, 'decisions go by the same').toBe(liveTrading);
    }
  });

  test('a refusal never repeats a secret or a password', () => {
    expect(refusal({ CREDENTIAL_KEYS: `k1:${SECRET}` })).not.toContain(SECRET);
    expect(refusal({ AUTH_SECRET: 'too-short-secret' })).not.toContain('too-short-secret');
    expect(refusal({ DATABASE_URL: 'mysql://user:hunter2@h/d' })).not.toContain('hunter2');
  });

  test('all errors are named at once', () => {
    const message = refusal({ PORT: 'x', ROLE: 'x', SIGN_UP: 'x' });
    for (const name of ['PORT', 'ROLE', 'SIGN_UP']) expect(message).toContain(name);
  });

  test('half of a social provider is refused', () => {
    expect(refusal({ GITHUB_CLIENT_ID: 'x' })).toContain('GITHUB_CLIENT_SECRET');
    const { socialProviders } = readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' });
    expect(socialProviders).toEqual({ google: { clientId: 'id', clientSecret: 'secret' } });
  });
});

describe('production', () => {
  test('with its settings it starts, closed to sign-up, on live data and on every address, without a demo', () => {
    expect(readConfig(SAFE)).toMatchObject({
      production: true,
      host: '0.0.0.0',
      signUp: 'closed',
      marketData: 'live',
      demo: false,
    });
  });

  test.each([
    ['DATABASE_URL', 'EMBEDDED_POSTGRES'],
    ['AUTH_SECRET', 'AUTH_SECRET'],
    ['PUBLIC_URL', 'PUBLIC_URL'],
  ])('without %s it does not start, and says so', (name, named) => {
    const { [name as keyof typeof SAFE]: _left, ...rest } = SAFE;
    const message = refusal(rest);
    expect(message).toMatch(/^Not safe for production: /);
    expect(message).toContain(named);
  });

  test('the demo account does not start there, and the built-in database only on purpose', () => {
    expect(refusal({ ...SAFE, DEMO: '1' })).toContain('DEMO');
    const { DATABASE_URL: _left, ...rest } = SAFE;
    expect(readConfig({ ...rest, EMBEDDED_POSTGRES: '1' }).databaseUrl).toBeNull();
  });

  test.each([
    'http://trade.example',
    'http://10.0.0.1:3000',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
  ])('the public address %s, which others can listen in on, does not start', (url) => {
    expect(refusal({ ...SAFE, PUBLIC_URL: url })).toMatch(/^Not safe for production: .*PUBLIC_URL.*https:/);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://trade.example'])(
    'the public address %s starts',
    (url) => {
      expect(readConfig({ ...SAFE, PUBLIC_URL: url }).publicUrl).toBe(url);
    },
  );

  test('a random secret of hexadecimal digits is random enough', () => {
    for (let made = 0; made < 1_000; made++) {
      const secret = randomBytes(16).toString('hex');
      expect(readConfig({ AUTH_SECRET: secret }).authSecret).toBe(secret);
    }
  });

  test('every unsafe default is named at once', () => {
    const message = refusal({ NODE_ENV: 'production' });
    for (const name of ['DATABASE_URL', 'AUTH_SECRET', 'PUBLIC_URL']) expect(message).toContain(name);
  });
});
