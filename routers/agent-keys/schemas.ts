import { z } from 'zod';
import { MODES } from '../../db/vocabulary.ts';
import { exact } from '../../engine/platform/decimal.ts';
import type { Envelope } from '../../engine/trading/keys/envelope.ts';
import { CREATED_KEY_EXAMPLE, CreatedKeyView, KeyView } from '../api-keys/schemas.ts';
import { EXAMPLE } from '../examples.ts';
import { decimalNumber, exactNumber, uuid } from '../schemas.ts';
import { LIVE_SCOPE_NAMES, SCOPE_NAMES } from '../scopes.ts';

const BLUEPRINTS_MAX = 200;

const MaxOrder = 'USD. A larger buy is denied; absent: only the risk rules bound it.';
const MaxDay = 'USD. A buy that brings those since 00:00 UTC beyond it is denied.';
const BlueprintIds = 'The blueprints it may trade for; absent: all.';
const AlwaysApprove =
  'Whatever it asks for waits for a person, however small, and it approves nothing itself.';

const AllowsUntried =
  'For real money: what it deploys need not have run on paper for 24 hours. Absent: it is refused.';

export const EnvelopeInput = z
  .strictObject({
    maxOrder: exactNumber({ above: 0 }).optional().meta({ description: MaxOrder }),
    maxDay: exactNumber({ above: 0 }).optional().meta({ description: MaxDay }),
    blueprintIds: z.array(uuid).min(1).max(BLUEPRINTS_MAX).optional().meta({ description: BlueprintIds }),
    alwaysApprove: z.literal(true).optional().meta({ description: AlwaysApprove }),
    allowsUntried: z.literal(true).optional().meta({ description: AllowsUntried }),
  })
  .meta({ description: 'What its orders, and those of what it deploys, may come to. Fixed for good.' });

const EnvelopeView = z.object({
  maxOrder: decimalNumber.optional().meta({ description: MaxOrder }),
  maxDay: decimalNumber.optional().meta({ description: MaxDay }),
  blueprintIds: z.array(z.uuid()).optional().meta({ description: BlueprintIds }),
  alwaysApprove: z.literal(true).optional().meta({ description: AlwaysApprove }),
  allowsUntried: z.literal(true).optional().meta({ description: AllowsUntried }),
});

const BOUNDS = {
  mode: z.enum(MODES).meta({ description: 'Whose money it moves. Fixed for good.' }),
  envelope: EnvelopeView.nullable(),
};

export const AgentScopes = z.array(z.enum([...SCOPE_NAMES, ...LIVE_SCOPE_NAMES]));

export const CreatedAgentKeyView = CreatedKeyView.extend(BOUNDS).meta({
  id: 'CreatedAgentKey',
  description: 'A new key with its envelope, and its secret.',
});

export const AgentKeyView = KeyView.extend(BOUNDS).meta({
  id: 'AgentKey',
  description: 'Metadata of a key with its mode and envelope; never the secret.',
});

export const ENVELOPE_EXAMPLE = {
  maxOrder: 20,
  maxDay: 100,
  blueprintIds: [EXAMPLE.blueprintId],
} as const;
export const CREATED_AGENT_KEY_EXAMPLE = {
  ...CREATED_KEY_EXAMPLE,
  name: 'Agent',
  scopes: ['blueprints:deploy', 'orders:read'],
  mode: 'paper',
  envelope: ENVELOPE_EXAMPLE,
} as const;

/** An envelope as it is stored: decimals as strings, what bounds nothing left out. */
export const envelopeOf = ({
  maxOrder,
  maxDay,
  blueprintIds,
  alwaysApprove,
  allowsUntried,
}: z.output<typeof EnvelopeInput>): Envelope => ({
  ...(maxOrder !== undefined && { maxOrder: exact(maxOrder).toFixed() }),
  ...(maxDay !== undefined && { maxDay: exact(maxDay).toFixed() }),
  ...(blueprintIds !== undefined && { blueprintIds }),
  ...(alwaysApprove !== undefined && { alwaysApprove }),
  ...(allowsUntried !== undefined && { allowsUntried }),
});

export const viewEnvelope = (envelope: Envelope | null): z.input<typeof EnvelopeView> | null =>
  envelope && { ...envelope, blueprintIds: envelope.blueprintIds && [...envelope.blueprintIds] };
