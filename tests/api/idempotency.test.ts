import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenedMarketData } from '../../simulator/market-data.ts';
import { bearer, expectOk, expectRefusal, sendRaw, storedState } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let account: Account;

beforeAll(async () => {
  account = await world.account();
});

const keyed = (key: string) => ({ 'idempotency-key': key });
const create = (key: string, name = 'Once', of = account): Promise<Answer> =>
  of.http('POST', '/api/blueprints', { name }, keyed(key));
const named = async (name: string, of = account) =>
  (expectOk(await of.http('GET', '/api/blueprints')) as { name: string }[]).filter(
    (each) => each.name === name,
  );

/** Retries a request after `Retry-After` while the account is busy, as an integration does. */
async function untilTaken(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    const { code } = expectRefusal(answer, 503);
    expect(['overloaded', 'quote_unavailable', 'database_unavailable']).toContain(code);
    // On a busy machine the one quote of this world becomes stale meanwhile.
    if (code === 'quote_unavailable') await openMarket(world);
    await sleep(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

/** The response without the id of its request. */
const replayable = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replaceAll(headers.get('x-request-id') ?? '-', ''),
  etag: headers.get('etag'),
});

describe('one effect, one answer', () => {
  test('fifty at once have one effect; the rest are refused as in progress, or get the one answer', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(key, 'Fifty')));
    const done = answers.filter(({ status }) => status === 200);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(done.length + waiting.length).toBe(50);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    for (const answer of waiting) {
      expectRefusal(answer, 409, 'idempotency_key_in_use');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await named('Fifty')).toHaveLength(1);
  });

  test('a repetition gets the first answer, marked as a replay, whatever happened since', async () => {
    const key = randomUUID();
    const first = await create(key, 'Repeated');
    const { id } = expectOk(first) as { id: string };
    expectOk(await account.http('PUT', `/api/blueprints/${id}`, { name: 'Renamed' }));
    const second = await create(key, 'Repeated');
    expect(replayable(second)).toEqual(replayable(first));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await named('Repeated')).toEqual([]);
  });

  test('over tRPC the same key means the same', async () => {
    const key = randomUUID();
    const call = () => account.http('POST', '/trpc/blueprints.create', { name: 'Typed' }, keyed(key));
    const [first, second] = [await call(), await call()];
    const resultOf = ({ body }: Answer) => (body as { result: { data: object; meta: object } }).result;
    expect(JSON.stringify(resultOf(second).data)).toBe(JSON.stringify(resultOf(first).data));
    expect(resultOf(second).meta).toMatchObject({ replayed: true });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await named('Typed')).toHaveLength(1);
  });
});

describe('another request under the same key', () => {
  test('422: another body, path or id', async () => {
    const key = randomUUID();
    expectOk(await create(key, 'First'));
    expectRefusal(await create(key, 'Second'), 422, 'idempotency_key_reused');
    expectRefusal(await account.http('POST', '/api/blueprints/stop', undefined, keyed(key)), 422);
    const id = await addBlueprint(account);
    expectRefusal(await account.http('POST', `/api/blueprints/${id}/deploy`, undefined, keyed(key)), 422);
    expect(await named('Second')).toEqual([]);
  });

  test('the same request in another notation is the same request', async () => {
    const key = randomUUID();
    const [headers, path] = [
      { ...bearer(account.key), ...keyed(key), 'content-type': 'application/json' },
      '/api/blueprints',
    ];
    const first = await world.send('POST', path, { headers, raw: '{"name":"Same","visual":null}' });
    const second = await world.send('POST', path, { headers, raw: '{ "visual" : null, "name" : " Same " }' });
    expect(replayable(second)).toEqual(replayable(first));
  });

  test('a key of another account has no effect on this one', async () => {
    const other = await world.account();
    const key = randomUUID();
    const mine = expectOk(await create(key, 'Shared key')) as { id: string };
    const theirs = await create(key, 'Shared key', other);
    expect(expectOk(theirs)).not.toMatchObject({ id: mine.id });
    expect(theirs.headers.get('idempotent-replayed')).toBeNull();
  });

  test('a key belongs to the account, not to the API key that sent it', async () => {
    const { cookie } = await world.signUp();
    const session = { cookie, origin: ORIGIN };
    const scopes = ['blueprints:write'];
    const made = await world.send('POST', '/api/api-keys', { headers: session, body: { name: 'x', scopes } });
    const { key: apiKey } = expectOk(made) as { key: string };
    const key = randomUUID();
    const body = { name: 'By both' };
    const first = await world.send('POST', '/api/blueprints', {
      headers: { ...session, ...keyed(key) },
      body,
    });
    const second = await world.send('POST', '/api/blueprints', {
      headers: { ...bearer(apiKey), ...keyed(key) },
      body,
    });
    expect(replayable(second)).toEqual(replayable(first));
  });
});

describe('refusals', () => {
  test('an approval that a rule denies is replayed with its issues, whatever the rules are by then', async () => {
    const trader = await world.account();
    const blueprintId = await addBlueprint(trader);
    const { id } = await pendingBuy(world, trader, { blueprintId, amount: '0.001' });
    expectOk(await trader.http('PUT', '/api/risk-rules', { maxOrderSize: 1 }));
    const key = randomUUID();
    const approve = () => trader.http('POST', `/api/orders/${id}/approve`, undefined, keyed(key));
    const first = await approve();
    const { issues } = expectRefusal(first, 403, 'risk_rule_violated');
    expect(issues[0]).toMatchObject({ code: 'maxOrderSize' });
    expectOk(await trader.http('PUT', '/api/risk-rules', { maxOrderSize: 100_000 }));
    expect(replayable(await approve())).toEqual(replayable(first));
    expect(expectOk(await trader.http('GET', '/api/orders?status=pending'))).toHaveLength(1);
  });

  test('an invalid request is not stored: corrected, it is executed', async () => {
    const key = randomUUID();
    expectRefusal(await create(key, ''), 400, 'validation_failed');
    expectRefusal(
      await world.send('POST', '/api/blueprints', { body: { name: 'x' }, headers: keyed(key) }),
      401,
    );
    expectOk(await create(key, 'Corrected'));
  });

  test.each([
    ['/api/api-keys', 'key', { name: 'Secret', scopes: ['orders:read'] }],
    [
      '/api/notification-channels',
      'secret',
      { kind: 'webhook', label: 'Secret', url: 'https://hook.example.com/' },
    ],
  ])(
    'the answer of %s, which shows a new secret, is not stored: its repetition is refused with that reason',
    async (route, field, body) => {
      const { cookie } = await world.signUp();
      const headers = { cookie, origin: ORIGIN, ...keyed(randomUUID()) };
      const created = expectOk(await world.send('POST', route, { headers, body })) as Record<string, string>;
      const secret = created[field] ?? '';
      expect(secret.length).toBeGreaterThan(20);
      const second = await world.send('POST', route, { headers, body });
      expectRefusal(second, 422, 'idempotency_replay_unavailable');
      expect(second.text).not.toContain(secret);
      const stored = await world.db.selectFrom('idempotency_key').selectAll().execute();
      expect(JSON.stringify(stored)).not.toContain(secret.slice(8));
      const all = expectOk(await world.send('GET', route, { headers: { cookie } })) as unknown[];
      expect(all).toHaveLength(1);
    },
  );

  test('the answer about a channel without a secret is repeated as it was', async () => {
    const { cookie } = await world.signUp();
    const headers = { cookie, origin: ORIGIN, ...keyed(randomUUID()) };
    const body = { kind: 'slack', label: 'D', url: 'https://hooks.slack.com/services/T0/B0/x' };
    const create = () => world.send('POST', '/api/notification-channels', { headers, body });
    const [first, again] = [await create(), await create()];
    expect([first.status, replayable(again)]).toEqual([200, replayable(first)]);
  });
});

describe('the key', () => {
  test.each([
    ['a UUID', '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01'],
    ['a quoted text', '"quoted-key"'],
    ['one character', 'x'],
    ['255 characters', 'k'.repeat(255)],
    ['punctuation', "!#$%&'()*+,-./:;<=>?@[]^_`{|}~"],
  ])('%s is one', async (_what, key) => {
    expectOk(await create(key, `Key ${key.slice(0, 20)}`));
    expect((await create(key, `Key ${key.slice(0, 20)}`)).headers.get('idempotent-replayed')).toBe('true');
  });

  test('a quoted and a bare key are one key', async () => {
    const key = randomUUID();
    expectOk(await create(key, 'Quoted'));
    expect((await create(`"${key}"`, 'Quoted')).headers.get('idempotent-replayed')).toBe('true');
  });

  test.each([
    ['empty', ['']],
    ['256 characters', ['k'.repeat(256)]],
    ['with a space', ['a b']],
    ['beyond ASCII', ['schl\u00fcssel']],
    ['two of them', ['one', 'two']],
  ])('400: %s', async (_what, values) => {
    const before = await storedState(world);
    const headers = ['Authorization', `Bearer ${account.key}`, 'Content-Type', 'application/json'];
    for (const value of values) headers.push('Idempotency-Key', value);
    const answer = await sendRaw(world.base, {
      method: 'POST',
      path: '/api/blueprints',
      headers,
      body: '{"name":"x"}',
    });
    expectRefusal(answer, 400, 'idempotency_key_invalid');
    expect(await storedState(world)).toEqual(before);
  });

  test('it is forgotten after a day', async () => {
    const key = randomUUID();
    expectOk(await create(key, 'Yesterday'));
    await world.db
      .updateTable('idempotency_key')
      .set({ created_at: new Date(Date.now() - 86_401_000) })
      .where('key', '=', key)
      .execute();
    const again = await create(key, 'Yesterday');
    expectOk(again);
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await named('Yesterday')).toHaveLength(2);
  });

  test('for an operation that is safe to repeat the key is ignored', async () => {
    const key = 'a key with spaces';
    const { http } = account;
    expectOk(await http('GET', '/api/risk-rules', undefined, keyed(key)));
    expectOk(await http('PUT', '/api/risk-rules', {}, keyed(key)));
  });
});

describe('without any header a repetition is safe', () => {
  test('deploy while running returns the same deployment, stop while stopped succeeds', async () => {
    const id = await addBlueprint(account);
    const deploy = () => account.http('POST', `/api/blueprints/${id}/deploy`);
    const first = expectOk(await deploy()) as { deploymentId: string };
    const again = await Promise.all(Array.from({ length: 5 }, deploy));
    for (const answer of again) expect(expectOk(answer)).toMatchObject({ deploymentId: first.deploymentId });
    const stop = () => account.http('POST', `/api/blueprints/${id}/stop`);
    for (const answer of await Promise.all(Array.from({ length: 5 }, stop))) {
      expect(expectOk(answer)).toMatchObject({ status: 'stopped', deploymentId: first.deploymentId });
    }
  });

  test('two hundred closes at once, each with a key, are exact too, and keep no other account waiting', {
    tags: ['long'],
  }, async () => {
    const [trader, other] = [await world.account(), await world.account()];
    const blueprintId = await addBlueprint(trader);
    await hold(world, trader, { blueprintId, amount: '0.02' });
    expectOk(await trader.http('PUT', '/api/risk-rules', { maxOrdersPerMinute: 1_000 }));
    await openMarket(world);
    const close = () => {
      const request = { tokenId: TOKEN, amount: 0.0001 };
      const key = keyed(randomUUID());
      return untilTaken(() => trader.http('POST', '/api/portfolio/positions/close', request, key));
    };
    const closing = Promise.all(Array.from({ length: 200 }, close));
    // The account's stop waits only for the holder of its lock.
    let closed = 0;
    void closing.then((all) => {
      closed = all.length;
    });
    expectOk(await trader.http('POST', '/api/blueprints/stop', {}, keyed(randomUUID())));
    expect(closed).toBe(0);
    for (let attempt = 0; attempt < 10; attempt++) expectOk(await other.http('GET', '/api/portfolio'));
    for (const answer of await closing) expectOk(answer);
  });

  test('waiting for a silent venue uses no database connection: other accounts do not notice', {
    tags: ['long'],
  }, async () => {
    const [slow, other] = [await world.account(), await world.account()];
    const { simulator } = world.market as OpenedMarketData;
    simulator?.faults.set('/kalshi', { kind: 'freeze' });
    const blueprintId = await addBlueprint(slow);
    const drawing = (market: number) => ({
      nodes: [
        { id: 'price', type: 'market.price', data: { config: { instrument: `KXSLOW-${market}:yes` } } },
      ],
      edges: [],
    });
    const validating = Promise.all(
      Array.from({ length: 30 }, (_, market) =>
        slow.http(
          'POST',
          `/api/blueprints/${blueprintId}/validate`,
          { visual: drawing(market) },
          keyed(randomUUID()),
        ),
      ),
    );
    for (let attempt = 0; attempt < 10; attempt++) expectOk(await other.http('GET', '/api/portfolio'));
    for (const answer of await validating) expectRefusal(answer, 503, 'upstream_unavailable');
    simulator?.faults.clear();
  });
});
