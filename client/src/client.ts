import type { Procedures } from './generated/router.ts';
import type { ClientOptions } from './options.ts';
import type { Mutation, Query } from './procedure.ts';
import { createTrpcClient } from './trpc.ts';

/** The procedures by name: `client.orders.list.query({})`. */
export type Client = Procedures;

type InputsOf<Group> = {
  [Name in keyof Group]: Group[Name] extends Query<infer Input, unknown> | Mutation<infer Input, unknown>
    ? Input
    : InputsOf<Group[Name]>;
};
type OutputsOf<Group> = {
  [Name in keyof Group]: Group[Name] extends Query<never, infer Output> | Mutation<never, infer Output>
    ? Output
    : OutputsOf<Group[Name]>;
};
/** What each procedure takes, by its name, and what it answers. */
export type Inputs = InputsOf<Omit<Procedures, 'events'>>;
export type Outputs = OutputsOf<Omit<Procedures, 'events'>>;

/**
 * The procedures of the service. Queries share requests; what changes something goes alone, under an `Idempotency-Key`, and
 * is sent again under it. Subscriptions are for sessions of a browser; with a key, see `follow`.
 */
export function createClient(options: ClientOptions = {}): Client {
  // tRPC takes what may be anything for what may be missing.
  return createTrpcClient(options) as Client;
}
