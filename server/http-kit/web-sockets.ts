/**
 * Event streams over WebSocket. The handshake passes through the handlers of any request. So limits, credentials, refusals and the end
 * of a stream are those of HTTP. Each block of the stream is one message. Messages of the caller are requests.
 */
import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { isTooLarge } from '../../openapi/body.ts';
import type { SendMessages } from '../../openapi/facade.ts';
import { matchRoute } from '../../openapi/routes.ts';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { type AnswerMessage, answeringMessages, UnreadableMessage } from './answer-messages.ts';
import { contextOf, pathOf } from './requests.ts';

const SEND = Symbol('send messages');
type Handshake = IncomingMessage & { [SEND]?: SendMessages };

const CLOSE = { done: 1000, binary: 1003, unreadable: 1008, tooLarge: 1009 } as const;
/** Characters that the frame of a close has for its reason, in ASCII. */
const REASON_LENGTH_MAX = 123;
const TOO_LARGE = 'The answer is too large: ask for less, or over HTTP.';

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  maxPayload: CAPACITY.webSocketFrameBytes,
});

/** Whether a request asks for an event stream over WebSocket. Other requests with `Upgrade` are answered as if it were absent. */
export const isStreamHandshake = ({ method = '', url = '/', headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  matchRoute(method, pathOf(url))?.promises.file?.media === 'text/event-stream';

/** Returns how the answer to a handshake is sent; null for other requests. */
export const messagesOf = (request: Handshake): SendMessages | null => request[SEND] ?? null;

/**
 * Answers handshakes as requests to `handle`, and messages as requests to `handleMessage`. A cookie does not count: a browser
 * sends it with the handshake of any page. A refused handshake is answered as over HTTP, and closes the connection. Node.js no
 * longer watches the socket: without progress it is cut here.
 */
export function answerHandshakes(handle: RequestListener, handleMessage: RequestListener) {
  const answersTo = answeringMessages(handleMessage);
  return (request: Handshake, socket: Socket, head: Buffer): void => {
    delete request.headers.cookie;
    socket.on('error', () => socket.destroy()).on('timeout', () => socket.destroy());
    socket.setTimeout(TIMEOUTS.stalledMs);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    request[SEND] = (stream) =>
      new Promise((resolve, reject) => {
        server.handleUpgrade(request, socket, head, (webSocket) => {
          response.statusCode = 101;
          socket.setTimeout(TIMEOUTS.stalledMs);
          sendAll(webSocket, stream, answersTo(request)).then(resolve, reject);
        });
      });
    handle(request, response);
  };
}

const REPLY_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
server.on('headers', (lines, request) => {
  const { response } = contextOf(request);
  for (const name of REPLY_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) lines.push(`${name}: ${value}`);
  }
});

/** Sends as fast as the caller reads: at most one unsent block and one unsent answer are in memory. */
async function sendAll(
  webSocket: WebSocket,
  stream: AsyncIterable<string | Uint8Array>,
  answer: AnswerMessage,
): Promise<void> {
  let frames = 0;
  const count = () => {
    if (++frames > CAPACITY.webSocketFrames) webSocket.terminate();
  };
  // The library closes the connection of a frame that it cannot read.
  webSocket.on('error', () => {});
  webSocket.on('ping', count).on('pong', count).on('message', count);
  const requests = answerInTurn(webSocket, answer, () => {
    frames = 0;
  });
  for await (const chunk of stream) {
    for (const message of messagesIn(String(chunk))) {
      if (!(await send(webSocket, message))) return;
    }
    frames = 0;
  }
  await requests.end();
  close(webSocket, CLOSE.done);
}

/** Answers the messages of the caller one after another. Past the capacity of a connection it is cut. */
function answerInTurn(webSocket: WebSocket, answer: AnswerMessage, onAnswer: () => void) {
  const closed = new AbortController();
  let unanswered = 0;
  let answered = Promise.resolve();
  const answerOne = async (message: string) => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    const text = await answer(message, closed.signal);
    onAnswer();
    unanswered--;
    await send(webSocket, text);
  };
  const take = (data: RawData, isBinary: boolean) => {
    if (webSocket.readyState !== webSocket.OPEN) return;
    if (isBinary) return close(webSocket, CLOSE.binary, 'Send text.');
    if (++unanswered > CAPACITY.requestsPerConnection) return webSocket.terminate();
    const message = String(data);
    answered = answered.then(() => answerOne(message)).catch((error: unknown) => giveUp(webSocket, error));
  };
  webSocket.once('close', () => closed.abort()).on('message', take);
  return {
    end: () => {
      webSocket.off('message', take);
      return answered;
    },
  };
}

function giveUp(webSocket: WebSocket, error: unknown): void {
  if (error instanceof UnreadableMessage) close(webSocket, CLOSE.unreadable, error.message);
  else if (isTooLarge(error)) close(webSocket, CLOSE.tooLarge, TOO_LARGE);
  else webSocket.terminate();
}

function close(webSocket: WebSocket, code: number, reason = ''): void {
  webSocket.close(code, reason.replaceAll(/[^ -~]/g, '?').slice(0, REASON_LENGTH_MAX));
  setTimeout(() => webSocket.terminate(), TIMEOUTS.closeMs).unref();
}

/**
 * Sends a message, or a ping for one without fields; returns whether it was sent. Cuts the connection of a caller that does not read
 * it in time.
 */
function send(webSocket: WebSocket, message: string): Promise<boolean> {
  if (webSocket.readyState !== webSocket.OPEN) return Promise.resolve(false);
  return new Promise((resolve) => {
    const late = setTimeout(() => webSocket.terminate(), TIMEOUTS.stalledMs);
    const sent = (error?: Error | null) => {
      clearTimeout(late);
      resolve(!error);
    };
    if (message === '{}') webSocket.ping('', false, sent);
    else webSocket.send(message, sent);
  });
}

/** Each block of a stream as JSON, such as `{"id":"42","event":"order.changed","data":{…}}`. A comment is `{}`: sent as a ping. */
function messagesIn(blocks: string): string[] {
  return blocks
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const fields = [...block.matchAll(/^(id|event|data): (.*)$/gm)].map(
        ([, name, value = '']) => `"${name}":${name === 'data' ? value : JSON.stringify(value)}`,
      );
      return `{${fields.join(',')}}`;
    });
}
