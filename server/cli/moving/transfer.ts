/**
 * Copies the rows of an account: most of them while it works, what has changed since while its writes are refused. The commit of
 * the transaction that deletes them in the old cell ends it there.
 */

import { sql } from 'kysely';
import { isSerializationFailure } from '../../../db/database-errors.ts';
import type { Db } from '../../../db/tables.ts';
import type { Archive } from '../../../engine/platform/archive/archive.ts';
import { type Cells, MoveRefused } from './checks.ts';
import { readEmailDigests } from './emails.ts';
import { refuseDifferences } from './proof.ts';
import * as rows from './rows.ts';

/** Attempts to read the account while requests that began before still change it. */
const ATTEMPTS_MAX = 5;
const LOCK_TIMEOUT_MS = 10_000;

export type Moving = Cells & {
  readonly accountId: string;
  /** The archive that both cells read; null if there is none. */
  readonly archive: Archive | null;
  /** Aborts the move as long as the account has not left. */
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
  /** Leads requests to the new cell, once the account is there. */
  readonly route: () => Promise<void>;
};

export type Transferred = {
  readonly subject: rows.Subject;
  readonly tables: rows.Tables;
  readonly cell: number;
};

/** Rows of the account changed while they were read. */
class ChangedWhileRead extends Error {
  override readonly name = 'ChangedWhileRead';
  readonly tables: readonly string[];

  constructor(tables: readonly string[]) {
    super(`Changed meanwhile: ${tables.join(', ')}.`);
    this.tables = tables;
  }
}

type Arriving = { readonly arriving: Db; readonly ahead: rows.Ahead };

/**
 * Copies the rows of large tables while the account works. Rehearses the rest with a proof of the whole copy, and rolls that
 * back: what fails then costs no write, and all is warm.
 */
export async function copyAhead(
  arriving: Db,
  moving: Moving,
  { subject, tables }: Transferred,
): Promise<rows.Ahead> {
  const { from, to, accountId } = moving;
  return from
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (leaving) => {
      await begin(leaving, accountId);
      // Read outside this transaction, whose view is older than its lock: another call may have completed the move meanwhile.
      if (!(await isHere(from, accountId)))
        throw new MoveRefused(`Account ${accountId} has left meanwhile: run the move again to complete it.`);
      try {
        await rows.deleteParts(to, accountId);
        const since = await rows.readOldestInProgress(leaving);
        await inParts(moving, -1, (stage) => rows.readAhead(leaving, tables, subject, since, stage));
        await rows.insertAhead(arriving, tables, accountId);
        const ahead = { since, parts: await rows.countAhead(to, accountId) };
        await sql`savepoint rehearsal`.execute(arriving);
        await copyRest(leaving, { arriving, ahead }, moving, { subject, tables });
        await refuseDifferences(arriving, moving, 'there');
        await sql`rollback to savepoint rehearsal`.execute(arriving);
        return ahead;
      } catch (error) {
        await rows.deleteParts(to, accountId); // under the lock: the parts of an account that has left are its only copy
        throw error;
      }
    });
}

/** Stores pages of rows in the other cell, in a transaction of its own. They are numbered away from zero. */
async function inParts(
  { to, accountId }: Moving,
  first: -1 | 0,
  read: (stage: rows.Stage) => Promise<void>,
): Promise<void> {
  await to.transaction().execute(async (db) => {
    let number: number = first;
    await read(async (tableName, page) => {
      await rows.storePart(db, { accountId, number, tableName, rows: page });
      number += first === 0 ? 1 : -1;
    });
  });
}

/** Copies what was not copied ahead. */
async function copyRest(
  leaving: Db,
  { arriving, ahead }: Arriving,
  moving: Moving,
  { subject, tables }: Pick<Transferred, 'subject' | 'tables'>,
): Promise<void> {
  const { to, accountId, signal } = moving;
  await rows.deleteRest(to, accountId, []);
  await inParts(moving, 0, (stage) => rows.readRest(leaving, tables, subject, ahead, stage));
  signal.throwIfAborted();
  await rows.insertRest(arriving, tables, accountId);
  signal.throwIfAborted();
}

/** A request that began before the account was frozen may still change a row, or win a deadlock: then it is read again. */
export async function transferPatiently(
  { arriving, ahead }: Arriving,
  moving: Moving,
  transferred: Transferred,
): Promise<void> {
  const parts = new Map(ahead.parts);
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint ahead`.execute(arriving);
    try {
      return await transfer({ arriving, ahead: { ...ahead, parts } }, moving, transferred);
    } catch (error) {
      const isChanged = error instanceof ChangedWhileRead;
      if (!(isChanged || isSerializationFailure(error)) || attempt >= ATTEMPTS_MAX) throw error;
      moving.report(
        `${isChanged ? error.message : 'A transaction in progress was first.'} Reading it again.`,
      );
      await sql`rollback to savepoint ahead`.execute(arriving);
      const again = isChanged ? error.tables.filter((name) => parts.delete(name)) : [];
      await rows.deleteRest(moving.to, moving.accountId, again);
      await rows.deleteFrom(arriving, transferred.tables, transferred.subject, again);
    }
  }
}

async function transfer(
  { arriving, ahead }: Arriving,
  moving: Moving,
  { subject, tables, cell }: Transferred,
): Promise<void> {
  const { accountId } = subject;
  await moving.from.transaction().execute(async (leaving) => {
    await begin(leaving, accountId);
    await lockMoving(leaving, accountId, cell);
    await refuseLostParts(moving, ahead);
    await copyRest(leaving, { arriving, ahead }, moving, { subject, tables });
    await refuseChanged([
      rows.countRows(leaving, tables, subject),
      rows.countRows(arriving, tables, subject),
    ]); // before what takes long
    await waitForTicks(leaving, accountId);
    await recordMove(leaving, subject, cell);
    await refuseChanged([
      rows.deleteRows(leaving, tables, subject),
      rows.digestRows(arriving, tables, subject),
    ]);
    const remaining = await rows.findRemaining(leaving, tables, subject);
    if (remaining.length > 0) throw new ChangedWhileRead(remaining);
  });
}

/** @throws ChangedWhileRead with the tables that differ between the cells, which work at the same time */
async function refuseChanged(both: readonly [Promise<rows.Digests>, Promise<rows.Digests>]): Promise<void> {
  const [left, arrived] = await Promise.all(both);
  const changed = rows.differingTables(left, arrived);
  if (changed.length > 0) throw new ChangedWhileRead(changed);
}

/** @throws MoveRefused if another call has deleted parts that were copied before the account was frozen */
async function refuseLostParts({ to, accountId }: Moving, { parts }: rows.Ahead): Promise<void> {
  const stored = await rows.countAhead(to, accountId);
  if ([...parts].some(([name, count]) => stored.get(name) !== count)) throw takenBack(accountId);
}

const takenBack = (accountId: string) =>
  new MoveRefused(`The move of account ${accountId} was taken back meanwhile.`);

export async function isHere(db: Db, accountId: string): Promise<boolean> {
  return (await sql`select from account where id = ${accountId}`.execute(db)).rows.length > 0;
}

/**
 * Prepares a transaction of a move. In each database one move of an account is open at a time: the next one waits for its
 * outcome. Triggers and references do not run: rows have their results. Texts of values are those of both cells.
 */
export async function begin(trx: Db, accountId: string): Promise<void> {
  await sql`select set_config('session_replication_role', 'replica', true), set_config('timezone', 'UTC', true),
    set_config('datestyle', 'ISO', true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`.execute(trx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`move:${accountId}`}, 0))`.execute(trx);
}

/** Locks the account, also against rows that refer to it. */
async function lockMoving(leaving: Db, accountId: string, cell: number): Promise<void> {
  const { rows: locked } = await sql`
    select from account where id = ${accountId} and moving_to = ${cell} for update`.execute(leaving);
  if (locked.length === 0) throw takenBack(accountId);
}

/** Waits for a tick that is being stored, and holds the next one up until the rows are gone. */
async function waitForTicks(leaving: Db, accountId: string): Promise<void> {
  await sql`select from shard
    where id in (select shard from deployment where account_id = ${accountId} and ended_at is null)
    order by id for update`.execute(leaving);
}

/** States where the account is, for its users, their e-mails and its keys. */
async function recordMove(leaving: Db, { accountId, userIds }: rows.Subject, cell: number): Promise<void> {
  await sql`insert into moved_account (id, cell, user_ids, moved_at)
    values (${accountId}, ${cell}, ${userIds}, clock_timestamp())`.execute(leaving);
  await sql`insert into moved_key (token_hash, moved_id)
    select token_hash, account_id from api_key where account_id = ${accountId}
    union select access_hash, account_id from oauth_grant where account_id = ${accountId} and access_hash is not null`.execute(
    leaving,
  );
  const digests = await readEmailDigests(leaving, userIds);
  await sql`insert into moved_email (digest, moved_id) select unnest(${digests}::bytea[]), ${accountId}`.execute(
    leaving,
  );
}
