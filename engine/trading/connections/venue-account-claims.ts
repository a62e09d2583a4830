/**
 * The directory of venue accounts: each belongs to one connection over all cells. It is the table `venue_account_claim` of cell
 * 0, which the runners of every cell write. A connection claims its venue account before it stores the fingerprint. After its
 * removal the claim is released. An interruption leaves at most a claim without a connection.
 */
import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import type { ConnectionRow } from './row.ts';

/** The database of this cell, and that of cell 0. Null: its address is not set. */
export type ClaimStores = { readonly db: Db; readonly directory: Db | null };

/** The connection that has a venue account, and the account that owns both. */
export type Claim = { readonly ownerId: string; readonly connectionId: string };

type Claimant = Pick<ConnectionRow, 'account_id' | 'id' | 'venue' | 'environment' | 'fingerprint'>;

const RELEASED_MAX = 1_000;

/**
 * Claims a venue account for a connection, unless another one has it. Returns the claim there is from then on. May be repeated.
 * A claim of a removed connection of the same account is replaced: its release was lost.
 *
 * @throws Error if the directory cannot be used now
 */
export async function claimVenueAccount(
  { db, directory }: ClaimStores,
  connection: Claimant,
  fingerprint: string,
): Promise<Claim> {
  if (directory === null) throw unset();
  let claim = await insertClaim(directory, connection, fingerprint);
  if (claim.connectionId !== connection.id && (await isRemoved(db, connection.account_id, claim))) {
    await deleteClaims(directory, [claim.connectionId]);
    claim = await insertClaim(directory, connection, fingerprint);
  }
  // Released again, if the connection was removed meanwhile: its release may have been before this claim.
  await db
    .updateTable('venue_connection')
    .set({ is_claim_released: false })
    .where('account_id', '=', connection.account_id)
    .where('id', '=', connection.id)
    .where('state', '=', 'revoked')
    .execute();
  return claim;
}

/** Releases the venue accounts of removed connections of this cell. @throws Error if the directory cannot be used now */
export async function releaseVenueAccounts({ db, directory }: ClaimStores): Promise<void> {
  const removed = await db
    .selectFrom('venue_connection')
    .select('id')
    .where('state', '=', 'revoked')
    .where('is_claim_released', '=', false)
    .limit(RELEASED_MAX)
    .execute();
  if (removed.length === 0) return;
  if (directory === null) throw unset();
  const ids = removed.map(({ id }) => id);
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('venue_connection')
      .set({ is_claim_released: true })
      .where('id', 'in', ids)
      .where('state', '=', 'revoked')
      .execute();
    // Before the commit: a late claim waits for it to state that the connection has one again.
    await deleteClaims(directory, ids);
  });
}

const unset = () => new Error('DIRECTORY_URL is not set: a cell other than 0 claims venue accounts there.');

/** A connection has one venue account for good: other claims of it are of checks whose result was not stored. */
async function insertClaim(directory: Db, connection: Claimant, fingerprint: string): Promise<Claim> {
  const { account_id, id, venue, environment, fingerprint: stored } = connection;
  const { rows } = await sql<Claim>`
    with mistaken as (delete from venue_account_claim where connection_id = ${id} and fingerprint <> ${stored}::text)
    insert into venue_account_claim as claim (venue, environment, fingerprint, owner_id, connection_id, claimed_at)
    select ${venue}::text, ${environment}::text, ${fingerprint}::text, ${account_id}::uuid, ${id}::uuid, clock_timestamp()
    where not exists (select from cell where number <> 0)
    on conflict (venue, environment, fingerprint) do update set claimed_at = claim.claimed_at
    returning owner_id as "ownerId", connection_id as "connectionId"`.execute(directory);
  const [claim] = rows;
  if (claim === undefined) throw new Error('DIRECTORY_URL does not lead to the database of cell 0.');
  return claim;
}

async function deleteClaims(directory: Db, connectionIds: readonly string[]): Promise<void> {
  await directory.deleteFrom('venue_account_claim').where('connection_id', 'in', connectionIds).execute();
}

async function isRemoved(db: Db, accountId: string, { ownerId, connectionId }: Claim): Promise<boolean> {
  if (ownerId !== accountId) return false;
  const removed = await db
    .selectFrom('venue_connection')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', connectionId)
    .where('state', '=', 'revoked')
    .executeTakeFirst();
  return removed !== undefined;
}
