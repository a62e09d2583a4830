import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { moveAccount, undoMove } from '../../server/cli/moving/move.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { differencesIn, openedTwoCells, rowsOf, untilWaiting } from '../support/cell-worlds.ts';
import { openTestPool } from '../support/pool.ts';

const { home, other, moving, newPerson } = openedTwoCells();

describe('account:move, interrupted or beside other work', () => {
  test('a failure before it has left takes everything back', async () => {
    const { accountId, http, orderId } = await newPerson();
    const before = await rowsOf(home, accountId);
    const report = (message: string) => {
      if (message.startsWith('Moving')) throw new Error('the operator unplugged it');
    };
    await expect(moveAccount({ ...moving(accountId), report })).rejects.toThrow('unplugged');
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(moveAccount({ ...moving(accountId), signal: stopped })).rejects.toThrow('stopped');
    expect(await rowsOf(home, accountId)).toEqual(before);
    expect(await rowsOf(other, accountId)).toEqual({});
    expect((await sql`select from arriving_part`.execute(other.db)).rows).toEqual([]);
    expectOk(await http('POST', `/api/orders/${orderId}/approve`));
  });

  test('lost after it has left, it is in neither cell, --undo is refused, and the same call completes it', async () => {
    const { accountId } = await newPerson();
    const before = await rowsOf(home, accountId);
    const dead = await openTestPool(other.database.owner, { poolMax: 3 });
    const isGone = async () =>
      (await sql`select from moved_account where id = ${accountId}`.execute(home.db)).rows.length === 1;
    await other.db.transaction().execute(async (trx) => {
      await sql`lock table shard in share mode`.execute(trx); // holds the last step there up
      const lost = moveAccount({ ...moving(accountId), to: systemDb(dead) });
      lost.catch(() => {});
      await expect.poll(isGone, { timeout: 20_000 }).toBe(true);
      const cut = setInterval(() => {
        void sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'relation' and not granted
          and relation = 'shard'::regclass and database = (select oid from pg_database where datname = current_database())`.execute(
          other.db,
        );
      }, 50);
      await expect(lost).rejects.toThrow();
      clearInterval(cut);
    });
    await dead.close();
    expect([await rowsOf(home, accountId), await rowsOf(other, accountId)]).toEqual([{}, {}]);
    await expect(undoMove(moving(accountId))).rejects.toThrow('has left this cell already');
    await expect(moveAccount(moving(accountId))).resolves.toContain('is in cell 1');
    expect(await rowsOf(other, accountId)).toEqual(before);
    await expect(moveAccount(moving(accountId))).resolves.toContain('is in cell 1'); // again: nothing is left to do
  });

  test('ended between its routes and the last proof, the same call routes it again and proves its ledger there', async () => {
    const { accountId } = await newPerson();
    const route = () => Promise.reject(new Error('killed'));
    await expect(moveAccount({ ...moving(accountId), route })).rejects.toThrow('killed');
    const cash = (change: number) =>
      sql`update trading_account set cash = cash + ${change} where account_id = ${accountId}`.execute(
        other.db,
      );
    await cash(1);
    await expect(moveAccount(moving(accountId))).rejects.toThrow('differs there, after the move');
    await cash(-1);
    const routed: string[] = [];
    const again = { ...moving(accountId), route: async () => void routed.push(accountId) };
    await expect(moveAccount(again)).resolves.toContain('its ledger agrees there');
    expect(routed).toEqual([accountId]);
  });

  test('a second call never deletes the parts of an account that has left', async () => {
    const { accountId } = await newPerson();
    const before = await rowsOf(home, accountId);
    const dead = await openTestPool(other.database.owner, { poolMax: 3 });
    const hold = await other.db.startTransaction().execute();
    await sql`lock table shard in share mode`.execute(hold); // holds the last step there up
    const holdHere = await home.db.startTransaction().execute();
    await sql`lock table shard in exclusive mode`.execute(holdHere); // and the first one here
    const lost = moveAccount({ ...moving(accountId), to: systemDb(dead) }).catch(() => {});
    await untilWaiting(home, sql<boolean>`query like '%from shard%'`);
    const second = moveAccount(moving(accountId));
    second.catch(() => {});
    await untilWaiting(other, sql<boolean>`query like '%pg_advisory_xact_lock%'`);
    await holdHere.rollback().execute();
    await untilWaiting(other, sql<boolean>`query like '%shard%'`);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%shard%' and datname = current_database()`.execute(
      other.db,
    );
    await expect(second).rejects.toThrow('has left meanwhile');
    await hold.rollback().execute();
    await lost;
    await dead.close();
    await expect(moveAccount(moving(accountId))).resolves.toContain('is in cell 1');
    expect(await rowsOf(other, accountId)).toEqual(before);
  });

  test('a row that was being inserted without the lock of the account is moved, and none is left here', async () => {
    const { accountId, blueprintId } = await newPerson();
    const inserting = await home.db.startTransaction().execute();
    await sql`insert into share_link (account_id, id, blueprint_id, token_hash, created_at, expires_at)
      values (${accountId}, ${randomUUID()}, ${blueprintId}, ${randomBytes(32)}, now(), now() + interval '1 day')`.execute(
      inserting,
    );
    const moved = moveAccount(moving(accountId));
    moved.catch(() => {});
    await untilWaiting(home, sql<boolean>`query like '%delete from%'`);
    await inserting.commit().execute();
    await expect(moved).resolves.toContain('is in cell 1');
    expect(await rowsOf(home, accountId)).toEqual({});
    expect((await rowsOf(other, accountId))['share_link']).toHaveLength(1);
  });

  test.each([
    { what: 'added and changed', isDeleted: false },
    { what: 'added, changed and deleted', isDeleted: true },
  ])('rows that are $what after they were copied ahead arrive as they are', async ({ isDeleted }) => {
    const { accountId } = await newPerson();
    const insert = (db: Db, key: string) =>
      sql`
      insert into idempotency_key (account_id, key, fingerprint, status, body, created_at)
      values (${accountId}, ${key}, 'f', 200, '{}', now())`.execute(db);
    await insert(home.db, 'changed');
    await insert(home.db, 'deleted');
    const writing = await home.db.startTransaction().execute();
    await sql`select from account where id = ${accountId} for update`.execute(writing); // the freeze waits for it
    await insert(writing, 'added');
    await sql`update idempotency_key set status = 409
      where account_id = ${accountId} and key = 'changed'`.execute(writing);
    if (isDeleted)
      await sql`delete from idempotency_key where account_id = ${accountId} and key = 'deleted'`.execute(
        writing,
      );
    const reports: string[] = [];
    const moved = moveAccount({ ...moving(accountId), report: (message) => reports.push(message) });
    moved.catch(() => {});
    await untilWaiting(home, sql<boolean>`query like '%set moving_to%'`);
    await writing.commit().execute();
    const before = await rowsOf(home, accountId);
    await expect(moved).resolves.toContain('is in cell 1');
    const after = await rowsOf(other, accountId);
    expect(after['idempotency_key']).toEqual(before['idempotency_key']);
    expect(after['idempotency_key']?.join()).toContain('409');
    expect(reports.some((message) => message.includes('public.idempotency_key'))).toBe(isDeleted);
    expect(await rowsOf(home, accountId)).toEqual({});
    expect(await differencesIn(other, accountId)).toEqual([]);
  });

  test('parts that another call deleted while they were copied ahead are missed before anything leaves', async () => {
    const { accountId, http, orderId } = await newPerson();
    const writing = await home.db.startTransaction().execute();
    await sql`select from account where id = ${accountId} for update`.execute(writing);
    const moved = moveAccount(moving(accountId));
    moved.catch(() => {});
    await untilWaiting(home, sql<boolean>`query like '%set moving_to%'`);
    await sql`delete from arriving_part where arriving_id = ${accountId}`.execute(other.db);
    await writing.commit().execute();
    await expect(moved).rejects.toThrow('was taken back meanwhile');
    expectOk(await http('POST', `/api/orders/${orderId}/approve`));
    expect(await rowsOf(other, accountId)).toEqual({});
  });

  test('a deadlock with a writer that does not take the lock of the account costs an attempt, not the move', async () => {
    const { accountId } = await newPerson();
    const writer = await home.db.startTransaction().execute();
    await sql`select from blueprint where account_id = ${accountId} for update`.execute(writer);
    const hold = await home.db.startTransaction().execute();
    await sql`lock table shard in exclusive mode`.execute(hold);
    const moved = moveAccount(moving(accountId));
    moved.catch(() => {});
    await untilWaiting(home, sql<boolean>`query like '%from shard%'`);
    const written = sql`select from account where id = ${accountId} for key share`.execute(writer);
    // It has looked for a deadlock before there is one: the move finds it.
    await untilWaiting(
      home,
      sql<boolean>`query like '%for key share%' and state_change < clock_timestamp() - interval '1.5 s'`,
    );
    await hold.rollback().execute();
    await written;
    await writer.commit().execute();
    await expect(moved).resolves.toContain('is in cell 1');
    expect(await rowsOf(home, accountId)).toEqual({});
  });

  test('the same call once it has moved on asks for no restore', async () => {
    const { accountId } = await newPerson();
    await moveAccount(moving(accountId));
    await other.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from account where id = ${accountId}`.execute(trx);
      await sql`insert into moved_account (id, cell, user_ids, moved_at) values (${accountId}, 2, '{}', now())`.execute(
        trx,
      );
    });
    await expect(moveAccount(moving(accountId))).rejects.toThrow('moved on to cell 2');
  });

  test('a call to one cell does not take back a move to another', async () => {
    const { accountId, http, orderId } = await newPerson();
    await sql`update account set moving_to = 7 where id = ${accountId}`.execute(home.db);
    await expect(moveAccount(moving(accountId))).rejects.toThrow('moves to cell 7 already');
    expectRefusal(await http('POST', `/api/orders/${orderId}/approve`), 503, 'account_moving');
    await expect(undoMove(moving(accountId))).rejects.toThrow('moves to cell 7 already');
    expectRefusal(await http('POST', `/api/orders/${orderId}/approve`), 503, 'account_moving');
  });
});
