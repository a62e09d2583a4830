/**
 * One HTTP request that leaves exactly once, for requests that move money. The built-in `fetch` repeats a request, POSTs
 * included, if a server answers 421. `node:http` retries nothing and follows no redirect.
 */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { readJson } from './body.ts';

/** The stable code and the message for an order that may no longer leave. */
export type WithholdReason = { readonly code: string; readonly reason: string };

/**
 * Checks once more whether an order may leave: null if so. A broker calls it after every wait, right before the first byte. If
 * it throws, the broker withholds the request.
 */
export type MayLeave = () => Promise<WithholdReason | null>;

/** The request has not left, so its outcome is certain. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent';
}

/** `mayLeave` forbade the request, or failed. */
export class Withheld extends NotSent {
  override readonly name = 'Withheld';
  readonly why: WithholdReason;
  constructor(why: WithholdReason, cause?: unknown) {
    super(why.reason, { cause });
    this.why = why;
  }
}

/** Interprets a failed placement: a withheld request is an answer, any other error is thrown again. */
export function withheldBy(error: unknown): { readonly kind: 'withheld' } & WithholdReason {
  if (error instanceof Withheld) return { kind: 'withheld', ...error.why };
  throw error;
}

/** Headers of every request to a venue. */
export const REQUEST_HEADERS = { accept: 'application/json', 'user-agent': 'trading-strategy-service/1.0' };

export type OnceRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes of the body, if any. */
  readonly body?: string;
  /** Ends the wait; a request that was sent cannot be recalled. */
  readonly signal: AbortSignal;
  /** Called once connected, right before the first byte; default: the request may leave. */
  readonly mayLeave?: MayLeave | undefined;
};

export type OnceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON of the body; undefined if it is none, truncated or too large. */
  readonly body: unknown;
};

/**
 * Sends the request and returns the answer. Throws a {@link Withheld} if `mayLeave` forbade the request. Any other error is no
 * evidence whether the request arrived.
 */
export async function sendOnce(request: OnceRequest): Promise<OnceAnswer> {
  const response = await exchange(request);
  const body = await readJson(response).catch(() => undefined);
  return { status: response.status, headers: response.headers, body };
}

function exchange({ method, url, headers, body, signal, mayLeave }: OnceRequest): Promise<Response> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = send(
      url,
      { method, headers: { ...REQUEST_HEADERS, ...headers, ...length }, signal },
      (message) => {
        const { statusCode = 0, rawHeaders } = message;
        try {
          resolve(responseOf(message, statusCode, rawHeaders));
        } catch (error) {
          message.destroy();
          reject(error);
        }
      },
    );
    sent.on('error', reject);
    const sendBody = () => void sent.end(body);
    if (mayLeave === undefined) return sendBody();
    const withhold = (error: unknown) => {
      reject(error);
      sent.destroy();
    };
    onceConnected(sent, url, () => assertMayLeave(mayLeave).then(sendBody, withhold));
  });
}

/** Calls back as soon as a byte could be written: connecting is a wait, too. */
function onceConnected(sent: ClientRequest, { protocol }: URL, then: () => void): void {
  sent.once('socket', (socket) => {
    if (sent.reusedSocket) then();
    else socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', then);
  });
}

async function assertMayLeave(mayLeave: MayLeave): Promise<void> {
  const why = await mayLeave().catch((cause: unknown) => {
    throw new Withheld(UNREADABLE, cause);
  });
  if (why !== null) throw new Withheld(why);
}

const UNREADABLE: WithholdReason = {
  code: 'brakes_unreadable',
  reason: 'Not sent: the check whether it may still leave failed.',
};

/** A `Response` has a body only with a status that allows one, and no status below 200. */
function responseOf(message: Readable, status: number, rawHeaders: readonly string[]): Response {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  if (![204, 205, 304].includes(status)) {
    return new Response(Readable.toWeb(message) as ReadableStream, { status, headers });
  }
  message.resume();
  return new Response(null, { status, headers });
}
