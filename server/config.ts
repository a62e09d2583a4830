import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { z } from 'zod';
import { DEFAULT_TRADING_SETTINGS, type TradingSettings } from '../engine/orders/settings.ts';

/** Every setting, parsed once. The only file that reads the environment. */
export type Config = {
  production: boolean;
  port: number;
  host: string;
  /** Where the embedded database, the secret and the demo key live; null for the default of the place. */
  dataDir: string | null;
  databaseUrl: string | null;
  /** The owner of the tables, where that is not whom the service works as. */
  migrationDatabaseUrl: string | null;
  role: 'all' | 'api' | 'runner';
  marketData: 'simulator' | 'live';
  rateLimits: RateLimits;
  signUp: 'open' | 'closed';
  logLevel: string;
  /** Where people reach the service, without a trailing slash. */
  publicUrl: string;
  corsOrigins: readonly string[];
  /** Proxies whose `X-Forwarded-For` says who the client is: addresses, subnets, or a name Express knows. */
  trustedProxies: readonly string[];
  /** Null: one is generated and kept in the data folder, which production refuses. */
  authSecret: string | null;
  demo: boolean;
  /** Whether a start builds the console when its sources are new; else what is built is served as it is. */
  buildConsole: boolean;
  /** USD a new paper account starts with. */
  paperCash: string;
  /** How orders are priced and how long they wait for approval. */
  trading: TradingSettings;
  shardCount: number;
  /** How long the port stays open after readiness has said no, s. */
  shutdownGraceSec: number;
  venueUrls: { kalshi?: string; kalshiSearch?: string; gamma?: string; clob?: string; binance?: string };
  socialProviders: Record<string, { clientId: string; clientSecret: string }>;
  simulator: { seed: string; speed: number; simulatorUrl?: string };
};

export const BUCKET_NAMES = [
  'read',
  'write',
  'market_data',
  'brake',
  'brake_account',
  'anonymous',
  'auth_failures',
  'sign_in_address',
  'sign_in_email_address',
  'sign_in_email',
  'sign_up',
  'form',
] as const;
export type BucketName = (typeof BUCKET_NAMES)[number];
/** `points` calls per `windowSec`; `off` counts nothing. */
export type RateLimits = 'off' | Record<BucketName, { points: number; windowSec: number }>;

/** `rate` a second with `burst` at once is `burst` points per `burst / rate` seconds. */
export const DEFAULT_LIMITS: Exclude<RateLimits, 'off'> = {
  read: { points: 40, windowSec: 2 },
  write: { points: 20, windowSec: 2 },
  market_data: { points: 15, windowSec: 3 },
  brake: { points: 40, windowSec: 4 },
  brake_account: { points: 200, windowSec: 1 },
  anonymous: { points: 200, windowSec: 7 },
  auth_failures: { points: 200, windowSec: 7 },
  sign_in_address: { points: 10, windowSec: 60 },
  sign_in_email_address: { points: 5, windowSec: 60 },
  sign_in_email: { points: 50, windowSec: 60 },
  sign_up: { points: 5, windowSec: 3600 },
  form: { points: 5, windowSec: 3600 },
};

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max));

/** A part of a price, or of a dollar: at 0.5 and beyond it would bound nothing. */
const slippage = (usual: string) =>
  z
    .string()
    .regex(/^0(\.\d{1,6})?$/, { error: 'must be a number such as 0.02' })
    .refine((text) => Number(text) < 0.5, { error: 'must be below 0.5' })
    .default(usual);

const url = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .transform((text) => text.replace(/\/+$/, ''));

/** Without a host, as `postgres://user:password@/name?host=/var/run/postgresql` has none, it is no URL to anybody else. */
const postgresUrl = z
  .string()
  .transform((text) => text.replace('@/', '@localhost/'))
  .pipe(z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' }));

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** `loopback`, `linklocal`, `uniquelocal`, an address, or a subnet such as `10.0.0.0/8`. */
function isProxy(item: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(item)) return true;
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return (
    prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
  );
}

const Limit = z.strictObject({ points: z.int().min(1).max(1e6), windowSec: z.int().min(1).max(86_400) });

const RateLimitsSetting = z.string().transform((text, context): RateLimits => {
  if (text === 'off') return 'off';
  if (text === 'on') return DEFAULT_LIMITS;
  try {
    const overrides = z.partialRecord(z.enum(BUCKET_NAMES), Limit).parse(JSON.parse(text));
    return { ...DEFAULT_LIMITS, ...overrides };
  } catch {
    context.addIssue({
      code: 'custom',
      message: `must be on, off, or JSON such as {"read":{"points":40,"windowSec":2}} with buckets of ${BUCKET_NAMES.join(', ')}`,
    });
    return z.NEVER;
  }
});

/** 32 random characters, even of hexadecimal digits alone, have fewer than this once in a hundred million times. */
const SECRET_LETTERS_MIN = 8;

const Environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PORT: integer(0, 65_535).default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).optional(),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATION_DATABASE_URL: postgresUrl.optional(),
  EMBEDDED_POSTGRES: z.enum(['0', '1']).optional(),
  ROLE: z.enum(['all', 'api', 'runner']).default('all'),
  MARKET_DATA: z.enum(['simulator', 'live']).optional(),
  RATE_LIMITS: RateLimitsSetting.default(DEFAULT_LIMITS),
  SIGN_UP: z.enum(['open', 'closed']).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  PUBLIC_URL: url.optional(),
  CORS_ORIGINS: list
    .pipe(z.array(z.url({ error: 'must be a comma-separated list of origins' })).max(50))
    .default([]),
  TRUSTED_PROXIES: list
    .pipe(
      z
        .array(
          z.string().refine(isProxy, {
            error: 'must be a comma-separated list of addresses, subnets such as 10.0.0.0/8, or loopback',
          }),
        )
        .max(50),
    )
    .default([]),
  AUTH_SECRET: z
    .string()
    .min(32, { error: 'must have at least 32 characters' })
    .refine((secret) => new Set(secret).size >= SECRET_LETTERS_MIN, {
      error: `must be random: it has fewer than ${SECRET_LETTERS_MIN} different characters`,
    })
    .optional(),
  DEMO: z.enum(['0', '1']).optional(),
  CONSOLE_BUILD: z.enum(['0', '1']).default('1'),
  PAPER_CASH: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,12})?$/, { error: 'must be an amount in USD such as 10000' })
    .default('10000'),
  SLIPPAGE_PREDICTION: slippage(DEFAULT_TRADING_SETTINGS.slippage.outcome),
  SLIPPAGE_CRYPTO: slippage(DEFAULT_TRADING_SETTINGS.slippage.spot),
  APPROVAL_TIMEOUT_SEC: integer(10, 86_400).default(DEFAULT_TRADING_SETTINGS.approvalMs / 1_000),
  SHARDS: integer(1, 4_096).default(16),
  SHUTDOWN_GRACE_SEC: integer(0, 60).optional(),
  KALSHI_URL: url.optional(),
  KALSHI_SEARCH_URL: url.optional(),
  GAMMA_URL: url.optional(),
  CLOB_URL: url.optional(),
  BINANCE_URL: url.optional(),
  GITHUB_CLIENT_ID: z.string().min(1).optional(),
  GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  SIMULATOR_SEED: z.string().min(1).max(100).default('1'),
  SIMULATOR_URL: url.optional(),
  SIMULATOR_SPEED: integer(1, 1_000).default(1),
});

type Environment = z.output<typeof Environment>;

/** Why the service does not start, in sentences for the person who started it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads every setting.
 *
 * @throws ConfigError naming each setting that is wrong, and in production each unsafe default.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${lead(message)}`);
    throw new ConfigError(`Bad settings: ${faults.join('; ')}.`);
  }
  const env = parsed.data;
  const config = toConfig(env);
  if (config.production) refuseUnsafe(config, env);
  return config;
}

const lead = (message: string): string => (message.startsWith('must') ? message : `is wrong: ${message}`);

function toConfig(env: Environment): Config {
  const production = env.NODE_ENV === 'production';
  return {
    production,
    port: env.PORT,
    host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    dataDir: env.DATA_DIR ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    role: env.ROLE,
    marketData: env.MARKET_DATA ?? (production ? 'live' : 'simulator'),
    rateLimits: env.RATE_LIMITS,
    signUp: env.SIGN_UP ?? (production ? 'closed' : 'open'),
    logLevel: env.LOG_LEVEL,
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    corsOrigins: env.CORS_ORIGINS.map((origin) => new URL(origin).origin),
    trustedProxies: env.TRUSTED_PROXIES,
    authSecret: env.AUTH_SECRET ?? null,
    demo: env.DEMO === undefined ? !production : env.DEMO === '1',
    buildConsole: env.CONSOLE_BUILD === '1',
    paperCash: env.PAPER_CASH,
    trading: {
      slippage: { outcome: env.SLIPPAGE_PREDICTION, spot: env.SLIPPAGE_CRYPTO },
      approvalMs: env.APPROVAL_TIMEOUT_SEC * 1_000,
    },
    shardCount: env.SHARDS,
    shutdownGraceSec: env.SHUTDOWN_GRACE_SEC ?? (production ? 5 : 0),
    venueUrls: {
      ...(env.KALSHI_URL && { kalshi: env.KALSHI_URL }),
      ...(env.KALSHI_SEARCH_URL && { kalshiSearch: env.KALSHI_SEARCH_URL }),
      ...(env.GAMMA_URL && { gamma: env.GAMMA_URL }),
      ...(env.CLOB_URL && { clob: env.CLOB_URL }),
      ...(env.BINANCE_URL && { binance: env.BINANCE_URL }),
    },
    socialProviders: socialProviders(env),
    simulator: {
      seed: env.SIMULATOR_SEED,
      speed: env.SIMULATOR_SPEED,
      ...(env.SIMULATOR_URL && { simulatorUrl: env.SIMULATOR_URL }),
    },
  };
}

function socialProviders(env: Environment): Config['socialProviders'] {
  const pairs = {
    github: [env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET],
    google: [env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET],
  } as const;
  const providers: Config['socialProviders'] = {};
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

/** Nobody on the way reads it: TLS, or no way at all. */
function isPrivate(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** What is fine on a laptop and not on the internet. Named all at once. */
function refuseUnsafe(config: Config, env: Environment): void {
  const faults: string[] = [];
  if (config.databaseUrl === null && env.EMBEDDED_POSTGRES !== '1') {
    faults.push('set DATABASE_URL, or EMBEDDED_POSTGRES=1 to use the built-in database on purpose');
  }
  if (config.authSecret === null) faults.push('set AUTH_SECRET to at least 32 random characters');
  if (config.demo) faults.push('leave DEMO off: its account has a key on disk');
  if (env.PUBLIC_URL === undefined) faults.push('set PUBLIC_URL to the address people use');
  else if (!isPrivate(config.publicUrl)) {
    faults.push('set PUBLIC_URL to an https: address: over http: anybody on the way reads sessions and keys');
  }
  if (faults.length > 0) throw new ConfigError(`Not safe for production: ${faults.join('; ')}.`);
}

/** A secret for one machine, 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString('base64url');
