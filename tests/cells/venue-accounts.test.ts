/** Runners of two cells at one venue: a venue account is traded by one of them, also while cell 0 is away. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { poolOf } from '../../db/pool.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { eraseUser } from '../../server/identity/users/erase-user.ts';
import { createUser } from '../../server/identity/users/users.ts';
import { createDemoAccount } from '../../venues/demo-accounts.ts';
import { expectOk } from '../support/api.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import {
  type Connection,
  connect,
  connectReady,
  type LiveTrader,
  openLiveTrader,
  openLiveWorld,
  propose,
  readConnection,
  waitForState,
  waitForStatus,
  waitUntil,
} from '../support/live.ts';
import { openedForFile } from '../support/opened.ts';
import { cookieOf } from '../support/sign-up.ts';
import { LOOSE_RULES } from '../support/trading-fixture.ts';
import { ORIGIN, type World } from '../support/world.ts';

const VENUE = 'venue-a';
const RESTING = { tokenId: 'KXELONMARS-99:yes', amount: '10', limitPrice: '0.01' };
const ROLE = `directory_${randomUUID().slice(0, 8)}`;

const home = openedForFile(openLiveWorld);
let toHome: DatabaseProxy;
beforeAll(async () => {
  const manual = readFileSync(path.join(import.meta.dirname, '../../docs/cells.md'), 'utf8');
  const setUp = /```sql\n(\s+create role[^`]+)```/.exec(manual)?.[1] ?? '';
  await sql.raw(setUp.replaceAll('trading_directory', ROLE)).execute(home.db);
  toHome = await DatabaseProxy.open(home.database.owner);
});
const other = openedForFile(() =>
  openLiveWorld({
    CELL: '1',
    DIRECTORY_URL: `postgres://${ROLE}:secret@127.0.0.1:${toHome.port}/${home.database.owner.dbName}`,
  }),
);
afterAll(async () => {
  await toHome.close();
  await sql.raw(`drop owned by ${ROLE}; drop role ${ROLE}`).execute(home.db);
});

/** A person of cell 1, where none signs up: they are created in cell 0, and move. */
const openTraderThere = () =>
  openLiveTrader({
    ...other,
    signUp: async () => {
      const person = { email: `${randomUUID()}@example.com`, name: 'Ada', password: 'correct horse' };
      const userId = await createUser(other.service.auth, person);
      const body = { email: person.email, password: person.password };
      const headers = { origin: ORIGIN };
      const signedIn = await other.send('POST', '/api/auth/sign-in/email', { headers, body });
      expectOk(signedIn);
      return { ...body, userId, cookie: cookieOf(signedIn) };
    },
  });

const codeOf = async (trader: LiveTrader, id: string) => (await readConnection(trader, id)).stateCode;
const remove = (trader: LiveTrader, id: string) => trader.send('DELETE', `/api/venue-connections/${id}`);
const claimsOf = async ({ accountId }: LiveTrader) =>
  (
    await home.db
      .selectFrom('venue_account_claim')
      .select('connection_id')
      .where('owner_id', '=', accountId)
      .execute()
  ).map(({ connection_id }) => connection_id);

/** Gives the lease away: the runner takes the connection up again, as one does after a start. */
async function takeUpAgain({ db }: World, id: string): Promise<void> {
  await sql`update venue_connection set lease_epoch = lease_epoch + 1, leased_until = null where id = ${id}`.execute(
    db,
  );
  const owner = () =>
    db.selectFrom('venue_connection').select('lease_epoch').where('id', '=', id).executeTakeFirstOrThrow();
  const before = Number((await owner()).lease_epoch);
  await waitUntil(owner, ({ lease_epoch }) => Number(lease_epoch) > before);
}

async function buyToRest(world: World, trader: LiveTrader): Promise<void> {
  const { id } = await propose(world, trader, RESTING);
  await waitForStatus(world, id, 'open');
}

test('connected in both cells at once it is ready in one; removed there, in the other one', {
  tags: ['long'],
}, async () => {
  const member = createDemoAccount(VENUE);
  const traders = [await openLiveTrader(home), await openTraderThere()] as const;
  const [here, there] = await Promise.all([
    connect(home, traders[0], VENUE, member),
    connect(other, traders[1], VENUE, member),
  ]);
  const read = () => Promise.all([readConnection(traders[0], here.id), readConnection(traders[1], there.id)]);
  const isDecided = (both: Connection[]) =>
    both.some(({ state }) => state === 'ready') && both.some((one) => one.stateCode === 'check_account');
  const both = await waitUntil(read, isDecided);
  const winner = both[0]?.state === 'ready' ? 0 : 1;
  const loser = winner === 0 ? 1 : 0;
  expect(both[loser]).toMatchObject({ state: 'unverified' });
  expect(both[loser]?.checks.find(({ name }) => name === 'account')?.reason).toBe(
    'This account at the venue is connected already.',
  );
  expect(await claimsOf(traders[winner])).toEqual([both[winner]?.id]);

  expectOk(await remove(traders[winner], both[winner]?.id ?? ''));
  await waitUntil(
    () => claimsOf(traders[winner]),
    (claims) => claims.length === 0,
  );
  expectOk(await traders[loser].send('POST', `/api/venue-connections/${both[loser]?.id}/check`));
  await waitForState(traders[loser], both[loser]?.id ?? '', 'ready');
});

test('without cell 0, what trades continues, also taken up again; a new connection waits for it', {
  tags: ['long'],
}, async () => {
  const trader = await openTraderThere();
  await updateRules(trader.work, LOOSE_RULES);
  const { id } = await connectReady(other, trader, VENUE);
  await toHome.close();
  const newcomer = await openTraderThere();
  const { id: waiting } = await connect(other, newcomer, VENUE);
  await waitUntil(
    () => codeOf(newcomer, waiting),
    (code) => code === 'account_not_verified',
  );
  expect(await readConnection(newcomer, waiting)).toMatchObject({ state: 'unverified' });
  await buyToRest(other, trader);
  await takeUpAgain(other, id);
  await buyToRest(other, trader);
  expect(await readConnection(trader, id)).toMatchObject({ state: 'ready' });
  expect(other.logged.join('')).toContain('directory of venue accounts: failing');

  await toHome.mend();
  expectOk(await newcomer.send('POST', `/api/venue-connections/${waiting}/check`));
  await waitForState(newcomer, waiting, 'ready');
  expect(await claimsOf(newcomer)).toEqual([waiting]);
});

test('a connection from before the directory claims what it trades; a conflict is logged and stops neither', {
  tags: ['long'],
}, async () => {
  const member = createDemoAccount(VENUE);
  const trader = await openTraderThere();
  const { id } = await connectReady(other, trader, VENUE, member);
  await sql`delete from venue_account_claim where connection_id = ${id}`.execute(home.db);
  await takeUpAgain(other, id);
  await waitUntil(
    () => claimsOf(trader),
    (claims) => claims.includes(id),
  );

  await sql`delete from venue_account_claim where connection_id = ${id}`.execute(home.db);
  const second = await openLiveTrader(home);
  const { id: theirs } = await connectReady(home, second, VENUE, member);
  await takeUpAgain(other, id);
  const said = `Connection ${theirs} of account ${second.accountId} has the same venue account`;
  await waitUntil(
    async () => other.logged.join('').includes(said),
    (isSaid) => isSaid,
  );
  expect(await readConnection(trader, id)).toMatchObject({ state: 'ready' });
  expect(await readConnection(second, theirs)).toMatchObject({ state: 'ready' });
});

test('claimed and not stored, as after a kill, no other account gets it, and the next runner stores it', {
  tags: ['long'],
}, async () => {
  const member = createDemoAccount(VENUE);
  const trader = await openTraderThere();
  await sql
    .raw(`create function lose_it() returns trigger language plpgsql as $$ begin raise 'lost'; end $$;
    create trigger lose_it before update of fingerprint on venue_connection for each row
      when (old.fingerprint is null and new.fingerprint is not null) execute function lose_it()`)
    .execute(other.db);
  const { id } = await connect(other, trader, VENUE, member);
  await waitUntil(
    () => claimsOf(trader),
    (claims) => claims.includes(id),
  );
  const stranger = await openLiveTrader(home);
  const { id: refused } = await connect(home, stranger, VENUE, member);
  await waitUntil(
    () => codeOf(stranger, refused),
    (code) => code === 'check_account',
  );
  expect(await readConnection(trader, id)).toMatchObject({ state: 'unverified' });
  await sql.raw('drop function lose_it() cascade').execute(other.db);
  await takeUpAgain(other, id);
  await waitForState(trader, id, 'ready');
  expect(await claimsOf(trader)).toEqual([id]);
});

test('erasing the person frees it', { tags: ['long'] }, async () => {
  const trader = await openLiveTrader(home);
  const { id } = await connectReady(home, trader, VENUE);
  expect(await claimsOf(trader)).toEqual([id]);
  const { rows } = await sql<{ email: string }>`select email from membership
    join auth."user" u on u.id = user_id where account_id = ${trader.accountId}`.execute(home.db);
  await eraseUser(poolOf(home.db), rows[0]?.email ?? '');
  await waitUntil(
    () => claimsOf(trader),
    (claims) => claims.length === 0,
  );
});
