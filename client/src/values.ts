import { connectAndReconnect, type StreamOptions } from './event-source.ts';
import type { StreamedValue } from './generated/router.ts';

export type FollowValuesOptions = StreamOptions & {
  /** Instruments whose prices are sent, such as `BTCUSDT`; at most 20. */
  prices?: readonly string[];
  /** Instruments whose order books are sent; at most 5. */
  books?: readonly string[];
  /** Blueprints whose node values are sent; at most 5. */
  blueprints?: readonly string[];
};

/**
 * Yields prices, order books and node values: the present of each, then its newest value after each change, until `signal`
 * aborts. A loop that is slower than the changes gets the newest value of each, and not those in between. After a broken
 * connection the present is sent again. Treat values as old while `onState` says `stale`, and one that is `unavailable` until
 * it is sent again.
 *
 * @throws StreamRefused if the key is invalid or lacks a scope, or if a blueprint does not exist.
 * @throws NoEventStream or TypeError if the first connection finds no service, unless `waitForService`.
 */
export async function* followValues({
  prices,
  books,
  blueprints,
  ...options
}: FollowValuesOptions): AsyncGenerator<StreamedValue, void> {
  const lists = Object.entries({ prices, books, blueprints });
  const query = Object.fromEntries(
    lists.flatMap(([name, ids]) => (ids?.length ? [[name, ids.join(',')]] : [])),
  );
  const left = new AbortController();
  const signal = AbortSignal.any([left.signal, ...(options.signal ? [options.signal] : [])]);
  const waiting = new Map<string, StreamedValue>();
  let isOver = false;
  let wake = () => {};
  const receive = async () => {
    for await (const { data } of connectAndReconnect(
      { ...options, signal },
      { path: '/api/stream', query },
    )) {
      const value = JSON.parse(data) as StreamedValue;
      waiting.set(subjectOf(value), value);
      wake();
    }
  };
  const received = receive().finally(() => {
    isOver = true;
    wake();
  });
  received.catch(() => {});
  try {
    while (!isOver || waiting.size > 0) {
      for (const [subject, value] of waiting) {
        waiting.delete(subject);
        yield value;
      }
      if (!isOver && waiting.size === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    await received;
  } finally {
    left.abort();
    await received.catch(() => {});
  }
}

/** Returns the key of a value's subject: a later message with the same key replaces it. */
function subjectOf({ type, payload }: StreamedValue): string {
  switch (type) {
    case 'nodes':
      return `nodes:${payload.blueprintId}`;
    case 'unavailable':
      return `${payload.of}:${payload.id}`;
    default:
      return `${type}:${payload.tokenId}`;
  }
}
