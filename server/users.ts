import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../db/pool.ts';
import type { Auth } from './auth.ts';
import type { UserTrail } from './user-trail.ts';

/** The id of the user with this e-mail, or null. */
export async function findUser(pool: Pool, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from auth."user" where email = ${email.toLowerCase()}
  `.execute(unscopedDb(pool));
  return rows[0]?.id ?? null;
}

export type NewUser = { email: string; name: string; password: string };

/** Makes a user who signs in by password, also where sign-up is closed. Its account is opened by the auth hook. */
export async function createUser(auth: Auth, { email, name, password }: NewUser): Promise<string> {
  const { internalAdapter, password: passwords } = await auth.$context;
  const user = await internalAdapter.createUser(
    { email, name, emailVerified: true },
    { method: 'email-password' },
  );
  await internalAdapter.linkAccount({
    userId: user.id,
    providerId: 'credential',
    accountId: user.id,
    password: await passwords.hash(password),
  });
  return user.id;
}

/** Sets a new password and ends every session of the user. */
export async function resetPassword(
  auth: Auth,
  trail: UserTrail,
  { userId, password }: { userId: string; password: string },
): Promise<void> {
  const { internalAdapter, password: passwords } = await auth.$context;
  await internalAdapter.updatePassword(userId, await passwords.hash(password));
  await internalAdapter.deleteUserSessions(userId);
  await trail.record({ userId, action: 'password.changed', subjectId: userId, after: null, requestId: null });
}
