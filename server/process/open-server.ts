import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { listenError } from '../http/listen-error.ts';
import { createBoundedServer } from '../http-kit/connections.ts';
import { withReadableTarget } from '../http-kit/requests.ts';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Readiness } from '../kernel/readiness.ts';

/** Answers during the stop carry `Connection: close`, so that clients move elsewhere before the connection is cut. */
export function openServer(app: Express, readiness: Readiness, log: Logger): Server {
  const handle: RequestListener = (request, response) => {
    if (readiness.isStopping) response.setHeader('Connection', 'close');
    app(request, response);
  };
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return createBoundedServer(withReadableTarget(handle), {
    isProxy: (address) => isTrusted(address, 0),
    log,
  });
}

export function listen(server: Server, { host, port }: Config): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, { host, port })));
    server.listen(port, host, () => resolve({ host, port: (server.address() as AddressInfo).port }));
  });
}
