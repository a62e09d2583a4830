export { type AccountEvent, type FollowOptions, follow } from './events.ts';
export type * from './generated/router.ts';
export { isRefusedWith, type Problem, problemOf } from './refusal.ts';
export { RETRIES_MAX, retrying } from './retry.ts';
export {
  type CallContext,
  type Client,
  type ClientOptions,
  createClient,
  type Inputs,
  newIdempotencyKey,
  type Outputs,
} from './trpc.ts';
