import { z } from 'zod';
import { toIso, toIsoOrNull } from '../../engine/platform/clock/timestamp-text.ts';
import type { CreatedKey } from '../../engine/trading/keys/create.ts';
import type { KeyRow } from '../../engine/trading/keys/list.ts';
import { EXAMPLE } from '../examples.ts';
import { timestamp } from '../schemas.ts';
import { SCOPE_NAMES } from '../scopes.ts';

export const Scopes = z.array(z.enum(SCOPE_NAMES)).meta({ description: 'What the key may do.' });

export const KeyView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    start: z.string().meta({ description: 'First characters of the key, prefix included.' }),
    last4: z.string(),
    scopes: z.array(z.string()),
    createdAt: timestamp,
    expiresAt: timestamp.nullable().meta({ description: 'Null: never.' }),
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute.' }),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'Metadata of an API key; never the secret.' });

export const viewKey = (row: KeyRow): z.input<typeof KeyView> => ({
  id: row.id,
  name: row.name,
  start: row.start,
  last4: row.last4,
  scopes: row.scopes,
  createdAt: toIso(row.created_at),
  expiresAt: toIsoOrNull(row.expires_at),
  lastUsedAt: toIsoOrNull(row.last_used_at),
  revokedAt: toIsoOrNull(row.revoked_at),
});

export const CreatedKeyView = z
  .object({
    id: z.uuid(),
    key: z.string().meta({ description: 'The secret. Shown only in this answer; only its hash is stored.' }),
    name: z.string(),
    scopes: z.array(z.string()),
    expiresAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'CreatedApiKey', description: 'A new key, with its secret.' });

export const viewCreatedKey = (created: CreatedKey): z.input<typeof CreatedKeyView> => ({
  id: created.id,
  key: created.key,
  name: created.name,
  scopes: [...created.scopes],
  expiresAt: toIsoOrNull(created.expiresAt),
  createdAt: toIso(created.createdAt),
});

export const CREATED_KEY_EXAMPLE = {
  id: EXAMPLE.keyId,
  key: 'tsk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLE000',
  name: 'Reporting',
  scopes: ['orders:read', 'portfolio:read'],
  expiresAt: '2027-02-18T09:00:00.000Z',
  createdAt: EXAMPLE.createdAt,
} as const;
