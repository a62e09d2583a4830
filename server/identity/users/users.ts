import { sql } from 'kysely';
import { type Pool, unscopedDb } from '../../../db/pool.ts';
import type { Auth } from '../auth.ts';
import type { UserTrail } from '../user-trail.ts';

/** Returns the id of the user with this e-mail, or null. */
export async function findUser(pool: Pool, email: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from auth."user" where email = ${email.toLowerCase()}
  `.execute(unscopedDb(pool));
  return rows[0]?.id ?? null;
}

export type NewUser = { email: string; name: string; password: string };

/** Creates a user with a password, also if sign-up is closed. The auth hook opens its account. */
export async function createUser(auth: Auth, { email, name, password }: NewUser): Promise<string> {
  const { internalAdapter } = await auth.$context;
  const user = await internalAdapter.createUser(
    { email, name, emailVerified: true },
    { method: 'email-password' },
  );
  await setFirstPassword(auth, user.id, password);
  return user.id;
}

/** Returns the user with this e-mail, creating it if missing. Sets this password if an earlier creation was interrupted. */
export async function ensureUser(auth: Auth, pool: Pool, user: NewUser): Promise<string> {
  const userId = await findUser(pool, user.email);
  if (userId === null) return createUser(auth, user);
  const { internalAdapter } = await auth.$context;
  const accounts = await internalAdapter.findAccounts(userId);
  if (accounts.length === 0) await setFirstPassword(auth, userId, user.password);
  return userId;
}

async function setFirstPassword(auth: Auth, userId: string, password: string): Promise<void> {
  const { internalAdapter, password: passwords } = await auth.$context;
  await internalAdapter.linkAccount({
    userId,
    providerId: 'credential',
    accountId: userId,
    password: await passwords.hash(password),
  });
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

/** Removes a user's second factor and ends every session: password or passkey alone suffices until a new one is set up. */
export async function resetSecondFactor(auth: Auth, trail: UserTrail, userId: string): Promise<void> {
  const { adapter, internalAdapter } = await auth.$context;
  await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] });
  await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
  await internalAdapter.deleteUserSessions(userId);
  const event = { action: 'second_factor.turned_off', subjectId: userId, after: null } as const;
  await trail.record({ userId, ...event, requestId: null });
}
