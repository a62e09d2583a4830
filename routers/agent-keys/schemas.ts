import { z } from 'zod';
import { MODES } from '../../db/vocabulary.ts';
import { exact } from '../../engine/platform/decimal.ts';
import type { SpendingLimits } from '../../engine/trading/keys/spending-limits.ts';
import { CREATED_KEY_EXAMPLE, CreatedKeyView, KeyView } from '../api-keys/schemas.ts';
import { EXAMPLE } from '../examples.ts';
import { decimalNumber, exactNumber, uuid } from '../schemas.ts';
import { LIVE_SCOPE_NAMES, SCOPE_NAMES } from '../scopes.ts';

const BLUEPRINTS_MAX = 200;

const MaxOrder = 'USD. A larger buy is denied. Absent: only the risk rules bound it.';
const MaxDay = 'USD. Limit of all buys since 00:00 UTC; a buy beyond it is denied.';
const BlueprintIds = 'The blueprints it may trade for; absent: all.';
const AlwaysApprove =
  'Every order of the key waits for a person’s approval, however small. The key itself approves none.';

const AllowsUntried =
  'Live mode: may deploy without the 24-hour paper run, and buy by hand. Absent: both are refused.';

export const SpendingLimitsInput = z
  .strictObject({
    maxOrder: exactNumber({ above: 0 }).optional().meta({ description: MaxOrder }),
    maxDay: exactNumber({ above: 0 }).optional().meta({ description: MaxDay }),
    blueprintIds: z.array(uuid).min(1).max(BLUEPRINTS_MAX).optional().meta({ description: BlueprintIds }),
    alwaysApprove: z.literal(true).optional().meta({ description: AlwaysApprove }),
    allowsUntried: z.literal(true).optional().meta({ description: AllowsUntried }),
  })
  .meta({
    description: 'Spending limits of its orders, and of the orders of its deployments. Cannot be changed.',
  });

const SpendingLimitsView = z.object({
  maxOrder: decimalNumber.optional().meta({ description: MaxOrder }),
  maxDay: decimalNumber.optional().meta({ description: MaxDay }),
  blueprintIds: z.array(z.uuid()).optional().meta({ description: BlueprintIds }),
  alwaysApprove: z.literal(true).optional().meta({ description: AlwaysApprove }),
  allowsUntried: z.literal(true).optional().meta({ description: AllowsUntried }),
});

const BOUNDS = {
  mode: z.enum(MODES).meta({ description: 'The mode whose money it moves. Cannot be changed.' }),
  envelope: SpendingLimitsView.nullable(),
};

const Client = z
  .object({
    name: z.string().meta({ description: 'The name that the client gave itself.' }),
    host: z.string().meta({ description: 'The host that access was sent to.' }),
  })
  .nullable()
  .meta({ description: 'The connected client that holds the key; null for a key that a person keeps.' });

export const AgentScopes = z.array(z.enum([...SCOPE_NAMES, ...LIVE_SCOPE_NAMES]));

export const CreatedAgentKeyView = CreatedKeyView.extend(BOUNDS).meta({
  id: 'CreatedAgentKey',
  description: 'A new key with its spending limits, and its secret.',
});

export const AgentKeyView = KeyView.extend({ ...BOUNDS, client: Client }).meta({
  id: 'AgentKey',
  description: 'Metadata of a key with its mode and spending limits; never the secret.',
});

export const SPENDING_LIMITS_EXAMPLE = {
  maxOrder: 20,
  maxDay: 100,
  blueprintIds: [EXAMPLE.blueprintId],
} as const;
export const CREATED_AGENT_KEY_EXAMPLE = {
  ...CREATED_KEY_EXAMPLE,
  name: 'Agent',
  scopes: ['blueprints:deploy', 'orders:read'],
  mode: 'paper',
  envelope: SPENDING_LIMITS_EXAMPLE,
} as const;

/** The stored form of spending limits: decimals as strings, and no key for an absent limit. */
export const spendingLimitsOf = ({
  maxOrder,
  maxDay,
  blueprintIds,
  alwaysApprove,
  allowsUntried,
}: z.output<typeof SpendingLimitsInput>): SpendingLimits => ({
  ...(maxOrder !== undefined && { maxOrder: exact(maxOrder).toFixed() }),
  ...(maxDay !== undefined && { maxDay: exact(maxDay).toFixed() }),
  ...(blueprintIds !== undefined && { blueprintIds }),
  ...(alwaysApprove !== undefined && { alwaysApprove }),
  ...(allowsUntried !== undefined && { allowsUntried }),
});

export const viewSpendingLimits = (
  limits: SpendingLimits | null,
): z.input<typeof SpendingLimitsView> | null =>
  limits && { ...limits, blueprintIds: limits.blueprintIds && [...limits.blueprintIds] };
