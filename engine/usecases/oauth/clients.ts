import type { Db } from '../../../db/tables.ts';
import { databaseClock } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { singleLine } from '../../platform/text.ts';
import { areRedirectUris } from './redirect-uri.ts';

/** Limit of registered clients that have redeemed no code. Housekeeping deletes old ones. */
const UNUSED_CLIENTS_MAX = 10_000;
const FULL_RETRY_SEC = 60;
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
 * Stores a client under a new id; null if its redirect addresses are refused.
 *
 * @param db sees all accounts: clients belong to none
 * @throws DomainError `overloaded` while too many clients wait for a person
 */
export async function registerClient(
  db: Db,
  { name, redirectUris }: Pick<OauthClient, 'redirectUris'> & { name: string | undefined },
): Promise<OauthClient | null> {
  if (!areRedirectUris(redirectUris)) return null;
  await refuseTooManyUnused(db);
  const client = {
    id: newId(),
    name: plainName(name),
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
  return client;
}

async function refuseTooManyUnused(db: Db): Promise<void> {
  const last = await db
    .selectFrom('oauth_client')
    .select('created_at')
    .where('last_used_at', 'is', null)
    .orderBy('created_at')
    .offset(UNUSED_CLIENTS_MAX - 1)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  throw new DomainError(
    'overloaded',
    `${UNUSED_CLIENTS_MAX} registered clients wait for a person, the most there may be. Register again in a minute.`,
    { retryAfterSec: FULL_RETRY_SEC },
  );
}

/** Returns a registered client, or null. */
export async function findClient(db: Db, id: string): Promise<OauthClient | null> {
  if (!UUID.test(id)) return null;
  const row = await db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return null;
  const { name, redirect_uris: redirectUris, created_at: createdAt } = row;
  return { id: row.id, name, redirectUris, createdAt: new Date(createdAt) };
}

/** Records that a client holds a grant, so that it stays. */
export async function noteClientUsed(db: Db, id: string, at: Date): Promise<void> {
  await db.updateTable('oauth_client').set({ last_used_at: at }).where('id', '=', id).execute();
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A stranger's name without characters that change how other text is shown, on one line. */
const plainName = (name = ''): string =>
  singleLine(
    name
      .toWellFormed()
      .normalize('NFC')
      .replaceAll(/[\p{C}\p{Z}]+/gu, ' '),
    NAME_MAX,
    'Unnamed client',
  );
