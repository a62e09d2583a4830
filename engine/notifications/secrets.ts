/** Addresses and secrets of channels at rest: sealed as credentials of venues are, each for its own channel. */

import { DomainError } from '../platform/errors.ts';
import {
  type SealedCredentials,
  sealFor,
  withOpenedFor,
} from '../trading/connections/credentials/envelope.ts';
import type { KeyWrapper } from '../trading/connections/credentials/key-ring.ts';
import type { SigningSecret } from './signature.ts';

/** What is needed to reach a channel and is nobody else's to know. By its kind. */
export type ChannelSecrets = {
  readonly url?: string;
  readonly chatId?: string;
  readonly signing?: readonly SigningSecret[];
  /** Of a browser's subscription. */
  readonly push?: { readonly p256dh: string; readonly auth: string };
};

export type ChannelOwner = { readonly accountId: string; readonly channelId: string };

export const channelContext = ({ accountId, channelId }: ChannelOwner): Buffer =>
  Buffer.from(['notification_channel', accountId, channelId].join('|'));

/** The columns of an envelope. */
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

/** The envelope of a row; null where it has none. */
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

/** @throws DomainError `credentials_not_kept` where the service has no keys to seal with. */
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

/** @throws CredentialError where they are locked or of another channel; DomainError `credentials_not_kept`. */
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
