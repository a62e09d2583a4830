/** A user stream connection that reconnects, against venues that fail halfway. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { keepConnected } from '../../venues/http/keep-connected.ts';

const TIMES = { probeMs: 20, silentMs: 100, retryMs: 10, retryMaxMs: 20 };
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A venue that accepts connections and frames, and never answers, not even a close. */
async function deafVenue() {
  const seen = { opened: 0, ended: 0 };
  const server = createServer();
  server.on('upgrade', (request, socket) => {
    seen.opened += 1;
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${ACCEPT_GUID}`);
    const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade'];
    socket.write(`${[...lines, `sec-websocket-accept: ${accept.digest('base64')}`].join('\r\n')}\r\n\r\n`);
    socket.on('error', () => undefined);
    socket.once('end', () => {
      seen.ended += 1;
      socket.destroy();
    });
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `ws://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

/** A venue that greets every connection with these frames. */
async function talkingVenue(...frames: readonly string[]) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const seen = { opened: 0 };
  server.on('connection', (socket) => {
    seen.opened += 1;
    for (const frame of frames) socket.send(frame);
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { seen, url: `ws://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

function hearing(url: string) {
  const heard: string[] = [];
  const receive = (text: string) => heard.push(text) > 0;
  const stream = keepConnected(() => ({ url, hello: 'hello', probe: 'probe', receive }), TIMES);
  return { heard, stop: stream.stop, [Symbol.asyncDispose]: stream.stop };
}

describe('a connection that is kept open', () => {
  test('leaves nothing behind at a venue that answers neither a probe nor an end', async () => {
    using venue = await deafVenue();
    const stream = hearing(venue.url);
    await expect.poll(() => venue.seen.opened, { timeout: 5_000 }).toBeGreaterThan(2);
    await stream.stop();
    await expect.poll(() => venue.seen.opened - venue.seen.ended).toBe(0);
  });

  test('is opened again after a frame larger than any about orders, and the frame is not reported', async () => {
    using venue = await talkingVenue('small', 'x'.repeat(2 * 1024 * 1024), 'after');
    await using stream = hearing(venue.url);
    await expect.poll(() => venue.seen.opened).toBeGreaterThan(1);
    // A first connection may end before it was heard, on a machine that is slow.
    await expect.poll(() => stream.heard).toContain('small');
    expect(new Set(stream.heard)).toEqual(new Set(['small']));
  });

  test('is not opened again after it was stopped, nor heard', async () => {
    using venue = await talkingVenue('one');
    const stream = hearing(venue.url);
    await expect.poll(() => stream.heard).toEqual(['one']);
    await stream.stop();
    const { opened } = venue.seen;
    await new Promise((resolve) => setTimeout(resolve, 5 * TIMES.retryMaxMs));
    expect(venue.seen.opened).toBe(opened);
    expect(stream.heard).toEqual(['one']);
  });
});
