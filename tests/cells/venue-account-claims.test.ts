/** The directory of venue accounts of two cells, without runners. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { accountDb } from '../../db/pool.ts';
import {
  claimVenueAccount,
  releaseVenueAccounts,
} from '../../engine/trading/connections/venue-account-claims.ts';
import { moveAccount } from '../../server/cli/moving/move.ts';
import { openedTwoCells } from '../support/cell-worlds.ts';
import { addConnection } from '../support/connections.ts';
import type { World } from '../support/world.ts';

const { home, other, moving } = openedTwoCells();

/** The databases of a cell, as its runners use them. */
const storesOf = ({ db }: World) => ({ db, directory: home.db });

/** A connection of a new account, or of this one. */
async function newConnection(world: World, accountId?: string) {
  const owner = accountId ?? (await world.account()).accountId;
  const id = randomUUID();
  await addConnection(world.db, owner, 'crypto', id);
  const read = () =>
    world.db.selectFrom('venue_connection').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return {
    id,
    accountId: owner,
    claim: async (fingerprint: string) => claimVenueAccount(storesOf(world), await read(), fingerprint),
    store: (fingerprint: string) =>
      world.db.updateTable('venue_connection').set({ fingerprint }).where('id', '=', id).execute(),
    remove: () =>
      world.db.updateTable('venue_connection').set({ state: 'revoked' }).where('id', '=', id).execute(),
  };
}

const release = (world: World) => releaseVenueAccounts(storesOf(world));

const ownersOf = async (...fingerprints: string[]) => {
  const { rows } = await sql<{ id: string }>`select connection_id as id from venue_account_claim
    where fingerprint = any(${fingerprints}) order by fingerprint`.execute(home.db);
  return rows.map(({ id }) => id);
};

describe('a venue account', () => {
  test('has one owner, however many connections of both cells claim it at once', async () => {
    const uid = randomUUID();
    const worlds = [home, other, home, other, home, other];
    const connections = await Promise.all(worlds.map((world) => newConnection(world)));
    const claims = await Promise.all([...connections, ...connections].map(({ claim }) => claim(uid)));
    const owners = new Set(claims.map(({ connectionId }) => connectionId));
    expect([...owners]).toEqual(await ownersOf(uid));
  });

  test('is free once its connection was removed and released, also after an erasure of what identifies it', async () => {
    const uid = randomUUID();
    const [first, second] = [await newConnection(other), await newConnection(home)];
    await first.claim(uid);
    await first.store(uid);
    expect((await second.claim(uid)).connectionId).toBe(first.id);
    await first.remove();
    await sql`update venue_connection set fingerprint = null where id = ${first.id}`.execute(other.db);
    expect((await second.claim(uid)).connectionId).toBe(first.id);
    await release(other);
    expect((await second.claim(uid)).connectionId).toBe(second.id);
  });

  test('stays with its account for ever, also where a release was lost', async () => {
    const uid = randomUUID();
    const first = await newConnection(other);
    const second = await newConnection(other, first.accountId);
    const stranger = await newConnection(other);
    await first.claim(uid);
    expect((await second.claim(uid)).connectionId).toBe(first.id);
    await first.remove();
    await sql`update venue_connection set is_claim_released = true where id = ${first.id}`.execute(other.db);
    expect((await stranger.claim(uid)).connectionId).toBe(first.id);
    expect((await second.claim(uid)).connectionId).toBe(second.id);
  });

  test('is released again when the claim of a removed connection comes late', async () => {
    const uid = randomUUID();
    const late = await newConnection(other);
    await late.remove();
    await release(other);
    await late.claim(uid);
    await release(other);
    expect(await ownersOf(uid)).toEqual([]);
  });

  test('is claimed while its release is not committed: the next release deletes it', async () => {
    const uid = randomUUID();
    const late = await newConnection(other);
    await late.remove();
    const claims = Promise.all(Array.from({ length: 5 }, () => late.claim(uid)));
    await Promise.all([claims, release(other), release(other)]);
    await release(other);
    expect(await ownersOf(uid)).toEqual([]);
  });

  test('of credentials that were replaced during a check is free again', async () => {
    const [mistaken, right] = [randomUUID(), randomUUID()];
    const connection = await newConnection(other);
    await connection.claim(mistaken);
    await connection.claim(right);
    expect(await ownersOf(mistaken, right)).toEqual([connection.id, connection.id]);
    await connection.store(right);
    await connection.claim(right);
    expect(await ownersOf(mistaken)).toEqual([]);
    expect(await ownersOf(right)).toEqual([connection.id]);
  });

  test('moves with its account: no other connection gets it, and the other cell releases it', async () => {
    const uid = randomUUID();
    const { accountId, id, claim, store } = await newConnection(home);
    await claim(uid);
    await store(uid);
    await moveAccount({ ...moving(accountId), keys: home.config.credentialKeys });
    const [here, there] = [await newConnection(home), await newConnection(other)];
    for (const stranger of [here, there]) expect((await stranger.claim(uid)).connectionId).toBe(id);
    await sql`update venue_connection set state = 'revoked' where id = ${id}`.execute(other.db);
    await release(other);
    expect((await here.claim(uid)).connectionId).toBe(here.id);
  });

  test('in both cells is refused to move, until one of its connections is removed', async () => {
    const uid = randomUUID();
    const [here, there] = [await newConnection(home), await newConnection(other)];
    await Promise.all([here.store(uid), there.store(uid)]);
    const move = () => moveAccount({ ...moving(here.accountId), keys: home.config.credentialKeys });
    await expect(move()).rejects.toThrow('connected in the other cell too');
    await there.remove();
    expect(await move()).toContain('is in cell 1');
  });
});

describe('the directory', () => {
  test('is the database of cell 0: any other one is refused, and so is none', async () => {
    const row = { account_id: randomUUID(), id: randomUUID(), venue: 'crypto', environment: 'demo' } as const;
    const claim = (directory: typeof other.db | null) =>
      claimVenueAccount({ db: other.db, directory }, { ...row, fingerprint: null }, 'uid');
    await expect(claim(other.db)).rejects.toThrow('does not lead to the database of cell 0');
    await expect(claim(null)).rejects.toThrow('DIRECTORY_URL is not set');
    await (await newConnection(other)).remove();
    await expect(releaseVenueAccounts({ db: other.db, directory: null })).rejects.toThrow('is not set');
    await release(other);
  });

  test('shows no account any row, not even its own', async () => {
    const { accountId, claim } = await newConnection(home);
    await claim(randomUUID());
    const ofAccount = accountDb(home.pool, accountId);
    expect(await ofAccount.selectFrom('venue_account_claim').selectAll().execute()).toEqual([]);
  });
});
