import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { BoundedClient, KEEP_ALIVE } from '../../db/client.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import type { DatabaseConnection } from '../../db/orm.ts';
import { type Pool, unscopedDb } from '../../db/pool.ts';
import { committedEvents } from '../../engine/platform/events/events.ts';
import type { EventWaker } from '../../routers/context.ts';
import type { Logger } from '../kernel/logger.ts';

const CHANNEL = 'account_events';
/** Commits within this time share one notification, because each costs the whole server a lock. */
const COALESCE_MS = 25;
const RECONNECT_MS = 1_000;
/** Interval of the heartbeat on the listening connection, and its timeout. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT_ANSWER_MS = 5_000;
/** PostgreSQL takes payloads below 8,000 bytes; an id in JSON takes 39. */
const ACCOUNTS_PER_NOTIFY = 150;

export type OpenedEventListener = EventWaker & {
  /** Ends requests that wait for events, such as long polls. Events are still published. */
  endWaiting(): void;
  /** Call once nothing commits any more: publishes the remaining events, and closes. */
  stop(): Promise<void>;
};

export type EventListenerOptions = {
  connection: DatabaseConnection;
  pool: Pool;
  log: Logger;
  /** Called after a commit of this or another process. */
  onCommit?: () => void;
  /** Called when listening starts or stops. */
  onListening?: (isListening: boolean) => void;
};

/** Opens one LISTEN connection for this process, and publishes coalesced notifications after commits. */
export function openEventListener(options: EventListenerOptions): OpenedEventListener {
  const { connection, pool, log, onCommit = () => {}, onListening = () => {} } = options;
  const waiters = new Map<string, Set<() => void>>();
  const ending = new AbortController();
  const wakeAccount = (accountId: string) => {
    for (const wake of waiters.get(accountId) ?? []) wake();
  };
  const wakeAll = () => [...waiters.keys()].forEach(wakeAccount);
  const announcer = new Announcer(pool, log);
  const handlers: ListenHandlers = {
    onAccounts: (accountIds) => {
      onCommit();
      accountIds.forEach(wakeAccount);
    },
    onConnect: () => {
      onListening(true);
      wakeAll();
    },
    onLost: () => onListening(false),
  };
  const listening = listen(connection, handlers, ending.signal, log);

  return {
    ended: ending.signal,
    wake: (accountId, waitMs, signal) =>
      waitFor(waiters, accountId, waitMs, AbortSignal.any([signal, ending.signal])),
    endWaiting: () => ending.abort(),
    async stop() {
      ending.abort();
      await announcer.stop();
      await listening;
    },
  };
}

function waitFor(
  waiters: Map<string, Set<() => void>>,
  accountId: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const mine = waiters.get(accountId) ?? new Set();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      mine.delete(done);
      if (mine.size === 0) waiters.delete(accountId);
      resolve();
    };
    const timer = setTimeout(done, waitMs);
    signal.addEventListener('abort', done, { once: true });
    waiters.set(accountId, mine.add(done));
  });
}

/** Collects accounts with new events and notifies every process of them at once; what fails is repeated until stopped. */
class Announcer {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #accounts = new Set<string>();
  #hasWork = false;
  readonly #collect = (accountId?: string) => this.#add(accountId);
  #sending: Promise<void> | null = null;
  readonly #stopping = new AbortController();

  constructor(pool: Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
    committedEvents(pool).on('account', this.#collect).on('work', this.#collect);
  }

  async stop(): Promise<void> {
    committedEvents(this.#pool).off('account', this.#collect).off('work', this.#collect);
    this.#stopping.abort();
    await this.#sending;
  }

  /** Without an account it only wakes the workers; no events are read. */
  #add(accountId?: string): void {
    if (accountId !== undefined) this.#accounts.add(accountId);
    this.#hasWork = true;
    this.#sending ??= this.#sendSoon();
  }

  async #sendSoon(): Promise<void> {
    while (this.#hasWork) {
      await sleep(COALESCE_MS);
      const accounts = [...this.#accounts];
      this.#accounts.clear();
      this.#hasWork = false;
      await this.#send(accounts);
    }
    this.#sending = null;
  }

  async #send(accounts: readonly string[]): Promise<void> {
    try {
      const db = unscopedDb(this.#pool);
      for (let from = 0; from === 0 || from < accounts.length; from += ACCOUNTS_PER_NOTIFY) {
        const payload = JSON.stringify(accounts.slice(from, from + ACCOUNTS_PER_NOTIFY));
        await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db);
      }
    } catch (error) {
      this.#log.warn(
        { error: String(error) },
        'events were not announced; readers find them at their next poll',
      );
      const again = () => {
        for (const accountId of accounts) this.#accounts.add(accountId);
        this.#hasWork = true;
      };
      await sleep(RECONNECT_MS, undefined, { signal: this.#stopping.signal }).then(again, () => {});
    }
  }
}

type ListenHandlers = {
  onAccounts: (accountIds: string[]) => void;
  onConnect: () => void;
  onLost: () => void;
};

/** Listens until aborted, and reconnects after each failure. */
async function listen(
  connection: DatabaseConnection,
  handlers: ListenHandlers,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenOnce(connection, handlers, signal);
    } catch (error) {
      if (signal.aborted) return;
      handlers.onLost();
      log.warn({ error: String(error) }, 'the listener lost its connection and connects again');
    }
    await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {});
  }
}

async function listenOnce(
  connection: DatabaseConnection,
  handlers: ListenHandlers,
  signal: AbortSignal,
): Promise<void> {
  const client = new BoundedClient(
    {
      ...clientConfig(connection),
      ...KEEP_ALIVE,
      connectionTimeoutMillis: HEARTBEAT_ANSWER_MS,
      application_name: 'listener',
    },
    HEARTBEAT_ANSWER_MS,
  );
  const lost = new Promise<never>((_resolve, reject) => {
    client.on('error', reject);
    client.once('end', () => reject(new Error('the connection ended')));
  });
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  client.on('notification', ({ payload }) => handlers.onAccounts(accountsOf(payload)));
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await Promise.race([connectAndListen(client, handlers), lost]);
    // A listener only waits: without a heartbeat it would not notice a dead connection.
    heartbeat = setInterval(() => void client.query('select 1').catch(() => {}), HEARTBEAT_MS);
    await Promise.race([aborted, lost]);
  } finally {
    clearInterval(heartbeat);
    lost.catch(() => {});
    await client.end().catch(() => {});
  }
}

async function connectAndListen(client: BoundedClient, handlers: ListenHandlers): Promise<void> {
  await client.connect();
  await client.query(`listen ${CHANNEL}`);
  handlers.onConnect();
}

/** Returns no accounts for a payload that is not ours: a throw in this callback would end the process. */
function accountsOf(payload = ''): string[] {
  const accounts = jsonOrNull(payload);
  return Array.isArray(accounts) ? accounts.filter((account) => typeof account === 'string') : [];
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
