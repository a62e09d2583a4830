import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';

/**
 * Makes a user an operator, with the authenticator that the user has now.
 *
 * @param owner as the owner of the tables: the service's own role may not
 * @returns why the user cannot be one, as a sentence; null once it is done
 */
export async function grantOperator(owner: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ factor: string | null; hasProvider: boolean }>`
    select f.id as factor, exists (select from auth.account a
      where a."userId" = u.id and a."providerId" <> 'credential') as "hasProvider"
    from auth."user" u left join auth."twoFactor" f on f."userId" = u.id and u."twoFactorEnabled"
    where u.id = ${userId}`.execute(owner);
  const [found] = rows;
  if (found?.hasProvider)
    return 'This user signs in by a provider, which asks for no second factor of ours: take a user of its own for an operator.';
  if (found?.factor == null)
    return 'This user has no authenticator: turn two-factor on in the console first, under Settings, Your account.';
  await sql`insert into operator (user_id, factor_id, granted_at) values (${userId}, ${found.factor}, clock_timestamp())
    on conflict (user_id) do update set factor_id = excluded.factor_id, granted_at = excluded.granted_at`.execute(
    owner,
  );
  return null;
}

/** Ends the rights of an operator with the next request. Returns whether the user was one. */
export async function revokeOperator(owner: Db, userId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from operator where user_id = ${userId}`.execute(owner);
  return (numAffectedRows ?? 0n) > 0n;
}
