import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { type Pool, poolOf } from '../../../db/pool.ts';
import type { Db } from '../../../db/tables.ts';
import type { BooksKey, Work } from '../context.ts';
import type { EventOf } from '../event-payloads.ts';

/**
 * One event, to readers of the mode it happens in; `mode: null` to readers of every mode. The payload names ids and new
 * values; readers fetch the rest.
 */
export type AccountEvent = EventOf & { mode?: null };

/** `work`: something was committed that rounds of any process may have to act on, with or without an event. */
type Commits = EventEmitter<{ account: [accountId: string]; work: [] }>;

const commits = new WeakMap<Pool, Commits>();

/**
 * Tells which accounts have new events, once they are committed over this pool. Listeners pass it on to other processes;
 * nothing depends on their doing so, because readers go by sequence numbers.
 */
export function committedEvents(pool: Pool): Commits {
  const known = commits.get(pool) ?? new EventEmitter();
  commits.set(pool, known);
  return known;
}

/** Transactions that appended events. */
const appending = new WeakSet<Db>();

/** Tells that what `tx` appended is committed. `work` is what the transaction was begun on. */
export function announceEvents(work: Work, tx: Work): void {
  if (appending.has(tx.db)) committedEvents(poolOf(work.db)).emit('account', work.accountId);
}

/** The same of all accounts that a transaction may have appended events of. */
export function announceAccounts(pool: Pool, accountIds: Iterable<string>): void {
  for (const accountId of accountIds) committedEvents(pool).emit('account', accountId);
}

/**
 * Appends events to the account's numbered stream. Call under the account's lock: then the order of numbers
 * is the order of commits, and a reader that has seen `n` has seen everything before it.
 */
export async function recordEvents(tx: Work, at: Date, events: readonly AccountEvent[]): Promise<void> {
  if (events.length === 0) return;
  appending.add(tx.db);
  await sql`
    with numbered as (
      update account set event_seq = event_seq + ${events.length}::int where id = ${tx.accountId} returning event_seq
    )
    insert into account_event (account_id, seq, at, type, mode, payload)
    select ${tx.accountId}, numbered.event_seq - ${events.length}::int + event.place, ${at}, event.type, event.mode, event.payload::jsonb
    from numbered, unnest(
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ mode }) => (mode === undefined ? tx.mode : null))}::text[],
      ${events.map(({ payload }) => JSON.stringify(payload))}::text[]
    ) with ordinality as event (type, mode, payload, place)`.execute(tx.db);
}

/** One thing told to readers of an account's books. */
export type ToldEvent = BooksKey & { readonly event: AccountEvent };

/** As {@link recordEvents}, of several accounts: of each in the order given. Call under the locks of all of them. */
export async function recordEventsOf(tx: Db, at: Date, told: readonly ToldEvent[]): Promise<void> {
  if (told.length === 0) return;
  appending.add(tx);
  await sql`
    with told as materialized (
      select * from unnest(
        ${told.map(({ accountId }) => accountId)}::uuid[],
        ${told.map(({ event }) => event.type)}::text[],
        ${told.map(({ event, mode }) => (event.mode === undefined ? mode : null))}::text[],
        ${told.map(({ event }) => JSON.stringify(event.payload))}::text[]
      ) with ordinality as told (account_id, type, mode, payload, place)
    ), numbered as (
      update account a set event_seq = event_seq + counted.events
      from (select account_id, count(*)::int as events from told group by account_id) as counted
      where a.id = counted.account_id
      returning a.id, a.event_seq - counted.events as before
    )
    insert into account_event (account_id, seq, at, type, mode, payload)
    select told.account_id, numbered.before + row_number() over (partition by told.account_id order by told.place), ${at},
      told.type, told.mode, told.payload::jsonb
    from told join numbered on numbered.id = told.account_id`.execute(tx);
}
