import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { unscopedDb } from '../../db/pool.ts';
import { revokeOperator } from '../../server/identity/users/operators.ts';
import { expectRefusal, withoutRequestId } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { callsOf, type Operator, openOperator } from '../support/operators.ts';
import { type Protected, secondFactorOf } from '../support/second-factor.ts';
import { type Account, type Answer, ORIGIN, openWorld } from '../support/world.ts';

const world = openedForFile(openWorld);
let operator: Operator;
beforeAll(async () => {
  operator = await openOperator(world);
});

const dataOf = <Data>(answer: Answer): Data => {
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { result: { data: Data } }).result.data;
};
const codeOf = ({ body }: Answer): string =>
  (body as { error: { data: { error: { code: string } } } }).error.data.error.code;

const DEFAULT_LIMITS = { blueprints: 200, graphBytes: 16_777_216, keys: 100 };

type Row = { id: string; email: string | null; suspendedAt: string | null; createdAt: string } & Record<
  'sessions' | 'running' | 'keys' | 'blueprints',
  number
> & { limits: typeof DEFAULT_LIMITS };
type Page = { rows: Row[] };
const find = async (email: string): Promise<Row | undefined> =>
  dataOf<Page>(await operator.call('accounts', { find: email })).rows[0];

const accountOf = async (userId: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select account_of_user(${userId}) as id`.execute(world.db);
  return rows[0]?.id ?? '';
};
const trailOf = async (accountId: string) => {
  const { rows } = await sql<{ action: string; actor: string; subject_id: string; after: unknown }>`
    select action, actor, subject_id, after from audit_event where account_id = ${accountId}
      and (action like 'operator.%' or action like 'account.%' or action like '%by_operator') order by at, id`.execute(
    world.db,
  );
  return rows;
};

const CALLS: readonly [name: string, input: object, method: 'GET' | 'POST'][] = [
  ['accounts', {}, 'GET'],
  ['operations', {}, 'GET'],
  ['suspend', { accountId: randomUUID(), reason: 'Unpaid since May' }, 'POST'],
  ['resume', { accountId: randomUUID(), reason: 'Paid in June' }, 'POST'],
  ['setLimits', { accountId: randomUUID(), reason: 'A larger plan', limits: DEFAULT_LIMITS }, 'POST'],
  ['endSessions', { accountId: randomUUID(), reason: 'A lost laptop' }, 'POST'],
  ['drain', { processId: randomUUID(), isDraining: true }, 'POST'],
];

describe('for all but operators the page does not exist', () => {
  let person: Protected;
  let account: Account;
  beforeAll(async () => {
    person = await secondFactorOf(world.send, await world.signUp());
    account = await world.account();
  });

  /** The answer to a request whose body never arrives. */
  const firstLineOf = async (path: string): Promise<string | undefined> => {
    const { hostname, port } = new URL(world.base);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    );
    const [data] = await once(socket, 'data', { signal: AbortSignal.timeout(3_000) });
    socket.destroy();
    return String(data).split('\r\n')[0];
  };

  /** All by which an answer could tell one procedure from another: status, headers and body. */
  const visible = (answer: Answer, name: string) => [
    answer.status,
    [...answer.headers].filter(([header]) => !['date', 'x-request-id', 'etag'].includes(header)),
    withoutRequestId(answer).replaceAll(name, 'NAME'),
  ];

  test.each(CALLS)('%s is answered like a procedure that was never written', async (name, input, method) => {
    for (const headers of [
      {},
      { cookie: person.cookie, origin: ORIGIN },
      { cookie: person.cookie },
      { authorization: `Bearer ${account.key}` },
      { authorization: 'Bearer nothing' },
    ]) {
      const call = callsOf(world, headers as Record<string, string>);
      for (const sent of [input, { nonsense: true }])
        for (const way of [method, method === 'GET' ? 'POST' : 'GET'] as const) {
          const missing = await call('neverWritten', sent, way);
          expect(visible(await call(name, sent, way), name)).toEqual(visible(missing, 'neverWritten'));
          expect(missing.status).toBe(404);
        }
    }
  });

  test('nor by a body that cannot be read, or never arrives in full', async () => {
    const headers = { cookie: person.cookie, origin: ORIGIN, 'content-type': 'application/json' };
    for (const raw of ['{', '['.repeat(100), 'x'.repeat(300_000), ''])
      for (const who of [headers, { ...headers, cookie: '' }, { ...headers, 'content-type': 'text/plain' }]) {
        const call = (name: string) =>
          world.send('POST', `/trpc/console.operator.${name}`, { headers: who, raw });
        const missing = await call('neverWritten');
        expect(visible(await call('suspend'), 'suspend')).toEqual(visible(missing, 'neverWritten'));
        expect(missing.status).toBe(404);
      }
    const unfinished = await firstLineOf('/trpc/console.operator.suspend');
    expect(unfinished).toBe('HTTP/1.1 404 Not Found');
  });

  test('in a batch too, beside calls that work', async () => {
    const batch = async (name: string) => {
      const input = encodeURIComponent('{"0":{},"1":{}}');
      const answer = await account.http(
        'GET',
        `/trpc/console.prices,console.operator.${name}?batch=1&input=${input}`,
      );
      return [answer.status, withoutRequestId(answer).replaceAll(name, 'NAME')];
    };
    expect(await batch('accounts')).toEqual(await batch('neverWritten'));
  });

  test('rights end with the authenticator they were granted for, with the grant, and an hour after the sign-in', async () => {
    const other = await openOperator(world);
    expect((await other.call('operations')).status).toBe(200);
    await sql`update auth.session set "createdAt" = now() - interval '61 minutes' where "userId" = ${other.userId}`.execute(
      world.db,
    );
    const late = await other.call('operations');
    expect([late.status, codeOf(late)]).toEqual([403, 'session_required']);
    await sql`update auth.session set "createdAt" = now() where "userId" = ${other.userId}`.execute(world.db);
    await sql`update auth."twoFactor" set id = gen_random_uuid() where "userId" = ${other.userId}`.execute(
      world.db,
    );
    expect((await other.call('operations')).status).toBe(404);

    const third = await openOperator(world);
    await revokeOperator(world.db, third.userId);
    expect((await third.call('accounts')).status).toBe(404);
  });

  test('a user who also signs in by a provider is none', async () => {
    const other = await openOperator(world);
    await sql`insert into auth.account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
      values (gen_random_uuid(), '1', 'github', ${other.userId}, now(), now())`.execute(world.db);
    expect((await other.call('operations')).status).toBe(404);
  });
});

describe('the database', () => {
  test('gives accounts to the session of an operator alone, whatever the service asks', async () => {
    const { rows } = await sql<{
      id: string;
    }>`select id from auth.session where "userId" <> ${operator.userId} limit 1`.execute(world.db);
    const session = rows[0]?.id ?? randomUUID();
    for (const id of [session, randomUUID()])
      await expect(
        sql`select * from operator_accounts(${id}, null, null, null, 10)`.execute(unscopedDb(world.pool)),
      ).rejects.toThrow('Only a fresh session of an operator reads accounts.');
  });

  test('lets the service make no operator', async () => {
    const insert = sql`insert into operator values (${randomUUID()}, ${randomUUID()}, now())`;
    await expect(insert.execute(unscopedDb(world.pool))).rejects.toThrow('permission denied');
    await expect(sql`select * from operator`.execute(unscopedDb(world.pool))).rejects.toThrow(
      'permission denied',
    );
  });
});

describe('the list of accounts', () => {
  test('shows who they are and counts, nothing that they trade', async () => {
    const person = await world.signUp();
    const row = await find(person.email);
    expect(row).toEqual({
      id: await accountOf(person.userId),
      email: person.email,
      name: 'Ada',
      createdAt: expect.any(String),
      isMoving: false,
      suspendedAt: null,
      suspensionReason: null,
      lastSeenAt: expect.any(String),
      sessions: 1,
      running: 0,
      keys: 0,
      connections: 0,
      blueprints: 0,
      graphBytes: 0,
      limits: DEFAULT_LIMITS,
    });
  });

  test('finds by the beginning of an e-mail, in any case, and takes no pattern', async () => {
    const person = await world.signUp();
    expect((await find(person.email.slice(0, 12).toUpperCase()))?.email).toBe(person.email);
    for (const none of ['%', '_', 'none@', `'; drop table account; --`])
      expect(await find(none)).toBeUndefined();
  });

  test('comes in pages without a gap or a repetition, newest first', async () => {
    for (let more = 0; more < 3; more++) await world.signUp();
    const all = dataOf<Page>(await operator.call('accounts', { limit: 200 })).rows;
    const paged: Row[] = [];
    for (let last: Row | undefined; paged.length === 0 || last; ) {
      const before = last && { createdAt: last.createdAt, id: last.id };
      const { rows } = dataOf<Page>(await operator.call('accounts', { limit: 2, before }));
      paged.push(...rows);
      last = rows.length === 2 ? rows.at(-1) : undefined;
    }
    expect(paged).toEqual(all);
  });
});

describe('acts', () => {
  test('sessions of an account end, keys go on; both trails say so, with the reason', async () => {
    const person = await world.signUp();
    const accountId = await accountOf(person.userId);
    const before = await world.send('GET', '/api/portfolio', { headers: { cookie: person.cookie } });
    expect(before.status).toBe(200);
    const ended = await operator.call('endSessions', { accountId, reason: 'A lost laptop' }, 'POST');
    expect(dataOf(ended)).toEqual({ ended: 1 });
    const after = await world.send('GET', '/api/portfolio', { headers: { cookie: person.cookie } });
    expect(after.status).toBe(401);
    expect(await trailOf(accountId)).toEqual([
      {
        action: 'session.ended_by_operator',
        actor: `operator:${operator.userId}`,
        subject_id: accountId,
        after: { reason: 'A lost laptop', ended: 1 },
      },
    ]);
    expect((await trailOf(await accountOf(operator.userId))).at(-1)).toEqual({
      action: 'operator.requested',
      actor: `session:${operator.userId}`,
      subject_id: accountId,
      after: { act: 'end sessions', reason: 'A lost laptop' },
    });
  });

  test('on what is not there are refused, and stand in the trail of the operator as asked for', async () => {
    for (const [name, input, method] of CALLS.slice(2)) {
      const answer = await operator.call(name, input, method);
      expect([name, answer.status, codeOf(answer)]).toEqual([name, 404, 'not_found']);
    }
    const own = await trailOf(await accountOf(operator.userId));
    expect(own.slice(-5).map(({ after }) => (after as { act: string }).act)).toEqual([
      'suspend',
      'resume',
      'set limits',
      'end sessions',
      'drain',
    ]);
  });

  test('limits of an account hold from its next request on; what is beyond them stays; both trails say so', async () => {
    const person = await world.signUp();
    const headers = { cookie: person.cookie, origin: ORIGIN };
    const accountId = await accountOf(person.userId);
    const create = (body: object) => world.send('POST', '/api/blueprints', { headers, body });
    const keyed = () =>
      world.send('POST', '/api/api-keys', { headers, body: { name: 'x', scopes: ['orders:read'] } });
    const set = (limits: object) =>
      operator.call('setLimits', { accountId, limits, reason: 'A smaller plan' }, 'POST');
    for (const each of ['one', 'two']) expect((await create({ name: each })).status).toBe(200);
    expect((await keyed()).status).toBe(200);

    const lower = { blueprints: 1, graphBytes: 1_048_576, keys: 1 };
    dataOf(await set(lower));
    expectRefusal(await create({ name: 'three' }), 403, 'quota_exceeded');
    expect(expectRefusal(await keyed(), 403, 'quota_exceeded').message).toContain('at most 1.');
    expect((await world.send('GET', '/api/blueprints', { headers })).body).toHaveLength(2);

    dataOf(await set({ blueprints: 3, graphBytes: 1_048_576, keys: 2 }));
    expect((await keyed()).status).toBe(200);
    const large = (name: string) =>
      create({ name, visual: { nodes: [], edges: [], note: 'x'.repeat(200_000) } });
    expect(
      [await create({ name: 'three' }), await create({ name: 'four' })].map(({ status }) => status),
    ).toEqual([200, 403]);
    dataOf(await set({ blueprints: 9, graphBytes: 300_000, keys: 2 }));
    expect((await large('five')).status).toBe(200);
    expect(expectRefusal(await large('six'), 403, 'quota_exceeded').message).toContain('of at most 0.3 MiB');

    const [first] = await trailOf(accountId);
    expect(first).toMatchObject({
      action: 'account.limits_set',
      actor: `operator:${operator.userId}`,
      after: { ...lower, reason: 'A smaller plan' },
    });
    const own = await trailOf(await accountOf(operator.userId));
    expect(own.at(-1)?.after).toMatchObject({ act: 'set limits', limits: { graphBytes: 300_000 } });
    dataOf(await set({ blueprints: 1, graphBytes: 210_000, keys: 2 }));
    const [row] = (await world.send('GET', '/api/blueprints', { headers })).body as { id: string }[];
    const grown = await world.send('PUT', `/api/blueprints/${row?.id}`, {
      headers,
      body: { visual: { nodes: [], edges: [], note: 'x'.repeat(250_000) } },
    });
    expect(expectRefusal(grown, 403, 'quota_exceeded').message).toContain('MiB');
    dataOf(await set({ blueprints: 9, graphBytes: 300_000, keys: 2 }));
    expect((await find(person.email))?.limits).toEqual({ blueprints: 9, graphBytes: 300_000, keys: 2 });
    const other = await world.signUp();
    expect((await find(other.email))?.limits).toEqual(DEFAULT_LIMITS);
  });

  test('limits beyond what the service holds are refused, each by its name', async () => {
    const accountId = await accountOf((await world.signUp()).userId);
    for (const wrong of [
      { blueprints: 1_001 },
      { blueprints: -1 },
      { keys: 1.5 },
      { keys: 1e300 },
      { graphBytes: 64 * 1024 * 1024 + 1 },
      { graphBytes: null },
      { orders: 1 },
    ]) {
      const input = { accountId, reason: 'A larger plan', limits: { ...DEFAULT_LIMITS, ...wrong } };
      const answer = await operator.call('setLimits', input, 'POST');
      expect([answer.status, codeOf(answer)]).toEqual([400, 'validation_failed']);
    }
  });

  test('need a reason', async () => {
    for (const reason of [undefined, '', 'no', 'x'.repeat(301), 'two\nlines']) {
      const answer = await operator.call('suspend', { accountId: randomUUID(), reason }, 'POST');
      expect([answer.status, codeOf(answer)]).toEqual([400, 'validation_failed']);
    }
  });
});

describe('operations', () => {
  test('show this process, queues by age, commands and the database', async () => {
    const operations = dataOf<{ version: string; processes: Record<string, unknown>[] }>(
      await operator.call('operations'),
    );
    expect(operations).toEqual({
      version: world.config.version,
      queues: [],
      processes: [
        expect.objectContaining({ role: 'api', version: world.config.version, isAlive: true, shards: 0 }),
      ],
      commands: [
        { name: 'archive', endedAt: null, isOk: null, lastOkAt: null },
        { name: 'backup', endedAt: null, isOk: null, lastOkAt: null },
        { name: 'verify-ledger', endedAt: null, isOk: null, lastOkAt: null },
      ],
      database: {
        bytes: expect.any(Number),
        version: expect.stringMatching(/^\d+\.\d+$/),
        connections: expect.any(Number),
        isArchived: false,
        archivedAt: null,
        isArchiveFailing: false,
      },
    });
  });
});
