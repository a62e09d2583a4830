import { betterAuth } from 'better-auth';
import { jwt } from 'better-auth/plugins/jwt';
import pg from 'pg';
import { BoundedClient, endSilentTogether, KEEP_ALIVE } from '../db/client.ts';
import { clientConfig } from '../db/migrate.ts';
import type { DatabaseConnection } from '../db/orm.ts';
import { statusOf, toDomainError } from '../routers/errors.ts';
import { CLIENT_ADDRESS_HEADER } from './auth-handler.ts';
import { authHooks } from './auth-hooks.ts';
import type { Config } from './config.ts';
import type { MemoryLimits } from './limits.ts';
import type { Logger } from './logger.ts';
import { openPasswords } from './passwords.ts';

const WEEK_SEC = 604_800;
const DAY_SEC = 86_400;

export type AuthOptions = {
  connection: DatabaseConnection;
  config: Pick<Config, 'publicUrl' | 'signUp' | 'socialProviders' | 'corsOrigins' | 'production'>;
  secret: string;
  /** Origins a browser may sign in from. */
  trustedOrigins: readonly string[];
  limits: MemoryLimits;
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
export function openAuth({
  connection,
  config,
  secret,
  trustedOrigins,
  limits,
  log,
  onUserCreated,
}: AuthOptions) {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    Client: BoundedClient,
    ...KEEP_ALIVE,
    options: '-c search_path=auth',
    max: 5,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 5_000,
  });
  endSilentTogether(pool);
  const lost = (error: Error) => log.warn({ error: error.message }, 'an auth connection was lost');
  pool.on('error', lost);
  // The pool listens to idle clients only; one that breaks in use would end the process.
  pool.on('connect', (client) => client.on('error', lost));
  const auth = betterAuth({
    baseURL: config.publicUrl,
    basePath: '/api/auth',
    secret,
    database: pool,
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message, ...details) => {
        const [error] = details.filter((detail) => detail instanceof Error);
        const about = { from: 'auth', ...(error && { error: error.message }) };
        // Without the database every try fails, and says so: what passes by itself is a warning.
        const passes = statusOf(toDomainError(error ?? new Error(message))) === 503;
        log[level === 'error' && !passes ? 'error' : 'warn'](about, message.replaceAll(ADDRESS, '[address]'));
      },
    },
    advanced: {
      // Its tables come with our migrations, and a test compares them. Its own check reads the catalogue of the whole
      // database, and while anybody alters a table anywhere that fails: sign-ins would be 500.
      database: { generateId: 'uuid', validateSchema: false },
      useSecureCookies: config.publicUrl.startsWith('https:'),
      // Said, because the framework leaves both checks out where the environment has TEST or NODE_ENV=test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    // What the framework did not foresee is thrown to us, instead of printed to the terminal.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: config.signUp === 'closed',
      minPasswordLength: 12,
      maxPasswordLength: 128,
      password: openPasswords(),
    },
    socialProviders: providersOf(config),
    session: {
      expiresIn: WEEK_SEC,
      updateAge: DAY_SEC,
      freshAge: DAY_SEC,
      cookieCache: { enabled: false },
    },
    rateLimit: { enabled: false },
    hooks: authHooks(limits),
    databaseHooks: {
      user: { create: { after: (user) => onUserCreated({ id: user.id, name: user.name }) } },
    },
    plugins: [jwt()],
  });
  return { auth, close: () => pool.end() };
}

/** Where sign-up is closed, a provider's word makes no new user either. */
const providersOf = ({ socialProviders, signUp }: Pick<Config, 'socialProviders' | 'signUp'>) =>
  Object.fromEntries(
    Object.entries(socialProviders).map(([name, secrets]) => [
      name,
      { ...secrets, disableSignUp: signUp === 'closed' },
    ]),
  );

/** Callback addresses and origins in a message are the caller's own text. */
const ADDRESS = /\S+:\/\/\S+/g;

export type Auth = ReturnType<typeof openAuth>['auth'];
