import type { Server } from 'node:http';

/** How long requests in progress may take once the service stops. */
const DRAIN_MS = 25_000;

/** Stops accepting, lets requests in progress finish, and closes idle or late connections. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
