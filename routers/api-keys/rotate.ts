import { z } from 'zod';
import { GRACE_MAX_SEC, rotateKey } from '../../engine/trading/keys/rotate.ts';
import { EXAMPLE } from '../examples.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import { exactInteger, uuid } from '../schemas.ts';
import { CREATED_KEY_EXAMPLE, CreatedKeyView, viewCreatedKey } from './schemas.ts';

export const rotate = route({
  method: 'POST',
  path: '/api/api-keys/{id}/rotate',
  access: { kind: 'session' },
  tag: 'API keys',
  summary: 'Rotate a key',
  description:
    'Web session only. A new key with the same name, scopes and expiry; the old one ends after `graceSec`.',
  idempotent: { keeping: secretAnswer },
  example: { path: { id: EXAMPLE.keyId }, request: { graceSec: 3600 }, response: CREATED_KEY_EXAMPLE },
  input: z.strictObject({
    id: uuid.meta({ description: 'The key to replace.' }),
    graceSec: exactInteger(0, GRACE_MAX_SEC)
      .optional()
      .meta({ description: 'How long the old key stays valid, seconds. Default 0.' }),
  }),
  output: CreatedKeyView,
  resolve: async ({ ctx, input: { id, graceSec = 0 } }) => {
    return viewCreatedKey(await rotateKey(ctx.work, id, graceSec, ctx.principal.id, ctx));
  },
});
