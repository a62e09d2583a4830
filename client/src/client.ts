import type { OrdersReadOutput, Procedures } from './generated/router.ts';
import type { ClientOptions } from './options.ts';
import type { CallOptions, Mutation, Query } from './procedure.ts';
import { allOf, type Call, repliedBy } from './replied-by.ts';
import { createTrpcClient } from './trpc.ts';
import { type WaitForOrder, waitForOrder } from './wait-for-order.ts';

type PublicProcedures = Omit<Procedures, 'console' | 'eventStream' | 'valueStream'>;
/** The procedures by name: `client.orders.list.query({})`. Those of the service's own console are left out. */
export type Client = PublicProcedures & {
  orders: {
    /**
     * Reads an order until it has the status.
     *
     * @throws OrderNotReached once the order has ended in another status, or after `timeoutMs` (60,000 by default).
     */
    waitFor: (wanted: WaitForOrder) => Promise<OrdersReadOutput>;
  };
};

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
/** The input of each procedure, by its name. */
export type Inputs = InputsOf<Omit<PublicProcedures, 'events'>>;
export type Outputs = OutputsOf<Omit<PublicProcedures, 'events'>>;

/**
 * The procedures of the service. Queries share requests. A change is sent alone, under an `Idempotency-Key`, and retried under
 * it. Subscriptions need a browser session; with a key, see `follow`.
 */
export function createClient(options: ClientOptions = {}): Client {
  return withReplies(createTrpcClient(options)) as Client;
}

type Node = Readonly<Record<string, object>> & Record<'query' | 'mutate', Call<object, unknown>>;

/** Adds to each procedure of the tree a way to read its whole reply. The tree is built lazily. */
function withReplies(tree: object): object {
  return new Proxy(tree, {
    get(target, name) {
      const node = target as Node;
      switch (name) {
        case 'queryReply':
          return (input: object, options?: CallOptions) => repliedBy(node.query, input, options);
        case 'mutateReply':
          return (input: object, options?: CallOptions) => repliedBy(node.mutate, input, options);
        case 'waitFor': {
          const { query } = node['read'] as Node;
          return (wanted: WaitForOrder) => waitForOrder(query as Client['orders']['read']['query'], wanted);
        }
        case 'all':
          return (input: object, options?: CallOptions) =>
            allOf(node as { query: Call<object, readonly unknown[]> }, input, options);
        case 'query':
        case 'mutate':
        case 'subscribe':
          return node[name];
        default:
          return typeof name === 'string' && node[name] !== undefined ? withReplies(node[name]) : undefined;
      }
    },
  });
}
