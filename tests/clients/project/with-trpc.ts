/** Types that libraries around tRPC need: its own client, and the router's type. */
import type { TRPCClient, TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { isRefusedWith, type Outputs } from 'trading-strategy';
import { type AppRouter, allOf, createTrpcClient } from 'trading-strategy/trpc';

const [, , url = '', key = ''] = process.argv;
const client: TRPCClient<AppRouter> = createTrpcClient({ url, key });
const listed: inferRouterOutputs<AppRouter>['orders']['list'] = await client.orders.list.query({ limit: 1 });
const same: Outputs['orders']['list'] = listed;
for await (const { id } of allOf(client.orders.list, { limit: 1 })) throw new Error(`${id} is unexpected.`);
const input: inferRouterInputs<AppRouter>['orders']['read'] = { id: '00000000-0000-7000-8000-000000000000' };
const refused = await client.orders.read.query(input).catch((error: TRPCClientError<AppRouter>) => error);
if (same.length > 0 || !isRefusedWith(refused, 'not_found'))
  throw new Error('An account that did nothing has no orders.');
// @ts-expect-error a procedure declares its input
client.orders.read.query({}).catch(() => {});
process.stdout.write('toured\n');
