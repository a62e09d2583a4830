/** Requests that come as messages. Handlers of any request answer them, over a connection in memory. */
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DomainError } from '../../engine/platform/errors.ts';
import { newId } from '../../engine/platform/ids.ts';
import { ANSWER_HEADERS, type Answer, Call } from '../../openapi/calls.ts';
import { matchRoute } from '../../openapi/routes.ts';
import { errorBody, routeNotFound, statusOf, validationFailed } from '../../routers/errors.ts';
import { pathOf } from './requests.ts';

const { rawJSON } = JSON as typeof JSON & {
  /** A value that is written as this text. */
  rawJSON: (text: string) => object;
};

/** Headers of the handshake that each call gets: who calls, and from where. */
const HANDSHAKE_HEADERS = [
  'authorization',
  'forwarded',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
] as const;

/**
 * Answers one message; `isCounted` if the limits of its caller counted it.
 *
 * @throws Error if a connection would be cut without an answer
 */
export type AnswerMessage = (
  message: string,
  signal: AbortSignal,
) => Promise<{ answer: string; isCounted: boolean }>;

/** Returns what answers the messages of a caller, whose handshake has its credentials and address. */
export function answeringCalls(handle: RequestListener): (handshake: IncomingMessage) => AnswerMessage {
  const server = createServer(handle);
  return ({ headers, socket: { remoteAddress } }) => {
    const kept = Object.fromEntries(
      HANDSHAKE_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    );
    return async (message, signal) => {
      const read = readCall(message);
      if (read.refusal) return { answer: writtenRefusal(read), isCounted: false };
      const { answer, body } = await answerOf(server, read.call, { headers: kept, remoteAddress, signal });
      return { answer: written(answer, body), isCounted: true };
    };
  };
}

type Read = { refusal: null; call: Call } | { refusal: DomainError; call: string | null };

/** Numbers stay as they were sent: the operation reads them. */
function readCall(message: string): Read {
  let value: unknown;
  try {
    value = JSON.parse(message, (_key, part, context?: { source?: string }) =>
      typeof part === 'number' && context?.source !== undefined ? rawJSON(context.source) : part,
    );
  } catch {
    const refusal = new DomainError('malformed_json', 'The message is not valid JSON.');
    return { refusal, call: null };
  }
  const { success, data, error } = Call.safeParse(value);
  const name = Call.pick({ call: true }).strip().safeParse(value).data?.call ?? null;
  if (!success) return { refusal: validationFailed(error), call: name };
  const route = matchRoute(data.method, pathOf(data.path));
  if (route?.promises.file !== null) return { refusal: routeNotFound(), call: name };
  return { refusal: null, call: data };
}

type Caller = {
  headers: IncomingMessage['headers'];
  remoteAddress: string | undefined;
  signal: AbortSignal;
};

async function answerOf(
  server: ReturnType<typeof createServer>,
  { call, method, path, headers, body }: Call,
  caller: Caller,
): Promise<{ answer: Omit<Answer, 'body'>; body: string }> {
  const [ours, theirs] = duplexPair();
  const connection = Object.assign(theirs, { remoteAddress: caller.remoteAddress, bytesWritten: 0 });
  ours.on('data', (chunk: Buffer) => {
    connection.bytesWritten += chunk.length;
  });
  server.emit('connection', connection);
  const sent = body === undefined ? '' : JSON.stringify(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({
      createConnection: () => ours,
      method,
      path,
      headers: {
        ...caller.headers,
        ...headers,
        ...(sent !== '' && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) }),
      },
      signal: caller.signal,
    })
      .once('response', resolve)
      .once('error', reject)
      .end(sent);
  });
  const answered = ANSWER_HEADERS.flatMap((name) => {
    const value = response.headers[name.toLowerCase()];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    answer: { call, status: response.statusCode ?? 0, headers: Object.fromEntries(answered) },
    body: await text(response),
  };
}

function writtenRefusal({ refusal, call }: { refusal: DomainError; call: string | null }): string {
  const requestId = newId();
  const answer = { call, status: statusOf(refusal), headers: { 'X-Request-Id': requestId } };
  return written(answer, JSON.stringify(errorBody(refusal, requestId)));
}

const written = (answer: Omit<Answer, 'body'>, body: string): string =>
  `{"event":"answer","data":{${JSON.stringify(answer).slice(1, -1)},"body":${body || 'null'}}}`;
