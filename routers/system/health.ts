import { z } from 'zod';
import { route } from '../route.ts';

export const health = route({
  method: 'GET',
  path: '/health',
  access: { kind: 'open' },
  tag: 'System',
  summary: 'Liveness',
  description: 'Shows that the process answers. It checks nothing else. Also at `/api/health`.',
  example: { response: { status: 'ok' } },
  input: z.strictObject({}),
  output: z.object({ status: z.literal('ok') }),
  resolve: () => ({ status: 'ok' as const }),
});
