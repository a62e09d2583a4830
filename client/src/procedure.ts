/** How procedures are called. Said here and not by a library, so that a caller's compiler reads no more than this. */

import type { Replied, Reply } from './reply.ts';

/** What one call may carry besides its input: `client.orders.approve.mutate(input, { context })`. */
export type CallContext = {
  /** Makes a change safe to repeat: one effect, one answer, for 24 hours. Each call has one of its own by default. */
  idempotencyKey?: string;
  /** The version that was reviewed, of `reply.version`: a change is refused where it is another by then. */
  expectedVersion?: number;
  /** The same as an `ETag`. */
  ifMatch?: string;
  /** Called with the answer's extras. */
  onReply?: (reply: Reply) => void;
  /** Sends a query by itself, so that no other waits for it. */
  isHeavy?: boolean;
};

export type CallOptions = { context?: CallContext; signal?: AbortSignal };

export type Query<Input, Output> = {
  query: (input: Input, options?: CallOptions) => Promise<Output>;
  /** The answer with its extras. */
  queryReply: (input: Input, options?: CallOptions) => Promise<Replied<Output>>;
};
export type Mutation<Input, Output> = {
  mutate: (input: Input, options?: CallOptions) => Promise<Output>;
  /** The answer with its extras. */
  mutateReply: (input: Input, options?: CallOptions) => Promise<Replied<Output>>;
};
/** A list that comes in pages. */
export type PagedQuery<Input, Output> = Query<Input, Output> & {
  /** Every row, page by page: `for await (const order of client.orders.list.all({}))`. `limit` is the size of a page. */
  all: (
    input: Input,
    options?: CallOptions,
  ) => AsyncGenerator<Output extends readonly (infer Row)[] ? Row : never, void>;
};
export type Subscription<Input, Event> = {
  subscribe: (input: Input, listener: Listener<Event>) => { unsubscribe: () => void };
};

export type Listener<Event> = {
  signal?: AbortSignal;
  onData?: (told: { id: string; data: Event }) => void;
  onError?: (error: unknown) => void;
  onStarted?: () => void;
  onStopped?: () => void;
  onComplete?: () => void;
  onConnectionStateChange?: (now: { state: 'idle' | 'connecting' | 'pending'; error: unknown }) => void;
};
