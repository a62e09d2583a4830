import pg from 'pg';
import { ensureLogin, type Login } from './login.ts';
import { clientConfig, migrateDatabase } from './migrating/migrate.ts';
import type { DatabaseConnection } from './orm.ts';
import { grantRights } from './privileges.ts';
import { enableRowSecurity } from './row-security.ts';

/** The connections to a database: that of the owner of its tables and that of the service. */
export type DatabaseAccess = {
  /** Used only to migrate. It is the role of the service itself if there is no other. */
  owner: DatabaseConnection;
  /** The service's access: a login to create if it is missing, a connection that was set up, or none. */
  app: { login: Login } | { connection: DatabaseConnection } | null;
};

/**
 * Brings the schema up to date as the owner and gives the application's role exactly the rights it needs. Returns the
 * service's connection. Processes that start together take turns.
 *
 * @param warn receives one sentence if the service works as an owner, which the database then does not restrict
 * @throws Error when the role that was set up is no owner and migrations are pending
 */
export async function prepareDatabase(
  { owner, app }: DatabaseAccess,
  warn: (message: string) => void = () => {},
): Promise<DatabaseConnection> {
  let working = owner;
  await migrateDatabase(owner, async (client) => {
    await enableRowSecurity(client);
    const found = await connectionOf(client, owner, app);
    if ('refusal' in found) return warn(unconfined(found.refusal));
    const role = await roleOf(found.connection);
    const power = await powerOf(client, role);
    if (power !== null) return warn(unconfined(`${role} ${power}`));
    await grantRights(client, role);
    working = found.connection;
  });
  return app !== null && 'connection' in app ? app.connection : working;
}

const unconfined = (reason: string): string =>
  `The service works as the owner of its tables (${reason}), so the database does not hold it back: see docs/operations.md, "Two roles".`;

type Found = { connection: DatabaseConnection } | { refusal: string };

async function connectionOf(
  client: pg.Client,
  owner: DatabaseConnection,
  app: DatabaseAccess['app'],
): Promise<Found> {
  if (app === null) return { refusal: 'DATABASE_URL has no password to make another from' };
  if ('connection' in app) return app;
  const connection = withLogin(owner, app.login);
  const refusal = await ensureLogin(client, app.login, connection);
  return refusal === null ? { connection } : { refusal };
}

/** The same database with another login. */
export function withLogin(connection: DatabaseConnection, { user, password }: Login): DatabaseConnection {
  if (!('clientUrl' in connection)) return { ...connection, user, password };
  const url = new URL(connection.clientUrl);
  for (const name of ['user', 'password']) url.searchParams.delete(name); // they would take precedence
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return { clientUrl: url.href };
}

async function roleOf(connection: DatabaseConnection): Promise<string> {
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>('select current_user as role');
    return rows[0]?.role ?? '';
  } finally {
    await client.end();
  }
}

/** The attribute by which a role could bypass its grants, or null. */
async function powerOf(client: pg.Client, role: string): Promise<string | null> {
  const { rows } = await client.query<{ power: string | null }>(
    `select case when rolsuper then 'is superuser' when rolbypassrls then 'has BYPASSRLS'
       when rolcreaterole then 'has CREATEROLE'
       when exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('public', 'auth') and pg_has_role($1, c.relowner, 'member')) then 'owns tables' end as power
     from pg_roles where rolname = $1`,
    [role],
  );
  return rows[0]?.power ?? null;
}
