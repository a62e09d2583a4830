export { type Client, createClient, type Inputs, type Outputs } from './client.ts';
export { type AccountEvent, type FollowOptions, follow } from './events.ts';
export type * from './generated/router.ts';
export { newIdempotencyKey } from './idempotency-key.ts';
export type { ClientOptions } from './options.ts';
export type { CallContext, CallOptions, Listener, Mutation, Query, Subscription } from './procedure.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';
export { RETRIES_MAX, retrying } from './retry.ts';
