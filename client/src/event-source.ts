import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Refusal } from './generated/router.ts';
import { type Fetch, retryAfterSecOf } from './retry.ts';
import { sleep } from './sleep.ts';
import { TIMEOUT_MS, withTimeout } from './timeout.ts';

const FIRST_WAIT_MS = 500;
/** With the time to connect, and what a busy reader does first, it is back within 5 s. */
const WAIT_MS_MAX = 2_000;
const RETRY_AFTER_MS_MAX = 60_000;
/** The service sends a heartbeat every 15 s. */
const SILENCE_MS_MAX = 40_000;

/**
 * `connecting` until the first connection is established, then `live`. `stale` while a broken connection is re-established;
 * `ended` once the stream is over.
 */
export type StreamState = {
  state: 'connecting' | 'live' | 'stale' | 'ended';
  /** When this state began, ISO 8601. */
  since: string;
  /** Failed attempts since the stream was last live. */
  attempt: number;
  /** Why it is stale or ended; null otherwise, or after an abort. */
  error: Error | null;
};

export type StreamOptions = {
  url: string;
  key: string;
  /** Called whenever the state of the connection changes. */
  onState?: (state: StreamState) => void;
  /** Retries while the service cannot be reached at first; by default the first failure throws. */
  waitForService?: boolean;
  /** The timeout of a connection, in ms; 15,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  fetch?: Fetch;
};

/** The stream to connect to. */
export type StreamTarget = {
  path: string;
  query: Readonly<Record<string, string>>;
  /** Continues after this event, where the stream has ids. */
  lastEventId?: string | undefined;
};

/** One event of a stream, before its data is parsed. */
export type StreamMessage = { id: string | undefined; event: string; data: string };

/** The service refused or ended the stream for a permanent reason. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly data: { error: Refusal };
  readonly retryAfterMs: number | null;

  constructor(refusal: Refusal, retryAfterMs: number | null = null) {
    super(refusal.message);
    this.data = { error: refusal };
    this.retryAfterMs = retryAfterMs;
  }
}

/** The address answers, but not as the service does: a proxy, another site, or a service that is starting. */
export class NoEventStream extends Error {
  override readonly name = 'NoEventStream';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status} without an event stream or an error of the service. Check the address.`);
    this.status = status;
  }
}

/**
 * Yields the events of a stream until `signal` aborts. Re-establishes a broken connection, after the last yielded id if the
 * events have ids.
 *
 * @throws StreamRefused if the service refuses the stream for good, or ends it.
 * @throws NoEventStream or TypeError if the first connection finds no service, unless `waitForService`.
 */
export async function* connectAndReconnect(
  options: StreamOptions,
  { lastEventId: start, ...target }: StreamTarget,
): AsyncGenerator<StreamMessage, void> {
  let lastEventId = start;
  let attempt = 0;
  let wasLive = false;
  let ended: Error | null = null;
  const isOver = () => options.signal?.aborted === true;
  const report = (state: StreamState['state'], error: Error | null = null) =>
    options.onState?.({ state, since: new Date().toISOString(), attempt, error });
  const onLive = () => {
    wasLive = true;
    attempt = 0;
    report('live');
  };
  report('connecting');
  try {
    while (!isOver()) {
      let failure: Error | null = null;
      try {
        for await (const { id, event, data } of connect(options, { ...target, lastEventId }, onLive)) {
          if (event === 'end') throw new StreamRefused(JSON.parse(data));
          lastEventId = id ?? lastEventId;
          if (event !== undefined) yield { id, event, data };
        }
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
      if (isOver()) return;
      if (failure && !mayPass(failure, wasLive || options.waitForService === true)) {
        ended = failure;
        throw failure;
      }
      attempt++;
      report('stale', failure);
      const retryAfterMs = failure instanceof StreamRefused ? failure.retryAfterMs : null;
      // An abort ends the loop above.
      await sleep(waitMsOf(attempt, retryAfterMs, Math.random()), options.signal).catch(() => {});
    }
  } finally {
    report('ended', ended);
  }
}

const PASSING = new Set<string>([
  'rate_limited',
  'database_unavailable',
  'account_moving',
  'overloaded',
  'shutting_down',
  'internal',
]);

/** Whether another attempt may succeed. Before the first connection, an address without the service is a mistake. */
function mayPass(failure: Error, isFound: boolean): boolean {
  if (failure instanceof StreamRefused) return PASSING.has(failure.data.error.code);
  if (failure instanceof NoEventStream) return isFound || failure.status >= 500;
  return isFound || !(failure instanceof TypeError);
}

/** Returns the pause before another attempt: the service's `Retry-After`, else up to 2 s with jitter. */
export function waitMsOf(attempt: number, retryAfterMs: number | null, random: number): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), WAIT_MS_MAX) * (0.5 + random / 2);
}

type Message = { id: string | undefined; event: string | undefined; data: string };

async function* connect(
  { url, key, signal, timeoutMs = TIMEOUT_MS, fetch = globalThis.fetch }: StreamOptions,
  { path, query, lastEventId }: StreamTarget,
  onLive: () => void,
): AsyncGenerator<Message, void> {
  const silence = new AbortController();
  const response = await withTimeout(fetch, timeoutMs)(`${url}${path}?${new URLSearchParams(query)}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!response.ok || !isStream || response.body === null) throw await refusalOf(response);
  onLive();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  const activity = new TransformStream<string, string>({
    transform(chunk, controller) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
      controller.enqueue(chunk);
    },
  });
  const messages = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(activity)
    .pipeThrough(new EventSourceParserStream());
  const reader = messages.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const { id, event, data } = read.value;
      yield { id, event, data };
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

async function refusalOf(response: Response): Promise<Error> {
  const { url, status } = response;
  const body: unknown = await response.json().catch(() => null);
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  if (typeof error !== 'object' || error === null || !('code' in error))
    return new NoEventStream(url, status);
  const retryAfterSec = retryAfterSecOf(response);
  return new StreamRefused(error as Refusal, retryAfterSec === null ? null : retryAfterSec * 1_000);
}
