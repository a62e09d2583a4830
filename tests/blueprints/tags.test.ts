import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import { TAG_LENGTH_MAX, TAGS_MAX } from '../../engine/usecases/blueprints/drafts/tags.ts';
import { deployBlueprint } from '../../engine/usecases/blueprints/running/deploy.ts';
import { expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);
const tag = ({ http }: Account, id: string, tags: unknown) =>
  http('PUT', `/api/blueprints/${id}/tags`, { tags });
const draft = async ({ work }: Account, name = 'Tagged') => (await createBlueprint(work, { name })).id;

describe('tags of a blueprint', () => {
  test('200: they are stored trimmed, once each whatever their case, and replace the former ones', async () => {
    const me = await world.account();
    const id = await draft(me);
    const first = await tag(me, id, [' momentum ', 'BTC', 'Momentum', 'btc']);
    expect(expectOk(first)).toEqual({ id, tags: ['BTC', 'momentum'] });
    expect(expectOk(await me.http('GET', '/api/blueprints/tags'))).toEqual([
      { tag: 'BTC', blueprintIds: [id] },
      { tag: 'momentum', blueprintIds: [id] },
    ]);
    expect(expectOk(await tag(me, id, ['slow']))).toEqual({ id, tags: ['slow'] });
    expect(expectOk(await tag(me, id, []))).toEqual({ id, tags: [] });
    expect(expectOk(await me.http('GET', '/api/blueprints/tags'))).toEqual([]);
  });

  test('the documented blueprint is the same with tags as without, and so are its ETag and its time', async () => {
    const me = await world.account();
    const id = await draft(me);
    const before = await me.http('GET', `/api/blueprints/${id}`);
    expectOk(await tag(me, id, ['momentum']));
    const after = await me.http('GET', `/api/blueprints/${id}`);
    expect(after.text).toBe(before.text);
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
    expectRefusal(await me.http('PUT', `/api/blueprints/${id}`, { tags: ['x'] }), 400, 'validation_failed');
    expectRefusal(
      await me.http('POST', '/api/blueprints', { name: 'x', tags: ['x'] }),
      400,
      'validation_failed',
    );
  });

  test('200: a running blueprint is tagged and continues to run', async () => {
    const me = await world.account();
    const id = await draft(me);
    await deployBlueprint(me.work, id, { market: world.market, shardCount: 16 });
    expect(expectOk(await tag(me, id, ['live soon']))).toEqual({ id, tags: ['live soon'] });
    expect(expectOk(await me.http('GET', `/api/blueprints/${id}`))).toMatchObject({ status: 'running' });
  });

  test('400: too many, too long, empty, two lines, no text at all; nothing has changed', async () => {
    const me = await world.account();
    const id = await draft(me);
    expectOk(await tag(me, id, ['kept']));
    for (const wrong of [
      numbered(TAGS_MAX + 1),
      ['x'.repeat(TAG_LENGTH_MAX + 1)],
      [''],
      ['   '],
      ['a\nb'],
      ['a\u0000b'],
      ['\ud800'],
      [5],
      [null],
      'momentum',
      null,
      {},
    ]) {
      expectRefusal(await tag(me, id, wrong), 400, 'validation_failed');
    }
    expectRefusal(await me.http('PUT', `/api/blueprints/${id}/tags`, {}), 400, 'validation_failed');
    expect(expectOk(await me.http('GET', '/api/blueprints/tags'))).toEqual([
      { tag: 'kept', blueprintIds: [id] },
    ]);
  });

  test('200: markup, quotes and emoji are text like any other, and a long one counts code points', async () => {
    const me = await world.account();
    const id = await draft(me);
    const hostile = [
      "'; drop table blueprint --",
      '<img src=x onerror=1>',
      '{a,"b"}',
      '\u{1F680}'.repeat(TAG_LENGTH_MAX),
    ];
    const { tags } = expectOk(await tag(me, id, hostile)) as { tags: string[] };
    expect(new Set(tags)).toEqual(new Set(hostile));
  });

  test('404: another account’s blueprint, a deleted one and a missing one answer the same', async () => {
    const me = await world.account();
    const stranger = await world.account();
    const theirs = await draft(stranger);
    const gone = await draft(me);
    expectOk(await tag(me, gone, ['gone']));
    expectOk(await me.http('DELETE', `/api/blueprints/${gone}`));
    for (const id of [theirs, gone, randomUUID()]) expectRefusal(await tag(me, id, ['x']), 404, 'not_found');
    expect(expectOk(await me.http('GET', '/api/blueprints/tags'))).toEqual([]);
    expect(expectOk(await stranger.http('GET', '/api/blueprints/tags'))).toEqual([]);
  });
});

describe('tags in the console', () => {
  const person = async () => trpcClient(world, { cookie: (await world.signUp()).cookie, origin: ORIGIN });
  type Person = Awaited<ReturnType<typeof person>>;
  const made = async (own: Person, count: number) => {
    const ids: string[] = [];
    for (const name of numbered(count)) ids.push((await own.blueprints.create.mutate({ name })).id);
    return ids;
  };
  const tagsOf = async (own: Person, filter: { tag?: string } = {}) =>
    Object.fromEntries((await own.console.blueprints.query(filter)).map(({ id, tags }) => [id, tags]));
  const refused = (code: string) => ({ data: { error: { code } } });

  test('one request adds and removes tags of many blueprints, and the list is filtered by one whatever its case', async () => {
    const own = await person();
    const [a = '', b = '', c = ''] = await made(own, 3);
    await own.console.tagBlueprints.mutate({ ids: [a, b], add: ['BTC', 'slow'] });
    await own.console.tagBlueprints.mutate({ ids: [b, c, b], add: ['btc'], remove: ['SLOW'] });
    expect(await tagsOf(own)).toEqual({ [a]: ['BTC', 'slow'], [b]: ['BTC'], [c]: ['btc'] });
    expect(Object.keys(await tagsOf(own, { tag: 'bTc' })).toSorted()).toEqual([a, b, c].toSorted());
    expect(await tagsOf(own, { tag: 'slow' })).toEqual({ [a]: ['BTC', 'slow'] });
    expect(await tagsOf(own, { tag: 'none' })).toEqual({});
  });

  test('if one of them is refused, none is changed, and the refusal names it', async () => {
    const own = await person();
    const [full = '', other = ''] = await made(own, 2);
    await own.blueprints.setTags.mutate({ id: full, tags: numbered(TAGS_MAX) });
    const more = own.console.tagBlueprints.mutate({ ids: [other, full], add: ['one more'] });
    await expect(more).rejects.toMatchObject(refused('quota_exceeded'));
    await expect(more).rejects.toThrow(/“tag 0” would have 11 tags of at most 10/);
    const missing = own.console.tagBlueprints.mutate({ ids: [other, randomUUID()], add: ['x'] });
    await expect(missing).rejects.toMatchObject(refused('not_found'));
    const stranger = await person();
    const [theirs = ''] = await made(stranger, 1);
    const foreign = own.console.tagBlueprints.mutate({ ids: [other, theirs], add: ['x'] });
    await expect(foreign).rejects.toMatchObject(refused('not_found'));
    expect((await tagsOf(own))[other]).toEqual([]);
    expect(await tagsOf(stranger)).toEqual({ [theirs]: [] });
  });

  test('concurrent changes are all stored', async () => {
    const own = await person();
    const [id = ''] = await made(own, 1);
    await Promise.all(
      numbered(TAGS_MAX).map((each) => own.console.tagBlueprints.mutate({ ids: [id], add: [each] })),
    );
    expect((await tagsOf(own))[id]).toEqual(numbered(TAGS_MAX));
  });

  test('400: no blueprint at all, more than an account may have, more tags than one may have', async () => {
    const own = await person();
    for (const wrong of [
      { ids: [] },
      { ids: Array.from({ length: 1_001 }, () => randomUUID()), add: ['x'] },
      { ids: [randomUUID()], add: numbered(TAGS_MAX + 1) },
    ])
      await expect(own.console.tagBlueprints.mutate(wrong)).rejects.toMatchObject(
        refused('validation_failed'),
      );
  });
});
