/**
 * Moves an account from one cell to another, so that it lives in one of them at any instant. One transaction of the old cell
 * reads its rows, deletes them, and states where it went. Its commit decides. Before, the rows are stored in the new cell as
 * parts, which nothing reads. They are inserted and proven in an open transaction, which commits after the old cell's. If that
 * one is lost, the parts are inserted again.
 */

import { sql } from 'kysely';
import type { Db } from '../../../db/tables.ts';
import { MoveRefused, refuseConflicts, refuseWrongCells } from './checks.ts';
import { shareEmailKey } from './emails.ts';
import { proveLedger, refuseDifferences } from './proof.ts';
import * as rows from './rows.ts';
import { begin, copyAhead, isHere, type Moving, type Transferred, transferPatiently } from './transfer.ts';

const SEQ_MARGIN = 1_000_000;

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
  await shareEmailKey(moving);
  const tables = await rows.describeTables(to);
  report('Proving the ledger here.');
  await proveLedger(from, moving, 'here');
  moving.signal.throwIfAborted();
  const seconds = await carryOver(moving, { subject, tables, cell });
  report(`Account ${accountId} is in cell ${cell} now. Its writes were refused for ${seconds} s.`);
  return routeAndProve(moving, cell);
}

/** The end of a move, also of one that was interrupted after the account had arrived: it may not have been routed or proven. */
async function routeAndProve(moving: Moving, cell: number): Promise<string> {
  const { accountId, to, report } = moving;
  await moving.route();
  report('Proving the ledger there.');
  await proveLedger(to, moving, 'there, after the move');
  return `Account ${accountId} is in cell ${cell}, and its ledger agrees there.`;
}

/** Returns the seconds for which its writes were refused. */
async function carryOver(moving: Moving, transferred: Transferred): Promise<string> {
  const { accountId, from, to, report } = moving;
  let startedMs: number | undefined;
  try {
    await to.transaction().execute(async (arriving) => {
      await begin(arriving, accountId);
      report('Copying and rehearsing, while the account works.');
      const ahead = await copyAhead(arriving, moving, transferred);
      startedMs = performance.now();
      moving.signal.throwIfAborted();
      report('Moving: its writes are refused now.');
      await freeze(from, accountId, transferred.cell);
      await transferPatiently({ arriving, ahead }, moving, transferred);
      await settle(arriving, accountId);
    });
  } catch (error) {
    if (startedMs === undefined || (await takeBack(moving, transferred.cell))) throw error;
    await arrive(moving); // it has left: only the answer was lost
  }
  return ((performance.now() - (startedMs ?? 0)) / 1_000).toFixed(2);
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
  await arrive(moving);
  return routeAndProve(moving, cell);
}

async function readMoved(
  db: Db,
  accountId: string,
): Promise<{ cell: number; userIds: string[] } | undefined> {
  const { rows: moved } = await sql<{ cell: number; userIds: string[] }>`
    select cell, user_ids as "userIds" from moved_account where id = ${accountId}`.execute(db);
  return moved[0];
}

export async function readUsers(db: Db, accountId: string): Promise<string[]> {
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

/** Inserts the stored rows of an account that has left the other cell, and gives it life. */
async function arrive(moving: Moving): Promise<void> {
  const { to, accountId } = moving;
  const tables = await rows.describeTables(to);
  await to.transaction().execute(async (arriving) => {
    await begin(arriving, accountId);
    if (await isHere(arriving, accountId)) return; // another call has completed it
    if (!(await rows.hasParts(arriving, accountId))) throw await whyNotThere(arriving, accountId);
    await rows.insertAhead(arriving, tables, accountId);
    await rows.insertRest(arriving, tables, accountId);
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
  await sql`delete from moved_email where moved_id = ${accountId}`.execute(arriving);
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
