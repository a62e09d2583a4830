import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Db } from '../../db/tables.ts';
import { NOTIFICATION_KINDS, type Switches } from '../../engine/notifications/kinds.ts';
import { expectOk } from './api.ts';
import type { Account } from './world.ts';

/** Switches for a channel that gets messages of strategies and none that the service raises. */
export const STRATEGY_MESSAGES_ONLY: Switches = Object.fromEntries(
  NOTIFICATION_KINDS.map((kind) => [kind, kind === 'blueprint.said' ? 'on' : 'off']),
);

export type ReceivedDelivery = {
  headers: http.IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
  path: string;
};

export type Receiver = {
  url: string;
  deliveries: ReceivedDelivery[];
  /** Sets the response from now on; the first again, without one. */
  answer: (how?: http.RequestListener) => void;
  close: () => Promise<void>;
};

/** The challenge of a test; `ok` for other messages, some of them encrypted. */
const answerTo = (body: string): string => /"challenge":"([\w-]+)"/.exec(body)?.[1] ?? 'ok';

/** A webhook receiver that stores deliveries in order, and proves itself. */
export async function openReceiver(): Promise<Receiver> {
  const deliveries: ReceivedDelivery[] = [];
  const prove: http.RequestListener = (_request, response) =>
    response.end(answerTo(deliveries.at(-1)?.body ?? ''));
  let how = prove;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      deliveries.push({ headers: request.headers, body: bytes.toString(), bytes, path: request.url ?? '' });
      how(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    answer: (next = prove) => {
      how = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export type MailServer = {
  url: string;
  /** Messages as they came over the wire. */
  mails: string[];
  close: () => Promise<void>;
};

/** A real mail server that accepts everything. */
export async function openMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A webhook of an account; without a notifier process, nothing is sent to it. */
export async function addChannel({ http: ask }: Pick<Account, 'http'>): Promise<string> {
  const wanted = { kind: 'webhook', label: 'Hook', url: 'https://hook.example.com/' };
  return (expectOk(await ask('POST', '/api/notification-channels', wanted)) as { id: string }).id;
}

/** Marks a webhook as one that answered its challenge. */
export const proveChannel = async (db: Db, id: string): Promise<void> =>
  void (await db.updateTable('notification_channel').set({ is_proven: true }).where('id', '=', id).execute());

/** A row of the delivery log. */
export async function addDelivery(account: Pick<Account, 'http'>): Promise<string> {
  const id = await addChannel(account);
  const { deliveryId } = expectOk(await account.http('POST', `/api/notification-channels/${id}/test`)) as {
    deliveryId: string;
  };
  return deliveryId;
}
