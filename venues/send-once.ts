/**
 * One HTTP request that leaves exactly once, for what moves money. The built-in `fetch` sends a request again, POSTs
 * included, where a server answers 421; `node:http` repeats nothing and follows nothing.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { readJson } from './body.ts';

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
};

export type OnceAnswer = {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the body; undefined where it is none, is cut short or is too large. */
  readonly body: unknown;
};

/** What came back. Throws where nothing did, which says nothing about whether the request arrived. */
export async function sendOnce(request: OnceRequest): Promise<OnceAnswer> {
  const response = await exchange(request);
  const body = await readJson(response).catch(() => undefined);
  return { status: response.status, headers: response.headers, body };
}

function exchange({ method, url, headers, body, signal }: OnceRequest): Promise<Response> {
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
    sent.end(body);
  });
}

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
