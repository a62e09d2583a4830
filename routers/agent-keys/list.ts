import { z } from 'zod';
import { listKeys } from '../../engine/trading/keys/list.ts';
import type { SpendingLimits } from '../../engine/trading/keys/spending-limits.ts';
import { viewKey } from '../api-keys/schemas.ts';
import { EXAMPLE } from '../examples.ts';
import { route } from '../route.ts';
import { listOf } from '../schemas.ts';
import { AgentKeyView, SPENDING_LIMITS_EXAMPLE, viewSpendingLimits } from './schemas.ts';

export const list = route({
  method: 'GET',
  path: '/api/agent-keys',
  access: { kind: 'session' },
  tag: 'API keys',
  summary: 'List keys with their spending limits',
  description:
    'Web session only. The account’s keys of every mode, newest first; `envelope` has the spending limits, or null for a key without any.',
  example: {
    response: [
      {
        id: EXAMPLE.keyId,
        name: 'Agent',
        start: 'tsk_7Qm2',
        last4: 'x0Kd',
        scopes: ['blueprints:deploy', 'orders:read'],
        createdAt: EXAMPLE.createdAt,
        expiresAt: '2027-02-18T09:00:00.000Z',
        lastUsedAt: EXAMPLE.updatedAt,
        revokedAt: null,
        mode: 'paper',
        envelope: SPENDING_LIMITS_EXAMPLE,
        client: null,
      },
    ],
  },
  input: z.strictObject({}),
  output: listOf(AgentKeyView),
  resolve: async ({ ctx }) =>
    (await listKeys(ctx.work)).map((row) => ({
      ...viewKey(row),
      mode: row.mode,
      envelope: viewSpendingLimits(row.envelope as SpendingLimits | null),
      client:
        row.client_name === null || row.redirect_uri === null
          ? null
          : { name: row.client_name, host: new URL(row.redirect_uri).host },
    })),
});
