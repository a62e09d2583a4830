/** Types for calling procedures. They stand here and not in a library, so that a caller's compiler reads only this file. */

import type { Replied, Reply } from './reply.ts';

/** Options of one call, in addition to its input: `client.orders.approve.mutate(input, { context })`. */
export type CallContext = {
  /** Makes a change safe to repeat: one effect, one answer, for 24 hours. By default each call gets its own. */
  idempotencyKey?: string;
  /** The reviewed version, from `reply.version`: the change is refused if the version differs by then. */
  expectedVersion?: number;
  /** The same as an `ETag`. */
  ifMatch?: string;
  /** Called with the metadata of the answer. */
  onReply?: (reply: Reply) => void;
  /** Sends a query in a request of its own, so that no other query waits for it. */
  isHeavy?: boolean;
};

export type CallOptions = { context?: CallContext; signal?: AbortSignal };

export type Query<Input, Output> = {
  query: (input: Input, options?: CallOptions) => Promise<Output>;
  /** The answer with its metadata. */
  queryReply: (input: Input, options?: CallOptions) => Promise<Replied<Output>>;
};
export type Mutation<Input, Output> = {
  mutate: (input: Input, options?: CallOptions) => Promise<Output>;
  /** The answer with its metadata. */
  mutateReply: (input: Input, options?: CallOptions) => Promise<Replied<Output>>;
};
/** A paginated list. */
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
  onData?: (event: { id: string; data: Event }) => void;
  onError?: (error: unknown) => void;
  onStarted?: () => void;
  onStopped?: () => void;
  onComplete?: () => void;
  onConnectionStateChange?: (now: { state: 'idle' | 'connecting' | 'pending'; error: unknown }) => void;
};
