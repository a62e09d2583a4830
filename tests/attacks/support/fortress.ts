/** A service under attack: a process of its own with the settings of production, on a database of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Pool, systemDb } from '../../../db/pool.ts';
import type { Scope } from '../../../routers/scopes.ts';
import { CallRateLimiter } from '../../../server/http-kit/call-rate-limiter.ts';
import { openAuth } from '../../../server/identity/auth.ts';
import { openUserTrail } from '../../../server/identity/user-trail.ts';
import { createUser } from '../../../server/identity/users/users.ts';
import { readConfig } from '../../../server/kernel/config.ts';
import { openLogger } from '../../../server/kernel/logger.ts';
import { openMarketData } from '../../../simulator/market-data.ts';
import { freePort } from '../../e2e/support/service-process.ts';
import { sendRaw } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { openTestPool } from '../../support/pool.ts';
import { cookieOf, type SignedIn } from '../../support/sign-up.ts';
import { makeRunFolder, removeWithServer } from '../../support/test-server.ts';
import { openAccount, sender } from '../../support/world.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const START_MS = 30_000;
const STOP_MS = 15_000;

/** The origin of the console's pages. */
export const PAGE = 'https://console.test';
export const PASSWORD = 'correct horse battery';

/** Whether the long variants run. */
export const isFull = process.env['ATTACKS'] === 'full';
/** A number of repetitions or a size: for the short run, or for the full one. */
export const shortOrFull = (short: number, full: number): number => (isFull ? full : short);

export type Fortress = Awaited<ReturnType<typeof openFortress>>;

/** Starts the service on a migrated database. `settings` override those of production. */
export async function openFortress(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const secret = randomBytes(32).toString('base64url');
  const dataDir = makeRunFolder();
  const production = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    ...databaseSettings(database),
    AUTH_SECRET: secret,
    PUBLIC_URL: PAGE,
    MARKET_DATA: 'simulator',
    CONSOLE_BUILD: '0',
    DATA_DIR: dataDir,
    SHUTDOWN_GRACE_SEC: '0',
    ...settings,
  };
  const service = await start(production);
  const { base } = service;
  const send = sender(base);
  const pool = await openTestPool(database.connection, { poolMax: 4 });
  const owner = await openTestPool(database.owner, { poolMax: 4 });
  const db = systemDb(owner);
  const market = await openMarketData({ mode: 'simulator' });
  const users = openUsers(production, database.connection, pool, secret);

  const fortress = {
    ...service,
    send,
    database,
    pool,
    db,
    market,
    dataDir,
    account: (...scopes: Scope[]) => openAccount(pool, send, scopes),
    /** A second process on the same database. */
    another: (more: Record<string, string> = {}) => start({ ...production, ...more }),
    /** A user created by an operator, whose password is {@link PASSWORD}. */
    async user(): Promise<string> {
      const email = `${randomUUID()}@example.com`;
      await createUser(users.auth, { email, name: 'Ada', password: PASSWORD });
      return email;
    },
    async signIn(): Promise<Omit<SignedIn, 'userId'>> {
      const email = await fortress.user();
      const answer = await fortress.auth(
        'sign-in/email',
        { email, password: PASSWORD },
        { from: '127.9.9.9' },
      );
      return { cookie: cookieOf(answer), email, password: PASSWORD };
    },
    /** Sends a request to `/api/auth/` as the console does, from an address of this machine. */
    auth: (
      route: string,
      body: unknown,
      { from = '127.0.0.1', headers = [], cookie }: RawRequestOptions = {},
    ) =>
      sendRaw(base, {
        method: 'POST',
        path: `/api/auth/${route}`,
        headers: [
          ...['Origin', PAGE, 'Content-Type', 'application/json', ...headers],
          ...(cookie === undefined ? [] : ['Cookie', cookie]),
        ],
        body: JSON.stringify(body),
        localAddress: from,
      }),
    async count(table: string): Promise<number> {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
        db,
      );
      return rows[0]?.n ?? 0;
    },
    async close() {
      await service.stop();
      await users.close();
      await pool.close();
      await owner.close();
      await market[Symbol.asyncDispose]();
      await database.drop();
      await removeWithServer(dataDir);
    },
  };
  return fortress;
}

export type RawRequestOptions = { from?: string; headers?: string[]; cookie?: string };

type Place = { host: string; port: number; user: string; password: string; dbName: string };

function databaseSettings({ connection: { pooler, ...direct } }: TestDatabase): Record<string, string> {
  if (pooler === undefined) return { DATABASE_URL: urlOf(direct) };
  return { DATABASE_URL: urlOf(pooler), DATABASE_DIRECT_URL: urlOf(direct) };
}

/** The socket of the test's server as a URL. */
const urlOf = ({ host, port, user, password, dbName }: Place): string => {
  const [whose, secret, where] = [user, password, host].map(encodeURIComponent);
  return `postgres://${whose}:${secret}@${where}:${port}/${dbName}`;
};

/** Creates users as the operator's command does. */
function openUsers(settings: Record<string, string>, connection: Place, pool: Pool, secret: string) {
  const config = readConfig(settings);
  const log = openLogger('silent', 'stdout');
  const trail = openUserTrail({ pool, paperCash: config.paperCash, log });
  return openAuth({
    connection,
    config,
    secret,
    secondFactorKey: null,
    trustedOrigins: [],
    limits: new CallRateLimiter('off'),
    log,
    trail,
  });
}

export type RunningService = Awaited<ReturnType<typeof start>>;

async function start(settings: Record<string, string>) {
  const port = await freePort();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['server/start.mjs'], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(base, child, () => said);
  return {
    base,
    pid: child.pid ?? 0,
    output: () => said,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await once(child, 'exit');
  clearTimeout(late);
}

async function untilReady(base: string, child: ChildProcess, said: () => string): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The service ended: ${said()}`);
    const isReady = await fetch(`${base}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(100);
  }
  throw new Error(`The service was not ready in ${START_MS} ms: ${said()}`);
}
