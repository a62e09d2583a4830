import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/** A link by which anyone can see the draft of a blueprint, until it expires. A revoked link has no row. */
export const ShareLink = defineEntity({
  name: 'ShareLink',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    blueprintId: p.uuid(),
    /** SHA-256 of the token, unique. */
    tokenHash: p.blob(),
    createdAt: moment(),
    expiresAt: moment(),
  },
});
