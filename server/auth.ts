import { betterAuth } from 'better-auth';
import { jwt } from 'better-auth/plugins/jwt';
import pg from 'pg';
import { clientConfig } from '../db/migrate.ts';
import type { DatabaseConnection } from '../db/orm.ts';
import type { Config } from './config.ts';
import type { Logger } from './logger.ts';

/** Set by us on every request, so that a header of the client's never passes for its address. */
export const CLIENT_ADDRESS_HEADER = 'x-internal-client-ip';

const WEEK_SEC = 604_800;
const DAY_SEC = 86_400;

export type AuthOptions = {
  connection: DatabaseConnection;
  config: Pick<Config, 'publicUrl' | 'signUp' | 'socialProviders' | 'corsOrigins' | 'production'>;
  secret: string;
  /** Origins a browser may sign in from. */
  trustedOrigins: readonly string[];
  log: Logger;
  /** Called for every new user, to open its account. */
  onUserCreated: (user: { id: string; name: string }) => Promise<void>;
};

/**
 * Sign-up, sign-in, sessions and the key set, under `/api/auth/*`.
 *
 * It has a pool of its own on schema `auth`: on MikroORM's, whose timestamps are text, an expired session would
 * pass for a live one. Its own rate limiter is off; ours stands in front of it.
 */
export function openAuth({ connection, config, secret, trustedOrigins, log, onUserCreated }: AuthOptions) {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    options: '-c search_path=auth',
    max: 5,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
  });
  pool.on('error', (error) => log.warn({ error: error.message }, 'an idle auth connection was lost'));
  const auth = betterAuth({
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret,
    database: pool,
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message) => log[level === 'error' ? 'error' : 'warn']({ from: 'auth' }, message),
    },
    advanced: {
      database: { generateId: 'uuid' },
      useSecureCookies: config.publicUrl.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: config.signUp === 'closed',
      minPasswordLength: 12,
      maxPasswordLength: 128,
    },
    socialProviders: config.socialProviders,
    session: {
      expiresIn: WEEK_SEC,
      updateAge: DAY_SEC,
      freshAge: DAY_SEC,
      cookieCache: { enabled: false },
    },
    rateLimit: { enabled: false },
    databaseHooks: {
      user: { create: { after: (user) => onUserCreated({ id: user.id, name: user.name }) } },
    },
    plugins: [jwt()],
  });
  return { auth, close: () => pool.end() };
}

export type Auth = ReturnType<typeof openAuth>['auth'];
