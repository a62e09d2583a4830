/** Rewraps data keys with the current key, so that an older key can be removed. The ciphertexts do not change. */
import type { Db } from '../../../../db/tables.ts';
import { CredentialError } from './credential-error.ts';
import { type CredentialOwner, rewrapped } from './encryption.ts';
import type { KeyWrapper, WrappedKey } from './key-ring.ts';

/** Credentials read at a time. */
const PAGE_ROWS = 200;

/** Number of credentials that a key wraps. */
export type KeyUse = { readonly keyId: string; readonly credentials: number };

/** Counts credentials by wrapping key, over all accounts, without reading them. */
export async function readKeyUse(db: Db): Promise<KeyUse[]> {
  const rows = await db
    .selectFrom('venue_credential')
    .select(({ fn }) => ['key_id', fn.countAll<string>().as('credentials')])
    .groupBy('key_id')
    .orderBy('key_id')
    .execute();
  return rows.map(({ key_id, credentials }) => ({ keyId: key_id, credentials: Number(credentials) }));
}

/** Result of one page. */
export type RewrapPage = {
  readonly moved: number;
  /** Credentials replaced or removed at the same time: nothing is left to do for them. */
  readonly gone: number;
  /** Connections whose credentials were not moved, with the reason, in words without secrets. */
  readonly failed: readonly { readonly connectionId: string; readonly reason: string }[];
};

/**
 * Rewraps all credentials of other keys with the current key, page by page. Each row is updated separately, and
 * only if unchanged. Thus a run can be stopped at any point and repeated, also while the service runs.
 */
export async function* rewrapCredentials(
  db: Db,
  keys: KeyWrapper,
  pageRows = PAGE_ROWS,
): AsyncGenerator<RewrapPage> {
  let after: RowKey | null = null;
  for (;;) {
    const page: readonly Row[] = await readPage(db, keys, after, pageRows);
    const last = page.at(-1);
    if (last === undefined) return;
    yield await movePage(db, keys, page);
    after = last.owner;
  }
}

type RowKey = Pick<CredentialOwner, 'accountId' | 'connectionId' | 'version'>;
type Row = { readonly owner: CredentialOwner; readonly wrapped: WrappedKey };

/** Reads a page in the order of the primary key. Thus no row is read twice, even if it failed to move. */
async function readPage(
  db: Db,
  { currentKeyId }: KeyWrapper,
  after: RowKey | null,
  pageRows: number,
): Promise<Row[]> {
  const rows = await db
    .selectFrom('venue_credential as credential')
    .innerJoin('venue_connection as connection', (join) =>
      join
        .onRef('connection.account_id', '=', 'credential.account_id')
        .onRef('connection.id', '=', 'credential.connection_id'),
    )
    .select(['credential.account_id', 'credential.connection_id', 'credential.version'])
    .select(['credential.key_id', 'credential.wrapped_key', 'connection.venue', 'connection.environment'])
    .where('credential.key_id', '!=', currentKeyId)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('credential.account_id', 'credential.connection_id', 'credential.version'),
          '>',
          tuple(after?.accountId ?? '', after?.connectionId ?? '', after?.version ?? 0),
        ),
      ),
    )
    .orderBy('credential.account_id')
    .orderBy('credential.connection_id')
    .orderBy('credential.version')
    .limit(pageRows)
    .execute();
  return rows.map(({ account_id, connection_id, version, key_id, wrapped_key, venue, environment }) => ({
    owner: { accountId: account_id, connectionId: connection_id, version, venue, environment },
    wrapped: { keyId: key_id, wrappedKey: Buffer.from(wrapped_key) },
  }));
}

async function movePage(db: Db, keys: KeyWrapper, page: readonly Row[]): Promise<RewrapPage> {
  const failed: { connectionId: string; reason: string }[] = [];
  let moved = 0;
  for (const { owner, wrapped } of page) {
    try {
      if (await moveRow(db, owner, wrapped, await rewrapped(wrapped, owner, keys))) moved += 1;
    } catch (error) {
      if (!(error instanceof CredentialError)) throw error;
      failed.push({ connectionId: owner.connectionId, reason: error.message });
    }
  }
  return { moved, gone: page.length - moved - failed.length, failed };
}

/** Updates a row; false if it was changed or removed since it was read. */
async function moveRow(db: Db, owner: RowKey, before: WrappedKey, after: WrappedKey): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('venue_credential')
    .set({ key_id: after.keyId, wrapped_key: after.wrappedKey })
    .where('account_id', '=', owner.accountId)
    .where('connection_id', '=', owner.connectionId)
    .where('version', '=', owner.version)
    .where('key_id', '=', before.keyId)
    .where('wrapped_key', '=', before.wrappedKey)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
