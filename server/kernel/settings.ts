import { z } from 'zod';
import { MAX_CONNECTIONS } from '../../db/embedded/settings.ts';
import { CELL_MAX } from '../../engine/trading/keys/token.ts';
import { DEFAULT_TRADING_SETTINGS } from '../../engine/trading/orders/settings.ts';
import { DEFAULT_LIMITS, RateLimitsSetting } from './rate-limits.ts';
import {
  ADDRESSES,
  archiveUrl,
  duration,
  integer,
  isProxy,
  keyRing,
  list,
  postgresUrl,
  SECRET_LETTERS_MIN,
  SETTINGS,
  signInSetting,
  slippage,
  url,
  usd,
} from './setting-kinds.ts';

/** Every setting by its name in the environment, in the order of the documents. */
export const Environment = z.object({
  PORT: integer(0, 65_535).default(3000).register(SETTINGS, {
    group: 'Where it is',
    meaning: 'Where it listens. `0` takes a free one.',
    example: '3000',
  }),
  HOST: z.string().min(1).optional().register(SETTINGS, {
    group: 'Where it is',
    usual: '`127.0.0.1`; `0.0.0.0` in production',
    meaning: 'The address it listens on.',
    example: '127.0.0.1',
  }),
  METRICS_PORT: integer(0, 65_535).optional().register(SETTINGS, {
    group: 'Where it is',
    meaning:
      'A port of its own, in every role, for `/metrics` (Prometheus), `/health` and `/health/ready`: for scrapers and probes, never for the internet. `0` takes a free one.',
    example: '9464',
  }),
  METRICS_HOST: z.string().min(1).default('127.0.0.1').register(SETTINGS, {
    group: 'Where it is',
    meaning:
      'The address that `METRICS_PORT` listens on. For scrapers and probes of other machines: an address that they alone reach, or `0.0.0.0` behind a rule of the network.',
    example: '127.0.0.1',
  }),
  PUBLIC_URL: url.optional().register(SETTINGS, {
    group: 'Where it is',
    usual: '`http://localhost:<PORT>`',
    meaning:
      'How people reach it. Sign-in and cookies depend on it; `https:` makes cookies secure. Required in production.',
    example: 'http://localhost:3000',
  }),
  CORS_ORIGINS: list
    .pipe(z.array(z.url({ error: 'must be a comma-separated list of origins' })).max(50))
    .default([])
    .register(SETTINGS, {
      group: 'Where it is',
      meaning:
        'Origins of other sites that may call with a key, separated by commas. A documentation site of your own belongs here.',
      example: 'https://docs.example.com,https://app.example.com',
    }),
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
    .default([])
    .register(SETTINGS, {
      group: 'Where it is',
      meaning:
        'The proxies in front, separated by commas: addresses, subnets such as `10.0.0.0/8`, or `loopback`. Their `X-Forwarded-For` names the client for limits per address; from any other address it is ignored.',
      example: '10.0.0.0/8',
    }),
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development').register(SETTINGS, {
    group: 'How it runs',
    meaning: '`production` changes the defaults marked here and refuses unsafe ones.',
    example: 'development',
  }),
  ROLE: z.enum(['all', 'api', 'runner']).default('all').register(SETTINGS, {
    group: 'How it runs',
    meaning: '`api` answers requests, `runner` runs strategies and orders, `all` does both.',
    example: 'all',
  }),
  API_PROCESSES: integer(0, 128).default(1).register(SETTINGS, {
    group: 'How it runs',
    usual: '`1`',
    meaning:
      'Processes that answer requests on one port; `0`: one for each core. With more than one, `ROLE=all` has a runner in a process of its own. Their metrics are on `METRICS_PORT` and the ports after it, the runner’s last. `SIGHUP` replaces them one after the other.',
    example: '0',
  }),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .register(SETTINGS, {
      group: 'How it runs',
      meaning:
        '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. JSON lines; in words at a terminal.',
      example: 'info',
    }),
  RATE_LIMITS: RateLimitsSetting.default(DEFAULT_LIMITS).register(SETTINGS, {
    group: 'How it runs',
    usual: '`on`',
    meaning:
      '`off`, or JSON over the defaults, such as `{"read":{"points":40,"windowSec":2}}`. The buckets are in [limits.md](limits.md).',
    example: 'on',
  }),
  SHARDS: integer(1, 4_096).default(64).register(SETTINGS, {
    group: 'How it runs',
    meaning:
      'Shares the running strategies are divided into among runners. The same in every process. After another number, `npm run shards:move` spreads what runs already.',
    example: '64',
  }),
  SHUTDOWN_GRACE_SEC: integer(0, 60).optional().register(SETTINGS, {
    group: 'How it runs',
    usual: '`0`; `5` in production',
    meaning:
      'How long the port stays open after `/health/ready` has failed, so that a balancer notices before connections are refused.',
    example: '5',
  }),
  CELL: integer(0, CELL_MAX)
    .default(0)
    .register(SETTINGS, {
      group: 'How it runs',
      meaning: `The number of this cell, one of several whole copies of the service: [cells.md](cells.md). It is in every new key and in the name of session cookies. The same in every process; a database keeps the number of its first start. 0 to ${CELL_MAX}.`,
      example: '0',
    }),
  CONSOLE_BUILD: z.enum(['0', '1']).default('1').register(SETTINGS, {
    group: 'How it runs',
    meaning: '`0` never builds the console at the start; what is built is served.',
    example: '1',
  }),
  DATABASE_URL: postgresUrl.optional().register(SETTINGS, {
    group: 'Data',
    usual: 'none: the built-in database',
    meaning:
      'A PostgreSQL 15 or newer, as `postgres://user:password@host:5432/name`; parameters such as `?host=/var/run/postgresql` (a socket) and `?sslmode=` hold.',
    example: 'postgres://trading:secret@localhost:5432/trading',
  }),
  DATABASE_DIRECT_URL: postgresUrl.optional().register(SETTINGS, {
    group: 'Data',
    usual: 'none: `DATABASE_URL` keeps sessions',
    meaning:
      'The same database and role past the pooler, where `DATABASE_URL` is a pooler in transaction mode: for `LISTEN`, session locks and migrations ([operations.md](operations.md#behind-a-transaction-pooler)).',
    example: 'postgres://trading:secret@localhost:5432/trading',
  }),
  MIGRATION_DATABASE_URL: postgresUrl.optional().register(SETTINGS, {
    group: 'Data',
    meaning:
      'The owner of the tables, for migrations, where `DATABASE_URL` is a role that owns nothing: [operations.md](operations.md#two-roles).',
    example: 'postgres://trading_owner:secret@localhost:5432/trading',
  }),
  DIRECTORY_URL: postgresUrl.optional().register(SETTINGS, {
    group: 'Data',
    usual: 'none: `DATABASE_URL` in cell 0; elsewhere no venue account can be connected',
    meaning:
      'The database of cell 0, for every other cell: its directory gives a venue account one owner over all cells ([cells.md](cells.md#set-up-a-cell)).',
    example: 'postgres://trading_directory:secret@cell0-db:5432/trading',
  }),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// URL' })
    .optional()
    .register(SETTINGS, {
      group: 'Data',
      usual: 'none: each process counts separately',
      meaning:
        'A Redis 7 or newer, in which several processes count limits together and share the request budget of a venue. While it does not answer each process counts separately again.',
      example: 'redis://localhost:6379',
    }),
  POOL_MAX: integer(5, 500)
    .default(20)
    .register(SETTINGS, {
      group: 'Data',
      meaning: `Most connections of the pool of a process. At the default a process takes up to 35 in all; the built-in database has ${MAX_CONNECTIONS}.`,
      example: '20',
    }),
  EMBEDDED_POSTGRES: z.enum(['0', '1']).optional().register(SETTINGS, {
    group: 'Data',
    meaning: '`1` allows the built-in database in production.',
    example: '1',
  }),
  DATA_DIR: z.string().min(1).optional().register(SETTINGS, {
    group: 'Data',
    usual: '`.data`; below `/var/lib/trading-strategy-service` for root in a folder others cannot enter',
    meaning: 'The built-in database, the secret and the demo key.',
    example: '.data',
  }),
  WAL_ARCHIVE: z.string().min(1).optional().register(SETTINGS, {
    group: 'Data',
    meaning:
      'A folder to which the built-in database archives its write-ahead log, best on another disk. With a backup, any instant can be restored ([operations.md](operations.md#backup-and-restore)).',
    example: '/mnt/backup/wal',
  }),
  ARCHIVE_URL: archiveUrl.optional().register(SETTINGS, {
    group: 'Data',
    usual: 'none: everything stays in the database',
    meaning:
      'Where `npm run archive` moves receipts and inputs of orders that ended more than 90 days ago, and points of equity of accounts and strategies of that time: a folder as `file:///mnt/archive`, or a bucket as `s3://key:secret@bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1`. The same in every process, and in every cell ([operations.md](operations.md#the-archive)).',
    example: 'file:///mnt/archive',
  }),
  HISTORY_URL: archiveUrl.optional().register(SETTINGS, {
    group: 'Data',
    usual: 'none: everything stays in the database',
    meaning:
      'Where `npm run archive` moves imported history and recorded quotes of months that ended more than 90 days ago, in the form of `ARCHIVE_URL`, also the same place. The same in every process ([operations.md](operations.md#the-archive)).',
    example: 'file:///mnt/history',
  }),
  RETENTION_EVENTS: duration('1h', '30d', '24h').register(SETTINGS, {
    group: 'Data',
    meaning:
      'Retention of events: a stream that was disconnected longer starts with a snapshot. `1h` to `30d`.',
    example: '24h',
  }),
  RETENTION_DENIED: duration('2d', '3650d', '30d').register(SETTINGS, {
    group: 'Data',
    meaning:
      'Retention of orders that a rule denied. After a day one of each node, reason and hour stays, with the number it stands for. `2d` to `3650d`.',
    example: '30d',
  }),
  RETENTION_EQUITY: duration('8d', '3650d', '3650d').register(SETTINGS, {
    group: 'Data',
    meaning:
      'Retention of the points of equity curves: one each five minutes for a week, then one an hour. `8d` to `3650d`.',
    example: '3650d',
  }),
  RETENTION_SESSIONS: duration('1h', '365d', '1d').register(SETTINGS, {
    group: 'Data',
    meaning: 'Retention of ended sessions and unfinished sign-ins, with address and browser. `1h` to `365d`.',
    example: '1d',
  }),
  AUTH_SECRET: z
    .string()
    .min(32, { error: 'must have at least 32 characters' })
    .refine((secret) => new Set(secret).size >= SECRET_LETTERS_MIN, {
      error: `must be random: it has fewer than ${SECRET_LETTERS_MIN} different characters`,
    })
    .optional()
    .register(SETTINGS, {
      group: 'Who may come in',
      usual: 'made at the first start, kept in `DATA_DIR`',
      meaning:
        "Signs sessions and cursors. At least 32 characters; the same for every process. Required in production: `node -p \"require('crypto').randomBytes(32).toString('base64url')\"` makes one.",
      example: '',
    }),
  CREDENTIAL_KEYS: keyRing.optional().register(SETTINGS, {
    group: 'Who may come in',
    usual:
      'outside production a key of the data folder; in production none: no credentials of venues can be kept',
    meaning:
      "Encrypt the credentials of venues, as `k2:base64,k1:base64`: the first for new ones, all for those there are. 32 random bytes each, none of them `AUTH_SECRET`; the same for every process: `node -p \"'k1:' + require('crypto').randomBytes(32).toString('base64')\"` makes one.",
    example: '',
  }),
  SIGN_UP: z.enum(['open', 'closed']).optional().register(SETTINGS, {
    group: 'Who may come in',
    usual: '`open`; `closed` in production, and in every cell but cell 0',
    meaning: 'Whether visitors may create an account. In cell 0 alone: [cells.md](cells.md).',
    example: 'open',
  }),
  DEMO: z.enum(['0', '1']).optional().register(SETTINGS, {
    group: 'Who may come in',
    usual: '`1`; `0` in production',
    meaning:
      'The demo account, its blueprints and its key. At simulated prices visitors may sign in to it, and keep their sessions and keys: before real prices run `npm run user:erase -- --email demo@example.com --yes`.',
    example: '1',
  }),
  GITHUB_CLIENT_ID: signInSetting('Signing in with GitHub: both of the pair, or neither.'),
  GITHUB_CLIENT_SECRET: signInSetting('The other one of the pair for GitHub.'),
  GOOGLE_CLIENT_ID: signInSetting('Signing in with Google: both of the pair, or neither.'),
  GOOGLE_CLIENT_SECRET: signInSetting('The other one of the pair for Google.'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be an smtp: or smtps: URL' })
    .optional()
    .register(SETTINGS, {
      group: 'How it runs',
      usual: 'none: no e-mail is sent',
      meaning:
        'The mail server that sends notifications, as `smtps://user:password@mail.example.com`: [notifications.md](notifications.md#e-mail).',
      example: 'smtps://user:password@mail.example.com',
    }),
  SMTP_FROM: z
    .string()
    .regex(/^[^<>@\r\n]{0,100}<?[^<>@\s]{1,64}@[^<>@\s]{1,250}>?$/, {
      error: 'must look like Trading <notifications@example.com>',
    })
    .optional()
    .register(SETTINGS, {
      group: 'How it runs',
      usual: '`notifications@` and the host of `PUBLIC_URL`',
      meaning: 'The sender of notifications by e-mail.',
      example: 'Trading <notifications@example.com>',
    }),
  PAPER_CASH: usd('10000').register(SETTINGS, {
    group: 'Trading',
    meaning: 'USD a new account starts with.',
    example: '10000',
  }),
  LIVE_TRADING: z.enum(['on', 'off']).optional().register(SETTINGS, {
    group: 'Trading',
    usual: '`off`; `on` in development at simulated prices',
    meaning:
      'Whether live trading is allowed. While `off`, no live keys can be created; live books can still be read and reconciled, and orders canceled. `on` needs `CREDENTIAL_KEYS`. With simulated prices, orders go to the simulated venues, and no real one can be reached: [live-trading.md](live-trading.md).',
    example: 'off',
  }),
  LIVE_MAX_ORDER: usd('100').register(SETTINGS, {
    group: 'Trading',
    meaning: 'USD. The largest live buy, whatever the rules of an account allow.',
    example: '100',
  }),
  LIVE_MAX_DAY: usd('500').register(SETTINGS, {
    group: 'Trading',
    meaning:
      'USD. The most that one account may spend on live buys since 00:00 UTC, whatever its rules allow.',
    example: '500',
  }),
  SLIPPAGE_PREDICTION: slippage(DEFAULT_TRADING_SETTINGS.slippage.outcome).register(SETTINGS, {
    group: 'Trading',
    meaning: 'How far beyond the quote a market order of a prediction market may go, USD per contract.',
    example: '0.02',
  }),
  SLIPPAGE_CRYPTO: slippage(DEFAULT_TRADING_SETTINGS.slippage.spot).register(SETTINGS, {
    group: 'Trading',
    meaning: 'The same in crypto, as a fraction of the price.',
    example: '0.005',
  }),
  APPROVAL_TIMEOUT_SEC: integer(10, 86_400)
    .default(DEFAULT_TRADING_SETTINGS.approvalMs / 1_000)
    .register(SETTINGS, {
      group: 'Trading',
      meaning: 'How long an intent waits for approval, 10 to 86,400.',
      example: '900',
    }),
  MARKET_DATA: z.enum(['simulator', 'live']).optional().register(SETTINGS, {
    group: 'Trading',
    usual: '`simulator`; `live` in production',
    meaning: 'Recorded prices that move with the clock, or the venues themselves.',
    example: 'simulator',
  }),
  SIMULATOR_SEED: z.string().min(1).max(100).default('1').register(SETTINGS, {
    group: 'Trading',
    meaning: 'Selects the simulated market.',
    example: '1',
  }),
  SIMULATOR_SPEED: integer(1, 1_000).default(1).register(SETTINGS, {
    group: 'Trading',
    meaning:
      'How many times faster than real time it moves. Above 30, strategies are evaluated more often, so that signals of one-minute candles are in time; above 240 they can be missed (`too_late`).',
    example: '1',
  }),
  SIMULATOR_URL: url.optional().register(SETTINGS, {
    group: 'Trading',
    usual: 'none: in the process',
    meaning: 'A simulator of its own (`npm run simulator`), so that several processes share one market.',
    example: 'http://127.0.0.1:4100',
  }),
  QUOTE_LOG_DAYS: integer(0, 3_650).default(30).register(SETTINGS, {
    group: 'Trading',
    meaning:
      'How long the quotes of instruments in use are stored for backtests, in days, 0 to 3,650; at 0 none are.',
    example: '30',
  }),
  QUOTE_LOG_MAX_MB: integer(1, 1_000_000).default(1_024).register(SETTINGS, {
    group: 'Trading',
    meaning:
      'The most that recorded quotes may take; the oldest are deleted first. An instrument takes about half a megabyte a day.',
    example: '1024',
  }),
  HISTORY_MAX_MB: integer(1, 10_000_000).default(10_240).register(SETTINGS, {
    group: 'Trading',
    meaning:
      'Size of imported history. Nothing is deleted: at the limit imports are refused. The last quarter is kept for accounts that have less than a quarter. A year of minutes takes about 11 MB.',
    example: '10240',
  }),
  ...ADDRESSES,
});

export type Environment = z.output<typeof Environment>;
