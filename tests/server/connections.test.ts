import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CAPACITY } from '../../server/kernel/capacity.ts';
import { openedForFile } from '../support/opened.ts';
import {
  closeAll,
  openSocket,
  openSockets,
  type RawSocket,
  requestLine,
  statusFrom,
} from '../support/sockets.ts';
import { openWorld } from '../support/world.ts';

const { requestsPerConnection, connectionsPerAddress, connectionsPerAddressInReserve } = CAPACITY;

const world = openedForFile(openWorld);

const statuses = ({ received }: RawSocket) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));

/** Waits until a condition holds, as long as a test may take. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

/** The number of open files of this process whose path contains `name`. */
function openFiles(name: string): number {
  const files = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return files.filter((file) => file.includes(name)).length;
}

describe('one connection', () => {
  test(`${requestsPerConnection} requests sent at once are answered, in the order they were sent`, async () => {
    const paths = Array.from({ length: requestsPerConnection }, (_, index) =>
      index % 2 === 0 ? '/health' : '/nope',
    );
    const opened = await openSocket(world.base, {
      send: paths.map((path) => requestLine(path)).join(''),
    });
    await until(() => statuses(opened).length === paths.length);
    expect(statuses(opened)).toEqual(paths.map((path) => (path === '/health' ? 200 : 404)));
    closeAll([opened]);
  });

  test('more requests than that, unread, and it is cut', async () => {
    for (const path of ['/openapi.json', '/docs/assets/standalone.esm.js', '/health', '/api/orders']) {
      const send = requestLine(path).repeat(1_500);
      const opened = await openSocket(world.base, { send, unread: true });
      opened.socket.resume();
      await opened.closed;
    }
    expect(await statusFrom(world.base, '/health')).toBe(200);
  });

  test('files that wait for their turn are not opened', async () => {
    const path = '/docs/assets/standalone.esm.js';
    const send = requestLine(path).repeat(requestsPerConnection);
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openSocket(world.base, { send, unread: true })),
    );
    await until(() => openFiles('standalone.esm.js') > 0);
    await sleep(200);
    expect(openFiles('standalone.esm.js')).toBeLessThanOrEqual(opened.length);
    closeAll(opened);
    await until(() => openFiles('standalone.esm.js') === 0);
  });

  test('an idle connection, or one with half of its headers, is closed', { tags: ['long'] }, async () => {
    const opened = await Promise.all([
      openSocket(world.base),
      openSocket(world.base, { send: 'GET /health HTTP/1.1\r\nHost: x\r\n' }),
      openSocket(world.base, { send: `${requestLine('/health')}GET /hea` }),
    ]);
    await Promise.all(opened.map(({ closed }) => closed));
  });

  test('a connection between two requests stays open longer than a load balancer keeps it', async () => {
    const { headers } = await world.send('GET', '/health');
    expect(headers.get('keep-alive')).toBe('timeout=75');
  });
});

/** Keeps a connection in use for as long as a request may take. */
const HALF_A_BODY =
  'POST /api/careers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';

describe('one address', () => {
  test(`holds at most ${connectionsPerAddress} connections, and others are admitted`, async () => {
    const opened = await openSockets(world.base, connectionsPerAddress + 40, { from: '127.0.0.9' });
    await until(() => opened.filter(({ isClosed }) => isClosed()).length === 40);
    expect(await statusFrom(world.base, '/health', '127.0.0.9')).toBeNull();
    expect(await statusFrom(world.base, '/health', '127.0.0.10')).toBe(200);
    closeAll(opened);
    await Promise.all(opened.map(({ closed }) => closed));
    await sleep(50);
    expect(await statusFrom(world.base, '/health', '127.0.0.9')).toBe(200);
  });

  test('a trusted proxy has no limit', async () => {
    const proxied = await openWorld({ settings: { TRUSTED_PROXIES: '127.0.0.11' } });
    const count = connectionsPerAddress + 40;
    const opened = await openSockets(proxied.base, count, { from: '127.0.0.11' });
    expect(await statusFrom(proxied.base, '/health', '127.0.0.11')).toBe(200);
    expect(opened.filter(({ isClosed }) => isClosed())).toEqual([]);
    closeAll(opened);
    await proxied.close();
  });

  test('when the connections run out, addresses with few are still admitted', {
    tags: ['long'],
  }, async () => {
    const crowded = await openWorld();
    const unreserved = CAPACITY.connections - CAPACITY.reservedConnections;
    const opened: RawSocket[] = [];
    for (let host = 1; opened.length < unreserved; host++) {
      const options = { from: `127.0.1.${host}`, send: HALF_A_BODY };
      opened.push(...(await openSockets(crowded.base, connectionsPerAddress, options)));
    }
    expect(await statusFrom(crowded.base, '/health', '127.0.1.1')).toBeNull();
    const few = await openSockets(crowded.base, connectionsPerAddressInReserve + 5, {
      from: '127.0.2.1',
      send: HALF_A_BODY,
    });
    await until(() => few.filter(({ isClosed }) => isClosed()).length === 5);
    expect(await statusFrom(crowded.base, '/health', '127.0.2.2')).toBe(200);
    closeAll([...opened, ...few]);
    await crowded.close();
  });
});
