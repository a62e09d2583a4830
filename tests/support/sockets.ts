/** Connections that a browser would not make: from any local address, unread, half-finished, many at once. */

import { connect, type Socket } from 'node:net';

export type RawSocket = {
  socket: Socket;
  /** All that was read so far. */
  readonly received: string;
  /** Resolves once it is closed, by whichever side. */
  closed: Promise<void>;
  isClosed: () => boolean;
};

export type SocketOptions = {
  /** Another address of the loopback network, such as 127.0.0.2. */
  from?: string;
  /** Sent at once. */
  send?: string;
  /** Reads nothing, so that the responses stay in the buffers. */
  unread?: boolean;
};

/** Connects; resolves once the connection is made, even if it is closed right after. */
export function openSocket(base: string, options: SocketOptions = {}): Promise<RawSocket> {
  const { hostname, port } = new URL(base);
  const { from, send, unread = false } = options;
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) });
    let received = '';
    let closed = false;
    const closing = new Promise<void>((done) => {
      socket.once('close', () => {
        closed = true;
        done();
      });
    });
    socket.setEncoding('latin1');
    if (unread) socket.pause();
    else
      socket.on('data', (chunk) => {
        received += chunk;
      });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // A cut connection is an expected result: it shows as closed.
      socket.on('error', () => {});
      if (send !== undefined) socket.write(send);
      resolve({
        socket,
        get received() {
          return received;
        },
        closed: closing,
        isClosed: () => closed,
      });
    });
  });
}

/** Opens the requested number, some at a time. */
export async function openSockets(base: string, count: number, options: SocketOptions = {}) {
  const opened: RawSocket[] = [];
  while (opened.length < count) {
    const some = Math.min(50, count - opened.length);
    opened.push(...(await Promise.all(Array.from({ length: some }, () => openSocket(base, options)))));
  }
  return opened;
}

/** A request as bytes. */
export const requestLine = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');

/** Returns the status of the first response on a connection of its own, or null if the connection is cut. */
export async function statusFrom(base: string, path: string, from?: string): Promise<number | null> {
  const send = requestLine(path, 'Connection: close');
  const opened = await openSocket(base, { send, ...(from && { from }) }).catch(() => null);
  await opened?.closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(opened?.received ?? '')?.[1];
  return status === undefined ? null : Number(status);
}

export function closeAll(sockets: readonly RawSocket[]): void {
  for (const { socket } of sockets) socket.destroy();
}
