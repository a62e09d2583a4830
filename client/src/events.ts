import { connectAndReconnect, type StreamOptions } from './event-source.ts';
import type { AccountEvent, EventPayloads } from './generated/router.ts';

export type FollowOptions = StreamOptions & {
  /** Only these kinds, such as `order.changed`. */
  kinds?: readonly (keyof EventPayloads)[];
  blueprintId?: string;
  /** Continues after this event; from now on by default. */
  lastEventId?: string;
};

/**
 * Yields the account events of the key as they happen, until `signal` aborts. Re-establishes a broken connection and resumes
 * after the last yielded event.
 *
 * @throws StreamRefused if the key is invalid or lacks the scope.
 * @throws NoEventStream or TypeError if the first connection finds no service, unless `waitForService`.
 */
export async function* follow({
  kinds,
  blueprintId,
  lastEventId,
  ...options
}: FollowOptions): AsyncGenerator<AccountEvent, void> {
  const query = {
    ...(kinds && { kinds: kinds.join(',') }),
    ...(blueprintId !== undefined && { blueprintId }),
  };
  const messages = connectAndReconnect(options, { path: '/api/events', query, lastEventId });
  for await (const { id, data } of messages)
    if (id !== undefined) yield { id, ...JSON.parse(data) } as AccountEvent;
}
