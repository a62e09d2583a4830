import type { CallOptions } from './procedure.ts';
import { type Replied, type Reply, rowsOf } from './reply.ts';

export type Call<Input extends object, Output> = (input: Input, options?: CallOptions) => Promise<Output>;

/** Calls a procedure; returns its answer with the metadata. */
export async function repliedBy<Input extends object, Output>(
  call: Call<Input, Output>,
  input: Input,
  { context, ...options }: CallOptions = {},
): Promise<Replied<Output>> {
  let reply: Reply = { requestId: '' };
  const onReply = (extras: Reply) => {
    reply = extras;
    context?.onReply?.(extras);
  };
  const data = await call(input, { ...options, context: { ...context, onReply } });
  return { data, reply };
}

/** Yields every row of a list, page by page: `for await (const order of allOf(client.orders.list, {}))`. */
export const allOf = <Input extends object, Row>(
  { query }: { query: Call<Input, readonly Row[]> },
  input: Input,
  options?: CallOptions,
): AsyncGenerator<Row, void> =>
  rowsOf((cursor) => repliedBy(query, { ...input, ...(cursor && { cursor }) }, options));
