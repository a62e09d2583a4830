import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { databaseClock } from '../../platform/context.ts';
import { newId } from '../../platform/ids.ts';
import { isRedirectUri, REDIRECT_URIS_MAX } from './redirect-uri.ts';

/** Limit of registered clients without a grant; the oldest are deleted. */
export const UNUSED_CLIENTS_MAX = 10_000;
const NAME_MAX = 120;

/** A program that asks people for access. It has no secret: its codes are bound by PKCE and by its redirect addresses. */
export type OauthClient = {
  readonly id: string;
  /** The name it gave itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: Date;
};

/**
 * Stores a client under a new id; null if one of its redirect addresses is refused.
 *
 * @param db sees all accounts: clients belong to none
 */
export async function registerClient(
  db: Db,
  { name, redirectUris }: Pick<OauthClient, 'redirectUris'> & { name: string | undefined },
): Promise<OauthClient | null> {
  const isAccepted =
    redirectUris.length > 0 &&
    redirectUris.length <= REDIRECT_URIS_MAX &&
    redirectUris.every((uri) => isRedirectUri(uri));
  if (!isAccepted) return null;
  const client = {
    id: newId(),
    name: plainName(name) || 'Unnamed client',
    redirectUris,
    createdAt: await databaseClock(db),
  };
  await db
    .insertInto('oauth_client')
    .values({
      id: client.id,
      name: client.name,
      redirect_uris: [...redirectUris],
      created_at: client.createdAt,
    })
    .execute();
  await sql`delete from oauth_client where id in (select id from oauth_client where last_used_at is null
    order by created_at desc offset ${UNUSED_CLIENTS_MAX})`.execute(db);
  return client;
}

/** Returns a registered client, or null. */
export async function findClient(db: Db, id: string): Promise<OauthClient | null> {
  if (!UUID.test(id)) return null;
  const row = await db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const { name, redirect_uris: redirectUris, created_at: createdAt } = row;
  return { id: row.id, name, redirectUris, createdAt: new Date(createdAt) };
}

/** Records that a client is in use, so that it stays. */
export async function noteClientUsed(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('oauth_client').set({ last_used_at: at }).where('id', '=', id).execute();
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A stranger's name without characters that change how other text is shown, on one line. */
const plainName = (name = ''): string =>
  [
    ...name
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_MAX)
    .join('');
