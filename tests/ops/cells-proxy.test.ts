import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../engine/trading/keys/token.ts';
import { reloadProxy } from '../../server/cli/moving/reload-proxy.ts';
import { changeRoutes } from '../../server/cli/moving/route-file.ts';
import { emailDigest } from '../../server/identity/moved-emails.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { waitUntil } from '../ha/cluster-process.ts';
import { replaceAllOnce } from '../ha/configure.ts';
import { isThere } from '../ha/programs.ts';

const isInstalled = isThere('haproxy');
const opened = new AsyncDisposableStack();
const movedKey = newToken();
const emailKey = randomBytes(32);
let door: number;
let routesPort: number;
let routes: string;
let proxy: ChildProcess;

/** A cell that answers with its name. */
async function openCell(name: string): Promise<string> {
  const server = createServer((_request, response) => response.end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.defer(() => server.closeAllConnections());
  opened.defer(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  if (!isInstalled) return;
  const dir = mkdtempSync(path.join(tmpdir(), 'cells-proxy-'));
  opened.defer(() => rmSync(dir, { recursive: true }));
  const file = path.join(dir, 'haproxy.cfg');
  routes = path.join(dir, 'moved-keys.map');
  const lines = [
    `${hash('sha256', movedKey)} cell1`,
    `${emailDigest(emailKey, 'moved@example.com').toString('hex')} cell1`,
    `${hash('sha256', 'moved-passkey')} cell1`,
    `${hash('sha256', 'returned-passkey')} cell0`,
  ];
  writeFileSync(routes, `${lines.join('\n').replaceAll(/[\da-f]{64}/g, (digest) => digest.toUpperCase())}\n`);
  const keyFile = path.join(dir, 'email-key.map');
  writeFileSync(keyFile, `email ${emailKey.toString('base64')}\n`);
  const [cell0, cell1] = [await openCell('cell0'), await openCell('cell1')];
  [door, routesPort] = [await freePort(), await freePort()];
  const shipped = readFileSync(new URL('../../ops/haproxy-cells.cfg', import.meta.url), 'utf8');
  const config = replaceAllOnce(shipped, [
    ['bind :80', `bind 127.0.0.1:${door}`],
    ['bind 127.0.0.1:8405', `bind 127.0.0.1:${routesPort}`],
    ['/etc/haproxy/moved-keys.map', routes],
    ['/etc/haproxy/email-key.map', keyFile],
    ['10.0.0.4:3000', cell0],
    ['10.0.0.5:3000', cell0],
    ['10.0.1.4:3000', cell1],
    ['10.0.1.5:3000', cell1],
  ]);
  writeFileSync(file, config);
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  proxy = spawn('haproxy', ['-W', '-db', '-f', file], { env, stdio: 'ignore' });
  opened.defer(() => void proxy.kill('SIGTERM'));
  await waitUntil('the proxy answers', async () => (await cellOf({})) === 'cell0', { withinMs: 30_000 });
});
afterAll(() => opened.disposeAsync());

/** Sends a request with these headers, and returns the name of the cell that answers. */
async function cellOf(headers: Record<string, string>): Promise<string> {
  const sent = request({ host: '127.0.0.1', port: door, path: '/', headers, agent: false }).end();
  const [answer] = await once(sent, 'response');
  return text(answer);
}

/** Sends a step of a sign-in, and returns the name of the cell that answers. */
async function cellOfSignIn(what: string, body: unknown, headers: Record<string, string> = {}) {
  const path = `/api/auth/${what}`;
  const sent = request({ host: '127.0.0.1', port: door, method: 'POST', path, headers, agent: false });
  const [answer] = await once(sent.end(typeof body === 'string' ? body : JSON.stringify(body)), 'response');
  return text(answer);
}

const key = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (name: string) => ({ cookie: `a=b; ${name}=abc.def` });

test.skipIf(!isInstalled)(
  'a reload is repeated until the proxy has read the last of two changes, whose signal is lost while it starts again',
  async () => {
    const command = `kill -USR2 ${proxy.pid}`;
    const proxyUrl = `http://127.0.0.1:${routesPort}`;
    for (const digest of ['C1', 'C2', 'C3', 'C4']) {
      const change = { digests: [Buffer.from(digest, 'hex')], cell: 1, emailKey: null };
      const [route] = changeRoutes(routes, change);
      process.kill(proxy.pid ?? 0, 'SIGUSR2'); // of another move
      await reloadProxy(command, proxyUrl, route ?? { digest: '', cell: '' });
    }
    const read = path.join(path.dirname(routes), 'read.map');
    await reloadProxy(`cp ${routes} ${read}`, proxyUrl, undefined); // of an account without keys and e-mails
    expect(readFileSync(read, 'utf8')).toBe(readFileSync(routes, 'utf8'));
    const refused = reloadProxy('true', proxyUrl, { digest: 'C5', cell: 'cell1' }, 2);
    await expect(refused).rejects.toThrow('after 2 reloads');
    await expect(reloadProxy('exit 3', proxyUrl, { digest: 'C5', cell: 'cell1' })).rejects.toThrow('exit 3');
  },
);

test.skipIf(!isInstalled)(
  'the sample for cells routes by the number in keys and cookies, and moved keys by the file',
  async () => {
    for (const token of [newToken(0), newToken(0), newToken(2), 'tsk_wrong', `tsig_${'5'.repeat(43)}`])
      expect(await cellOf(key(token))).toBe('cell0');
    expect(await cellOf(key(newToken(1)))).toBe('cell1');
    expect(await cellOf(key(movedKey))).toBe('cell1');
    expect(await cellOf(cookie('better-auth.session_token'))).toBe('cell0');
    for (const name of ['cell1.session_token', '__Secure-cell1.session_token'])
      expect(await cellOf(cookie(name))).toBe('cell1');
    expect(await cellOf({ ...key(newToken(0)), ...cookie('cell1.session_token') })).toBe('cell0');
    expect(await cellOf({ host: 'cell1.example.com' })).toBe('cell1');
  },
);

test.skipIf(!isInstalled)(
  'and sign-ins by the HMAC of a moved e-mail, by moved passkeys, and by the cell that tokens and passkeys name',
  async () => {
    const elsewhere = cookie('cell1.session_token'); // of another account: an e-mail decides alone
    for (const what of ['sign-in/email', 'request-password-reset']) {
      for (const email of ['moved@example.com', 'Moved@Example.com'])
        expect(await cellOfSignIn(what, { password: 'x', email })).toBe('cell1');
      for (const body of [{ email: 'ada@example.com' }, { email: 7 }, {}, '', '{"email":'])
        expect(await cellOfSignIn(what, body, elsewhere)).toBe('cell0');
    }
    expect(await cellOfSignIn('sign-up/email', { email: 'moved@example.com' }, elsewhere)).toBe('cell0');
    const passkey = (id: string, userHandle: string) =>
      cellOfSignIn(
        'passkey/verify-authentication',
        { response: { id, response: { userHandle } } },
        elsewhere,
      );
    expect(await passkey('moved-passkey', 'abc')).toBe('cell1');
    expect(await passkey('another', 'cell01__abc')).toBe('cell1');
    expect(await passkey('returned-passkey', 'cell01__abc')).toBe('cell0');
    expect(await passkey('another', 'abc')).toBe('cell0');
    expect(await cellOfSignIn('reset-password', { newPassword: 'x', token: 'cell1.abc' })).toBe('cell1');
    expect(await cellOfSignIn('reset-password', { token: 'abc' }, elsewhere)).toBe('cell0');
    const home = emailDigest(emailKey, 'moved@example.com').toString('hex').toUpperCase();
    for (const [note, cell] of [
      [home, 'cell1'],
      ['AB', 'cell0'],
    ] as const) {
      const carried = { cookie: `${elsewhere.cookie}; sign_in_home=${note}` };
      expect(await cellOfSignIn('sign-in/social', {}, carried)).toBe(cell);
    }
    expect(await cellOfSignIn('callback/github?code=a', '', elsewhere)).toBe('cell0');
    for (const name of ['cell1.state', '__Secure-cell1.state'])
      expect(await cellOfSignIn('callback/github?code=a', '', cookie(name))).toBe('cell1');
    expect(await cellOfSignIn('two-factor/verify-totp', {}, cookie('cell1.two_factor'))).toBe('cell1');
  },
);
