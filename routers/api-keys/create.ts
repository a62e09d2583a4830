import { z } from 'zod';
import { createKey } from '../../engine/trading/keys/create.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import { moment, singleLineText } from '../schemas.ts';
import { CREATED_KEY_EXAMPLE, CreatedKeyView, Scopes, viewCreatedKey } from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/api-keys',
  access: { kind: 'session' },
  tag: 'API keys',
  summary: 'Create a key',
  description: 'Web session only: a key cannot create keys. Only this answer contains the secret.',
  idempotent: { keeping: secretAnswer },
  example: {
    request: { name: 'Reporting', scopes: ['orders:read', 'portfolio:read'] },
    response: CREATED_KEY_EXAMPLE,
  },
  input: z.strictObject({
    name: singleLineText(1, 120),
    scopes: Scopes.min(1).refine((scopes) => new Set(scopes).size === scopes.length, {
      error: 'names a scope twice',
    }),
    expiresAt: moment
      .nullable()
      .optional()
      .meta({ description: 'At most 366 days away. Absent: 90 days from now; null: never.' }),
  }),
  output: CreatedKeyView,
  resolve: async ({ ctx, input: { name, scopes, expiresAt } }) => {
    const created = await createKey(ctx.work, {
      name,
      scopes,
      expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
      createdBy: ctx.principal.id,
    });
    return viewCreatedKey(created);
  },
});
