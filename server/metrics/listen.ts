import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '../listen-error.ts';

/** Nobody but a scraper and a probe comes here. */
const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 50;

export type Answered = { status: number; type: string; body: string };

/** Answers GET of these paths, and nothing else. */
export async function listenForProbes(
  { host, port }: { host: string; port: number },
  paths: Readonly<Record<string, () => Promise<Answered>>>,
): Promise<{ server: Server; port: number }> {
  const handle: RequestListener = async (request, response) => {
    const answer = paths[request.url?.replace(/\?.*$/, '') ?? ''];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { status, type, body } = answer && isRead ? await answer() : NOT_FOUND;
    response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, handle);
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(listenError(error, { host, port, setting: 'METRICS_PORT' })),
    );
    server.listen(port, host, resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}

export const json = (status: number, value: object): Answered => ({
  status,
  type: 'application/json',
  body: `${JSON.stringify(value)}\n`,
});

const NOT_FOUND = json(404, { error: 'There are /metrics, /health and /health/ready.' });
