import { z } from 'zod';
import { route } from '../route.ts';
import { openProcedure, router } from '../trpc.ts';

const health = openProcedure
  .meta(
    route({
      method: 'GET',
      path: '/health',
      tag: 'System',
      summary: 'Liveness',
      description: 'The process answers. Touches nothing else. Also at `/api/health`.',
      example: { response: { status: 'ok' } },
    }),
  )
  .input(z.strictObject({}))
  .output(z.object({ status: z.literal('ok') }))
  .query(() => ({ status: 'ok' as const }));

const ready = openProcedure
  .meta(
    route({
      method: 'GET',
      path: '/health/ready',
      tag: 'System',
      summary: 'Readiness',
      description: '503 while the database, the migrations or a shutdown say no.',
      example: { response: { status: 'ready' } },
    }),
  )
  .input(z.strictObject({}))
  .output(z.object({ status: z.literal('ready') }))
  .query(async ({ ctx }) => {
    const problem = await ctx.unreadiness();
    if (problem) throw problem;
    return { status: 'ready' as const };
  });

export const system = router({ health, ready });
