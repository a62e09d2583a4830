import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../engine/platform/ids.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, proposeBuy } from '../support/trading.ts';
import { type Account, type Answer, openWorld } from '../support/world.ts';

type Row = { id: string; createdAt: string };

const world = openedForFile(openWorld);
let account: Account;
let ids: string[];

beforeAll(async () => {
  account = await world.account();
  ids = await manyBlueprints(account, 7);
});

/** Three to a millisecond, so that time alone does not order them. */
async function manyBlueprints({ accountId }: Account, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    account_id: accountId,
    id: newId(),
    name: `Blueprint ${index}`,
    status: 'draft' as const,
    created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3)),
    updated_at: new Date(),
  }));
  await world.db.insertInto('blueprint').values(rows).execute();
  await world.db.updateTable('account').set({ blueprint_count: count }).where('id', '=', accountId).execute();
  return rows
    .toSorted((a, b) => Number(b.created_at) - Number(a.created_at) || (b.id < a.id ? -1 : 1))
    .map(({ id }) => id);
}

const idsOf = (answer: Answer): string[] => (expectOk(answer) as Row[]).map(({ id }) => id);

function nextOf({ headers }: Answer): string | null {
  const link = headers.get('link');
  if (link === null) return null;
  const [, target] = /^<(\/[^>]+)>; rel="next"$/.exec(link) ?? [];
  if (target === undefined) throw new Error(`${link} is no link to a next page.`);
  return target;
}

async function walk(path: string, of = account): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | null = path; next !== null; ) {
    const answer: Answer = await of.http('GET', next);
    pages.push(idsOf(answer));
    next = nextOf(answer);
    if (pages.length > 20) throw new Error('The pages do not end.');
  }
  return pages;
}

const cursorOf = (target: string | null): string =>
  new URLSearchParams(target?.split('?')[1]).get('cursor') ?? '';

describe('pages of a list', () => {
  test('the plain call is complete and mentions no further page', async () => {
    const answer = await account.http('GET', '/api/blueprints');
    expect(idsOf(answer)).toEqual(ids);
    expect(answer.headers.get('link')).toBeNull();
  });

  test.each([1, 2, 3, 6, 7, 8])(
    'by %i each the pages make up the whole list, newest first',
    async (limit) => {
      const pages = await walk(`/api/blueprints?limit=${limit}`);
      expect(pages.flat()).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(ids.length / limit));
    },
  );

  test('the next page keeps limit and filters', async () => {
    const target = nextOf(await account.http('GET', '/api/blueprints?status=draft&limit=2')) ?? '';
    const query = new URLSearchParams(target.split('?')[1]);
    expect([...query.keys()].sort()).toEqual(['cursor', 'limit', 'status']);
    expect(target.startsWith('/api/blueprints?')).toBe(true);
  });

  test('rows that are added or deleted meanwhile neither repeat nor hide a row', async () => {
    const reader = await world.account();
    const known = await manyBlueprints(reader, 6);
    const first = await reader.http('GET', '/api/blueprints?limit=2');
    await addBlueprint(reader, 'Newest');
    expectOk(await reader.http('DELETE', `/api/blueprints/${known[1]}`));
    expectOk(await reader.http('DELETE', `/api/blueprints/${known[3]}`));
    const rest = await walk(nextOf(first) ?? '', reader);
    expect(rest.flat()).toEqual([known[2], known[4], known[5]]);
  });

  test('a list that is read in parts equals its pages', async () => {
    const owner = await world.account();
    const known = await manyBlueprints(owner, 53);
    await world.db
      .updateTable('blueprint')
      .set({ visual: JSON.stringify({ nodes: [{ note: '”, ] \u2028 ж' }] }) })
      .where('account_id', '=', owner.accountId)
      .execute();
    const answer = await owner.http('GET', '/api/blueprints');
    expect(idsOf(answer)).toEqual(known);
    const [start, next] = [await owner.http('GET', '/api/blueprints?limit=20'), 'limit=20&cursor='];
    const more = await owner.http('GET', `/api/blueprints?${next}${cursorOf(nextOf(start))}`);
    const rows = [...(expectOk(start) as Row[]), ...(expectOk(more) as Row[])];
    expect((answer.body as Row[]).slice(0, 40)).toEqual(rows);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('content-disposition')).toBeNull();
    for (const limit of [20, 21, 40, 52]) {
      const pages = await walk(`/api/blueprints?limit=${limit}`, owner);
      expect(pages.flat()).toEqual(known);
      expect(pages.map(({ length }) => length)).toEqual([
        ...Array.from({ length: Math.floor(53 / limit) }, () => limit),
        53 % limit,
      ]);
    }
    const head = await owner.http('HEAD', '/api/blueprints');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(answer.headers.get('content-type'));
  });

  test('a row that is deleted while a long list is sent is omitted', async () => {
    const owner = await world.account();
    const known = await manyBlueprints(owner, 200);
    const [answer] = await Promise.all([
      owner.http('GET', '/api/blueprints'),
      world.db
        .updateTable('blueprint')
        .set({ deleted_at: new Date() })
        .where('account_id', '=', owner.accountId)
        .execute(),
    ]);
    const listed = idsOf(answer);
    expect(listed).toEqual(known.filter((id) => listed.includes(id)));
  });

  test('orders are paged in the same way, with their filters', async () => {
    const trader = await world.account();
    const blueprintId = await addBlueprint(trader);
    for (let made = 0; made < 3; made++) await proposeBuy(world, trader, { blueprintId, amount: '0.0001' });
    const all = idsOf(await trader.http('GET', '/api/orders'));
    expect(all).toHaveLength(3);
    expect((await walk('/api/orders?limit=1', trader)).flat()).toEqual(all);
    const filters = `side=buy&blueprintId=${blueprintId}&since=2026-01-01T00:00:00.000000%2B01:00&until=2099-01-01T00:00:00.000000%2B01:00`;
    expect((await walk(`/api/orders?limit=2&${filters}`, trader)).flat()).toEqual(all);
    expect(idsOf(await trader.http('GET', '/api/orders?until=2026-01-01T00:00:00Z'))).toEqual([]);
    expect(idsOf(await trader.http('GET', '/api/orders?status=filled'))).toEqual([]);
    expect(idsOf(await trader.http('GET', '/api/orders?side=sell'))).toEqual([]);
  });

  test('blueprints are filtered by status and by the caller’s own reference', async () => {
    const owner = await world.account();
    const thesisId = newId();
    const body = { name: 'Mine', thesisId: thesisId.toUpperCase() };
    const { id } = expectOk(await owner.http('POST', '/api/blueprints', body)) as Row;
    const other = await addBlueprint(owner);
    expectOk(await owner.http('POST', `/api/blueprints/${other}/deploy`));
    expect(idsOf(await owner.http('GET', `/api/blueprints?thesisId=${thesisId}`))).toEqual([id]);
    expect(idsOf(await owner.http('GET', '/api/blueprints?status=running'))).toEqual([other]);
    expect(idsOf(await owner.http('GET', `/api/blueprints?thesisId=${newId()}`))).toEqual([]);
  });
});

describe('a cursor', () => {
  const first = async (path = '/api/blueprints?limit=2', of = account) =>
    cursorOf(nextOf(await of.http('GET', path)));
  const refused = async (path: string, of = account) =>
    expectRefusal(await of.http('GET', path), 400, 'cursor_invalid');

  test('400: changed in any byte', async () => {
    const cursor = await first();
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor[at] === 'A' ? 'B' : 'A';
      await refused(`/api/blueprints?limit=2&cursor=${cursor.slice(0, at)}${changed}${cursor.slice(at + 1)}`);
    }
  });

  test('400: cut short, made longer, made up or of another list', async () => {
    const cursor = await first();
    for (const other of [
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}%3D`,
      `${cursor}!`,
      'made-up',
      'AAAAAAAAAAAA',
      '1',
      '%7B%7D',
    ]) {
      await refused(`/api/blueprints?limit=2&cursor=${other}`);
    }
    await refused(`/api/orders?limit=2&cursor=${cursor}`);
  });

  test('400: of another account', async () => {
    const other = await world.account();
    await manyBlueprints(other, 3);
    const cursor = await first(undefined, other);
    await refused(`/api/blueprints?limit=2&cursor=${cursor}`);
  });

  test('400: with other filters than it was issued for', async () => {
    const plain = await first();
    await refused(`/api/blueprints?limit=2&status=draft&cursor=${plain}`);
    const filtered = await first('/api/blueprints?limit=2&status=draft');
    await refused(`/api/blueprints?limit=2&cursor=${filtered}`);
    await refused(`/api/blueprints?limit=2&status=running&cursor=${filtered}`);
  });

  test('another limit is fine, and a second use gives the same page', async () => {
    const cursor = await first();
    const page = () => account.http('GET', `/api/blueprints?limit=5&cursor=${cursor}`);
    expect(idsOf(await page())).toEqual(ids.slice(2));
    expect(idsOf(await page())).toEqual(ids.slice(2));
  });

  test('it works in another process', async () => {
    const cursor = await first();
    const other = await world.another();
    try {
      const url = `http://127.0.0.1:${other.address?.port}/api/blueprints?limit=2&cursor=${cursor}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${account.key}` } });
      expect(((await answer.json()) as Row[]).map(({ id }) => id)).toEqual(ids.slice(2, 4));
    } finally {
      await other.stop();
    }
  });
});
