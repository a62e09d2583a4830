import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';

/**
 * One file of the archive: the evidence of an account's ended orders of one month. Chained like the ledger: the head of the
 * account's chain proves the digest, and with it each byte of the file.
 */
export const ArchivedPart = defineEntity({
  name: 'ArchivedPart',
  properties: {
    accountId: p.uuid().primary(),
    /** From 1 without gaps. */
    number: p.integer().primary(),
    /** When it was sealed. */
    at: moment(),
    /** When its first and its last order ended. */
    firstAt: moment(),
    lastAt: moment(),
    /** Its orders: evidence of no other leaves for it. */
    orderIds: p.array<string>().columnType('uuid[]'),
    bytes: p.integer(),
    /** SHA-256 of the file, in hexadecimal. */
    digest: p.string().length(64),
    /** The name of the file in the archive. */
    fileName: p.string().length(200),
  },
});
