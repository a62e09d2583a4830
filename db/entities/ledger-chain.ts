import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import { MODES } from '../vocabulary.ts';

/**
 * One link of an account's chain: the digests of the rows that one statement wrote to a table of history. The database writes
 * it. Denials have their own chain, because only they are deleted.
 */
export const LedgerLink = defineEntity({
  name: 'LedgerLink',
  properties: {
    accountId: p.uuid().primary(),
    isDenial: p.boolean().primary(),
    /** From 1 without gaps. */
    number: p.bigint('string').primary(),
    /** The table of the rows. */
    subject: p.string().length(40),
    /** The latest `at` of its rows. */
    at: moment(),
    digests: p.array().columnType('bytea[]').$type<Buffer[]>(),
    /** SHA-256 of the hash of the link before and of the content of this one. */
    hash: p.blob(),
  },
});

/** The last link of each chain. */
export const LedgerHead = defineEntity({
  name: 'LedgerHead',
  properties: {
    accountId: p.uuid().primary(),
    isDenial: p.boolean().primary(),
    number: p.bigint('string'),
    hash: p.blob(),
  },
});

/**
 * One file of the archive: of one month of an account, the evidence of its ended orders or the points of its equity. Chained
 * like the ledger: the head of the account's chain proves the digest, and with it each byte of the file.
 */
export const ArchivedPart = defineEntity({
  name: 'ArchivedPart',
  properties: {
    accountId: p.uuid().primary(),
    /** From 1 without gaps. */
    number: p.integer().primary(),
    /** When it was sealed. */
    at: moment(),
    /** The books whose points of equity it has; null: it has evidence of orders. */
    equityMode: p.enum(MODES).nullable(),
    /** The blueprints of these books whose points it has; null: it has those of the books themselves. */
    blueprintIds: p.array<string>().columnType('uuid[]').nullable(),
    /** When its first and its last order ended, or the times of its first and last point. */
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
