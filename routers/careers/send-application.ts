import { z } from 'zod';
import { storeJobApplication } from '../../engine/usecases/careers/store-job-application.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { multiLineText, singleLineText } from '../schemas.ts';

export const send = route({
  method: 'POST',
  path: '/api/careers',
  access: { kind: 'open', bucket: 'form' },
  tag: 'Careers',
  summary: 'Send an application',
  description: 'Stores an application from the careers form. The number per address and hour is limited.',
  example: {
    request: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      role: 'Engineer',
      message: 'I would like to work on the risk ledger.',
      links: ['https://example.com/ada'],
    },
    response: { received: true, id: EXAMPLE.orderId },
  },
  input: z.strictObject({
    name: singleLineText(1, 120),
    email: z.email().max(254),
    role: singleLineText(1, 120).optional(),
    message: multiLineText(1, 5_000),
    links: z
      .array(z.url({ protocol: /^https?$/ }).max(500))
      .max(10)
      .optional(),
  }),
  output: z.object({ received: z.boolean(), id: z.uuid() }),
  resolve: async ({ ctx, input: { name, email, role = null, message, links = [] } }) => {
    const id = await storeJobApplication(ctx.pool, { name, email, role, message, links });
    return { received: true, id };
  },
});
