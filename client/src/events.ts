import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { Refusal } from './generated/router.ts';
import type { Fetch } from './retry.ts';

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 30_000;
/** The service says every 15 s that it is still there. */
const SILENCE_MS_MAX = 40_000;

/** One thing that happened; `resync` where some of it is not kept any more, so that everything is to be read anew. */
export type AccountEvent = { id: string; type: string; at: string; payload: unknown };

export type FollowOptions = {
  url: string;
  key: string;
  /** Only these kinds, such as `order.changed`. */
  kinds?: readonly string[];
  blueprintId?: string;
  /** Goes on after this event; from now on by default. */
  lastEventId?: string;
  signal?: AbortSignal;
  fetch?: Fetch;
};

/** The service refused the stream, or ended it, for a reason that does not pass by itself. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly data: { error: Refusal };

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.data = { error: refusal };
  }
}

/**
 * What happens in the account of the key, as it happens, until `signal` aborts. A connection that breaks is made again
 * and goes on after the last event that was told.
 *
 * @throws StreamRefused where the key does not hold, or lacks the scope.
 */
export async function* follow(options: FollowOptions): AsyncGenerator<AccountEvent, void> {
  let { lastEventId } = options;
  let failures = 0;
  const isOver = () => options.signal?.aborted === true;
  while (!isOver()) {
    try {
      for await (const { id, event, data } of connect({
        ...options,
        ...(lastEventId !== undefined && { lastEventId }),
      })) {
        failures = 0;
        if (event === 'end') throw new StreamRefused(JSON.parse(data));
        lastEventId = id ?? lastEventId;
        if (event !== undefined && id !== undefined) yield { id, ...JSON.parse(data) };
      }
    } catch (error) {
      if (isOver()) return;
      if (error instanceof StreamRefused && !isPassing(error)) throw error;
      failures++;
    }
    await pause(failures, options.signal);
  }
}

const PASSING = new Set<string>([
  'rate_limited',
  'database_unavailable',
  'overloaded',
  'shutting_down',
  'internal',
]);
const isPassing = ({ data }: StreamRefused): boolean => PASSING.has(data.error.code);

type Told = { id: string | undefined; event: string | undefined; data: string };

async function* connect({
  url,
  key,
  kinds,
  blueprintId,
  lastEventId,
  signal,
  fetch = globalThis.fetch,
}: FollowOptions): AsyncGenerator<Told, void> {
  const asked = new URLSearchParams({
    ...(kinds && { kinds: kinds.join(',') }),
    ...(blueprintId !== undefined && { blueprintId }),
  });
  const silence = new AbortController();
  const response = await fetch(`${url}/api/events?${asked}`, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
  });
  if (!response.ok || response.body === null)
    throw new StreamRefused(((await response.json()) as { error: Refusal }).error);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
  const heard = new TransformStream<string, string>({
    transform(chunk, controller) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS_MAX);
      controller.enqueue(chunk);
    },
  });
  const messages = response.body
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
    .pipeThrough(heard)
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

function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = Math.min(FIRST_WAIT_MS * 2 ** failures * (0.5 + Math.random() / 2), WAIT_MS_MAX);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
