/**
 * A connection to a venue's user stream that reconnects after every end. Probes find a connection that is open and dead. Such a
 * connection is torn down: its venue would not answer a close frame either.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

export type StreamTimes = {
  /** Interval of probes. */
  readonly probeMs: number;
  /** A connection without a frame for this long counts as dead. */
  readonly silentMs: number;
  /** The delay before the first reconnect; it doubles up to the maximum. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
};

/** The frames of one connection. */
export type StreamProtocol = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The first frame. It may hold a secret, and is never logged. */
  readonly hello: string;
  /** A frame that a living venue answers. */
  readonly probe: string;
  readonly opened?: () => void;
  /** Receives a frame; returns whether the venue has accepted the sign-in by then. */
  readonly receive: (text: string) => boolean;
};

/** No frame about the orders of one account is larger. A larger frame ends the connection before it is read completely. */
const FRAME_MAX_BYTES = 1024 * 1024;

/** Calls `protocolOf` for each connection, because a signature names its moment. Reports no frame after `stop` has begun. */
export function keepConnected(
  protocolOf: () => StreamProtocol,
  times: StreamTimes,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = run(protocolOf, times, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function run(protocolOf: () => StreamProtocol, times: StreamTimes, signal: AbortSignal): Promise<void> {
  const { retryMs, retryMaxMs } = times;
  for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
    const wasAccepted = await connect(protocolOf(), times, signal);
    if (wasAccepted) waitMs = retryMs;
    // Without jitter, many clients that reconnect at once would be refused together.
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Runs one connection until it ends; returns whether the venue accepted the sign-in. */
async function connect(
  { url, headers, hello, probe, opened, receive }: StreamProtocol,
  { probeMs, silentMs }: StreamTimes,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = new WebSocket(url, {
    ...(headers !== undefined && { headers }),
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
  });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isOver = false;
  let isAccepted = false;
  // A venue that answers but does not accept the sign-in would report nothing: this counts as silence, too.
  let lastFrameAtMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastFrameAtMs > silentMs) end();
    else if (socket.readyState === WebSocket.OPEN) socket.send(probe);
  }, probeMs);
  const abort = () => end();
  signal.addEventListener('abort', abort);
  socket.on('open', () => {
    socket.send(hello);
    opened?.();
  });
  socket.on('message', (data) => {
    if (isOver || signal.aborted) return;
    isAccepted = receive(String(data));
    if (isAccepted) lastFrameAtMs = performance.now();
  });
  socket.on('error', end);
  socket.on('close', end);
  await ended;
  isOver = true;
  signal.removeEventListener('abort', abort);
  clearInterval(timer);
  socket.terminate();
  return isAccepted;
}
