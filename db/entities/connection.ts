import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { CONNECTION_STATES, ENVIRONMENTS, VENUE_IDS } from '../vocabulary.ts';

/** An account at a venue that the service may trade through. One venue account has one owner, over all accounts. */
export const VenueConnection = defineEntity({
  name: 'VenueConnection',
  tableName: 'venue_connection',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    venue: p.enum(VENUE_IDS),
    environment: p.enum(ENVIRONMENTS),
    label: p.string().length(120),
    state: p.enum(CONNECTION_STATES),
    /** Why it is in its state, stable and in words; null where nothing is to be said. */
    stateCode: p.string().length(60).nullable(),
    stateReason: p.text().nullable(),
    stateAt: moment(),
    /** Set by a person, and left by nobody else. */
    isHeldByPerson: p.boolean().default(false),
    /** Whose account it is at the venue, as the venue tells it; null until it was asked. */
    fingerprint: p.string().length(200).nullable(),
    /** Last characters of the key's public part. */
    keyHint: p.string().length(4),
    /** Of the credentials in use; raised by each rotation. */
    credentialVersion: p.integer().default(1),
    /** What the key may do, as the venue tells it. */
    permissions: p.array<string>().nullable(),
    keyExpiresAt: moment().nullable(),
    /** USD. Its owner's own caps, below those of the operator; null: none. */
    maxOrder: decimal().nullable(),
    maxDay: decimal().nullable(),
    maxOpenNotional: decimal().nullable(),
    /** How far the venue's clock is ahead, ms, as last measured. */
    clockOffsetMs: p.integer().nullable(),
    /** The rows of the last check, and when somebody asked for one that has not been made yet. */
    checks: p.json<Json>().nullable(),
    checkedAt: moment().nullable(),
    checkRequestedAt: moment().nullable(),
    reconciledAt: moment().nullable(),
    cancelAllRequestedAt: moment().nullable(),
    /** When a person last let it go on: what stopped it before then stops it no more. */
    resumedAt: moment().nullable(),
    /** Of the lease of the one process that may send through it: a sender with an older one is late. */
    leaseEpoch: p.bigint('string').default('0'),
    leaseOwner: p.string().length(80).nullable(),
    leasedUntil: moment().nullable(),
    createdAt: moment(),
    updatedAt: moment(),
    version: p.integer().default(1),
  },
});

/** Credentials of a connection in their envelope. Only what trades opens them. */
export const VenueCredential = defineEntity({
  name: 'VenueCredential',
  tableName: 'venue_credential',
  properties: {
    accountId: p.uuid().primary(),
    connectionId: p.uuid().primary(),
    version: p.integer().primary(),
    /** The key that wraps the data key. */
    keyId: p.string().length(32),
    wrappedKey: p.blob(),
    nonce: p.blob(),
    ciphertext: p.blob(),
    tag: p.blob(),
    createdAt: moment(),
  },
});
