export { type Client, createClient, type Inputs, type Outputs } from './client.ts';
export { NoEventStream, type StreamOptions, StreamRefused, type StreamState } from './event-source.ts';
export { type FollowOptions, follow } from './events.ts';
export type * from './generated/router.ts';
export { newIdempotencyKey } from './idempotency-key.ts';
export type { ClientOptions } from './options.ts';
export type {
  CallContext,
  CallOptions,
  Listener,
  Mutation,
  PagedQuery,
  Query,
  Subscription,
} from './procedure.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';
export type { Replied, Reply } from './reply.ts';
export { RETRIES_MAX, retrying } from './retry.ts';
export { TIMEOUT_MS, TimedOut } from './timeout.ts';
export { type FollowValuesOptions, followValues } from './values.ts';
export { OrderNotReached, type OrderStatus, type WaitForOrder } from './wait-for-order.ts';
