import { z } from 'zod';
import { GRACE_MAX_SEC, rotateKey } from '../../engine/keys/rotate.ts';
import { notKept, once } from '../idempotency.ts';
import { route } from '../route.ts';
import { exactInteger, uuid } from '../schemas.ts';
import { sessionProcedure } from '../trpc.ts';
import { CREATED_KEY_EXAMPLE, CreatedKeyView, viewCreatedKey } from './schemas.ts';

export const rotate = sessionProcedure()
  .meta(
    route({
      method: 'POST',
      path: '/api/api-keys/{id}/rotate',
      tag: 'API keys',
      summary: 'Rotate a key',
      description:
        'Web session only. A new key with the same name, scopes and expiry; the old one ends after `graceSec`.',
      example: { request: { graceSec: 3600 }, response: CREATED_KEY_EXAMPLE },
    }),
  )
  .input(
    z.strictObject({
      id: uuid.meta({ description: 'The key to replace.' }),
      graceSec: exactInteger(0, GRACE_MAX_SEC)
        .optional()
        .meta({ description: 'Seconds the old key goes on working; 0 by default.' }),
    }),
  )
  .output(CreatedKeyView)
  .mutation(
    once(
      async ({ ctx, input: { id, graceSec = 0 } }) => {
        ctx.replyHeaders['Cache-Control'] = 'no-store';
        return viewCreatedKey(await rotateKey(ctx.work, id, graceSec, ctx.principal.id));
      },
      { keeping: notKept },
    ),
  );
