import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountDb, systemDb } from '../../db/pool.ts';
import { hashToken } from '../../engine/trading/keys/token.ts';
import {
  createShareLink,
  LINKS_OF_ACCOUNT_MAX,
  LINKS_OF_BLUEPRINT_MAX,
  revokeShareLink,
} from '../../engine/usecases/blueprints/share-links.ts';
import { DEFAULT_RETENTION } from '../../server/kernel/retention.ts';
import { expiredRowDeletions } from '../../server/workers/trading/expired-row-deletions.ts';
import { bearer, withoutRequestId } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint } from '../support/trading.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const GRAPH = {
  nodes: [
    {
      id: 'alert',
      type: 'signal',
      position: { x: 0, y: 0 },
      data: { config: { name: 'tv', kind: 'boolean' } },
    },
    { id: 'why', type: 'note', position: { x: 0, y: 90 }, data: { label: 'Sells into strength' } },
  ],
  edges: [],
};
const UNKNOWN = `tsh_${'A'.repeat(43)}`;

let account: Account;
let blueprintId: string;
beforeEach(async () => {
  account = await world.account();
  blueprintId = await addBlueprint(account, 'Dip buyer', GRAPH);
});

const tokenOf = async (days = 7): Promise<string> =>
  (await createShareLink(account.work, blueprintId, days)).token;

const visit = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  world.send('POST', '/trpc/console.shared', { headers, body: { token } });

type Visit = { result: { data: Record<string, unknown> } };
const draftIn = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as Visit).result.data;
};

/** Returns all that could tell one refused link from another: status, headers and body. */
const refusalOf = async (token: string) => {
  const answer = await visit(token);
  const { headers } = answer;
  return [
    answer.status,
    headers.get('cache-control'),
    headers.get('content-length'),
    withoutRequestId(answer),
  ];
};

/** A person in the console, with a strategy of theirs. */
async function person() {
  const { cookie } = await world.signUp();
  const client = trpcClient(world, { cookie, origin: ORIGIN });
  const { id } = await client.blueprints.create.mutate({ name: 'Shared by Ada', visual: GRAPH });
  return { client, id };
}

describe('a shared draft', () => {
  test('is its name and graph as they are at the visit, with the catalogue, and nothing else of the account', async () => {
    await account.http('POST', '/api/signals', { name: 'tv' });
    const token = await tokenOf();
    await account.http('PUT', `/api/blueprints/${blueprintId}`, { name: 'Renamed since' });
    const answer = await visit(token);
    const { catalogue, ...draft } = draftIn(answer);
    expect(draft).toEqual({ name: 'Renamed since', visual: GRAPH, expiresAt: expect.any(String) });
    const { key } = account;
    expect(catalogue).toEqual(await trpcClient(world, bearer(key)).console.nodeTypes.query({}));
    for (const secret of [account.accountId, blueprintId, token, key, 'token_hash'])
      expect(answer.text.includes(secret), secret).toBe(false);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('is visible to a person who is signed in elsewhere, who can copy it as a strategy of their own', async () => {
    const { client } = await person();
    const draft = await client.console.shared.mutate({ token: await tokenOf() });
    const { id } = await client.blueprints.create.mutate({ name: draft.name, visual: draft.visual });
    expect(await client.console.blueprint.query({ id })).toMatchObject({ status: 'draft', visual: GRAPH });
    expect(await client.console.shareLinks.query({ blueprintId: id })).toEqual([]);
  });

  test('a visitor reads no table by it: without an account the database shows the one draft', async () => {
    const token = await tokenOf();
    const db = accountDb(world.pool, (await world.account()).accountId);
    expect(await db.selectFrom('share_link').selectAll().execute()).toEqual([]);
    const { rows } = await sql`select * from shared_draft(${hashToken(token)})`.execute(db);
    expect(rows).toEqual([{ name: 'Dip buyer', visual: GRAPH, expires_at: expect.any(String) }]);
  });

  test('404, and all the same: a link that is unknown, mistyped, revoked, expired, or of a deleted strategy', async () => {
    const refusal = await refusalOf(UNKNOWN);
    expect(refusal.slice(0, 2)).toEqual([404, 'no-store']);

    const revoked = await createShareLink(account.work, blueprintId, 7);
    draftIn(await visit(revoked.token));
    await revokeShareLink(account.work, revoked.id);
    const expired = await createShareLink(account.work, blueprintId, 1);
    await sql`update share_link set expires_at = now() where id = ${expired.id}`.execute(world.db);
    for (const token of [revoked.token, expired.token, 'tsh_', '', UNKNOWN.toLowerCase()])
      expect(await refusalOf(token), token).toEqual(refusal);

    const ofDeleted = await tokenOf();
    draftIn(await visit(ofDeleted));
    expect((await account.http('DELETE', `/api/blueprints/${blueprintId}`)).status).toBe(200);
    expect(await refusalOf(ofDeleted)).toEqual(refusal);
  });

  test('400: a token that is too long, or no text, and a second visit in one batch', async () => {
    const token = await tokenOf();
    expect((await visit('x'.repeat(101))).status).toBe(400);
    const batch = await world.send('POST', '/trpc/console.shared,console.shared?batch=1', {
      headers: {},
      body: { 0: { token }, 1: { token } },
    });
    const [first, second] = batch.body as [Visit, { error: { data: { error: { code: string } } } }];
    expect(first.result.data['name']).toBe('Dip buyer');
    expect(second.error.data.error.code).toBe('validation_failed');
  });

  test('401: credentials that are refused open no link, so that none goes uncounted', async () => {
    expect((await visit(await tokenOf(), bearer('tsk_never'))).status).toBe(401);
  });
});

describe('the links of a strategy', () => {
  test('are made, listed without their token and revoked by its owner in the console, and by no key', async () => {
    const { client, id } = await person();
    const made = await client.console.share.mutate({ blueprintId: id, days: 30 });
    const { token, ...link } = made;
    expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(30 * 86_400_000);
    expect(await client.console.shareLinks.query({ blueprintId: id })).toEqual([link]);
    draftIn(await visit(token));

    const { rows } = await sql<{ row: string }>`select to_jsonb(s)::text as row from share_link s`.execute(
      world.db,
    );
    expect(rows.some(({ row }) => row.includes(token))).toBe(false);

    await client.console.unshare.mutate({ id: link.id });
    expect(await client.console.shareLinks.query({ blueprintId: id })).toEqual([]);
    expect(await refusalOf(token)).toEqual(await refusalOf(UNKNOWN));
    const audited = await client.audit.list.query({});
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['blueprint.shared', 'blueprint.unshared']),
    );

    const { console: byKey } = trpcClient(world, bearer(account.key));
    for (const call of [
      () => byKey.share.mutate({ blueprintId, days: 1 }),
      () => byKey.shareLinks.query({ blueprintId }),
      () => byKey.unshare.mutate({ id: link.id }),
    ])
      await expect(call()).rejects.toMatchObject({ data: { error: { code: 'session_required' } } });
  });

  test('of another account are neither made, seen nor revoked: as if they were missing', async () => {
    const [ada, eve] = [await person(), await person()];
    const { id: linkId } = await ada.client.console.share.mutate({ blueprintId: ada.id, days: 1 });
    const ofMissing = { blueprintId: randomUUID(), days: 1 };
    const notFound = { data: { error: { code: 'not_found' } } };
    await expect(eve.client.console.share.mutate(ofMissing)).rejects.toMatchObject(notFound);
    await expect(
      eve.client.console.share.mutate({ ...ofMissing, blueprintId: ada.id }),
    ).rejects.toMatchObject(notFound);
    await expect(eve.client.console.unshare.mutate({ id: linkId })).rejects.toMatchObject(notFound);
    expect(await eve.client.console.shareLinks.query({ blueprintId: ada.id })).toEqual([]);
    expect(await ada.client.console.shareLinks.query({ blueprintId: ada.id })).toHaveLength(1);
  });

  test(`403: more than ${LINKS_OF_BLUEPRINT_MAX} of a strategy or ${LINKS_OF_ACCOUNT_MAX} of an account; an expired one does not count`, async () => {
    const { work } = account;
    const fill = async (id: string) => {
      for (let link = 0; link < LINKS_OF_BLUEPRINT_MAX; link++) await createShareLink(work, id, 1);
    };
    await fill(blueprintId);
    await expect(tokenOf()).rejects.toMatchObject({ code: 'quota_exceeded' });
    await sql`update share_link set expires_at = now() where ctid = any(array(select ctid from share_link
      where blueprint_id = ${blueprintId} limit 1))`.execute(world.db);
    await tokenOf();
    for (let other = LINKS_OF_BLUEPRINT_MAX; other < LINKS_OF_ACCOUNT_MAX; other += LINKS_OF_BLUEPRINT_MAX)
      await fill(await addBlueprint(account, 'Other', GRAPH));
    const last = await addBlueprint(account, 'Last', GRAPH);
    await expect(createShareLink(work, last, 1)).rejects.toMatchObject({
      message: `The account has ${LINKS_OF_ACCOUNT_MAX} links of at most ${LINKS_OF_ACCOUNT_MAX}. Revoke one first.`,
    });
  });

  test('400: a life of less than a day or more than 90', async () => {
    const { client, id } = await person();
    for (const days of [0, 91, 1.5])
      await expect(client.console.share.mutate({ blueprintId: id, days })).rejects.toMatchObject({
        data: { error: { code: 'validation_failed' } },
      });
  });

  test('end with their account at once, and expired ones are deleted', async () => {
    const { client, id } = await person();
    const { token } = await client.console.share.mutate({ blueprintId: id, days: 1 });
    await createShareLink(account.work, blueprintId, 1);
    await sql`update share_link set expires_at = now() where account_id = ${account.accountId}`.execute(
      world.db,
    );
    const deletions = expiredRowDeletions(DEFAULT_RETENTION);
    await deletions.find(({ what }) => what === 'links that expired')?.delete.execute(systemDb(world.pool));
    const left = await world.db.selectFrom('share_link').select('account_id').execute();
    expect(left.some(({ account_id }) => account_id === account.accountId)).toBe(false);

    draftIn(await visit(token));
    await client.console.leave.mutate({ password: 'correct horse battery' });
    expect(await refusalOf(token)).toEqual(await refusalOf(UNKNOWN));
  });
});
