/**
 * Kalshi's user stream: one's orders and fills as they happen. It has neither sequence numbers nor a replay, so every time it is
 * opened is the end of a gap. A connection that is open and dead is found by asking it what it is subscribed to.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VenueEvent } from '../../broker.ts';
import { SECOND_MS } from '../../time.ts';
import { eventOf } from './answer.ts';
import type { CallsOptions } from './calls.ts';
import { STREAM_PATH } from './sign.ts';

export type StreamTimes = {
  /** How often the venue is asked whether it is still there. */
  readonly probeMs: number;
  /** Without a frame for so long the connection counts as dead. */
  readonly silentMs: number;
  /** Before the first attempt to connect again; it doubles up to the most. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
};

const TIMES: StreamTimes = {
  probeMs: 5 * SECOND_MS,
  silentMs: 15 * SECOND_MS,
  retryMs: 250,
  retryMaxMs: 15 * SECOND_MS,
};

const SUBSCRIBE = 1;
const PROBE = 2;
const CHANNELS = ['user_orders', 'fill', 'market_positions'];
/** Each channel is confirmed by a frame of its own. */
const CONFIRMED = /"type": ?"subscribed"/;

type Options = Pick<CallsOptions, 'signer' | 'hosts' | 'now'> & { readonly streamTimes?: StreamTimes };

export function openStream(options: Options, on: (event: VenueEvent) => void): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = keepOpen(options, on, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

async function keepOpen(
  options: Options,
  on: (event: VenueEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { retryMs, retryMaxMs } = options.streamTimes ?? TIMES;
  for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
    const wasHeard = await listen(options, on, signal);
    if (wasHeard) waitMs = retryMs;
    // Many connections that come again at once would be refused together.
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** One connection, until it ends; whether it was subscribed. */
async function listen(
  options: Options,
  on: (event: VenueEvent) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const { signer, hosts, now, streamTimes: times = TIMES } = options;
  const headers = { ...signer.headers('GET', STREAM_PATH, now()) };
  const socket = new WebSocket(`${hosts.stream}${STREAM_PATH}`, { headers });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  let subscribed = 0;
  const openedAtMs = performance.now();
  let heardAtMs = openedAtMs;
  let isOver = false;
  const probe = setInterval(() => {
    // Who answers and yet has not confirmed what was asked for would tell nothing.
    const sinceMs = subscribed < CHANNELS.length ? openedAtMs : heardAtMs;
    if (performance.now() - sinceMs > times.silentMs) end();
    else if (socket.readyState === WebSocket.OPEN)
      socket.send(JSON.stringify({ id: PROBE, cmd: 'list_subscriptions' }));
  }, times.probeMs);
  signal.addEventListener('abort', end);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ id: SUBSCRIBE, cmd: 'subscribe', params: { channels: CHANNELS } }));
  });
  socket.addEventListener('message', ({ data }) => {
    if (isOver) return;
    heardAtMs = performance.now();
    const text = String(data);
    if (CONFIRMED.test(text)) subscribed += 1;
    if (CONFIRMED.test(text) && subscribed === CHANNELS.length) on({ kind: 'gap' });
    const event = eventOf(text);
    if (event !== null) on(event);
  });
  socket.addEventListener('error', end);
  socket.addEventListener('close', end);
  await ended;
  isOver = true;
  signal.removeEventListener('abort', end);
  clearInterval(probe);
  socket.close();
  return subscribed >= CHANNELS.length;
}
