import { z } from 'zod';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { uuid } from '../schemas.ts';

export const revoke = route({
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  access: { kind: 'scope', scope: 'api_keys:write', bucket: 'brake' },
  tag: 'API keys',
  summary: 'Revoke a key',
  description: 'The next request with the key is refused, everywhere. Revoking again changes nothing.',
  example: { path: { id: EXAMPLE.keyId }, response: { revoked: true } },
  input: z.strictObject({ id: uuid.meta({ description: 'The key.' }) }),
  output: z.object({ revoked: z.boolean().meta({ description: 'True on success.' }) }),
  resolve: async ({ ctx, input }) => {
    await revokeKey(ctx.work, input.id);
    return { revoked: true };
  },
});
