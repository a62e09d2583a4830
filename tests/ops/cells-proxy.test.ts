import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../engine/trading/keys/token.ts';
import { freePort } from '../e2e/support/service-process.ts';
import { waitUntil } from '../ha/cluster-process.ts';
import { replaceAllOnce } from '../ha/configure.ts';
import { isThere } from '../ha/programs.ts';

const isInstalled = isThere('haproxy');
const opened = new AsyncDisposableStack();
const movedKey = newToken();
let door: number;

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
  const [routes, file] = [path.join(dir, 'moved-keys.map'), path.join(dir, 'haproxy.cfg')];
  writeFileSync(routes, `${hash('sha256', movedKey).toUpperCase()} cell1\n`);
  const [cell0, cell1] = [await openCell('cell0'), await openCell('cell1')];
  door = await freePort();
  const shipped = readFileSync(new URL('../../ops/haproxy-cells.cfg', import.meta.url), 'utf8');
  const config = replaceAllOnce(shipped, [
    ['bind :80', `bind 127.0.0.1:${door}`],
    ['/etc/haproxy/moved-keys.map', routes],
    ['10.0.0.4:3000', cell0],
    ['10.0.0.5:3000', cell0],
    ['10.0.1.4:3000', cell1],
    ['10.0.1.5:3000', cell1],
  ]);
  writeFileSync(file, config);
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  const proxy = spawn('haproxy', ['-db', '-f', file], { env, stdio: 'ignore' });
  opened.defer(() => void proxy.kill('SIGKILL'));
  await waitUntil('the proxy answers', async () => (await cellOf({})) === 'cell0', { withinMs: 30_000 });
});
afterAll(() => opened.disposeAsync());

/** Sends a request with these headers, and returns the name of the cell that answers. */
async function cellOf(headers: Record<string, string>): Promise<string> {
  const sent = request({ host: '127.0.0.1', port: door, path: '/', headers, agent: false }).end();
  const [answer] = await once(sent, 'response');
  return text(answer);
}

const key = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (name: string) => ({ cookie: `a=b; ${name}=abc.def` });

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
