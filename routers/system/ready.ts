import { z } from 'zod';
import { route } from '../route.ts';

export const ready = route({
  method: 'GET',
  path: '/health/ready',
  access: { kind: 'open' },
  tag: 'System',
  summary: 'Readiness',
  description:
    '503 while the database or the migrations are not ready, or during a shutdown. `warnings` is present for other problems: `no_runner` says that no process sends orders or runs strategies.',
  example: { response: { status: 'ready' } },
  input: z.strictObject({}),
  output: z.object({
    status: z.literal('ready'),
    warnings: z.array(z.literal('no_runner')).optional(),
  }),
  resolve: async ({ ctx }) => {
    const problem = await ctx.unreadiness();
    if (problem) throw problem;
    return { status: 'ready' as const, ...(ctx.isRunnerMissing() && { warnings: ['no_runner' as const] }) };
  },
});
