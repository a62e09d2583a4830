/** Sends a request to a receiver's URL: to one address, resolved and checked for this request. Reads little of the answer. */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import {
  type AddressPolicy,
  isAddressAllowed,
  urlProblem,
} from '../../../engine/notifications/allowed-address.ts';
import type { HttpRequest } from '../../../engine/notifications/channels/define-channel.ts';
import type { ReceiverAnswer } from '../../../engine/notifications/delivery-verdict.ts';

/** Timeout of a request: resolving, connecting, sending, and the start of the answer. */
export const TIMEOUT_MS = 10_000;
/** The most bytes of an answer to read: its status is needed, or a short challenge. */
export const ANSWER_BYTES_MAX = 16 * 1_024;
/** The longest time to read an answer: the next notification uses the same connection. */
const ANSWER_MS = 1_000;
const HEADER_BYTES_MAX = 16 * 1_024;

/** Returns the addresses of a host. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export const resolveByDns: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** `challenge`: the body that an answer must have; null accepts any. */
export type PostOptions = AddressPolicy & {
  readonly resolve: Resolve;
  readonly timeoutMs?: number;
  readonly challenge?: string | null;
};

/** Connections to one receiver, kept open between its notifications. */
export type ReceiverAgents = { readonly http: http.Agent; readonly https: https.Agent; close(): void };

export function openAgents(): ReceiverAgents {
  const options = { keepAlive: true, maxSockets: 1, keepAliveMsecs: 1_000 };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    ...agents,
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Sends a request by POST. Follows no redirect, and connects to the checked address, even if the name changes a moment later.
 * Never throws: an error is an answer.
 */
export async function post(
  request: HttpRequest,
  agents: ReceiverAgents,
  options: PostOptions,
): Promise<ReceiverAnswer> {
  const { resolve, timeoutMs = TIMEOUT_MS, challenge = null } = options;
  const problem = urlProblem(request.url, options);
  if (problem !== null) return { status: null, problem: `the address ${problem}` };
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const url = new URL(request.url);
    const address = await within(late, addressOf(url, resolve, options));
    if (address === null)
      return { status: null, problem: 'the name resolves to a private or special address' };
    return await send(request, { url, address, late, challenge }, agents);
  } catch (error) {
    if (late.aborted) return { status: null, problem: `no answer within ${timeoutMs / 1_000} s` };
    return { status: null, problem: problemOf(error) };
  }
}

/** Null if any of its addresses is not allowed: mixed addresses suggest an attack. */
async function addressOf(url: URL, resolve: Resolve, policy: AddressPolicy): Promise<string | null> {
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(bare) === 0 ? await resolve(bare) : [bare];
  const [first] = addresses;
  return first !== undefined && addresses.every((address) => isAddressAllowed(address, policy))
    ? first
    : null;
}

function within<Result>(late: AbortSignal, task: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(late.reason);
  late.addEventListener('abort', stop, { once: true });
  return Promise.race([task, promise]).finally(() => late.removeEventListener('abort', stop));
}

type Where = {
  readonly url: URL;
  readonly address: string;
  readonly late: AbortSignal;
  readonly challenge: string | null;
};

function send(
  { headers, body }: HttpRequest,
  { url, address, late, challenge }: Where,
  agents: ReceiverAgents,
): Promise<ReceiverAnswer> {
  const isTls = url.protocol === 'https:';
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  const shared = {
    method: 'POST',
    host: address,
    port: url.port || (isTls ? 443 : 80),
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
    maxHeaderSize: HEADER_BYTES_MAX,
    signal: late,
  };
  return new Promise((resolve, reject) => {
    const onResponse = (response: http.IncomingMessage) => {
      const [answer, text] = [answerOf(response), drain(response)];
      resolve(
        challenge === null || answer.problem !== null ? answer : text.then(provenBy(answer, challenge)),
      );
    };
    const request = isTls
      ? https.request(
          { ...shared, agent: agents.https, servername: isIP(bare) === 0 ? bare : '' },
          onResponse,
        )
      : http.request({ ...shared, agent: agents.http }, onResponse);
    request.on('error', reject);
    request.end(body);
  });
}

/** Returns the body. Reads enough for the connection to be reused; cuts the connection of a longer or endless answer. */
function drain(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => response.destroy(), ANSWER_MS);
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) response.destroy();
    else chunks.push(chunk);
  });
  return new Promise((resolve) => {
    response.on('close', () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

const provenBy =
  (answer: ReceiverAnswer, challenge: string) =>
  (text: string): ReceiverAnswer => {
    const isProof = text.trim() === challenge;
    return {
      ...answer,
      isProof,
      problem: isProof ? null : `answered ${answer.status} without the challenge`,
    };
  };

function answerOf({ statusCode = 0, headers }: http.IncomingMessage): ReceiverAnswer {
  const isFine = statusCode >= 200 && statusCode < 300;
  const isElsewhere = statusCode >= 300 && statusCode < 400;
  return {
    status: statusCode,
    problem: isFine ? null : `answered ${statusCode}${isElsewhere ? ', and redirects are not followed' : ''}`,
    pauseMs: pauseOf(headers['retry-after']),
  };
}

/** The pause that `Retry-After` demands, in seconds or as a date. */
function pauseOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : undefined;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name does not exist',
  EAI_AGAIN: 'its name cannot be resolved now',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return PROBLEMS[code] ?? (code === '' ? 'it could not be sent' : `it could not be sent (${code})`);
}
