/** The login that the service creates for itself: a role that owns nothing. */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { clientConfig } from './migrating/migrate.ts';
import type { DatabaseConnection } from './orm.ts';

export type Login = { user: string; password: string };

/** Marks the service's own role in the catalogue. A role of the same name without the mark is left alone. */
const MARK = 'application role of the trading-strategy service, made at its start';
const SCRAM_ITERATIONS = 4_096;
const WAIT_MS = 5_000;

/**
 * Creates the role of this login if it is missing, and sets its password if that differs. LOGIN is its only attribute. It is
 * no superuser, makes no roles or databases and cannot bypass row-level security.
 *
 * @param owner a connection that may make roles, or may not
 * @returns why there is no such login, or null when there is
 */
export async function ensureLogin(
  owner: pg.Client,
  login: Login,
  connection: DatabaseConnection,
): Promise<string | null> {
  const { rows } = await owner.query<{ may: boolean; mark: string | null; exists: boolean }>(
    `select me.rolsuper or me.rolcreaterole as may, app.oid is not null as exists,
       shobj_description(app.oid, 'pg_authid') as mark
     from pg_roles me left join pg_roles app on app.rolname = $1 where me.rolname = current_user`,
    [login.user],
  );
  const known = rows[0];
  if (known?.exists && known.mark !== MARK) return `there is a role ${login.user} that is not the service's`;
  if (known?.exists && (await refusalOf(connection)) === null) return null;
  if (!known?.may) return 'its role may not make roles';
  const role = pg.escapeIdentifier(login.user);
  const password = pg.escapeLiteral(scramVerifier(login.password));
  if (known.exists) await owner.query(`alter role ${role} password ${password}`);
  else {
    await owner.query(`create role ${role} login password ${password}`);
    await owner.query(`comment on role ${role} is ${pg.escapeLiteral(MARK)}`);
  }
  return refusalOf(connection);
}

/** The reason why a sign-in with this login fails, or null. */
async function refusalOf(connection: DatabaseConnection): Promise<string | null> {
  const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: WAIT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** The form in which PostgreSQL stores a password (RFC 5803). The password then stands in no statement and no log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
