import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { listenError } from '../http/listen-error.ts';

/** Only scrapers and probes connect here. */
const REQUEST_MS = 5_000;
/** How often incomplete requests are checked: the default of Node.js is every 30 seconds. */
const CHECK_MS = 1_000;
const CONNECTIONS_MAX = 100;
/** Connections of one address: if one held all, the probes could not connect. */
const CONNECTIONS_PER_ADDRESS = 25;

export type Answered = { status: number; type: string; body: string };

/** Answers GET of these paths only. */
export async function listenForProbes(
  { host, port }: { host: string; port: number },
  paths: Readonly<Record<string, () => Promise<Answered>>>,
): Promise<{ server: Server; port: number }> {
  const handle: RequestListener = async (request, response) => {
    const answer = paths[request.url?.split('?', 1)[0] ?? ''];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // Catches here: an unhandled rejection would end the process.
    const answered = answer && isRead ? answer().catch(() => FAILED) : NOT_FOUND;
    const { status, type, body } = await answered;
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: CHECK_MS },
    handle,
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('connection', sharedByAddress());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(listenError(error, { host, port, setting: 'METRICS_PORT' })),
    );
    // A free port is exclusive, also if processes share named ones.
    server.listen({ port, host, exclusive: port === 0 }, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** Closes a connection of an address that already holds its share. */
function sharedByAddress(): (socket: Socket) => void {
  const held = new Map<string, number>();
  return (socket) => {
    const address = socket.remoteAddress ?? '';
    const before = held.get(address) ?? 0;
    if (before >= CONNECTIONS_PER_ADDRESS) return void socket.destroy();
    held.set(address, before + 1);
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left === 0) held.delete(address);
      else held.set(address, left);
    });
  };
}

export const json = (status: number, value: object): Answered => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

const FAILED = json(500, { error: 'The answer could not be made.' });
const NOT_FOUND = json(404, { error: 'There are /metrics, /health and /health/ready.' });
