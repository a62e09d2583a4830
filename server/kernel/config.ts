import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { API_NAMES, APIS } from '../../venues/catalogue.ts';
import { readSettingFiles } from './setting-files.ts';
import { Environment } from './settings.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The reasons why the service does not start, in sentences for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads every setting.
 *
 * @throws ConfigError naming each wrong setting, and in production each unsafe default.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const { values: given, faults: ofFiles } = readSettingFiles(
    Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    Object.keys(Environment.shape),
  );
  if (ofFiles.length > 0) throw new ConfigError(`Bad settings: ${ofFiles.join('; ')}.`);
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${lead(message)}`);
    throw new ConfigError(`Bad settings: ${faults.join('; ')}.`);
  }
  const env = parsed.data;
  if (env.AUTH_SECRET !== undefined && given['CREDENTIAL_KEYS']?.includes(env.AUTH_SECRET)) {
    throw new ConfigError('Bad settings: AUTH_SECRET must not be one of CREDENTIAL_KEYS.');
  }
  if (env.DATABASE_DIRECT_URL !== undefined && env.DATABASE_URL === undefined) {
    throw new ConfigError(
      'Bad settings: DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler. Without a pooler, set DATABASE_URL alone.',
    );
  }
  if (env.SIGN_UP === 'open' && env.CELL > 0)
    throw new ConfigError(
      'Bad settings: SIGN_UP=open is for cell 0 alone, so that an e-mail has one user. Leave it out, and move accounts to this cell.',
    );
  const config = toConfig(env);
  if (env.LIVE_TRADING === 'on' && config.credentialKeys === null) {
    throw new ConfigError(
      'Bad settings: LIVE_TRADING=on needs CREDENTIAL_KEYS, or no credentials can be kept.',
    );
  }
  if (config.production) refuseUnsafe(config, env);
  return config;
}

const lead = (message: string): string => (message.startsWith('must') ? message : `is wrong: ${message}`);

/** Without a setting, live trading is on only with simulated venues. */
const isLiveOn = ({ LIVE_TRADING, NODE_ENV, MARKET_DATA }: Environment): boolean =>
  LIVE_TRADING === undefined ? NODE_ENV === 'development' && MARKET_DATA !== 'live' : LIVE_TRADING === 'on';

/** All settings, parsed once. Only this file reads the environment. */
export type Config = ReturnType<typeof toConfig>;

function toConfig(env: Environment) {
  const production = env.NODE_ENV === 'production';
  return {
    production,
    port: env.PORT,
    /** Port of metrics and probes; null for none. */
    metricsPort: env.METRICS_PORT ?? null,
    metricsHost: env.METRICS_HOST,
    /** The version of this service, from its package. */
    version,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    /** Folder of the embedded database, the secret and the demo key; null for the default of the environment. */
    dataDir: env.DATA_DIR ?? null,
    /** Folder to which the built-in database archives its write-ahead log. */
    walArchive: env.WAL_ARCHIVE ?? null,
    /** Where evidence of orders and points of equity are archived; null: they stay in the database. */
    archive: env.ARCHIVE_URL ?? null,
    /** Where bodies of old history and quotes are archived; null: they stay in the database. */
    historyArchive: env.HISTORY_URL ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
    /** The same database past a pooler in transaction mode; null: `databaseUrl` keeps sessions. */
    databaseDirectUrl: env.DATABASE_DIRECT_URL ?? null,
    /** The database of cell 0, which has the directory of venue accounts, for the other cells. */
    directoryUrl: env.DIRECTORY_URL ?? null,
    /** Counts limits over all processes; null: each process counts alone. */
    redisUrl: env.REDIS_URL ?? null,
    poolMax: env.POOL_MAX,
    /** The owner of the tables, if the service works as another role. */
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    role: env.ROLE,
    apiProcesses: env.API_PROCESSES,
    marketData: env.MARKET_DATA ?? (production ? 'live' : 'simulator'),
    rateLimits: env.RATE_LIMITS,
    signUp: env.SIGN_UP ?? (production || env.CELL > 0 ? 'closed' : 'open'),
    logLevel: env.LOG_LEVEL,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    corsOrigins: env.CORS_ORIGINS.map((origin) => new URL(origin).origin),
    trustedProxies: env.TRUSTED_PROXIES,
    /** Null: one is generated and stored in the data folder, which production refuses. */
    authSecret: env.AUTH_SECRET ?? null,
    /** Seals credentials of venues; null: none can be stored. */
    credentialKeys: env.CREDENTIAL_KEYS ?? null,
    /** The mail server and sender of notifications; null: none is sent. */
    mail: mailOf(env),
    demo: env.DEMO === undefined ? !production : env.DEMO === '1',
    buildConsole: env.CONSOLE_BUILD === '1',
    paperCash: env.PAPER_CASH,
    /** Whether orders may be sent to venues: real ones, or with simulated prices the simulated ones. */
    liveTrading: isLiveOn(env),
    trading: {
      slippage: { outcome: env.SLIPPAGE_PREDICTION, spot: env.SLIPPAGE_CRYPTO },
      approvalMs: env.APPROVAL_TIMEOUT_SEC * 1_000,
      isLiveOn: isLiveOn(env),
      liveCaps: { maxOrder: env.LIVE_MAX_ORDER, maxDay: env.LIVE_MAX_DAY },
    },
    /** How long and how much of quotes is stored for backtests; null: none. */
    quoteLog:
      env.QUOTE_LOG_DAYS === 0
        ? null
        : { days: env.QUOTE_LOG_DAYS, maxBytes: env.QUOTE_LOG_MAX_MB * 1_048_576 },
    historyMaxBytes: env.HISTORY_MAX_MB * 1_048_576,
    retention: {
      events: env.RETENTION_EVENTS,
      denied: env.RETENTION_DENIED,
      equity: env.RETENTION_EQUITY,
      sessions: env.RETENTION_SESSIONS,
    },
    cell: env.CELL,
    shardCount: env.SHARDS,
    shutdownGraceSec: env.SHUTDOWN_GRACE_SEC ?? (production ? 5 : 0),
    venueUrls: Object.fromEntries(
      API_NAMES.flatMap((api) => {
        const address = env[APIS[api].setting];
        return address === undefined ? [] : [[api, address]];
      }),
    ),
    socialProviders: socialProviders(env),
    simulator: {
      seed: env.SIMULATOR_SEED,
      speed: env.SIMULATOR_SPEED,
      ...(env.SIMULATOR_URL && { simulatorUrl: env.SIMULATOR_URL }),
    },
  };
}

function mailOf({ SMTP_URL, SMTP_FROM, PUBLIC_URL }: Environment) {
  if (SMTP_URL === undefined) return null;
  const { hostname } = new URL(PUBLIC_URL ?? 'http://localhost');
  return { url: SMTP_URL, from: SMTP_FROM ?? `notifications@${hostname}` };
}

type SocialProviders = Record<string, { clientId: string; clientSecret: string }>;

function socialProviders(env: Environment): SocialProviders {
  const pairs = {
    github: [env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET],
    google: [env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET],
  } as const;
  const providers: SocialProviders = {};
  for (const [name, [clientId, clientSecret]] of Object.entries(pairs)) {
    if ((clientId === undefined) !== (clientSecret === undefined)) {
      const upper = name.toUpperCase();
      throw new ConfigError(
        `Bad settings: ${upper}_CLIENT_ID and ${upper}_CLIENT_SECRET must be set together.`,
      );
    }
    if (clientId !== undefined && clientSecret !== undefined) providers[name] = { clientId, clientSecret };
  }
  return providers;
}

/** Whether the address cannot be read on the way: TLS, or the loopback interface. */
function isPrivate(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Refuses, all at once, settings that suit a laptop and not the internet. */
function refuseUnsafe(config: Config, env: Environment): void {
  const faults: string[] = [];
  if (config.databaseUrl === null && env.EMBEDDED_POSTGRES !== '1') {
    faults.push('set DATABASE_URL, or EMBEDDED_POSTGRES=1 to use the built-in database on purpose');
  }
  if (config.authSecret === null) faults.push('set AUTH_SECRET to at least 32 random characters');
  if (config.demo) faults.push('leave DEMO off: its account has a key on disk');
  if (env.PUBLIC_URL === undefined) faults.push('set PUBLIC_URL to the address people use');
  else if (!isPrivate(config.publicUrl)) {
    faults.push('set PUBLIC_URL to an https: address: over http: sessions and keys can be read on the way');
  }
  if (faults.length > 0) throw new ConfigError(`Not safe for production: ${faults.join('; ')}.`);
}

/** Returns a secret for one machine, 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
