import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { drain } from '../../server/process/drain.ts';

let server: Server;

async function open(): Promise<number> {
  server = createServer((_request, response) => void response.end('served')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

afterEach(() => server.closeAllConnections());

const requestOver = (port: number, connection: 'close' | 'keep-alive') => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET / HTTP/1.1\r\nHost: here\r\nConnection: ${connection}\r\n\r\n`);
  return socket;
};

test('a request that arrives in the moment of the stop is answered, not cut', async () => {
  const port = await open();
  const drained = new Promise<void>((resolve) => {
    server.once('connection', () => void drain(server).then(resolve));
  });
  expect(await text(requestOver(port, 'close'))).toContain('served');
  await drained;
});

test('a connection that keeps alive after its answer does not hold the stop', async () => {
  const port = await open();
  const socket = requestOver(port, 'keep-alive');
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await drain(server);
  await closed;
});
