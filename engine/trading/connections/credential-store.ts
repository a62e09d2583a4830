import type { Db } from '../../../db/tables.ts';
import type { Environment, Venue } from '../../../db/vocabulary.ts';
import { ACCESS } from '../../../venues/trading-access.ts';
import type { Work } from '../../platform/context.ts';
import { DomainError, invalid } from '../../platform/errors.ts';
import { type CredentialOwner, type SealedCredentials, seal } from './credentials/encryption.ts';
import type { KeyWrapper } from './credentials/key-ring.ts';
import type { ConnectionRow } from './row.ts';

/** Entered credentials, sealed for the version of the connection that will use them. */
export type NewCredentials = {
  readonly owner: CredentialOwner;
  readonly sealed: SealedCredentials;
  /** Last characters of the key's public name. */
  readonly hint: string;
};

/**
 * Validates and seals entered credentials; no plain copy is stored.
 *
 * @throws DomainError `validation_failed`, whose message repeats no part of them; `credentials_not_kept` without sealing keys.
 */
export async function sealCredentials(
  sent: unknown,
  owner: CredentialOwner,
  keys: KeyWrapper | null,
): Promise<NewCredentials> {
  if (keys === null) throw DomainError.of('credentials_not_kept');
  const { plain, hint } = readOrRefuse(owner.venue, owner.environment, sent);
  try {
    return { owner, sealed: await seal(plain, owner, keys), hint };
  } finally {
    plain.fill(0);
  }
}

function readOrRefuse(venue: Venue, environment: Environment, sent: unknown) {
  const read = ACCESS[venue].read(environment, sent);
  if (read.kind === 'read') return read;
  throw invalid([{ path: '/credentials', code: 'custom', message: read.message }]);
}

/** Stores credentials and deletes earlier versions. Call under the account's lock. */
export async function storeCredentials(
  tx: Work,
  { owner, sealed }: NewCredentials,
  now: Date,
): Promise<void> {
  await deleteCredentials(tx, owner.connectionId);
  await tx.db
    .insertInto('venue_credential')
    .values({
      account_id: tx.accountId,
      connection_id: owner.connectionId,
      version: owner.version,
      key_id: sealed.keyId,
      wrapped_key: sealed.wrappedKey,
      nonce: sealed.nonce,
      ciphertext: sealed.ciphertext,
      tag: sealed.tag,
      created_at: now,
    })
    .execute();
}

/** Reads the current sealed credentials of a connection, and the owner they are bound to. @throws Error if there are none. */
export async function readSealed(
  db: Db,
  { account_id, id, venue, environment, credential_version }: ConnectionRow,
): Promise<Pick<NewCredentials, 'owner' | 'sealed'>> {
  const row = await db
    .selectFrom('venue_credential')
    .select(['key_id', 'wrapped_key', 'nonce', 'ciphertext', 'tag'])
    .where('account_id', '=', account_id)
    .where('connection_id', '=', id)
    .where('version', '=', credential_version)
    .executeTakeFirst();
  if (row === undefined) throw new Error(`Connection ${id} has no credentials.`);
  const owner = { accountId: account_id, connectionId: id, version: credential_version, venue, environment };
  return {
    owner,
    sealed: {
      keyId: row.key_id,
      wrappedKey: Buffer.from(row.wrapped_key),
      nonce: Buffer.from(row.nonce),
      ciphertext: Buffer.from(row.ciphertext),
      tag: Buffer.from(row.tag),
    },
  };
}

/** Deletes all credentials of a connection. Call under the account's lock. */
export async function deleteCredentials(tx: Work, connectionId: string): Promise<void> {
  await tx.db
    .deleteFrom('venue_credential')
    .where('account_id', '=', tx.accountId)
    .where('connection_id', '=', connectionId)
    .execute();
}
