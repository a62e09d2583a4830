import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { follow, type StreamState } from '../../client/src/index.ts';
import { verifyArchivedParts } from '../../engine/ledger/archived-parts.ts';
import { verifyHashChains } from '../../engine/ledger/hash-chain.ts';
import { createChannel } from '../../engine/notifications/channels.ts';
import { Archive } from '../../engine/platform/archive/archive.ts';
import { systemWork } from '../../engine/platform/context.ts';
import { findOrCreateAccountOfUser } from '../../engine/trading/accounts/provision-account.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { readOrder } from '../../engine/trading/orders/read/read.ts';
import { archiveAccount } from '../../engine/usecases/archive/archive-account.ts';
import { exportRows } from '../../engine/usecases/exports/account-rows.ts';
import { moveAccount, undoMove } from '../../server/cli/moving/move.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { folderStore } from '../../server/kernel/archive/folder-store.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { archiveNow } from '../support/archive-now.ts';
import { differencesIn, httpOf, openedTwoCells, rowsOf } from '../support/cell-worlds.ts';
import { piecesOf, readParquet } from '../support/parquet.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { hold, openMarket } from '../support/trading.ts';
import { ORIGIN } from '../support/world.ts';

const { archiveDir, home, other, moving, newPerson } = openedTwoCells();

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

  test('archived points of strategies are read in the other cell, and their file proves the ledger there', async () => {
    const { accountId, blueprintId } = await newPerson();
    const archive = new Archive(folderStore(archiveDir));
    await sql`insert into blueprint_equity (account_id, mode, blueprint_id, at, realized_pnl, unrealized_pnl, held)
      select ${accountId}, 'paper', ${blueprintId}, date_trunc('hour', now()) - n * interval '1 hour', n, 0, 1
      from generate_series(4000, 4100) n`.execute(home.db);
    for await (const _ of archiveAccount(home.db, archive, accountId));
    const pointsIn = async (cell: typeof home) => {
      const work = systemWork(cell.pool, { accountId, mode: 'paper' });
      const file = await piecesOf(exportRows(work, 'blueprint-equity', archive));
      return (await readParquet(Buffer.concat(file))).rows;
    };
    const before = await pointsIn(home);
    expect(before.length).toBeGreaterThan(100);
    await moveAccount({ ...moving(accountId), archive });
    expect(await pointsIn(other)).toEqual(before);
    expect(await pointsIn(home)).toEqual([]);
    expect(await verifyArchivedParts(other.db, accountId, archive)).toEqual([]);
    expect(await verifyHashChains(other.db, [accountId])).toEqual([]);
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
    // The open stream, which may be cut before it reads why, and the next one here.
    await expect.poll(() => refusals().length, { timeout: 10_000 }).toBe(2);
    expect(refusals()[1]?.error).toMatchObject({ data: { error: { code: 'account_moving' } } });
    cell = other;
    await expect.poll(() => states.at(-1)?.state, { timeout: 10_000 }).toBe('live');
    await openMarket(other);
    expectOk(await httpOf(other, key)('POST', `/api/orders/${orderId}/approve`));
    await expect(next).resolves.toMatchObject({ done: false });
    await stream.return();
  });

  test('is refused before anything changes: for a wrong ledger, a taken e-mail, secrets that would be lost, the same cell', async () => {
    const { accountId, email, http, work } = await newPerson();
    await expect(moveAccount({ ...moving(accountId), to: home.db })).rejects.toThrow(
      'Both databases are of cell 0',
    );
    await expect(moveAccount(moving(randomUUID()))).rejects.toThrow('There is no account');
    const mistyped = await runCommand('account-move', ['--account', email, 'postgres://a:s3cret@b/c'], {});
    expect(mistyped).toMatchObject({ code: 1, stderr: expect.not.stringContaining('s3cret') });
    const reload = ['--routes', 'none.map', '--reload', 'true', '--proxy', 'localhost:8405'];
    const schemeless = ['--account', email, '--to', 'postgres://a@b/c', ...reload];
    expect((await runCommand('account-move', schemeless, {})).stderr).toContain('Usage');
    const stranger = await createUser(other.service.auth, { email, name: 'Ada', password: 'correct horse' });
    await expect(moveAccount(moving(accountId))).rejects.toThrow('has a user with this e-mail');
    await sql`delete from auth."user" where id = ${stranger}::uuid`.execute(other.db);
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
