import { z } from 'zod';
import { route } from '../route.ts';

export const ready = route({
  method: 'GET',
  path: '/health/ready',
  access: { kind: 'open' },
  tag: 'System',
  summary: 'Readiness',
  description: '503 while the database, the migrations or a shutdown say no.',
  example: { response: { status: 'ready' } },
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ready') }),
  resolve: async ({ ctx }) => {
    const problem = await ctx.unreadiness();
    if (problem) throw problem;
    return { status: 'ready' as const };
  },
});
