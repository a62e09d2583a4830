import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { renumberEvents } from '../../db/embedded/renumber-events.ts';
import { clientConfig } from '../../db/migrating/migrate.ts';
import { systemDb } from '../../db/pool.ts';
import { recordEvents } from '../../engine/platform/events/events.ts';
import { transact } from '../../engine/platform/transact.ts';
import { createKey } from '../../engine/trading/keys/create.ts';
import { revokeKey } from '../../engine/trading/keys/revoke.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { EXAMPLE } from '../../routers/examples.ts';
import { CAPACITY } from '../../server/kernel/capacity.ts';
import { bearer, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { type Account, openWorld } from '../support/world.ts';

const BLUEPRINT = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

const world = openedForFile(openWorld);

type Block = { id?: string; event?: string; data?: string };

/** An open stream of a key: its blocks as they come, the first of which states where it starts. */
async function listen(key: string, search = '', headers: Record<string, string> = {}) {
  const hangUp = new AbortController();
  const response = await fetch(`${world.base}/api/events${search}`, {
    headers: { ...bearer(key), ...headers },
    signal: AbortSignal.any([hangUp.signal, AbortSignal.timeout(10_000)]),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const blocks = blocksOf(response);
  const { value: start } = await blocks.next();
  return { blocks, start, hangUp: () => hangUp.abort() };
}

async function* blocksOf({ body }: Response): AsyncGenerator<Block, undefined> {
  let rest = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    rest += chunk;
    const whole = rest.split('\n\n');
    rest = whole.pop() ?? '';
    yield* whole.map(blockOf);
  }
}

const blockOf = (text: string): Block =>
  Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));

const record = ({ work }: Account, events: Parameters<typeof recordEvents>[2]) =>
  transact(work, (tx) => recordEvents(tx, new Date(), events));

const order = (blueprintId: string) =>
  ({
    type: 'order.changed',
    payload: { id: BLUEPRINT, blueprintId, tokenId: 'BTCUSDT', side: 'buy', status: 'queued' },
  }) as const;

describe('the event stream of a key', () => {
  test('sends events while it is open, each with its number', async () => {
    const account = await world.account();
    const stream = await listen(account.key);
    expect(stream.start).toMatchObject({ id: '0' });
    await updateRules(account.work, { maxOrderSize: '42' });
    const { value } = await stream.blocks.next();
    expect(value).toMatchObject({ id: '1', event: 'risk_rules.changed' });
    expect(JSON.parse(value?.data ?? '')).toMatchObject({
      type: 'risk_rules.changed',
      payload: { version: 2 },
    });
    stream.hangUp();
  });

  test('resumes after Last-Event-ID, which takes precedence over the query', async () => {
    const account = await world.account();
    for (const size of ['1', '2', '3']) await updateRules(account.work, { maxOrderSize: size });
    const stream = await listen(account.key, '?lastEventId=0', { 'last-event-id': '1' });
    expect((await stream.blocks.next()).value).toMatchObject({ id: '2' });
    expect((await stream.blocks.next()).value).toMatchObject({ id: '3' });
    stream.hangUp();
  });

  test('missed events that are no longer stored are one resync, not a silent gap', async () => {
    const account = await world.account();
    for (const size of ['1', '2']) await updateRules(account.work, { maxOrderSize: size });
    await systemDb(world.pool)
      .deleteFrom('account_event')
      .where('account_id', '=', account.accountId)
      .execute();
    const stream = await listen(account.key, '?lastEventId=0');
    expect((await stream.blocks.next()).value).toMatchObject({ id: '2', event: 'resync' });
    stream.hangUp();
  });

  test('an id of the time that a restore took back is answered by resync, also once its number is used again', async () => {
    const account = await world.account();
    await updateRules(account.work, { maxOrderSize: '1' });
    const owner = new pg.Client(clientConfig(world.database.owner));
    await owner.connect();
    await renumberEvents(owner, new Date(1_000_000_000)).finally(() => owner.end());
    for (const size of ['2', '3']) await updateRules(account.work, { maxOrderSize: size });
    // The former life had sent the events 1 and 2.
    const stream = await listen(account.key, '', { 'last-event-id': '2' });
    const { value } = await stream.blocks.next();
    expect(value).toMatchObject({ id: '1000000003', event: 'resync' });
    stream.hangUp();
    const again = await listen(account.key, '', { 'last-event-id': '1000000002' });
    expect((await again.blocks.next()).value).toMatchObject({
      id: '1000000003',
      event: 'risk_rules.changed',
    });
    again.hangUp();
  });

  test('after two restores of one backup, an id of the time between is answered by resync', async () => {
    const account = await world.account();
    await updateRules(account.work, { maxOrderSize: '1' });
    const owner = new pg.Client(clientConfig(world.database.owner));
    await owner.connect();
    await renumberEvents(owner, new Date(1_000_000_000));
    await updateRules(account.work, { maxOrderSize: '2' });
    // The backup's rows again: one event, under its first number.
    await owner.query(`delete from account_event where account_id = '${account.accountId}' and seq > 1000000001;
      update account_event set seq = 1 where account_id = '${account.accountId}';
      update account set event_seq = 1 where id = '${account.accountId}'`);
    await renumberEvents(owner, new Date(1_000_060_000)).finally(() => owner.end());
    await updateRules(account.work, { maxOrderSize: '3' });
    const stream = await listen(account.key, '', { 'last-event-id': '1000000002' });
    expect((await stream.blocks.next()).value).toMatchObject({ event: 'resync' });
    stream.hangUp();
  });

  test('a restore moves the numbers that an old backup has', async () => {
    const { accountId, work } = await world.account();
    await updateRules(work, { maxOrderSize: '1' });
    const owner = new pg.Client(clientConfig(world.database.owner));
    await owner.connect();
    await owner.query('begin; drop table notification_cursor');
    await renumberEvents(owner, new Date(1_000_000_000));
    const { rows } = await owner.query(`select event_seq from account where id = '${accountId}'`);
    await owner.query('rollback').finally(() => owner.end());
    expect(rows).toEqual([{ event_seq: '1000000001' }]);
  });

  test('sends the requested kinds of the requested blueprint, and no others', async () => {
    const account = await world.account();
    const stream = await listen(
      account.key,
      `?kinds=order.changed,blueprint.changed&blueprintId=${BLUEPRINT}`,
    );
    await record(account, [
      order(EXAMPLE.orderId),
      { type: 'position.changed', payload: { tokenId: 'BTCUSDT', blueprintId: BLUEPRINT } },
      order(BLUEPRINT),
      { type: 'blueprint.changed', payload: { id: BLUEPRINT, status: 'stopped' } },
    ]);
    expect((await stream.blocks.next()).value).toMatchObject({ id: '3', event: 'order.changed' });
    expect((await stream.blocks.next()).value).toMatchObject({ id: '4', event: 'blueprint.changed' });
    stream.hangUp();
  });

  test('a key gets the events its scopes may read; 403 for more', async () => {
    const account = await world.account('orders:read');
    const stream = await listen(account.key);
    await record(account, [
      { type: 'position.changed', payload: { tokenId: 'BTCUSDT', blueprintId: BLUEPRINT } },
      order(EXAMPLE.orderId),
    ]);
    expect((await stream.blocks.next()).value).toMatchObject({ id: '2', event: 'order.changed' });
    stream.hangUp();
    const refusal = expectRefusal(await account.http('GET', '/api/events?kinds=position.changed'), 403);
    expect(refusal).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining('portfolio:read'),
    });
  });

  test('any scope of a kind opens the stream, and a refusal names the kinds that the key may not have', async () => {
    const account = await world.account('blueprints:read');
    const stream = await listen(account.key, '?kinds=blueprint.changed');
    await record(account, [
      order(EXAMPLE.orderId),
      { type: 'blueprint.changed', payload: { id: BLUEPRINT } },
    ]);
    expect((await stream.blocks.next()).value).toMatchObject({ id: '2', event: 'blueprint.changed' });
    stream.hangUp();
    const kinds = 'blueprint.changed,order.changed,position.changed';
    const { message } = expectRefusal(await account.http('GET', `/api/events?kinds=${kinds}`), 403);
    expect(message).toContain('orders:read, portfolio:read for order.changed, position.changed');
    const other = await world.account('api_keys:write');
    expectRefusal(await other.http('GET', '/api/events'), 403, 'insufficient_scope');
  });

  test.each([
    ['?kinds=orders', '/kinds'],
    ['?lastEventId=1e3', '/lastEventId'],
    ['?blueprintId=mine', '/blueprintId'],
  ])('400: %s', async (search, path) => {
    const account = await world.account();
    expect(expectRefusal(await account.http('GET', `/api/events${search}`), 400).issues).toMatchObject([
      { path },
    ]);
  });

  test('400: a Last-Event-ID that is no number', async () => {
    const account = await world.account();
    const answer = await account.http('GET', '/api/events', undefined, { 'last-event-id': 'latest' });
    const { message } = expectRefusal(answer, 400);
    expect(message).toContain('the header Last-Event-ID takes the id of an event that was sent');
  });

  test.each([
    ['is revoked', ({ work, keyId }: Account) => revokeKey(work, keyId)],
    [
      'expires',
      ({ keyId }: Account) =>
        world.db.updateTable('api_key').set({ expires_at: new Date() }).where('id', '=', keyId).execute(),
    ],
  ])('ends, and says why, once the key %s', async (_how, end) => {
    const account = await world.account();
    const stream = await listen(account.key);
    await end(account);
    const { value } = await stream.blocks.next();
    expect(value?.event).toBe('end');
    expect(JSON.parse(value?.data ?? '')).toMatchObject({ code: 'credentials_invalid' });
    expect(await stream.blocks.next()).toEqual({ done: true, value: undefined });
  });

  test('429: a key has a maximum of open streams; closing one makes room', async () => {
    const account = await world.account();
    const open = await Promise.all(Array.from({ length: CAPACITY.streamsPerKey }, () => listen(account.key)));
    expectRefusal(await account.http('GET', '/api/events'), 429, 'rate_limited');
    open[0]?.hangUp();
    await expect.poll(async () => (await account.http('GET', '/api/events')).status).toBe(200);
    for (const { hangUp } of open) hangUp();
  });

  test('429: an account has a maximum of open streams over all its keys', async () => {
    const account = await world.account();
    const keys = [account.key];
    while (keys.length * CAPACITY.streamsPerKey < CAPACITY.streamsPerAccount + CAPACITY.streamsPerKey) {
      const wanted = { name: 'Another', scopes: ['orders:read'], createdBy: null } as const;
      keys.push((await createKey(account.work, wanted)).key);
    }
    const places = Array.from({ length: CAPACITY.streamsPerAccount }, (_, place) => place);
    const keyOf = (place: number) => keys[Math.floor(place / CAPACITY.streamsPerKey)] ?? '';
    const open = await Promise.all(places.map((place) => listen(keyOf(place))));
    const headers = { authorization: `Bearer ${keys.at(-1)}` };
    expectRefusal(await world.send('GET', '/api/events', { headers }), 429, 'rate_limited');
    for (const { hangUp } of open) hangUp();
  });

  test('over tRPC it is one query of past events', async () => {
    const account = await world.account();
    await updateRules(account.work, { maxOrderSize: '42' });
    const input = encodeURIComponent(JSON.stringify({ lastEventId: '0' }));
    const answer = await account.http('GET', `/trpc/eventStream?input=${input}`);
    expect(answer.body).toMatchObject({ result: { data: expect.stringContaining('risk_rules.changed') } });
  });
});
