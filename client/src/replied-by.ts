import type { CallOptions } from './procedure.ts';
import { type Replied, type Reply, rowsOf } from './reply.ts';

export type Call<Input extends object, Output> = (input: Input, options?: CallOptions) => Promise<Output>;

/**
 * Calls a procedure; returns its answer with the metadata.
 *
 * @throws Error if the client passes none: a list would end after its first page
 */
export async function repliedBy<Input extends object, Output>(
  call: Call<Input, Output>,
  input: Input,
  { context, ...options }: CallOptions = {},
): Promise<Replied<Output>> {
  const replies: Reply[] = [];
  const onReply = (extras: Reply) => {
    replies.push(extras);
    context?.onReply?.(extras);
  };
  const data = await call(input, { ...options, context: { ...context, onReply } });
  const reply = replies.at(-1);
  if (!reply) throw new Error('The client passes no metadata of answers: make it with `createTrpcClient`.');
  return { data, reply };
}

/** Yields every row of a list, page by page: `for await (const order of allOf(client.orders.list, {}))`. */
export const allOf = <Input extends object, Row>(
  { query }: { query: Call<Input, readonly Row[]> },
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Row, void> =>
  rowsOf((cursor) => repliedBy(query, { ...input, ...(cursor && { cursor }) }, options));
