import type { Channel, TracingChannel } from 'node:diagnostics_channel';

/** Calls back with each message of a channel. Returns a function that unsubscribes. */
export function subscribeTo<Message>(
  channel: Channel<Message>,
  onMessage: (message: Message) => void,
): () => void {
  const listener = (message: unknown) => onMessage(message as Message);
  channel.subscribe(listener);
  return () => void channel.unsubscribe(listener);
}

/** Calls back after each operation of a channel with its duration in ms, and whether it threw. */
export function subscribeToDurations<Operation extends object>(
  channel: TracingChannel<Operation, Operation>,
  onOperation: (operation: Operation, ms: number, hasFailed: boolean) => void,
): () => void {
  const startedMs = new WeakMap<Operation, number>();
  const handlers = {
    start: (operation: Operation) => void startedMs.set(operation, performance.now()),
    end: () => {},
    asyncStart: () => {},
    asyncEnd: (operation: Operation & { error?: unknown }) => {
      const begun = startedMs.get(operation);
      if (begun !== undefined)
        onOperation(operation, performance.now() - begun, operation.error !== undefined);
    },
    error: () => {},
  };
  channel.subscribe(handlers);
  return () => void channel.unsubscribe(handlers);
}
