/** Moves the secrets of channels and push services to the current wrapping key. Older keys can then be removed. */
import type { Db } from '../../db/tables.ts';
import { CredentialError } from '../trading/connections/credentials/credential-error.ts';
import { rewrappedFor } from '../trading/connections/credentials/encryption.ts';
import type { KeyWrapper, WrappedKey } from '../trading/connections/credentials/key-ring.ts';
import { PUSH_KEY_CONTEXT } from './push-key.ts';
import { type ChannelOwner, channelContext } from './secrets.ts';

/** Channels per page. */
const PAGE_ROWS = 200;

/** Number of channel secrets that a key wraps, including the service's own for push services. */
export type SecretUse = { readonly keyId: string; readonly secrets: number };

/** Counts secrets by wrapping key, over all accounts, without opening them. */
export async function readSecretUse(db: Db): Promise<SecretUse[]> {
  const rows = await db
    .with('sealed', (known) =>
      known
        .selectFrom('notification_channel')
        .select('key_id')
        .where('key_id', 'is not', null)
        .unionAll(known.selectFrom('push_key').select('key_id')),
    )
    .selectFrom('sealed')
    .select(({ fn }) => ['key_id', fn.countAll<string>().as('secrets')])
    .groupBy('key_id')
    .orderBy('key_id')
    .execute();
  return rows.map(({ key_id, secrets }) => ({ keyId: key_id ?? '', secrets: Number(secrets) }));
}

/** Results of moving the secrets of one page. */
export type SecretPage = {
  readonly moved: number;
  /** Secrets that could not be moved, and the reason, without secret content. */
  readonly failed: readonly { readonly of: string; readonly reason: string }[];
};

/**
 * Wraps all secrets of other keys with the current one, page by page. Each row is moved separately, and only if unchanged since
 * it was read. Can be stopped at any time, repeated, and run beside the service.
 */
export async function* rewrapSecrets(
  db: Db,
  keys: KeyWrapper,
  pageRows = PAGE_ROWS,
): AsyncGenerator<SecretPage> {
  yield await movePage(keys, await pushKeyRows(db, keys));
  let after: ChannelOwner | null = null;
  for (;;) {
    const page: readonly Owned[] = await readPage(db, keys, after, pageRows);
    const last = page.at(-1);
    if (last === undefined) return;
    yield await movePage(
      keys,
      page.map(({ owner, wrapped }) => ({
        of: `channel ${owner.channelId}`,
        context: channelContext(owner),
        wrapped,
        move: (moved) => moveChannel(db, owner, wrapped, moved),
      })),
    );
    after = last.owner;
  }
}

type Owned = { readonly owner: ChannelOwner; readonly wrapped: WrappedKey };
type Sealed = {
  readonly of: string;
  readonly context: Buffer;
  readonly wrapped: WrappedKey;
  /** Stores the secret if the row is unchanged since it was read. */
  readonly move: (moved: WrappedKey) => Promise<boolean>;
};

async function movePage(keys: KeyWrapper, page: readonly Sealed[]): Promise<SecretPage> {
  const failed: { of: string; reason: string }[] = [];
  let moved = 0;
  for (const { of, context, wrapped, move } of page) {
    try {
      if (await move(await rewrappedFor(context, wrapped, keys))) moved += 1;
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      failed.push({ of, reason: error.message });
    }
  }
  return { moved, failed };
}

/** Reads in the order of the primary key: a row that cannot be moved is skipped, and none is read twice. */
async function readPage(
  db: Db,
  { currentKeyId }: KeyWrapper,
  after: ChannelOwner | null,
  pageRows: number,
): Promise<Owned[]> {
  const rows = await db
    .selectFrom('notification_channel')
    .select(['account_id', 'id', 'key_id', 'wrapped_key'])
    .where('key_id', '!=', currentKeyId)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('account_id', 'id'), '>', tuple(after?.accountId ?? '', after?.channelId ?? '')),
      ),
    )
    .orderBy('account_id')
    .orderBy('id')
    .limit(pageRows)
    .execute();
  return rows.flatMap(({ account_id, id, key_id, wrapped_key }) =>
    key_id === null || wrapped_key === null
      ? []
      : [
          {
            owner: { accountId: account_id, channelId: id },
            wrapped: { keyId: key_id, wrappedKey: Buffer.from(wrapped_key) },
          },
        ],
  );
}

async function moveChannel(
  db: Db,
  { accountId, channelId }: ChannelOwner,
  before: WrappedKey,
  after: WrappedKey,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notification_channel')
    .set({ key_id: after.keyId, wrapped_key: after.wrappedKey })
    .where('account_id', '=', accountId)
    .where('id', '=', channelId)
    .where('key_id', '=', before.keyId)
    .where('wrapped_key', '=', before.wrappedKey)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function pushKeyRows(db: Db, { currentKeyId }: KeyWrapper): Promise<Sealed[]> {
  const rows = await db
    .selectFrom('push_key')
    .select(['name', 'key_id', 'wrapped_key'])
    .where('key_id', '!=', currentKeyId)
    .execute();
  return rows.map(({ name, key_id, wrapped_key }) => ({
    of: 'the key for push services',
    context: PUSH_KEY_CONTEXT,
    wrapped: { keyId: key_id, wrappedKey: Buffer.from(wrapped_key) },
    move: async (moved) => {
      const { numUpdatedRows } = await db
        .updateTable('push_key')
        .set({ key_id: moved.keyId, wrapped_key: moved.wrappedKey })
        .where('name', '=', name)
        .where('key_id', '=', key_id)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  }));
}
