/** Requests that come as messages. The handlers of any request answer them, over a connection in memory. */
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { duplexPair } from 'node:stream';
import getRawBody from 'raw-body';
import { ANSWER_HEADERS, RequestMessage } from '../../openapi/request-messages.ts';
import { matchRoute } from '../../openapi/routes.ts';
import { validationFailed } from '../../routers/errors.ts';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { pathOf } from './requests.ts';

/** Headers of the handshake that each request gets: who calls, and from where. */
const HANDSHAKE_HEADERS = ['authorization', 'host', 'x-forwarded-for'] as const;

type Input = RequestMessage & { text: string };

/** Tells why a message is no request of an operation. */
export class UnreadableMessage extends Error {}

/**
 * Answers one message by another.
 *
 * @throws UnreadableMessage for a message that asks for nothing that can be answered so
 * @throws Error where a connection would be cut without an answer, or the answer is too large
 */
export type AnswerMessage = (message: string, signal: AbortSignal) => Promise<string>;

/** Returns how the messages of a caller are answered, whose handshake has its credentials and address. */
export function answeringMessages(handle: RequestListener): (handshake: IncomingMessage) => AnswerMessage {
  const server = createServer(handle);
  return ({ headers, socket: { remoteAddress } }) => {
    const caller = HANDSHAKE_HEADERS.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]] as const],
    );
    return async (message, signal) => {
      const input = readRequest(message);
      const connection = connect(server, remoteAddress);
      const ended = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUTS.stalledMs)]);
      const response = await send(input, { connection, caller: Object.fromEntries(caller), signal: ended });
      const body = await getRawBody(response, { limit: CAPACITY.webSocketAnswerBytes, encoding: 'utf8' });
      return answerOf(input, response, body);
    };
  };
}

/** The request and the text of its body, whose numbers the operation reads as they were sent. */
function readRequest(message: string): Input {
  const { success, data, error } = RequestMessage.safeParse(parse(message));
  if (!success) throw new UnreadableMessage(validationFailed(error).message);
  const route = matchRoute(data.method, pathOf(data.path));
  if (!route) throw new UnreadableMessage('There is no such operation: see /openapi.json.');
  if (route.promises.file !== null)
    throw new UnreadableMessage('Streams and downloads are answered over HTTP only.');
  return { ...data, text: data.body === undefined ? '' : bodyTextOf(message) };
}

function parse(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    throw new UnreadableMessage('The message is not valid JSON.');
  }
}

/** The text of the field `body` of an object, in valid JSON. */
function bodyTextOf(message: string): string {
  let [depth, key, from] = [0, '', 0];
  for (let at = 0; at < message.length; at++) {
    const character = message[at] ?? '';
    const isTop = depth === 1;
    if (character === '"') {
      const begin = at;
      at = endOfString(message, begin);
      if (isTop) key = message.slice(begin, at + 1);
    } else if (isTop && from > 0 && ',}'.includes(character)) return message.slice(from, at);
    else if (isTop && from === 0 && character === ':' && JSON.parse(key) === 'body') from = at + 1;
    else if ('{['.includes(character)) depth++;
    else if ('}]'.includes(character)) depth--;
  }
  return '';
}

function endOfString(json: string, begin: number): number {
  let at = begin + 1;
  for (; json[at] !== '"'; at++) if (json[at] === '\\') at++;
  return at;
}

/** Opens a connection that the server reads as any other; the returned side is the caller's. */
function connect(server: ReturnType<typeof createServer>, remoteAddress: string | undefined) {
  const [ours, theirs] = duplexPair();
  const connection = Object.assign(theirs, { remoteAddress, bytesWritten: 0 });
  ours.on('data', (chunk: Buffer) => {
    connection.bytesWritten += chunk.length;
  });
  ours.once('close', () => theirs.destroy());
  server.emit('connection', connection);
  return ours;
}

type Sender = {
  connection: ReturnType<typeof connect>;
  caller: IncomingMessage['headers'];
  signal: AbortSignal;
};

function send(
  { method, path, headers, text }: Input,
  { connection, caller, signal }: Sender,
): Promise<IncomingMessage> {
  const ofBody = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    request({
      createConnection: () => connection,
      method,
      path,
      headers: { ...caller, ...headers, ...(text !== '' && ofBody) },
      signal,
    })
      .once('response', resolve)
      .once('error', reject)
      .end(text);
  });
}

function answerOf(
  { id }: RequestMessage,
  { statusCode: status, headers }: IncomingMessage,
  body: string,
): string {
  const answered = ANSWER_HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? [] : [[name, value]];
  });
  const head = JSON.stringify({ id, status, headers: Object.fromEntries(answered) });
  return `{"event":"answer","data":${head.slice(0, -1)},"body":${body || 'null'}}}`;
}
