import { defineEntity, p } from '@mikro-orm/postgresql';
import { decimal, moment } from '../columns.ts';
import type { Json } from '../json.ts';
import { CONNECTION_STATES, ENVIRONMENTS, VENUE_IDS } from '../vocabulary.ts';

/** An account at a venue that the service may trade through. One venue account has one owner, over all accounts. */
export const VenueConnection = defineEntity({
  name: 'VenueConnection',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    venue: p.enum(VENUE_IDS),
    environment: p.enum(ENVIRONMENTS),
    label: p.string().length(120),
    state: p.enum(CONNECTION_STATES),
    /** The reason for its state, as a stable code and in words; null if there is none. */
    stateCode: p.string().length(60).nullable(),
    stateReason: p.text().nullable(),
    stateAt: moment(),
    /** Set by a person, and cleared only by a person. */
    isHeldByPerson: p.boolean().default(false),
    /** The identity of the account at the venue, as the venue reports it; null until the first check. */
    fingerprint: p.string().length(200).nullable(),
    /** Last characters of the key's public part. */
    keyHint: p.string().length(4),
    /** The version of the credentials in use; raised by each rotation. */
    credentialVersion: p.integer().default(1),
    /** The key's permissions, as the venue reports them. */
    permissions: p.array<string>().nullable(),
    keyExpiresAt: moment().nullable(),
    /** USD. The owner's own caps, below those of the operator; null: none. */
    maxOrder: decimal().nullable(),
    maxDay: decimal().nullable(),
    maxOpenNotional: decimal().nullable(),
    /** How far the venue's clock is ahead, ms, as last measured. */
    clockOffsetMs: p.integer().nullable(),
    /** The rows of the last check, and the time of a request for one that has not been made yet. */
    checks: p.json<Json>().nullable(),
    checkedAt: moment().nullable(),
    checkRequestedAt: moment().nullable(),
    reconciledAt: moment().nullable(),
    cancelAllRequestedAt: moment().nullable(),
    /** When a person last resumed it: reasons to stop from before then no longer count. */
    resumedAt: moment().nullable(),
    /** The epoch of the lease of the one process that may send through it: a sender with an older one is late. */
    leaseEpoch: p.bigint('string').default('0'),
    leaseOwner: p.string().length(80).nullable(),
    leasedUntil: moment().nullable(),
    /** Set once it is removed, and the directory of venue accounts has no claim of it. */
    isClaimReleased: p.boolean().default(false),
    createdAt: moment(),
    updatedAt: moment(),
    version: p.integer().default(1),
  },
});

/** The sealed credentials of a connection. Only trading code opens them. */
export const VenueCredential = defineEntity({
  name: 'VenueCredential',
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

/**
 * Which connection has a venue account, over all cells: the directory, in the database of cell 0. Other cells leave it empty.
 * A row does not move with its account.
 */
export const VenueAccountClaim = defineEntity({
  name: 'VenueAccountClaim',
  indexes: [{ properties: ['connectionId'] }],
  properties: {
    /** Texts: a newer cell may know more venues. */
    venue: p.string().length(40).primary(),
    environment: p.string().length(40).primary(),
    fingerprint: p.string().length(200).primary(),
    /** The account, in whichever cell it is. */
    ownerId: p.uuid(),
    connectionId: p.uuid(),
    claimedAt: moment(),
  },
});
