import { createTRPCClient, httpBatchLink } from '@trpc/client';
import type { AppRouter } from '../../routers/index.ts';
import type { World } from './world.ts';

/** A tRPC client of a world with these credentials. */
export const trpcClient = ({ base }: Pick<World, 'base'>, headers: Record<string, string>) =>
  createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${base}/trpc`, headers })] });
