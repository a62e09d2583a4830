/**
 * Event streams over WebSocket. The handshake passes through the handlers of any request. So limits, credentials, refusals and the end
 * of a stream are those of HTTP. Each block of the stream is one message. Messages of the caller are requests.
 */
import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SendMessages } from '../../openapi/facade.ts';
import { matchRoute } from '../../openapi/routes.ts';
import { CAPACITY, TIMEOUTS } from '../kernel/capacity.ts';
import { type AnswerMessage, answeringCalls } from './calls.ts';
import { contextOf, pathOf } from './requests.ts';

const SEND = Symbol('send messages');
type Handshake = IncomingMessage & { [SEND]?: SendMessages };

const DONE = 1000;

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
 * Answers handshakes as requests that `handle` gets, and messages as requests that `handleCall` gets. A cookie does not count: a browser sends it with the handshake of any page. A refused handshake is answered
 * as over HTTP, and closes the connection. Node.js no longer watches the socket: without progress it is cut here.
 */
export function answerHandshakes(handle: RequestListener, handleCall: RequestListener) {
  const callsOf = answeringCalls(handleCall);
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
          sendAll(webSocket, stream, callsOf(request)).then(resolve, reject);
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

/** Sends as fast as the caller reads: at most one unsent block and one unsent answer are in memory. Answers one message at a time. */
async function sendAll(
  webSocket: WebSocket,
  stream: AsyncIterable<string | Uint8Array>,
  answerMessage: AnswerMessage,
): Promise<void> {
  const over = new AbortController();
  let frames = 0;
  let waiting = 0;
  let answered = Promise.resolve();
  const count = () => {
    if (++frames > CAPACITY.webSocketFrames) webSocket.terminate();
  };
  const answer = async (message: string) => {
    if (over.signal.aborted) return;
    const { answer, isCounted } = await answerMessage(message, over.signal);
    if (isCounted) frames = 0;
    await send(webSocket, answer);
    waiting--;
  };
  // The library closes the connection of a frame that it cannot read.
  webSocket.on('error', () => {}).once('close', () => over.abort());
  webSocket.on('ping', count).on('pong', count).on('message', count);
  webSocket.on('message', (data) => {
    if (++waiting > CAPACITY.requestsPerConnection) return webSocket.terminate();
    const message = String(data);
    answered = answered.then(() => answer(message)).catch(() => webSocket.terminate());
  });
  for await (const chunk of stream) {
    for (const message of messagesIn(String(chunk))) {
      if (!(await send(webSocket, message))) return;
    }
    frames = 0;
  }
  webSocket.removeAllListeners('message').on('message', count);
  await answered;
  webSocket.close(DONE);
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
