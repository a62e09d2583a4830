import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { follow, type StreamState } from '../../client/src/index.ts';
import { systemDb } from '../../db/pool.ts';
import type { Db } from '../../db/tables.ts';
import { collectDifferences, walkBooks, walkChains } from '../../engine/ledger/verify-ledger.ts';
import { createChannel } from '../../engine/notifications/channels.ts';
import { Archive } from '../../engine/platform/archive/archive.ts';
import { databaseClock, systemWork } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { moveAccount, undoMove } from '../../server/cli/moving/move.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { archiveNow } from '../support/archive-now.ts';
import { openedForFile } from '../support/opened.ts';
import { openTestPool } from '../support/pool.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { addBlueprint, hold, openMarket, pendingBuy } from '../support/trading.ts';
import { type Account, ORIGIN, openWorld, type World } from '../support/world.ts';

const archiveDir = mkdtempSync(path.join(tmpdir(), 'archive-of-cells-'));
afterAll(() => rmSync(archiveDir, { recursive: true }));
const ARCHIVE_URL = `file://${archiveDir}`;
const home = openedForFile(() => openWorld({ settings: { ARCHIVE_URL } }));
const other = openedForFile(() => openWorld({ settings: { ARCHIVE_URL, CELL: '1' } }));
beforeAll(async () => {
  await openMarket(home);
});

/** A signed-up person with a key, a position and an order that waits for approval. */
async function newPerson() {
  const { cookie, email, password } = await home.signUp();
  await home.send('GET', '/api/portfolio', { headers: { cookie } });
  const { rows } = await sql<{ id: string }>`
    select account_id as id from membership join auth."user" u on u.id = user_id where email = ${email}`.execute(
    home.db,
  );
  const accountId = rows[0]?.id ?? '';
  const work = systemWork(home.pool, { accountId, mode: 'paper' });
  const { key, id: keyId } = await createKey(work, { name: 'Bot', scopes: SCOPE_NAMES, createdBy: null });
  const http = httpOf(home, key);
  const account = { accountId, key, keyId, work, http };
  const blueprintId = await addBlueprint(account);
  await hold(home, account, { blueprintId, amount: '0.01' });
  const { id: orderId } = await pendingBuy(home, account, { blueprintId, amount: '0.02' });
  return { ...account, cookie, email, password, blueprintId, orderId };
}

const httpOf =
  (world: World, key: string): Account['http'] =>
  (method, path, body, headers = {}) =>
    world.send(method, path, {
      headers: { ...bearer(key), ...headers },
      ...(body !== undefined && { body }),
    });

const moving = (accountId: string, [from, to]: readonly [World, World] = [home, other]) => ({
  from: from.db,
  to: to.db,
  keys: null,
  archive: null,
  accountId,
  signal: new AbortController().signal,
  report: () => {},
});

/** Every row of the account, by table, as text; without the last use of a key, which is written each minute. */
async function rowsOf({ db }: World, accountId: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`.execute(db);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(name)} t where account_id = ${accountId} order by 1`.execute(
      db,
    );
    if (rows.length > 0) found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const differencesIn = async ({ db }: World, accountId: string) => [
  ...(await collectDifferences(walkBooks(db, databaseClock, { accountId, mode: 'paper' }))),
  ...(await collectDifferences(walkChains(db, [accountId]))),
];

/** Waits until a statement of the database waits for a lock. */
const untilWaiting = ({ db }: World, isIt: RawBuilder<boolean>) =>
  expect
    .poll(
      async () =>
        (
          await sql`select from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database() and ${isIt}`.execute(db)
        ).rows.length,
      { timeout: 20_000 },
    )
    .toBe(1);

describe('account:move', () => {
  test('every row is in the other cell, byte for byte, and none is left here; key, password and orders work there', async () => {
    const { accountId, email, password, key, orderId } = await newPerson();
    const before = await rowsOf(home, accountId);
    const to = settingsOf(other.database).DATABASE_URL;
    const moved = await runCommand(
      'account-move',
      ['--account', email, '--to', to],
      settingsOf(home.database),
    );
    expect(moved, moved.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('is in cell 1 now'),
    });

    expect(await rowsOf(home, accountId)).toEqual({});
    expect(await rowsOf(other, accountId)).toEqual(before);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['fill', 'ledger_link', 'audit_event', 'position']),
    );
    expect(await differencesIn(other, accountId)).toEqual([]);

    await openMarket(other);
    const approved = await httpOf(other, key)('POST', `/api/orders/${orderId}/approve`);
    expect(approved.status, approved.text).toBe(200);
    const signedIn = await other.send('POST', '/api/auth/sign-in/email', {
      headers: { origin: ORIGIN },
      body: { email, password },
    });
    expect(signedIn.status, signedIn.text).toBe(200);
    expect(await differencesIn(other, accountId)).toEqual([]);
  });

  test('an archived order is read in the other cell, and its move is refused without the archive', async () => {
    const { accountId } = await newPerson();
    const store = folderStore(archiveDir);
    const archive = new Archive(store);
    const [id = ''] = await archiveNow(home.db, store, accountId);
    await expect(moveAccount(moving(accountId))).rejects.toMatchObject({ code: 'archived_unavailable' });
    await moveAccount({ ...moving(accountId), archive });
    const order = await readOrder(systemWork(other.pool, { accountId, mode: 'paper' }), id, archive);
    expect(order.receipt.lines.length).toBeGreaterThan(0);
  });

  test('its keys are answered "moving" here from then on, its cookie and password as unknown ones, and a late request opens no second account', async () => {
    const { accountId, key, cookie, email, password } = await newPerson();
    await moveAccount(moving(accountId));
    const late = await httpOf(home, key)('GET', '/api/risk-rules');
    expectRefusal(late, 503, 'account_moving');
    expect(late.headers.get('retry-after')).toBe('1');
    expectRefusal(
      await home.send('GET', '/api/portfolio', { headers: { cookie } }),
      401,
      'credentials_missing',
    );
    const body = { email, password };
    expect(
      (await home.send('POST', '/api/auth/sign-in/email', { headers: { origin: ORIGIN }, body })).status,
    ).toBe(401);
    const { rows } = await sql<{ id: string }>`
      select unnest(user_ids) as id from moved_account where id = ${accountId}`.execute(home.db);
    const again = { userId: rows[0]?.id ?? '', name: 'Ada', paperCash: '10000' };
    await expect(findOrCreateAccountOfUser(home.pool, again)).rejects.toMatchObject({
      code: 'account_moving',
    });
  });

  test('back home, it is as if it had never left, but for what was decided there', async () => {
    const person = await newPerson();
    const { accountId, key, blueprintId } = person;
    await moveAccount(moving(accountId));
    const there = {
      ...person,
      http: httpOf(other, key),
      work: systemWork(other.pool, { accountId, mode: 'paper' }),
    };
    await hold(other, there, { blueprintId, amount: '0.03' });
    const before = await rowsOf(other, accountId);
    await moveAccount(moving(accountId, [other, home]));
    expect(await rowsOf(other, accountId)).toEqual({});
    expect(await rowsOf(home, accountId)).toEqual(before);
    expect(await differencesIn(home, accountId)).toEqual([]);
    await hold(home, person, { blueprintId, amount: '0.01' });
    expect(await differencesIn(home, accountId)).toEqual([]);
    const { rows } = await sql<{ amount: string }>`
      select trim_scale(sum(amount))::text as amount from fill where account_id = ${accountId}`.execute(
      home.db,
    );
    expect(rows).toEqual([{ amount: '0.05' }]);
  });

  test('while it moves nothing is decided and everything can be read; --undo ends that', async () => {
    const { accountId, http, orderId } = await newPerson();
    await sql`update account set moving_to = 1 where id = ${accountId}`.execute(home.db); // as after a kill
    const refused = await http('POST', `/api/orders/${orderId}/approve`);
    expectRefusal(refused, 503, 'account_moving');
    expect(refused.headers.get('retry-after')).toBe('1');
    expectOk(await http('GET', `/api/orders/${orderId}`));
    await expect(undoMove(moving(accountId))).resolves.toContain('stays here');
    expectOk(await http('POST', `/api/orders/${orderId}/approve`));
  });

  test('a request that began before it left is answered "moving", not by what it then misses', async () => {
    const { accountId, http, blueprintId } = await newPerson();
    await home.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`insert into moved_account (id, cell, user_ids, moved_at)
        values (${accountId}, 1, '{}', clock_timestamp())`.execute(trx);
      await sql`delete from account where id = ${accountId}`.execute(trx);
    });
    expectRefusal(await http('GET', `/api/blueprints/${randomUUID()}`), 503, 'account_moving');
    expectRefusal(
      await http('POST', '/api/blueprints', { name: 'Late' }, { 'idempotency-key': 'late' }),
      503,
      'account_moving',
    );
    expectRefusal(await http('DELETE', `/api/blueprints/${blueprintId}`), 503, 'account_moving');
  });

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

  test('an open stream of its key continues in the other cell', async () => {
    const { accountId, key, orderId } = await newPerson();
    let cell = home;
    const states: StreamState[] = [];
    const stream = follow({
      url: home.base,
      key,
      fetch: (input, init) => {
        const request = new Request(input, init);
        return fetch(new Request(request.url.replace(home.base, cell.base), request));
      },
      onState: (state) => states.push(state),
    });
    const next = stream.next();
    next.catch(() => {});
    await expect.poll(() => states.at(-1)?.state).toBe('live');
    await moveAccount(moving(accountId));
    const refusals = () => states.filter(({ state }) => state === 'stale');
    await expect.poll(() => refusals().length, { timeout: 10_000 }).toBe(2); // the open stream, and the next one here
    for (const { error } of refusals())
      expect(error).toMatchObject({ data: { error: { code: 'account_moving' } } });
    cell = other;
    await expect.poll(() => states.at(-1)?.state, { timeout: 10_000 }).toBe('live');
    await openMarket(other);
    expectOk(await httpOf(other, key)('POST', `/api/orders/${orderId}/approve`));
    await expect(next).resolves.toMatchObject({ done: false });
    await stream.return();
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

  test('is refused before anything changes: for a wrong ledger, a taken e-mail, secrets that would be lost, the same cell', async () => {
    const { accountId, email, http, work } = await newPerson();
    await expect(moveAccount({ ...moving(accountId), to: home.db })).rejects.toThrow(
      'Both databases are of cell 0',
    );
    await expect(moveAccount(moving(randomUUID()))).rejects.toThrow('There is no account');
    const mistyped = await runCommand('account-move', ['--account', email, 'postgres://a:s3cret@b/c'], {});
    expect(mistyped).toMatchObject({ code: 1, stderr: expect.not.stringContaining('s3cret') });
    const stranger = await other.signUp(email);
    await expect(moveAccount(moving(accountId))).rejects.toThrow('has a user with this e-mail');
    await sql`delete from auth."user" where id = ${stranger.userId}::uuid`.execute(other.db);
    const { credentialKeys: keys } = home.config;
    const kept = { keys, hasMail: true, isLoopbackAllowed: true };
    const wanted = {
      kind: 'webhook',
      label: 'Ops',
      url: 'http://127.0.0.1:9/hook',
      switches: {},
      quietHours: null,
    } as const;
    await createChannel(work, wanted, kept);
    const others = KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);
    for (const wrong of [null, others])
      await expect(moveAccount({ ...moving(accountId), keys: wrong })).rejects.toThrow(
        'same CREDENTIAL_KEYS',
      );
    await sql`update position set amount = amount + 1 where account_id = ${accountId}`.execute(home.db);
    await expect(moveAccount({ ...moving(accountId), keys })).rejects.toThrow(
      'The ledger of the account differs here',
    );
    await sql`update position set amount = amount - 1 where account_id = ${accountId}`.execute(home.db);
    expectOk(await http('GET', '/api/portfolio'));
    expect(await rowsOf(other, accountId)).toEqual({});
    await expect(moveAccount({ ...moving(accountId), keys })).resolves.toContain('is in cell 1');
  });
});
