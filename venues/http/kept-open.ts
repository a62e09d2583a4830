/**
 * A connection to a venue's user stream that comes back after every end. One that is open and dead is found by asking the venue
 * something, and is torn down: a venue that does not answer would not answer the end of it either.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

export type StreamTimes = {
  /** How often the venue is asked whether it is still there. */
  readonly probeMs: number;
  /** Without a frame for so long the connection counts as dead. */
  readonly silentMs: number;
  /** Before the first attempt to connect again; it doubles up to the most. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
};

/** What is said and heard on one connection. */
export type StreamProtocol = {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The first frame. It may hold a secret, and is never logged. */
  readonly hello: string;
  /** What the venue answers if it is still there. */
  readonly probe: string;
  readonly opened?: () => void;
  /** Hears a frame; whether the venue has let us in by then. */
  readonly hear: (text: string) => boolean;
};

/** No frame about the orders of one account is larger; a connection on which one comes is ended before it is read whole. */
const FRAME_MAX_BYTES = 1024 * 1024;

/** `protocolOf` is called for each connection: a signature names its moment. Nothing is heard after `stop` has begun. */
export function keepOpen(protocolOf: () => StreamProtocol, times: StreamTimes): { stop(): Promise<void> } {
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
    const wasLetIn = await connect(protocolOf(), times, signal);
    if (wasLetIn) waitMs = retryMs;
    // Many connections that come again at once would be refused together.
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** One connection, until it ends; whether the venue let us in. */
async function connect(
  { url, headers, hello, probe, opened, hear }: StreamProtocol,
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
  let isIn = false;
  // Who answers and yet does not let us in would tell nothing: that is silence, too.
  let heardAtMs = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - heardAtMs > silentMs) end();
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
    isIn = hear(String(data));
    if (isIn) heardAtMs = performance.now();
  });
  socket.on('error', end);
  socket.on('close', end);
  await ended;
  isOver = true;
  signal.removeEventListener('abort', abort);
  clearInterval(timer);
  socket.terminate();
  return isIn;
}
