import { randomUUID } from 'node:crypto';
import { APIError, BASE_ERROR_CODES, betterAuth, type GenericEndpointContext } from 'better-auth';
import { jwt } from 'better-auth/plugins/jwt';
import pg from 'pg';
import { BoundedClient, endSilentTogether, KEEP_ALIVE, type SessionSettings } from '../../db/client.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import type { DatabaseConnection } from '../../db/orm.ts';
import { PooledClient } from '../../db/pooling/pooled-client.ts';
import type { ServiceLimits } from '../http-kit/call-rate-limiter.ts';
import type { Config } from '../kernel/config.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Mailer, openMailer } from '../workers/notifications/mail.ts';
import { CLIENT_ADDRESS_HEADER } from './auth-headers.ts';
import { authHooks, requestIdOf, SIGN_IN } from './auth-hooks.ts';
import { authLog } from './auth-log.ts';
import {
  noteHome,
  PROVIDER_CALLBACK,
  SHARED_COOKIES,
  type SpendChallenge,
  tokenOfCell,
} from './cell-names.ts';
import { passkeys } from './factors/passkeys.ts';
import type { SecondFactorKey } from './factors/second-factor-key.ts';
import { secondFactor, secondFactorCodes } from './factors/two-factor.ts';
import { movedDigest } from './moved-emails.ts';
import { openPasswords, type PasswordHasher } from './passwords.ts';
import { RESET_SEC, resetMail } from './reset-mail.ts';
import { boundedUser, PASSWORD_MAX, PASSWORD_MIN } from './user-fields.ts';
import type { UserEvent, UserTrail } from './user-trail.ts';

const WEEK_SEC = 604_800;
const DAY_SEC = 86_400;
/** Connections of the framework's own routes, and of session lookups. */
const POOL_MAX = 4;
export const SESSION_POOL_MAX = 4;
/** The most characters of a user agent in the audit trail. */
const AGENT_MAX = 200;

export type AuthOptions = {
  connection: DatabaseConnection;
  config: Pick<
    Config,
    'cell' | 'publicUrl' | 'signUp' | 'socialProviders' | 'corsOrigins' | 'production' | 'mail'
  >;
  secret: string;
  /** Seals second factors; null without `CREDENTIAL_KEYS`. */
  secondFactorKey: SecondFactorKey | null;
  /** Origins that a browser may sign in from. */
  trustedOrigins: readonly string[];
  limits: ServiceLimits;
  log: Logger;
  trail: UserTrail;
  /** Hashes passwords; the framework's scrypt by default. */
  hasher?: PasswordHasher | undefined;
};

/**
 * Serves sign-up, sign-in, sessions and the key set, under `/api/auth/*`.
 *
 * It has its own pools on schema `auth`: on the service's, whose timestamps are text, an expired session would count as live.
 * Requests of the API look up their session in `sessions`, whose connections no sign-in or sign-up takes. Its own rate limiter
 * is off; ours runs before it.
 */
export function openAuth(options: AuthOptions) {
  const { connection, config, secret, secondFactorKey, trustedOrigins, limits, log, trail, hasher } = options;
  const openPool = (max: number) => {
    const settings: pg.PoolConfig & { session: SessionSettings } = {
      ...clientConfig(connection.pooler ?? connection),
      ...(connection.pooler ? { Client: PooledClient, pipeline: true } : { Client: BoundedClient }),
      ...KEEP_ALIVE,
      max,
      connectionTimeoutMillis: 2_000,
      session: { search_path: 'auth', statement_timeout: 5_000 },
    };
    const pool = new pg.Pool(settings);
    endSilentTogether(pool);
    const lost = (error: Error) => log.warn({ error: error.message }, 'an auth connection was lost');
    pool.on('error', lost);
    // The pool listens to idle clients only; an error of a client in use would end the process.
    pool.on('connect', (client) => client.on('error', lost));
    return pool;
  };
  const [pool, sessionPool] = [openPool(POOL_MAX), openPool(SESSION_POOL_MAX)];
  const passwords = openPasswords(hasher);
  const mailer = config.mail && openMailer(config.mail);
  const framework = (pool: pg.Pool) => {
    const factors = { secret, key: secondFactorKey, noteCode: usedOnce(pool) };
    return betterAuth({
      baseURL: config.publicUrl,
      basePath: '/api/auth',
      secret,
      database: pool,
      trustedOrigins: [...trustedOrigins],
      telemetry: { enabled: false },
      logger: {
        level: 'warn',
        log: authLog(log),
      },
      advanced: {
        // Our migrations create its tables, and a test compares them. Its own check reads the catalogue of the whole database,
        // and fails during any `alter table`: sign-ins would be 500.
        database: { generateId: 'uuid', validateSchema: false },
        // A proxy routes by the name. In cell 0 it is the framework's own, as before cells.
        ...(config.cell > 0 && { cookiePrefix: `cell${config.cell}` }),
        cookies: SHARED_COOKIES,
        useSecureCookies: config.publicUrl.startsWith('https:'),
        // Set explicitly, because the framework skips both checks if the environment has TEST or NODE_ENV=test.
        disableOriginCheck: false,
        disableCSRFCheck: false,
        ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      },
      // Throws unexpected errors of the framework to us, instead of printing them to the terminal.
      onAPIError: { throw: true },
      emailAndPassword: {
        enabled: true,
        disableSignUp: config.signUp === 'closed',
        minPasswordLength: PASSWORD_MIN,
        maxPasswordLength: PASSWORD_MAX,
        password: passwords,
        ...(mailer && {
          // Does not wait for the mail server: its response time would reveal which addresses are known.
          sendResetPassword: async ({ user, token }) => {
            const letter = { to: user.email, token: tokenOfCell(token, config.cell), config, log, limits };
            void sendReset(mailer, letter).catch((error: Error) =>
              log.error({ error: error.message }, 'the mail to reset a password was not sent'),
            );
          },
          resetPasswordTokenExpiresIn: RESET_SEC,
          revokeSessionsOnPasswordReset: true,
          onPasswordReset: async ({ user }, request) => {
            const requestId = requestIdOf(request);
            const event = { action: 'password.changed', subjectId: user.id, after: null } as const;
            await trail.record({ userId: user.id, requestId, ...event });
          },
        }),
      },
      // Stores tokens for a new password, or for a sign-in that lacks its code, as digests.
      verification: { storeIdentifier: 'hashed' },
      socialProviders: config.socialProviders,
      session: {
        expiresIn: WEEK_SEC,
        updateAge: DAY_SEC,
        freshAge: DAY_SEC,
        cookieCache: { enabled: false },
      },
      rateLimit: { enabled: false },
      hooks: authHooks(limits, trail, secondFactorCodes(factors), {
        cell: config.cell,
        spendChallenge: spentOnce(pool),
      }),
      databaseHooks: userHooks(trail, {
        isSignUpClosed: config.signUp === 'closed',
        readMoved: (name) =>
          // A sign-up holds a connection of its own pool: with that pool, all would wait for each other.
          movedDigest(sessionPool, name).catch((error: Error) => {
            log.warn({ error: error.message }, 'whether an e-mail has moved was not read');
            // The framework answers any other error with 422, as if the user could not be created.
            throw new APIError('INTERNAL_SERVER_ERROR');
          }),
      }),
      plugins: [jwt(), secondFactor(factors), passkeys(config.publicUrl)],
    });
  };
  return {
    auth: framework(pool),
    /** The same framework, for session lookups. */
    sessions: framework(sessionPool),
    close: async () => {
      mailer?.close();
      await Promise.all([pool.end(), sessionPool.end()]);
    },
  };
}

/** Stores the period of a code by compare-and-set: of two sign-ins with one code, one succeeds. */
const usedOnce =
  (pool: pg.Pool) =>
  async (userId: string, counter: number): Promise<boolean> => {
    const { rowCount } = await pool.query(
      `insert into "usedCode" ("userId", counter) values ($1, $2)
        on conflict ("userId") do update set counter = excluded.counter where "usedCode".counter < excluded.counter`,
      [userId, counter],
    );
    return rowCount === 1;
  };

/** Stores the challenge of another cell under an id of its own, until it has expired. */
const spentOnce =
  (pool: pg.Pool): SpendChallenge =>
  async (id, expiresAt) => {
    const { rowCount } = await pool.query(
      `insert into verification (id, identifier, value, "expiresAt") values ($1, 'spent challenge', '', $2)
        on conflict do nothing`,
      [id, expiresAt],
    );
    return rowCount === 1;
  };

type ResetMail = {
  to: string;
  token: string;
  config: Pick<Config, 'publicUrl'>;
  log: Logger;
  limits: Pick<ServiceLimits, 'mayMailReset'>;
};

async function sendReset(mailer: Mailer, { to, token, config, log, limits }: ResetMail): Promise<void> {
  if (!(await limits.mayMailReset(to)))
    return log.warn('no mail to reset a password was sent: too many to one e-mail');
  const { problem } = await mailer.send(to, resetMail(config.publicUrl, token), randomUUID());
  if (problem !== null) log.error({ problem }, 'the mail to reset a password was not sent');
}

type HookContext = GenericEndpointContext | null | undefined;
/** Here the framework updates the user after the first right code, and after the second factor is removed. */
const SECOND_FACTOR: Readonly<Record<string, UserEvent['action']>> = {
  '/two-factor/verify-totp': 'second_factor.turned_on',
  '/two-factor/disable': 'second_factor.turned_off',
};
type SessionRow = {
  id: string;
  userId: string;
  expiresAt: Date;
  ipAddress?: string | null | undefined;
  userAgent?: string | null | undefined;
};

/**
 * Whether a sign-in still lacks its code. The framework creates a session after the right password alone, for a moment; it does
 * not count yet.
 */
async function lacksCode(userId: string, context: HookContext): Promise<boolean> {
  if (context?.path !== SIGN_IN) return false;
  const user = await context.context.internalAdapter.findUserById(userId);
  return user !== null && 'twoFactorEnabled' in user && user.twoFactorEnabled === true;
}

/** Runs for every user and session, however created: by password, by a provider, from the command line. */
function userHooks(trail: UserTrail, { isSignUpClosed, readMoved }: SignUpFacts) {
  const record = (event: Omit<UserEvent, 'requestId'>, context: HookContext) =>
    trail.record({ ...event, requestId: requestIdOf(context) });
  return {
    user: {
      update: {
        after: async ({ id }: { id: string }, context: HookContext) => {
          const action = SECOND_FACTOR[context?.path ?? ''];
          if (action) await record({ userId: id, action, subjectId: id, after: null }, context);
        },
      },
      create: {
        before: async (user: NewUser, context: HookContext) => {
          // The framework has looked for its user before: who has left since is found here.
          const moved = await readMoved(user.email);
          if (moved !== null && context?.path === PROVIDER_CALLBACK) throw movedRefusal(context, moved);
          // Answered as an e-mail of this cell.
          if (moved !== null)
            throw APIError.from(
              'UNPROCESSABLE_ENTITY',
              BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL,
            );
          // The command line has no request.
          if (isSignUpClosed && context) throw refusal('signup_disabled', 'New users are not accepted.');
          return { data: boundedUser(user) };
        },
        after: async (user: { id: string; name: string }, context: HookContext) => {
          await trail.open(user);
          await record(
            { userId: user.id, action: 'user.signed_up', subjectId: user.id, after: null },
            context,
          );
        },
      },
    },
    account: {
      create: {
        // The e-mail at the provider may have changed since the move. The user is created in the same transaction.
        before: async ({ providerId, accountId }: ProviderAccount, context: HookContext) => {
          if (providerId === 'credential' || !context) return;
          const moved = await readMoved(`${providerId}:${accountId}`);
          if (moved !== null) throw movedRefusal(context, moved);
        },
      },
    },
    session: {
      create: {
        after: async ({ id, userId, ipAddress, userAgent }: SessionRow, context: HookContext) => {
          const action = (await lacksCode(userId, context)) ? 'session.code_asked' : 'session.started';
          const after = { address: ipAddress ?? null, userAgent: userAgent?.slice(0, AGENT_MAX) ?? null };
          await record({ userId, action, subjectId: id, after }, context);
        },
      },
      delete: {
        after: async ({ id, userId, expiresAt }: SessionRow, context: HookContext) => {
          if (expiresAt.getTime() <= Date.now() || context?.path === SIGN_IN) return;
          await record({ userId, action: 'session.ended', subjectId: id, after: null }, context);
        },
      },
    },
  };
}

type NewUser = { email: string; name: string; image?: string | null | undefined };
type ProviderAccount = { providerId: string; accountId: string };
type SignUpFacts = {
  readonly isSignUpClosed: boolean;
  /** Returns the digest of an e-mail, or of an id at a provider, whose account has moved; else null. */
  readonly readMoved: (name: string) => Promise<string | null>;
};

function movedRefusal(context: GenericEndpointContext, digest: string): APIError {
  noteHome(context, digest);
  return refusal('account_moved', 'Sign in once more: it leads to the account then.');
}

/** The console has a sentence for each code. */
const refusal = (code: string, message: string) => new APIError('FORBIDDEN', { code, message });

export type Auth = ReturnType<typeof openAuth>['auth'];
