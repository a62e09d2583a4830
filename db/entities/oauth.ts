import { defineEntity, p } from '@mikro-orm/postgresql';
import { moment } from '../columns.ts';
import type { Json } from '../json.ts';

/** A program that registered itself to ask people for access. It belongs to no account, and has no secret. */
export const OauthClient = defineEntity({
  name: 'OauthClient',
  properties: {
    id: p.uuid().primary(),
    /** The name it gave itself. Anyone may give any. */
    name: p.string().length(120),
    redirectUris: p.array<string>(),
    createdAt: moment(),
    /** When it last redeemed a code or renewed an access token; null before the first. */
    lastUsedAt: moment().nullable(),
  },
});

/** The access that a person granted to a client: first a code, then an API key with access and refresh tokens. */
export const OauthGrant = defineEntity({
  name: 'OauthGrant',
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    clientId: p.uuid(),
    /** The name of the client when access was granted. */
    clientName: p.string().length(120),
    redirectUri: p.text(),
    /** Name, scopes and limits of the key, as the person chose them. */
    name: p.string().length(120),
    scopes: p.array<string>(),
    envelope: p.json<Json>().nullable(),
    endsAt: moment(),
    /** The person, as audit rows name them, and the session. */
    actor: p.string().length(80),
    createdBy: p.uuid(),
    /** SHA-256 of the code, unique. */
    codeHash: p.blob(),
    codeChallenge: p.string().length(43),
    codeExpiresAt: moment(),
    /** The key made when the code was redeemed; null before. */
    keyId: p.uuid().nullable(),
    /** SHA-256 of the access token, unique. */
    accessHash: p.blob().nullable(),
    accessExpiresAt: moment().nullable(),
    /** SHA-256 of the half that all refresh tokens of the grant share, unique. */
    familyHash: p.blob().nullable(),
    /** SHA-256 of the other half of the one refresh token that is valid. */
    refreshHash: p.blob().nullable(),
  },
});
