import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';

/** How long requests in progress may take once the service stops. */
const DRAIN_MS = 25_000;
/** How often connections that wait for another request are closed. */
const CLOSE_IDLE_EVERY_MS = 100;

/** Stops accepting, lets requests in progress finish, and closes idle or late connections. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  // The `close` of an HTTP server also cuts accepted connections whose first request has not been read yet.
  const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  // After a turn's reads: what has arrived by then is a request in progress, and its connection is not idle.
  const closeIdle = () => setImmediate(() => server.closeIdleConnections());
  const idle = setInterval(closeIdle, CLOSE_IDLE_EVERY_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
