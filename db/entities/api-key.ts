import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { MODES } from '../vocabulary.ts';

/** A scoped secret for integrations. Only its SHA-256 is stored. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.string().length(120),
    /** SHA-256 of the whole token, unique: the look-up compares no secret in our code. */
    tokenHash: p.blob(),
    /** First 8 characters, prefix included: safe to log and show. */
    start: p.string().length(8),
    last4: p.string().length(4),
    scopes: p.array<string>(),
    /** The mode whose money it moves. Never changed. */
    mode: p.enum(MODES).default('paper'),
    /** The spending limits of its orders; null if only scopes and rules bound it. Never changed. */
    envelope: p.json<Json>().nullable(),
    createdAt: moment(),
    /** Null for never. */
    expiresAt: moment().nullable(),
    revokedAt: moment().nullable(),
    lastUsedAt: moment().nullable(),
    /** The key this one replaced by rotation. */
    rotatedFrom: p.uuid().nullable(),
    createdBy: p.uuid().nullable(),
  },
});
