import { z } from 'zod';
import { createKey } from '../../engine/keys/create.ts';
import { toIso, toIsoOrNull } from '../../engine/time.ts';
import { EXAMPLE } from '../examples.ts';
import { once } from '../idempotency.ts';
import { route } from '../route.ts';
import { line, moment, timestamp } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';
import { Scopes } from './schemas.ts';

const CreatedKey = z
  .object({
    id: z.uuid(),
    key: z.string().meta({ description: 'The secret. Shown this once; only its hash is stored.' }),
    name: z.string(),
    scopes: z.array(z.string()),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'CreatedApiKey' });

export const create = sessionProcedure()
  .meta(
    route({
      method: 'POST',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'Create a key',
      description:
        'Web session only: a key cannot create keys. The secret is in this answer and nowhere else.',
      example: {
        request: { name: 'Reporting', scopes: ['orders:read', 'portfolio:read'] },
        response: {
          id: EXAMPLE.keyId,
          key: 'tsk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE000',
          name: 'Reporting',
          scopes: ['orders:read', 'portfolio:read'],
          expiresAt: '2027-02-18T09:00:00.000Z',
          createdAt: EXAMPLE.createdAt,
        },
      },
    }),
  )
  .input(
    z.strictObject({
      name: line(1, 120),
      scopes: Scopes.min(1).refine((scopes) => new Set(scopes).size === scopes.length, {
        error: 'names a scope twice',
      }),
      expiresAt: moment
        .nullable()
        .optional()
        .meta({ description: 'At most 366 days away. Absent: 90 days from now; null: never.' }),
    }),
  )
  .output(CreatedKey)
  .mutation(
    once(
      async ({ ctx, input: { name, scopes, expiresAt } }) => {
        ctx.replyHeaders['Cache-Control'] = 'no-store';
        const created = await createKey(ctx.work, {
          name,
          scopes,
          expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
          createdBy: ctx.principal.id,
        });
        return {
          id: created.id,
          key: created.key,
          name: created.name,
          scopes: [...created.scopes],
          expiresAt: toIsoOrNull(created.expiresAt),
          createdAt: toIso(created.createdAt),
        };
      },
      { answerIsSecret: true },
    ),
  );
