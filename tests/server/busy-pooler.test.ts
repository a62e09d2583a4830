import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { keepsSession } from '../../db/pooling/find-pooler.ts';
import { throughPooler } from '../../server/kernel/connect-database.ts';

/** Servers that speak PostgreSQL's protocol as far as a start asks. */
let server: net.Server | undefined;
const sockets = new Set<net.Socket>();
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(null));
});

async function listen(onMessage: (socket: net.Socket, connection: number, data: Buffer | string) => void) {
  let count = 0;
  server = net.createServer((socket) => {
    const connection = ++count;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => onMessage(socket, connection, data));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), size, body]);
}
const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value & 65_535)]);
const ready = message('Z', 'I');
const refusal = (code: string, text: string) => message('E', `SFATAL\0C${code}\0M${text}\0\0`);

const URL_PARTS = { user: 'service', password: 'secret', dbName: 'trading' };

/** Connects by way of a pooler that refuses each connection with the next of these codes, then the last. */
async function connectTo(...codes: readonly string[]) {
  const { host, port } = await listen((socket, connection) => {
    socket.end(refusal(codes[Math.min(connection, codes.length) - 1] ?? '', 'no entry'));
  });
  const warned: string[] = [];
  const options = { warn: (text: string) => void warned.push(text), pauseMs: 1 };
  const direct = { host, port, ...URL_PARTS };
  const refused = await throughPooler(direct, `postgresql://${host}:${port}/trading`, options).catch(
    (error: Error) => error.message,
  );
  return { refused, warned };
}

test('the start waits for a busy pooler', async () => {
  const { refused, warned } = await connectTo('53300', '57P03', '28P01');
  expect(warned).toHaveLength(1);
  expect(refused).toContain('no entry');
});

test('the start asks for a user of the pooler only where it refuses the login', async () => {
  expect((await connectTo('28P01')).refused).toContain('add it to the users of the pooler');
  const { refused } = await connectTo('08P01');
  expect(refused).toContain('no entry');
  expect(refused).not.toContain('add it to the users');
});

test('an address that has one session for all of its connections keeps it', async () => {
  const address = await listen((socket, connection, data) => {
    if (connection > 1) return; // waits for a session
    if (data[0] !== 'Q'.charCodeAt(0))
      socket.write(Buffer.concat([message('R', int32(0)), message('K', int32(7), int32(7)), ready]));
    else {
      const column = Buffer.concat([int32(0), int16(0), int32(23), int16(4), int32(-1), int16(0)]);
      const row = message('D', int16(1), int32(2), '42');
      const columns = message('T', int16(1), 'pid\0', column);
      socket.write(Buffer.concat([columns, row, message('C', 'SELECT 1\0'), ready]));
    }
  });
  expect(await keepsSession({ ...address, user: 'service', connectionTimeoutMillis: 50 })).toBe(true);
});
