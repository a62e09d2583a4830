/**
 * One HTTP request that leaves exactly once, for what moves money. The built-in `fetch` sends a request again, POSTs
 * included, where a server answers 421; `node:http` repeats nothing and follows nothing.
 */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { readJson } from './body.ts';

/** The stable code and the words for an order that must not leave any more. */
export type WhyWithheld = { readonly code: string; readonly reason: string };

/**
 * Asks once more whether an order may leave: null if so. A broker calls it after every wait, right before the first byte. Where
 * it throws, the broker withholds the request.
 */
export type MayLeave = () => Promise<WhyWithheld | null>;

/** The request has not left, so its outcome is certain. */
export class NotSent extends Error {
  override readonly name: string = 'NotSent';
}

/** The caller's last question was answered with no, or failed. */
export class Withheld extends NotSent {
  override readonly name = 'Withheld';
  readonly why: WhyWithheld;
  constructor(why: WhyWithheld, cause?: unknown) {
    super(why.reason, { cause });
    this.why = why;
  }
}

/** Reads a failed placement: a withheld request is an answer, everything else is thrown again. */
export function withheldBy(error: unknown): { readonly kind: 'withheld' } & WhyWithheld {
  if (error instanceof Withheld) return { kind: 'withheld', ...error.why };
  throw error;
}

/** What every request to a venue says of itself. */
export const HEADERS = { accept: 'application/json', 'user-agent': 'trading-strategy-service/1.0' };

export type OnceRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly these bytes, where there are any. */
  readonly body?: string;
  /** Ends the wait; what was sent is sent. */
  readonly signal: AbortSignal;
  /** Asked once connected, right before the first byte; default: it may. */
  readonly mayLeave?: MayLeave | undefined;
};

export type OnceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the body; undefined where it is none, is cut short or is too large. */
  readonly body: unknown;
};

/**
 * Sends and answers. Throws a {@link Withheld} where `mayLeave` forbade the request; whatever else is thrown says nothing about
 * whether the request arrived.
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
    const sent = send(url, { method, headers: { ...HEADERS, ...headers, ...length }, signal }, (message) => {
      const { statusCode = 0, rawHeaders } = message;
      try {
        resolve(responseOf(message, statusCode, rawHeaders));
      } catch (error) {
        message.destroy();
        reject(error);
      }
    });
    sent.on('error', reject);
    const leave = () => void sent.end(body);
    if (mayLeave === undefined) return leave();
    const withhold = (error: unknown) => {
      reject(error);
      sent.destroy();
    };
    onceConnected(sent, url, () => assertMayLeave(mayLeave).then(leave, withhold));
  });
}

/** Calls back as soon as a byte could be written: the time to connect is a wait too. */
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

const UNREADABLE: WhyWithheld = {
  code: 'brakes_unreadable',
  reason: 'It was not sent: whether it still may leave could not be read.',
};

/** A `Response` has a body only where its status allows one, and no status below 200. */
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
