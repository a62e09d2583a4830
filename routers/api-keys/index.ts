import { z } from 'zod';
import { listKeys } from '../../engine/keys/list.ts';
import { revokeKey } from '../../engine/keys/revoke.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf, uuid } from '../schemas.ts';
import { procedure, router, sessionProcedure } from '../trpc.ts';
import { create } from './create.ts';
import { rotate } from './rotate.ts';
import { KeyView, viewKey } from './schemas.ts';

const list = sessionProcedure({ orScope: 'api_keys:write' })
  .meta(
    route({
      method: 'GET',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'List keys',
      description: 'Metadata of the account’s keys, newest first; never the secret.',
      example: {
        response: [
          {
            id: EXAMPLE.keyId,
            name: 'Reporting',
            start: 'tsk_7Qm2',
            last4: 'x0Kd',
            scopes: ['orders:read', 'portfolio:read'],
            createdAt: EXAMPLE.createdAt,
            expiresAt: '2027-02-18T09:00:00.000Z',
            lastUsedAt: EXAMPLE.updatedAt,
            revokedAt: null,
          },
        ],
      },
    }),
  )
  .input(z.strictObject({}))
  .output(listOf(KeyView))
  .query(async ({ ctx }) => (await listKeys(ctx.work)).map(viewKey));

const revoke = procedure({ scope: 'api_keys:write', bucket: 'brake' })
  .meta(
    route({
      method: 'DELETE',
      path: '/api/api-keys/{id}',
      tag: 'API keys',
      summary: 'Revoke a key',
      description: 'The next request with the key is refused, everywhere. Revoking again changes nothing.',
      example: { response: { revoked: true } },
    }),
  )
  .input(z.strictObject({ id: uuid.meta({ description: 'The key.' }) }))
  .output(z.object({ revoked: z.boolean().meta({ description: 'True on success.' }) }))
  .mutation(async ({ ctx, input }) => {
    await revokeKey(ctx.work, input.id);
    return { revoked: true };
  });

export const apiKeys = router({ list, create, rotate, revoke });
