import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPostmaster } from '../../db/embedded/postmaster.ts';
import { restRoutes } from '../../openapi/routes.ts';
import { bearer, sendBytes, sendRaw, titleOf } from '../support/api.ts';
import { makeRunFolder, removeWithServer } from '../support/test-server.ts';
import type { Account } from '../support/world.ts';
import { type Fortress, openFortress, PAGE, PASSWORD } from './support/fortress.ts';

let fortress: Fortress;
let account: Account;
beforeAll(async () => {
  fortress = await openFortress({
    RATE_LIMITS: 'off',
    ROLE: 'api',
    LOG_LEVEL: 'trace',
    CORS_ORIGINS: 'https://docs.example',
  });
  account = await fortress.account();
});
afterAll(() => fortress.close());

const ask = (method: string, target: string, headers: string[] = []) =>
  sendRaw(fortress.base, {
    method,
    path: target,
    headers: ['Authorization', `Bearer ${account.key}`, ...headers],
  });

test('S14: an integer of a query has one spelling', async () => {
  const odd = [
    '0',
    '-1',
    '1001',
    '1e1',
    '0x10',
    '%205',
    '05',
    'NaN',
    '5.0',
    '+5',
    '9'.repeat(99),
    '',
    '1&limit=2',
  ];
  for (const limit of odd) expect((await ask('GET', `/api/orders?limit=${limit}`)).status, limit).toBe(400);
  expect((await ask('GET', '/api/orders?limit=5')).status).toBe(200);
});

test('S15: no text makes a pattern slow', async () => {
  const texts = [
    'a'.repeat(3_000),
    `${'a@'.repeat(1_500)}`,
    `${'0'.repeat(2_000)}x`,
    `x${'%20'.repeat(900)}x`,
  ];
  const startedAt = performance.now();
  for (const text of texts)
    for (const target of [
      `venue-a?search=${text}`,
      `venue-a?ticker=${text}`,
      `crypto?symbol=${text}`,
      `orders/${text}`,
    ])
      expect([400, 404]).toContain((await ask('GET', `/api/${target}`)).status);
  const email = `${'a.'.repeat(100_000)}@example.com`;
  expect([400, 401]).toContain((await fortress.auth('sign-in/email', { email, password: 'x' })).status);
  expect(performance.now() - startedAt).toBeLessThan(17 * 500);
});

test('S29: a browser gets only a listed origin, and no origin may send cookies', async () => {
  for (const origin of [
    'https://evil.example',
    'null',
    'https://docs.example.evil.example',
    'http://docs.example',
  ]) {
    const { headers } = await ask('GET', '/api/risk-rules', ['Origin', origin]);
    expect(headers.get('access-control-allow-origin'), origin).toBeNull();
  }
  const { headers } = await ask('GET', '/api/risk-rules', ['Origin', 'https://docs.example']);
  expect(headers.get('access-control-allow-origin')).toBe('https://docs.example');
  expect(headers.get('vary')).toMatch(/Origin/i);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});

test('S31: bytes that two servers could read as two requests are refused', async () => {
  const post = (...lines: string[]) => ['POST /api/careers HTTP/1.1', ...lines, '', '0', '', ''].join('\r\n');
  for (const bytes of [
    post('Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    post('Host: x', 'Content-Length: 5', 'Content-Length: 6'),
    post('Host: x', 'Transfer-Encoding: xchunked'),
    post('Host : x'),
    post(),
    'GET /health HTTP/1.1\nHost: x\n\n',
    'GET /health HTTP/9.9\r\nHost: x\r\n\r\n',
  ]) {
    const answer = await sendBytes(fortress.base, bytes);
    expect(answer.slice(0, 12), bytes).toBe('HTTP/1.1 400');
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  }
  const large = await sendBytes(
    fortress.base,
    `GET /health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect(large.slice(0, 12)).toBe('HTTP/1.1 431');
});

test('S32: an undocumented method or path is not found, whatever a header claims', async () => {
  for (const method of ['TRACE', 'PATCH', 'PROPFIND', 'DELETE'])
    expect((await ask(method, '/api/risk-rules')).status, method).toBe(404);
  for (const target of ['//api/risk-rules', '/API/risk-rules', '/api/risk-rules/', '/api//risk-rules'])
    expect((await ask('GET', target)).status, target).toBe(404);
  const overridden = await ask('GET', '/api/risk-rules', ['X-HTTP-Method-Override', 'PUT']);
  expect(overridden.status).toBe(200);
  expect((await ask('HEAD', '/api/risk-rules')).text).toBe('');
  expect((await sendRaw(fortress.base, { method: 'TRACE', path: '/api/auth/x' })).status).toBe(404);
});

const KINDS = [
  '/health',
  '/api/risk-rules',
  '/api/nope',
  '/trpc/nope',
  '/openapi.json',
  '/docs',
  'http://[::1/x',
];

test('S34: every answer has its security headers, and does not name the software that made it', async () => {
  for (const target of KINDS) {
    const { headers } = await ask('GET', target);
    expect(headers.get('x-content-type-options'), target).toBe('nosniff');
    expect(headers.get('content-security-policy'), target).toContain("frame-ancestors 'none'");
    expect(headers.get('strict-transport-security'), target).toMatch(/max-age/);
    expect(headers.get('x-powered-by'), target).toBeNull();
    expect(headers.get('x-request-id'), target).toMatch(/\S/);
  }
  expect((await ask('GET', '/api/risk-rules')).headers.get('cache-control')).toContain('no-store');
});

test('S35: every documented route is served, and no other', async () => {
  const { body } = await fortress.send('GET', '/openapi.json');
  const described = Object.entries((body as { paths: Record<string, object> }).paths).flatMap(
    ([at, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${at}`),
  );
  expect(described.sort()).toEqual([...restRoutes.map(titleOf), 'GET /api/health'].sort());
  const probes = [
    'metrics',
    'debug',
    '.env',
    '.git/config',
    'server/process/main.ts',
    'package.json',
    'admin',
    'graphql',
  ];
  const maps = [
    'docs/assets/standalone.esm.js.map',
    'docs/assets/standalone.esm.js%2emap',
    'docs/..%2f..%2fpackage.json',
  ];
  for (const probe of [...probes, ...maps]) expect((await ask('GET', `/${probe}`)).status, probe).toBe(404);
});

test('X21: production refuses to start with settings that are unsafe on the internet', async () => {
  const log = { LOG_LEVEL: 'info' };
  await expect(fortress.another({ ...log, PUBLIC_URL: 'http://trading.example' })).rejects.toThrow(
    /PUBLIC_URL/,
  );
  await expect(fortress.another({ ...log, AUTH_SECRET: 'a'.repeat(32) })).rejects.toThrow(/AUTH_SECRET/);
  await expect(fortress.another({ ...log, DEMO: '1' })).rejects.toThrow(/DEMO/);
});

test('X22: no redirect leads to an address of another site', async () => {
  const email = await fortress.user();
  const evil = 'https://evil.example/';
  for (const callbackURL of [evil, '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const { status, text } = await fortress.auth('sign-in/email', { email, password: PASSWORD, callbackURL });
    expect(status, callbackURL).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('"redirect":true');
    const query = `token=x&callbackURL=${encodeURIComponent(callbackURL)}`;
    const { headers } = await ask('GET', `/api/auth/verify-email?${query}`);
    expect(headers.get('location') ?? '').not.toContain('evil');
  }
  expect((await ask('GET', 'http://evil.example/docs')).headers.get('location') ?? '').not.toContain('evil');
});

/** Routes of plugins and options that are off. Built-in ones are refused, others are not found. */
const OFF = [
  ...['admin/list-users', 'admin/create-user', 'admin/set-role', 'admin/ban-user', 'admin/impersonate-user'],
  ...[
    'sign-in/magic-link',
    'sign-in/anonymous',
    'sign-in/username',
    'sign-in/phone-number',
    'sign-in/email-otp',
  ],
  ...[
    'two-factor/get-totp-uri',
    'two-factor/send-otp',
    'two-factor/verify-otp',
    'two-factor/view-backup-codes',
    'two-factor/generate-totp',
  ],
  ...[
    'api-key/create',
    'api-key/list',
    'organization/create',
    'organization/list',
    'multi-session/set-active',
  ],
  ...[
    'oauth2/register',
    'oauth2/token',
    'device/code',
    'sso/register',
    'verify-password',
    'reset-password/x',
  ],
];
const REFUSED = [
  'change-email',
  'delete-user',
  'forget-password',
  'reset-password',
  'send-verification-email',
  'request-password-reset',
  // Routes of a second factor that are used: they need the password or a challenge to open or change anything.
  'two-factor/enable',
  'two-factor/disable',
  'two-factor/generate-backup-codes',
  'two-factor/verify-totp',
  'two-factor/verify-backup-code',
  // A passkey's owner adds, names and removes it; a sign-in needs a device's response to a challenge.
  'passkey/verify-registration',
  'passkey/verify-authentication',
  'passkey/update-passkey',
  'passkey/delete-passkey',
  'revoke-session',
];

test('X23: only the used routes of the sign-in framework exist', async () => {
  const { cookie, email } = await fortress.signIn();
  const body = { email, newEmail: 'x@example.com', newPassword: 'a brand new one', token: 'x' };
  for (const route of OFF) {
    for (const method of ['POST', 'GET'] as const) {
      const { status } =
        method === 'POST'
          ? await fortress.auth(route, body, { cookie })
          : await ask('GET', `/api/auth/${route}`, ['Cookie', cookie]);
      expect(status, `${method} ${route}`).toBe(404);
    }
    await sleep(100);
  }
  const users = async () =>
    (
      await sql`select id, email, "emailVerified", "twoFactorEnabled" from auth."user" order by id`.execute(
        fortress.db,
      )
    ).rows;
  const before = await users();
  for (const route of REFUSED)
    expect((await fortress.auth(route, body, { cookie })).status, route).toBeGreaterThanOrEqual(400);
  expect(await users()).toEqual(before);
  expect((await fortress.auth('sign-in/email', { email, password: PASSWORD })).status).toBe(200);
});

const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '"><svg onload=window.pwned=1>',
  'javascript:window.pwned=1',
  '{{constructor.constructor("window.pwned=1")()}}',
];

test('X25: names, labels, node ids and texts are returned as data only; pages do not embed them, cannot be framed and run no foreign script', async () => {
  // The pages of the console themselves are held to it in a browser, by tests/e2e/hostile.e2e.ts.
  for (const text of HOSTILE) {
    const visual = {
      nodes: [
        { id: text, type: 'note', position: { x: 0, y: 0 }, data: { text, label: text } },
        { id: 'say', type: 'notify', position: { x: 0, y: 0 }, data: { label: text, config: { text } } },
      ],
      edges: [],
    };
    const made = await account.http('POST', '/api/blueprints', { name: text, visual });
    expect(made.status, made.text).toBe(200);
    expect(made.headers.get('content-type')).toBe('application/json');
    expect(made.headers.get('x-content-type-options')).toBe('nosniff');
    expect(made.body).toMatchObject({ name: text, visual });
    for (const address of [
      `/${encodeURIComponent(text)}`,
      `/docs/${encodeURIComponent(text)}`,
      `/?next=${encodeURIComponent(text)}`,
    ]) {
      const page = await ask('GET', address, ['Accept', 'text/html']);
      expect(page.text, address).not.toContain(text);
      expect(page.headers.get('content-security-policy') ?? "frame-ancestors 'none'").toContain(
        "frame-ancestors 'none'",
      );
    }
    await sleep(200);
  }
  for (const address of ['/', '/docs']) {
    const { headers } = await ask('GET', address, ['Accept', 'text/html']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, address).toContain("default-src 'none'");
    expect(policy, address).toContain("frame-ancestors 'none'");
    expect(/script-src[^;]*/.exec(policy)?.[0], address).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
  }
});

/** Paths of a folder that other users can read. Root checks as the unprivileged user, others by file modes. */
function readableByOthers(folder: string): string[] {
  if (process.getuid?.() === 0) {
    const found = spawnSync('find', [folder, '-type', 'f', '-readable'], {
      uid: 65_534,
      gid: 65_534,
      encoding: 'utf8',
    });
    return found.stdout.split('\n').filter(Boolean);
  }
  const isOpen = (name: string) => (statSync(path.join(folder, name)).mode & 0o007) !== 0;
  const open = readdirSync(folder).filter(isOpen);
  return open.flatMap((name) =>
    statSync(path.join(folder, name)).isDirectory() ? readableByOthers(path.join(folder, name)) : [name],
  );
}

/** Ports on which one of these processes waits for connections. Linux. */
function portsOf(pids: readonly number[]): string[] {
  const sockets = new Set(
    pids.flatMap((pid) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
        return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? [];
      }),
    ),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    readFileSync(`/proc/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => sockets.has(fields[9] ?? ''))
      .map((fields) => `${protocol} ${fields[1]}`),
  );
}

test('X20: no other user of the machine reads a file of the built-in database or a secret, and it listens on no port', async () => {
  const dataDir = makeRunFolder();
  const own = {
    NODE_ENV: 'development',
    DATABASE_URL: '',
    AUTH_SECRET: '',
    PUBLIC_URL: '',
    DATA_DIR: dataDir,
  };
  const service = await fortress.another(own);
  try {
    const files = readdirSync(dataDir, { recursive: true });
    expect(files.length).toBeGreaterThan(500);
    // The log of the database has no values in it, and no secret.
    expect(readableByOthers(dataDir).filter((file) => !file.endsWith('postgres.log'))).toEqual([]);
    const secrets = files.map(String).filter((name) => /secret|password|demo-key|postmaster.pid/.test(name));
    expect(secrets.length).toBeGreaterThan(2);
    for (const name of secrets) expect(statSync(path.join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    const postmaster = findPostmaster(path.join(dataDir, 'data'));
    expect(postmaster).not.toBeNull();
    expect(portsOf([postmaster?.pid ?? 0])).toEqual([]);
  } finally {
    await service.stop();
    await removeWithServer(dataDir);
  }
});

test('S33: the log has one JSON object per line, without any key, password, cookie or address', async () => {
  const { cookie, email } = await fortress.signIn();
  await ask('GET', '/api/orders', ['Cookie', cookie, 'User-Agent', 'x\\r\\n{"level":"forged"}']);
  await fortress.auth('sign-in/email', { email, password: 'an odd wrong password' });
  await fortress.send('GET', `/api/nope?key=${account.key}`, { headers: bearer(account.key) });
  const said = fortress.output();
  for (const line of said.trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
  const token = cookie.split('=')[1] ?? '';
  for (const secret of [
    account.key,
    PASSWORD,
    'an odd wrong password',
    email,
    token,
    PAGE.replace('https', 'Bearer'),
  ])
    expect(said.includes(secret), secret).toBe(false);
});
