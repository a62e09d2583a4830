import type { Work } from '../context.ts';
import { CredentialError } from './credential-error.ts';
import { withOpened } from './envelope.ts';
import type { KeyWrapper } from './key-ring.ts';
import type { ConnectionRow } from './row.ts';

/**
 * Opens the credentials of a connection for as long as `use` takes to make something of them. Only what trades calls this.
 *
 * @throws CredentialError where they are locked, or are not those of this connection.
 */
export async function withCredentials<Result>(
  work: Work,
  row: ConnectionRow,
  keys: KeyWrapper | null,
  use: (plain: Buffer) => Result,
): Promise<Result> {
  const { id, venue, environment, credential_version: version } = row;
  const stored = await work.db
    .selectFrom('venue_credential')
    .selectAll()
    .where('account_id', '=', work.accountId)
    .where('connection_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (stored === undefined) throw CredentialError.refused();
  if (keys === null) throw CredentialError.locked(stored.key_id);
  const sealed = {
    keyId: stored.key_id,
    wrappedKey: Buffer.from(stored.wrapped_key),
    nonce: Buffer.from(stored.nonce),
    ciphertext: Buffer.from(stored.ciphertext),
    tag: Buffer.from(stored.tag),
  };
  const owner = { accountId: work.accountId, connectionId: id, version, venue, environment };
  return withOpened(sealed, owner, keys, use);
}
