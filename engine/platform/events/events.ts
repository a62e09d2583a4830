import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { type Pool, poolOf } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import type { BooksKey, Work } from '../context.ts';
import type { EventOf } from '../event-payloads.ts';

/**
 * One event, for readers of its mode; `mode: null` is for readers of every mode. The payload names ids and new values; readers
 * fetch the rest.
 */
export type AccountEvent = EventOf & { mode?: null };

/** `work`: a commit that rounds of any process may have to act on, with or without an event. */
type Commits = EventEmitter<{ account: [accountId: string]; work: [] }>;

const commits = new WeakMap<Pool, Commits>();

/**
 * Emits the accounts with new events, after their commit over this pool. Listeners pass it on to other processes. Nothing
 * depends on that, because readers go by sequence numbers.
 */
export function committedEvents(pool: Pool): Commits {
  const known = commits.get(pool) ?? new EventEmitter();
  commits.set(pool, known);
  return known;
}

/** Transactions that appended events. */
const appending = new WeakSet<Db>();

/** Emits that the events appended in `tx` are committed. `work` is what the transaction was begun on. */
export function announceEvents(work: Work, tx: Work): void {
  if (appending.has(tx.db)) committedEvents(poolOf(work.db)).emit('account', work.accountId);
}

/** Does the same for all accounts whose events a transaction may have appended. */
export function announceAccounts(pool: Pool, accountIds: Iterable<string>): void {
  for (const accountId of accountIds) committedEvents(pool).emit('account', accountId);
}

/**
 * Appends events to the account's numbered stream. Call under the account's lock: the order of numbers is then the order of
 * commits. A reader that has seen `n` has seen everything before it.
 */
export async function recordEvents(tx: Work, at: Date, events: readonly AccountEvent[]): Promise<void> {
  if (events.length === 0) return;
  appending.add(tx.db);
  await sql`
    with numbered as (
      update account set event_seq = event_seq + ${events.length}::int where id = ${tx.accountId} returning event_seq
    )
    insert into account_event (account_id, seq, at, type, mode, payload)
    select ${tx.accountId}, numbered.event_seq - ${events.length}::int + event.ordinal, ${at}, event.type, event.mode, event.payload::jsonb
    from numbered, unnest(
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ mode }) => (mode === undefined ? tx.mode : null))}::text[],
      ${events.map(({ payload }) => JSON.stringify(payload))}::text[]
    ) with ordinality as event (type, mode, payload, ordinal)`.execute(tx.db);
}

/** One event for the readers of an account's books. */
export type BooksEvent = BooksKey & { readonly event: AccountEvent };

/** Does {@link recordEvents} for several accounts: in the given order for each. Call under the locks of all of them. */
export async function recordEventsOf(tx: Db, at: Date, events: readonly BooksEvent[]): Promise<void> {
  if (events.length === 0) return;
  appending.add(tx);
  await sql`
    with appended as materialized (
      select * from unnest(
        ${events.map(({ accountId }) => accountId)}::uuid[],
        ${events.map(({ event }) => event.type)}::text[],
        ${events.map(({ event, mode }) => (event.mode === undefined ? mode : null))}::text[],
        ${events.map(({ event }) => JSON.stringify(event.payload))}::text[]
      ) with ordinality as appended (account_id, type, mode, payload, ordinal)
    ), numbered as (
      update account a set event_seq = event_seq + counted.events
      from (select account_id, count(*)::int as events from appended group by account_id) as counted
      where a.id = counted.account_id
      returning a.id, a.event_seq - counted.events as before
    )
    insert into account_event (account_id, seq, at, type, mode, payload)
    select appended.account_id, numbered.before + row_number() over (partition by appended.account_id order by appended.ordinal), ${at},
      appended.type, appended.mode, appended.payload::jsonb
    from appended join numbered on numbered.id = appended.account_id`.execute(tx);
}
