/**
 * Moves an account from one cell to another, so that it lives in one of them at any instant. One transaction of the old cell
 * reads its rows, deletes them, and states where it went. Its commit decides. Before, the rows are stored in the new cell as
 * parts, which nothing reads. They are inserted and proven in an open transaction, which commits after the old cell's. If that
 * one is lost, the parts are inserted again.
 */

import { sql } from 'kysely';
import { isSerializationFailure } from '../../../db/database-errors.ts';
import type { Db } from '../../../db/tables.ts';
import type { Mode } from '../../../db/vocabulary.ts';
import { verifyHashChains } from '../../../engine/ledger/hash-chain.ts';
import { type Difference, walkAccount } from '../../../engine/ledger/verify-ledger.ts';
import type { Archive } from '../../../engine/platform/archive/archive.ts';
import { databaseClock } from '../../../engine/platform/context.ts';
import { type Cells, MoveRefused, refuseConflicts, refuseWrongCells } from './checks.ts';
import * as rows from './rows.ts';

/** Attempts to read the account while requests that began before still change it. */
const ATTEMPTS_MAX = 5;
const LOCK_TIMEOUT_MS = 10_000;
const PRINTED_DIFFERENCES_MAX = 5;
const SEQ_MARGIN = 1_000_000;

export type Moving = Cells & {
  readonly accountId: string;
  /** The archive that both cells read; null if there is none. */
  readonly archive: Archive | null;
  /** Aborts the move as long as the account has not left. */
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
};

type Transferred = {
  readonly subject: rows.Subject;
  readonly tables: rows.Tables;
  readonly cell: number;
};

/** Rows of the account changed while they were read. */
class ChangedWhileRead extends Error {
  override readonly name = 'ChangedWhileRead';
}

/**
 * Moves an account, or completes a move that was interrupted. Returns a sentence about the result.
 *
 * @throws MoveRefused with the remedy; the account then works in the old cell as before
 */
export async function moveAccount(moving: Moving): Promise<string> {
  const { accountId, from, to, report } = moving;
  const cell = await refuseWrongCells(moving);
  if (!(await isHere(from, accountId))) return completeMove(moving, cell);
  if (await isHere(to, accountId))
    throw new MoveRefused(
      `Account ${accountId} is in both cells. Stop the services of both, and compare them.`,
    );
  const userIds = await readUsers(from, accountId);
  const subject = { accountId, userIds };
  await refuseConflicts(moving, subject);
  const tables = await rows.describeTables(to);
  report('Proving the ledger here.');
  await from
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => refuseDifferences(trx, moving, 'here'));
  moving.signal.throwIfAborted();
  report('Rehearsing: copying and proving, while the account works.');
  await rehearse(moving, { subject, tables, cell });
  moving.signal.throwIfAborted();
  report('Moving: its writes are refused now.');
  const startedMs = performance.now();
  try {
    await freeze(from, accountId, cell);
    await transferPatiently(moving, { subject, tables, cell });
  } catch (error) {
    if (await takeBack(moving, cell)) throw error;
    await arrive(moving, subject); // it has left: only the answer was lost
  }
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(2);
  return `Account ${accountId} is in cell ${cell} now. Its writes were refused for ${seconds} s.`;
}

/** Takes back a move that was interrupted before the account left. Returns a sentence about the result. */
export async function undoMove(moving: Moving): Promise<string> {
  const { accountId } = moving;
  const cell = await refuseWrongCells(moving);
  if (await takeBack(moving, cell))
    return `Account ${accountId} stays here, and nothing of it is left in cell ${cell}.`;
  throw new MoveRefused(
    `Account ${accountId} has left this cell already: run the move again without --undo to complete it, then move it back.`,
  );
}

async function completeMove(moving: Moving, cell: number): Promise<string> {
  const { accountId, from } = moving;
  const moved = await readMoved(from, accountId);
  if (moved?.cell !== cell)
    throw new MoveRefused(
      moved === undefined
        ? `There is no account ${accountId} here.`
        : `Account ${accountId} has moved to cell ${moved.cell}, and --to is cell ${cell}.`,
    );
  await arrive(moving, { accountId, userIds: moved.userIds });
  return `Account ${accountId} is in cell ${cell}.`;
}

async function readMoved(
  db: Db,
  accountId: string,
): Promise<{ cell: number; userIds: string[] } | undefined> {
  const { rows: moved } = await sql<{ cell: number; userIds: string[] }>`
    select cell, user_ids as "userIds" from moved_account where id = ${accountId}`.execute(db);
  return moved[0];
}

async function isHere(db: Db, accountId: string): Promise<boolean> {
  return (await sql`select from account where id = ${accountId}`.execute(db)).rows.length > 0;
}

async function readUsers(db: Db, accountId: string): Promise<string[]> {
  const { rows: members } = await sql<{ user_id: string }>`
    select user_id from membership where account_id = ${accountId}`.execute(db);
  return members.map(({ user_id }) => user_id);
}

/** From its commit on nothing is decided for the account: it waits for a decision in progress. */
async function freeze(from: Db, accountId: string, cell: number): Promise<void> {
  await from.transaction().execute(async (trx) => {
    await begin(trx, accountId);
    await refuseOtherMove(trx, accountId, cell);
    await sql`update account set moving_to = ${cell} where id = ${accountId}`.execute(trx);
  });
}

/** @throws MoveRefused if the account moves to another cell than this one: neither this call nor its failure ends that move */
async function refuseOtherMove(trx: Db, accountId: string, cell: number): Promise<void> {
  const { rows: others } = await sql<{ cell: number }>`
    select moving_to as cell from account where id = ${accountId} and moving_to <> ${cell}`.execute(trx);
  const [other] = others;
  if (other === undefined) return;
  throw new MoveRefused(
    `Account ${accountId} moves to cell ${other.cell} already: complete or undo that move first, with its --to.`,
  );
}

/** A request that began before the account was frozen may still change a row, or win a deadlock: then all is read again. */
async function transferPatiently(moving: Moving, transferred: Transferred): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transfer(moving, transferred);
    } catch (error) {
      const isChanged = error instanceof ChangedWhileRead;
      if (!(isChanged || isSerializationFailure(error)) || attempt >= ATTEMPTS_MAX) throw error;
      moving.report(
        `${isChanged ? error.message : 'A transaction in progress was first.'} Reading it again.`,
      );
    }
  }
}

/** Copies and proves the rows while the account works, and rolls that back: what fails then costs no write, and all is warm. */
async function rehearse(moving: Moving, { subject, tables }: Transferred): Promise<void> {
  const { from, to, accountId } = moving;
  const arriving = await to.startTransaction().execute();
  try {
    await begin(arriving, accountId);
    await from
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (leaving) => {
        await begin(leaving, accountId);
        // Read outside this transaction, whose view is older than its lock: another call may have completed the move meanwhile.
        if (!(await isHere(from, accountId)))
          throw new MoveRefused(
            `Account ${accountId} has left meanwhile: run the move again to complete it.`,
          );
        try {
          await copy({ leaving, arriving }, moving, { subject, tables });
        } finally {
          await rows.deleteParts(to, accountId); // under the lock: the parts of an account that has left are its only copy
        }
      });
  } finally {
    await arriving.rollback().execute();
  }
}

type Ends = { readonly leaving: Db; readonly arriving: Db };

/** Copies the rows and proves the ledger of the copy. Returns the digests of what arrived. */
async function copy(
  { leaving, arriving }: Ends,
  moving: Moving,
  { subject, tables }: Pick<Transferred, 'subject' | 'tables'>,
): Promise<rows.Digests> {
  await stage(leaving, moving, tables, subject);
  moving.signal.throwIfAborted();
  await rows.insertRows(arriving, tables, subject.accountId);
  const arrived = await rows.digestRows(arriving, tables, subject);
  await refuseDifferences(arriving, moving, 'there');
  moving.signal.throwIfAborted();
  return arrived;
}

async function transfer(moving: Moving, { subject, tables, cell }: Transferred): Promise<void> {
  const { from, to } = moving;
  const { accountId } = subject;
  await to.transaction().execute(async (arriving) => {
    await begin(arriving, accountId);
    await from.transaction().execute(async (leaving) => {
      await begin(leaving, accountId);
      await lockMoving(leaving, accountId, cell);
      const arrived = await copy({ leaving, arriving }, moving, { subject, tables });
      await waitForTicks(leaving, accountId);
      await recordMove(leaving, subject, cell);
      const left = await rows.deleteRows(leaving, tables, subject);
      const changed = [
        ...rows.differingTables(left, arrived),
        ...(await rows.findRemaining(leaving, tables, subject)),
      ];
      if (changed.length > 0) throw new ChangedWhileRead(`Changed meanwhile: ${changed.join(', ')}.`);
    });
    await settle(arriving, accountId);
  });
}

/** Stores the account's rows in the other cell, in a transaction of its own. */
async function stage(leaving: Db, { to }: Moving, tables: rows.Tables, subject: rows.Subject): Promise<void> {
  const { accountId } = subject;
  await to.transaction().execute(async (db) => {
    await rows.deleteParts(db, accountId);
    let number = 0;
    await rows.readRows(leaving, tables, subject, async (tableName, page) => {
      await rows.storePart(db, { accountId, number: number++, tableName, rows: page });
    });
  });
}

/** Inserts the stored rows of an account that has left the other cell, and gives it life. */
async function arrive(moving: Moving, subject: rows.Subject): Promise<void> {
  const { accountId } = subject;
  const tables = await rows.describeTables(moving.to);
  await moving.to.transaction().execute(async (arriving) => {
    await begin(arriving, accountId);
    if (await isHere(arriving, accountId)) return; // another call has completed it
    if (!(await rows.hasParts(arriving, accountId))) throw await whyNotThere(arriving, accountId);
    await rows.insertRows(arriving, tables, accountId);
    await refuseDifferences(arriving, moving, 'there');
    await settle(arriving, accountId);
  });
}

async function whyNotThere(arriving: Db, accountId: string): Promise<Error> {
  const moved = await readMoved(arriving, accountId);
  return moved === undefined
    ? new Error(
        `Account ${accountId} has left, and the database of --to does not hold it. Restore that database.`,
      )
    : new MoveRefused(`Account ${accountId} has arrived there, and has moved on to cell ${moved.cell}.`);
}

/** Ends what only the move needed, and wakes the runners. Their shards are read again: an account may return within a tick. */
async function settle(arriving: Db, accountId: string): Promise<void> {
  await rows.deleteParts(arriving, accountId);
  await sql`update account set moving_to = null where id = ${accountId}`.execute(arriving);
  await sql`delete from moved_account where id = ${accountId}`.execute(arriving);
  await sql`delete from moved_key where moved_id = ${accountId}`.execute(arriving);
  await sql`insert into shard (id) select distinct shard from deployment where account_id = ${accountId}
    on conflict do nothing`.execute(arriving);
  await sql`update shard set fence = fence + 1, owner = null, lease_until = null
    where id in (select shard from deployment where account_id = ${accountId} and ended_at is null)`.execute(
    arriving,
  );
  // Other accounts draw numbers meanwhile: it is only raised, by more than they can draw within this statement.
  await sql`select setval('ledger_seq', own.seq + ${SEQ_MARGIN}) from (
      select max(seq) as seq from (select max(seq) as seq from fill where account_id = ${accountId}
        union all select max(seq) from order_transition where account_id = ${accountId}
        union all select max(seq) from cash_entry where account_id = ${accountId}) as used) as own
    where own.seq >= (select last_value from ledger_seq)`.execute(arriving);
  await sql`select pg_notify('account_events', ${JSON.stringify([accountId])})`.execute(arriving);
}

/**
 * Returns whether the account is here, and lifts the freeze. Waits for a transaction of a move that is still open: its outcome
 * decides.
 */
async function takeBack({ from, to, accountId }: Moving, cell: number): Promise<boolean> {
  return from.transaction().execute(async (trx) => {
    await begin(trx, accountId);
    if (!(await isHere(trx, accountId))) return false;
    await refuseOtherMove(trx, accountId, cell);
    await rows.deleteParts(to, accountId);
    await sql`update account set moving_to = null where id = ${accountId}`.execute(trx);
    return true;
  });
}

/**
 * Prepares a transaction of a move. In each database one move of an account is open at a time: the next one waits for its
 * outcome. Triggers and references do not run: rows have their results. Texts of values are those of both cells.
 */
async function begin(trx: Db, accountId: string): Promise<void> {
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
  if (locked.length === 0)
    throw new MoveRefused(`The move of account ${accountId} was taken back meanwhile.`);
}

/** Waits for a tick that is being stored, and holds the next one up until the rows are gone. */
async function waitForTicks(leaving: Db, accountId: string): Promise<void> {
  await sql`select from shard
    where id in (select shard from deployment where account_id = ${accountId} and ended_at is null)
    order by id for update`.execute(leaving);
}

/** States where the account is, for its users and keys. */
async function recordMove(leaving: Db, { accountId, userIds }: rows.Subject, cell: number): Promise<void> {
  await sql`insert into moved_account (id, cell, user_ids, moved_at)
    values (${accountId}, ${cell}, ${userIds}, clock_timestamp())`.execute(leaving);
  await sql`insert into moved_key (token_hash, moved_id)
    select token_hash, account_id from api_key where account_id = ${accountId}
    union select access_hash, account_id from oauth_grant where account_id = ${accountId} and access_hash is not null`.execute(
    leaving,
  );
}

/** @throws MoveRefused if the books or chains of the account are not right */
async function refuseDifferences(
  trx: Db,
  { accountId, archive }: Pick<Moving, 'accountId' | 'archive'>,
  where: string,
): Promise<void> {
  const { rows: books } = await sql<{ mode: Mode }>`
    select mode from trading_account where account_id = ${accountId} order by mode`.execute(trx);
  const readAt = await databaseClock(trx);
  const differences: Difference[] = [];
  for (const { mode } of books)
    for await (const part of walkAccount(trx, { accountId, mode }, readAt, undefined, archive))
      differences.push(...part.differences);
  differences.push(...(await verifyHashChains(trx, [accountId])));
  if (differences.length === 0) return;
  const some = differences.slice(0, PRINTED_DIFFERENCES_MAX).map((one) => JSON.stringify(one));
  throw new MoveRefused(
    `The ledger of the account differs ${where} in ${differences.length} places, so it is not moved: ${some.join('; ')}`,
  );
}
