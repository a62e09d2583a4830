import { z } from 'zod';
import type { KeyRow } from '../../engine/keys/list.ts';
import { toIso, toIsoOrNull } from '../../engine/time.ts';
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
