import { z } from 'zod';
import { MODES } from '../../db/vocabulary.ts';
import { DomainError } from '../../engine/platform/errors.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { viewCreatedKey } from '../api-keys/schemas.ts';
import { secretAnswer } from '../idempotency.ts';
import { route } from '../route.ts';
import { moment, singleLineText } from '../schemas.ts';
import {
  AgentScopes,
  CREATED_AGENT_KEY_EXAMPLE,
  CreatedAgentKeyView,
  SPENDING_LIMITS_EXAMPLE,
  SpendingLimitsInput,
  spendingLimitsOf,
  viewSpendingLimits,
} from './schemas.ts';

export const create = route({
  method: 'POST',
  path: '/api/agent-keys',
  access: { kind: 'session' },
  tag: 'API keys',
  summary: 'Create a key with spending limits',
  description:
    'Web session only. A key whose orders, and those of its deployments, stay within its spending limits (`envelope`). Live mode requires the scope `trade:live`, `expiresAt` within 90 days and `envelope.maxOrder`, while live trading is on; it approves orders only with the scope `approve:live`. It is listed, rotated and revoked as every key.',
  idempotent: { keeping: secretAnswer },
  example: {
    request: {
      name: 'Agent',
      scopes: ['blueprints:deploy', 'orders:read'],
      envelope: SPENDING_LIMITS_EXAMPLE,
    },
    response: CREATED_AGENT_KEY_EXAMPLE,
  },
  input: z.strictObject({
    name: singleLineText(1, 120),
    scopes: AgentScopes.min(1).refine((scopes) => new Set(scopes).size === scopes.length, {
      error: 'names a scope twice',
    }),
    mode: z
      .enum(MODES)
      .optional()
      .meta({ description: 'The mode whose money it moves; `paper` by default.' }),
    expiresAt: moment
      .nullable()
      .optional()
      .meta({ description: 'At most 366 days away, 90 for live. Absent: 90 days from now; null: never.' }),
    envelope: SpendingLimitsInput,
  }),
  output: CreatedAgentKeyView,
  resolve: async ({ ctx, input: { name, scopes, mode = 'paper', expiresAt, envelope: wanted } }) => {
    if (mode === 'live' && !ctx.isLiveOn) throw DomainError.of('live_trading_off');
    const envelope = spendingLimitsOf(wanted);
    const created = await createKey(ctx.work, {
      name,
      scopes,
      mode,
      envelope,
      expiresAt: typeof expiresAt === 'string' ? new Date(expiresAt) : expiresAt,
      createdBy: ctx.principal.id,
    });
    return { ...viewCreatedKey(created), mode, envelope: viewSpendingLimits(envelope) };
  },
});
