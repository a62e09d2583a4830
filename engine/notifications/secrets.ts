/** Seals the addresses and secrets of channels like venue credentials, each for its own channel. */

import { DomainError } from '../platform/errors.ts';
import {
  type SealedCredentials,
  sealFor,
  withOpenedFor,
} from '../trading/connections/credentials/encryption.ts';
import type { KeyWrapper } from '../trading/connections/credentials/key-ring.ts';
import type { SigningSecret } from './signature.ts';

/** Secrets needed to send to a channel, by its kind. */
export type ChannelSecrets = {
  readonly url?: string;
  readonly chatId?: string;
  /** Sealed too: a receiver may want a token in its body. */
  readonly bodyTemplate?: string | undefined;
  readonly signing?: readonly SigningSecret[];
  /** From a browser's subscription. */
  readonly push?: { readonly p256dh: string; readonly auth: string };
};

export type ChannelOwner = { readonly accountId: string; readonly channelId: string };

export const channelContext = ({ accountId, channelId }: ChannelOwner): Buffer =>
  Buffer.from(['notification_channel', accountId, channelId].join('|'));

/** Returns the columns of a sealed secret. */
export const sealedColumns = ({ keyId, wrappedKey, nonce, ciphertext, tag }: SealedCredentials) => ({
  key_id: keyId,
  wrapped_key: wrappedKey,
  nonce,
  ciphertext,
  tag,
});

type SealedRow = {
  key_id: string | null;
  wrapped_key: Uint8Array | null;
  nonce: Uint8Array | null;
  ciphertext: Uint8Array | null;
  tag: Uint8Array | null;
};

/** Returns the sealed secret of a row; null if it has none. */
export function sealedOf({
  key_id,
  wrapped_key,
  nonce,
  ciphertext,
  tag,
}: SealedRow): SealedCredentials | null {
  if (key_id === null || !wrapped_key || !nonce || !ciphertext || !tag) return null;
  return {
    keyId: key_id,
    wrappedKey: Buffer.from(wrapped_key),
    nonce: Buffer.from(nonce),
    ciphertext: Buffer.from(ciphertext),
    tag: Buffer.from(tag),
  };
}

/** @throws DomainError `credentials_not_kept` if the service has no keys to seal with. */
export async function sealChannel(
  owner: ChannelOwner,
  secrets: ChannelSecrets,
  keys: KeyWrapper | null,
): Promise<ReturnType<typeof sealedColumns>> {
  if (keys === null) throw DomainError.of('credentials_not_kept');
  const plain = Buffer.from(JSON.stringify(secrets));
  try {
    return sealedColumns(await sealFor(channelContext(owner), plain, keys));
  } finally {
    plain.fill(0);
  }
}

/** @throws CredentialError if they are locked or of another channel; DomainError `credentials_not_kept`. */
export async function openChannel(
  owner: ChannelOwner,
  row: SealedRow,
  keys: KeyWrapper | null,
): Promise<ChannelSecrets> {
  const sealed = sealedOf(row);
  if (sealed === null) return {};
  if (keys === null) throw DomainError.of('credentials_not_kept');
  return withOpenedFor(
    channelContext(owner),
    sealed,
    keys,
    (plain) => JSON.parse(plain.toString()) as ChannelSecrets,
  );
}
