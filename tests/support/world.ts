import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { type Pool, systemDb } from '../../db/pool.ts';
import { verifyLedger } from '../../engine/ledger/verify-ledger.ts';
import { databaseClock, systemWork, type Work } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { SCOPE_NAMES, type Scope } from '../../routers/scopes.ts';
import type { PasswordHasher } from '../../server/identity/passwords.ts';
import { openArchive } from '../../server/kernel/archive/open-archive.ts';
import { readConfig } from '../../server/kernel/config.ts';
import { openLogger } from '../../server/kernel/logger.ts';
import { type Service, startService } from '../../server/process/service.ts';
import type { ConnectionIntervals } from '../../server/workers/trading/connections/intervals.ts';
import { openMarketData } from '../../simulator/market-data.ts';
import { createTestDatabase } from './database.ts';
import { openTestPool } from './pool.ts';
import { signUp } from './sign-up.ts';
import { undescribedParts } from './undescribed-parts.ts';

/** The origin of the world's own pages: a session cookie is valid from there only. */
export const ORIGIN = 'http://console.test';

const SECRET = 'a secret of the tests, long enough for signing';
const SETTINGS = {
  PORT: '0',
  RATE_LIMITS: 'off',
  ROLE: 'api',
  NODE_ENV: 'test',
  PUBLIC_URL: ORIGIN,
  CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

export type Answer = {
  status: number;
  body: unknown;
  text: string;
  headers: Headers;
  /** The log's text for a 500, where the sender has one. */
  logged?: string;
};

export type Sent = {
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array<ArrayBuffer>;
};

export type Account = {
  accountId: string;
  key: string;
  keyId: string;
  work: Work;
  http: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

export type WorldOptions = {
  /** Settings as the environment would give them. */
  settings?: Record<string, string>;
  /** Hashes passwords at the service's cost, for tests about that cost. Default false. */
  isSlowToHash?: boolean;
  /** The interval of checks of venue connections; the service's own by default. */
  connectionPaces?: Partial<ConnectionIntervals>;
  /** The time without a runner after which one counts as missing; never by default. */
  runnerGraceMs?: number;
};

const digest = (password: string): string => createHash('sha256').update(password).digest('hex');

/** A real hash takes a core for 60 ms, a thousand times in tests of other things. */
const QUICK_HASHER: PasswordHasher = {
  hash: async (password) => digest(password),
  verify: async ({ hash, password }) => hash === digest(password),
};

/**
 * Opens a whole service of the test's own: database, simulated venues, HTTP on a free port. Close it with `await
 * world.close()`, which first checks that the ledger is consistent.
 */
export async function openWorld({
  settings = {},
  isSlowToHash = false,
  connectionPaces = {},
  runnerGraceMs = Number.POSITIVE_INFINITY,
}: WorldOptions = {}) {
  const database = await createTestDatabase();
  const market = await openMarketData({ mode: 'simulator', seed: 'tests' });
  const config = readConfig({ ...SETTINGS, ...settings });
  const logged: string[] = [];
  // Worlds have no runner unless they start one: the test sends the orders.
  const options = { connectionPaces, runnerGraceMs, ...(isSlowToHash ? {} : { hasher: QUICK_HASHER }) };
  const service = await startService({
    ...options,
    config,
    connection: database.connection,
    market,
    simulatorUrl: market.simulatorUrl,
    authSecret: SECRET,
    log: openLogger('debug', collect(logged)),
  });
  const base = `http://127.0.0.1:${service.address?.port}`;
  const send = sender(base, logged);
  // Reads and tampering of the test bypass the service's role.
  const owner = await openTestPool(database.owner, { poolMax: 4 });
  const db = systemDb(owner);

  const close = async (): Promise<void> => {
    await service.stop();
    const differences = await verifyLedger(db, databaseClock, openArchive(config));
    await owner.close();
    await market[Symbol.asyncDispose]();
    await database.drop();
    if (differences.length > 0) throw new Error(`The ledger differs: ${JSON.stringify(differences)}`);
  };

  return {
    base,
    config,
    database,
    market,
    service,
    pool: service.pool,
    db,
    logged,
    send,
    account: (...scopes: Scope[]) => openAccount(service.pool, send, scopes),
    signUp: (email?: string) =>
      signUp(base, { origin: ORIGIN, email }).catch((error: unknown) => {
        const errors = logged.filter((line) => line.includes('"level":"error"')).join('');
        throw new Error(`${error instanceof Error ? error.message : error} The log says: ${errors}`);
      }),
    /** Another process on the same database. */
    async another(more: Record<string, string> = {}, authSecret = SECRET): Promise<Service> {
      return startService({
        ...options,
        config: readConfig({ ...SETTINGS, ...settings, ...more }),
        connection: database.connection,
        market,
        simulatorUrl: market.simulatorUrl,
        authSecret,
        log: openLogger('silent', collect([])),
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function collect(lines: string[]): Writable {
  return new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
}

export type Send = (method: string, path: string, sent?: Sent) => Promise<Answer>;

/**
 * Sends requests to a service at this address, which writes its log to `log`. A response with a status or header that its
 * operation does not describe is an error.
 */
export function sender(base: string, log: readonly string[] = []): Send {
  return async (method, path, { headers = {}, body, raw } = {}) => {
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw }),
    });
    const text = isEndless(response) ? await firstChunk(response) : await response.text();
    const { status, headers: answered } = response;
    const surprises = undescribedParts({ method, path, status, headers: answered });
    if (surprises.length > 0) throw new Error(surprises.join('; '));
    const answer = { status, headers: answered, text, body: parsed(text) };
    if (status !== 500) return answer;
    const requestId = answered.get('x-request-id') ?? '';
    return { ...answer, logged: log.filter((line) => isErrorOf(line, requestId)).join('') };
  };
}

/** An event stream ends when the caller hangs up; that of tRPC reports it in its refusal. */
const isEndless = ({ url, headers }: Response): boolean =>
  ['/api/events', '/api/stream'].includes(new URL(url).pathname) &&
  headers.get('content-type')?.startsWith('text/event-stream') === true;

async function firstChunk({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

const isErrorOf = (line: string, requestId: string): boolean =>
  line.includes('"level":"error"') && line.includes(requestId);

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An account with a key of these scopes, or of all. */
export async function openAccount(pool: Pool, send: Send, scopes: Scope[]): Promise<Account> {
  const accountId = await findOrCreateAccountOfUser(pool, {
    userId: randomUUID(),
    name: 'Test',
    paperCash: '10000',
  });
  const work = systemWork(pool, { accountId, mode: 'paper' });
  const { key, id } = await createKey(work, {
    name: 'Test key',
    scopes: scopes.length > 0 ? scopes : SCOPE_NAMES,
    createdBy: null,
  });
  return {
    accountId,
    key,
    keyId: id,
    work,
    http: (method, path, body, headers = {}) =>
      send(method, path, {
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body !== undefined && { body }),
      }),
  };
}
