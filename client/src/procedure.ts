/** How procedures are called. Said here and not by a library, so that a caller's compiler reads no more than this. */

/** What one call may carry besides its input: `client.orders.approve.mutate(input, { context })`. */
export type CallContext = {
  /** Makes a change safe to repeat: one effect, one answer, for 24 hours. Each call has one of its own by default. */
  idempotencyKey?: string;
  /** The `ETag` that was reviewed. */
  ifMatch?: string;
  /** Sends a query by itself, so that no other waits for it. */
  isHeavy?: boolean;
};

export type CallOptions = { context?: CallContext; signal?: AbortSignal };

export type Query<Input, Output> = { query: (input: Input, options?: CallOptions) => Promise<Output> };
export type Mutation<Input, Output> = { mutate: (input: Input, options?: CallOptions) => Promise<Output> };
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
