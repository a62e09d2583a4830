import { z } from 'zod';
import { listKeys } from '../../engine/trading/keys/list.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { KeyView, viewKey } from './schemas.ts';

export const list = route({
  method: 'GET',
  path: '/api/api-keys',
  access: { kind: 'session', orScope: 'api_keys:write' },
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
  input: z.strictObject({}),
  output: listOf(KeyView),
  resolve: async ({ ctx }) => (await listKeys(ctx.work)).map(viewKey),
});
