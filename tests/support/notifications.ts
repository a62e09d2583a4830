import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectOk } from './api.ts';
import type { Account } from './world.ts';

export type Heard = { headers: http.IncomingHttpHeaders; body: string; path: string };

export type Receiver = {
  url: string;
  heard: Heard[];
  /** Answers from now on. */
  answer: (how: http.RequestListener) => void;
  close: () => Promise<void>;
};

/** Somebody who is told: keeps what came, in order. */
export async function openReceiver(): Promise<Receiver> {
  const heard: Heard[] = [];
  let how: http.RequestListener = (_request, response) => response.end('ok');
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push({ headers: request.headers, body, path: request.url ?? '' });
      how(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    answer: (next) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A webhook of an account; nothing is sent where nobody tells channels. */
export async function addChannel({ http: ask }: Pick<Account, 'http'>): Promise<string> {
  const wanted = { kind: 'webhook', label: 'Hook', url: 'https://hook.example.com/' };
  return (expectOk(await ask('POST', '/api/notification-channels', wanted)) as { id: string }).id;
}

/** A line of the delivery log. */
export async function addDelivery(account: Pick<Account, 'http'>): Promise<string> {
  const id = await addChannel(account);
  const { deliveryId } = expectOk(await account.http('POST', `/api/notification-channels/${id}/test`)) as {
    deliveryId: string;
  };
  return deliveryId;
}
