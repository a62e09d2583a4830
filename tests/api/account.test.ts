import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { createLiveTradingAccount } from '../../engine/trading/accounts/provision-account.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { ACCOUNT_TABLES } from '../../engine/usecases/personal-data/tables.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { findUser } from '../../server/identity/users/users.ts';
import { expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { runCommand, settingsOf } from '../support/run-command.ts';
import { addBlueprint, addConnection, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
beforeAll(async () => {
  await openMarket(world);
});

/** A signed-in person with a key and a connection. Their strategies run, hold positions and wait. */
async function newUser() {
  const { cookie, email, password } = await world.signUp();
  const userId = await findUser(world.pool, email);
  await world.send('GET', '/api/portfolio', { headers: { cookie } });
  const { rows } = await sql<{ id: string }>`select account_of_user(${userId}) as id`.execute(world.db);
  const accountId = rows[0]?.id ?? '';
  const work = systemWork(world.pool, { accountId, mode: 'paper' });
  const { key, id: keyId } = await createKey(work, {
    name: `Key of ${email}`,
    scopes: SCOPE_NAMES,
    createdBy: null,
  });
  const http: Account['http'] = (method, path, body, headers = {}) =>
    world.send(method, path, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
  return { accountId, key, keyId, work, http, cookie, email, password };
}

type Line = { table?: string; row?: Record<string, unknown>; end?: { rows: number }; person?: unknown };

async function exported(cookie: string): Promise<Line[]> {
  const answer = await world.send('GET', '/api/account/export', { headers: { cookie } });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  return answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

test('every table of accounts is exported, and states how erasing treats it, by its whole key', async () => {
  const { rows } = await sql<{ name: string; key: string[] }>`
    select c.relname as name, array(
      select a.attname::text from unnest(i.indkey) with ordinality k (attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as key
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped)`.execute(world.db);
  const withoutAccount = (key: readonly string[]) => key.filter((column) => column !== 'account_id');
  const known = Object.entries(ACCOUNT_TABLES).map(([name, { key }]) => [name, key]);
  expect(Object.fromEntries(rows.map(({ name, key }) => [name, withoutAccount(key)]))).toEqual(
    Object.fromEntries(known),
  );
});

/** Tables without an account: one copy in every cell, or rows of one cell alone. */
const SHARED: Readonly<Record<string, string>> = {
  account: 'the tenant itself: its id is the account',
  arriving_part: 'rows of accounts on their way into this cell',
  careers_application: 'letters of people without an account',
  cell: 'the number of this database, and the key of moved e-mails',
  history_chunk: 'history that venues state: the same in every cell',
  history_series: 'history that venues state: the same in every cell',
  instrument: 'what venues say of instruments: the same in every cell',
  instrument_fact: 'what venues say of instruments: the same in every cell',
  moved_account: 'accounts that this cell no longer has',
  moved_email: 'e-mails and ids at providers of accounts that this cell no longer has, as digests',
  moved_key: 'keys of accounts that this cell no longer has',
  oauth_client: 'programs that registered themselves: known before any account grants access',
  operation_run: 'when a command of operators last ended: of this database alone',
  operator: 'users who operate this cell: granted by the command line of this cell',
  price_period: 'whose prices this database was fed with',
  process: 'processes of this cell',
  push_key: 'by what push services know this service: one for all who subscribed',
  quote: 'what venues show: the same in every cell',
  quote_chunk: 'what venues showed: the same in every cell',
  schema_migration: 'the version of this database',
  series_coverage: 'which listings of venues this database has whole',
  shard: 'leases of the runners of this database',
  venue_account_claim: 'who has which venue account, over all cells: it stays while the account moves',
};

/** Unique keys of an account's table that hold over all accounts. */
const OVER_ALL_ACCOUNTS: Readonly<Record<string, string>> = {
  api_key_token_hash_unique: 'a key is looked up before its account is known: the cell goes into the token',
  history_import_pkey: 'an id alone is the key: it is random',
  oauth_grant_access: 'a secret is looked up before its account is known: the cell goes into the token',
  oauth_grant_code: 'a secret is looked up before its account is known: the cell goes into the token',
  oauth_grant_family: 'a secret is looked up before its account is known: the cell goes into the token',
  share_link_token: 'a token is looked up before its account is known: the cell goes into the token',
  signal_token: 'a token is looked up before its account is known: the cell goes into the token',
  venue_connection_fingerprint:
    'one venue account has one owner: a directory over all cells, beside the index of each',
};

test('every key and reference of an account carries the account, or is on a list with its reason', async () => {
  const hasAccount = sql`exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id'
    and not a.attisdropped)`;
  const ofPublic = sql`c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
  const namesOf = async (query: ReturnType<typeof sql<{ name: string }>>) =>
    (await query.execute(world.db)).rows.map(({ name }) => name).sort();

  expect(
    await namesOf(sql`select c.relname as name from pg_class c where ${ofPublic} and not ${hasAccount}`),
  ).toEqual(Object.keys(SHARED));
  expect(
    await namesOf(sql`select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      where ${ofPublic} and ${hasAccount} and i.indisunique and not exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'account_id' and a.attnum = any(i.indkey))`),
  ).toEqual(Object.keys(OVER_ALL_ACCOUNTS));
  const crossing = await namesOf(sql`select distinct f.confrelid::regclass::text as name
    from pg_constraint f join pg_class c on c.oid = f.conrelid
    where f.contype = 'f' and ${ofPublic} and ${hasAccount} and not exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'account_id' and a.attnum = any(f.conkey))`);
  expect(crossing.filter((name) => !(name in SHARED))).toEqual([]);
});

describe('the export', () => {
  test('every row is a line, whatever the pages, with decimals exact and no secret; the last line counts them', async () => {
    const ada = await newUser();
    for (let n = 0; n < 45; n += 1) await addBlueprint(ada, `Number ${n}`);
    const blueprintId = await addBlueprint(ada);
    await hold(world, ada, { blueprintId, amount: '0.005' });
    await addConnection(ada);
    const stranger = await newUser();

    const lines = await exported(ada.cookie);
    const rowsOf = (table: string) => lines.filter((line) => line.table === table);
    expect(rowsOf('blueprint')).toHaveLength(46);
    expect(new Set(rowsOf('blueprint').map(({ row }) => row?.['id'])).size).toBe(46);
    expect(rowsOf('fill')[0]?.row).toMatchObject({ token_id: TOKEN });
    expect(lines.at(-1)).toEqual({ end: { rows: lines.length - 3 } });
    const text = JSON.stringify(lines);
    expect(text.includes(ada.email)).toBe(true);
    for (const secret of [
      ada.key,
      stranger.accountId,
      stranger.email,
      'token_hash',
      'ciphertext',
      ada.password,
    ])
      expect(text.includes(secret), secret).toBe(false);
    const raw = await world.send('GET', '/api/account/export', { headers: { cookie: ada.cookie } });
    expect(raw.text.includes('"amount": 0.005000000000')).toBe(true);
  });

  test('is for web sessions: a key with every scope is refused', async () => {
    const { http } = await newUser();
    expectRefusal(await http('GET', '/api/account/export'), 403, 'session_required');
  });
});

describe('erasing a person', () => {
  const erase = (email: string) =>
    runCommand('erase-user', ['--email', email, '--yes'], settingsOf(world.database));

  test('ends all their deployments, keeps the ledger, leaves no name, and does nothing the second time', {
    tags: ['long'],
  }, async () => {
    const ada = await newUser();
    const blueprintId = await addBlueprint(ada, 'The plan of Ada');
    await hold(world, ada, { blueprintId, amount: '0.01' });
    const pending = await pendingBuy(world, ada, { blueprintId, amount: '0.01' });
    await ada.http('POST', `/api/blueprints/${blueprintId}/deploy`);
    await addConnection(ada);
    await sql`insert into careers_application (id, name, email, message, links, created_at)
      values (gen_random_uuid(), 'Ada', ${ada.email}, 'Hello', '{}', now())`.execute(world.db);
    const fills = () =>
      world.db.selectFrom('fill').selectAll().where('account_id', '=', ada.accountId).execute();
    const before = await fills();
    expect(before.length).toBeGreaterThan(0);

    const first = await erase(ada.email);
    expect(first, first.stderr).toMatchObject({ code: 0 });
    expect(await fills()).toEqual(before);
    const order = await world.db
      .selectFrom('trade_order')
      .select('status')
      .where('id', '=', pending.id)
      .executeTakeFirst();
    expect(order?.status).toBe('declined');
    expectRefusal(await ada.http('GET', '/api/portfolio'), 401);
    expectRefusal(await world.send('GET', '/api/portfolio', { headers: { cookie: ada.cookie } }), 401);
    const signIn = await world.send('POST', '/api/auth/sign-in/email', {
      headers: { origin: ORIGIN },
      body: { email: ada.email, password: ada.password },
    });
    expect(signIn.status).toBe(401);
    const said = await everythingSaid();
    for (const personal of [ada.email, 'The plan of Ada'])
      expect(said.includes(personal), personal).toBe(false);

    const again = await erase(ada.email);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to erase') });
  });

  test('refuses with a reason while they hold a live position, and then nothing has changed', async () => {
    const ada = await newUser();
    const blueprintId = await addBlueprint(ada);
    await createLiveTradingAccount({ db: world.db, accountId: ada.accountId }, new Date());
    await sql`insert into position (account_id, id, mode, token_id, venue, blueprint_id, amount, total_cost, realized_pnl, fees, opened_at, updated_at)
      values (${ada.accountId}, gen_random_uuid(), 'live', ${TOKEN}, 'crypto', ${blueprintId}, 1, 1, 0, 0, now(), now())`.execute(
      world.db,
    );
    const refused = await erase(ada.email);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`holds positions with real money (${TOKEN})`),
    });
    expect((await ada.http('GET', '/api/portfolio')).status).toBe(200);
    await sql`delete from position where account_id = ${ada.accountId}`.execute(world.db);
  });

  /** Every row of every table. */
  async function everythingSaid(): Promise<string> {
    const { rows } = await sql<{
      name: string;
    }>`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname in ('public', 'auth')`.execute(world.db);
    const texts = await Promise.all(
      rows.map(({ name }) => sql`select t::text from ${sql.raw(name)} t`.execute(world.db)),
    );
    return JSON.stringify(texts.map((text) => text.rows));
  }
});
