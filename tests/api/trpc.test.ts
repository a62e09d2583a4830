import { TRPCClientError } from '@trpc/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../engine/platform/errors.ts';
import { newId } from '../../engine/platform/ids.ts';
import { transact } from '../../engine/platform/transact.ts';
import { createBlueprint } from '../../engine/usecases/blueprints/drafts/create.ts';
import type { Context } from '../../routers/context.ts';
import { createCallerFactory, procedure, router } from '../../routers/trpc.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { openedForFile } from '../support/opened.ts';
import { addBlueprint, hold, openMarket, pendingBuy, TOKEN } from '../support/trading.ts';
import { trpcClient } from '../support/trpc-client.ts';
import { type Account, ORIGIN, openWorld } from '../support/world.ts';

const MISSING = '019a9f3e-2c41-7d0e-9a53-5b1d2f7c8e01';

const world = openedForFile(openWorld);
let account: Account;
let batching: ReturnType<typeof clientOf>;

beforeAll(async () => {
  account = await world.account();
  batching = clientOf(account.key);
});

function clientOf(key: string) {
  return trpcClient(world, bearer(key));
}

/** Returns the refusal of a refused call. */
async function refusalOf(
  call: Promise<unknown>,
): Promise<{ code: string; message: string; issues?: unknown }> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(outcome instanceof TRPCClientError)) throw new Error('The call was not refused.');
  return outcome.data.error;
}

const inTheBeginning = { id: '', createdAt: '', updatedAt: '', deploymentId: '', requestId: '' };
/** Drops the fields that two changing calls cannot share. */
const alike = (body: unknown): unknown => ({ ...(body as object), ...inTheBeginning });

describe('REST and tRPC give the same answer to the same question', () => {
  test('reads are the same', async () => {
    const blueprintId = await addBlueprint(account, 'Compared', { nodes: [], edges: [] });
    await hold(world, account, { blueprintId, amount: '0.001' });
    const order = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const pairs: [string, Promise<unknown>][] = [
      ['/api/blueprints', batching.blueprints.list.query({})],
      ['/api/blueprints?status=draft&limit=1', batching.blueprints.list.query({ status: 'draft', limit: 1 })],
      [`/api/blueprints/${blueprintId}`, batching.blueprints.read.query({ id: blueprintId })],
      ['/api/node-types', batching.blueprints.nodeTypes.query({})],
      ['/api/orders', batching.orders.list.query({})],
      ['/api/orders?side=buy&limit=2', batching.orders.list.query({ side: 'buy', limit: 2 })],
      [`/api/orders/${order.id}`, batching.orders.read.query({ id: order.id.toUpperCase() })],
      ['/api/portfolio', batching.portfolio.summary.query({})],
      ['/api/portfolio/positions', batching.portfolio.positions.query({})],
      ['/api/risk-rules', batching.riskRules.read.query({})],
      ['/api/api-keys', batching.apiKeys.list.query({})],
      ['/health', batching.system.health.query({})],
    ];
    for (const [path, pending] of pairs)
      expect(await pending, path).toEqual(expectOk(await account.http('GET', path)));
  });

  test('market data are the same, except for their time', async () => {
    const timeless = (body: unknown) => ({ ...(body as object), asOf: '' });
    const symbols = await batching.marketData.crypto.query({ type: 'symbols', limit: 3 });
    const rest = expectOk(await account.http('GET', '/api/crypto?type=symbols&limit=3'));
    expect(Object.keys(timeless(symbols)).sort()).toEqual(Object.keys(timeless(rest)).sort());
    expect(symbols).toMatchObject({ kind: 'symbols' });
  });

  test('changes have the same answer', async () => {
    const draft = { name: ' Twice ', visual: { a: [1, null] }, thesisId: MISSING.toUpperCase() };
    const rest = expectOk(await account.http('POST', '/api/blueprints', draft)) as { id: string };
    const typed = await batching.blueprints.create.mutate(draft);
    expect(alike(typed)).toEqual(alike(rest));
    for (const [path, call] of [
      ['deploy', batching.blueprints.deploy],
      ['stop', batching.blueprints.stop],
    ] as const) {
      const restAnswer = expectOk(await account.http('POST', `/api/blueprints/${rest.id}/${path}`));
      expect(alike(await call.mutate({ id: typed.id }))).toEqual(alike(restAnswer));
    }
    const rules = { maxOrderSize: 70.5 };
    expect(await batching.riskRules.update.mutate(rules)).toEqual(
      expectOk(await account.http('PUT', '/api/risk-rules', rules)),
    );
  });

  test('refusals have the same code, message and issues', async () => {
    const limited = await world.account('risk:read');
    const running = await addBlueprint(account);
    expectOk(await account.http('POST', `/api/blueprints/${running}/deploy`));
    await openMarket(world);
    const questions: [Promise<unknown>, Parameters<Account['http']>][] = [
      [batching.blueprints.read.query({ id: MISSING }), ['GET', `/api/blueprints/${MISSING}`]],
      [batching.blueprints.read.query({ id: 'x' }), ['GET', '/api/blueprints/x']],
      [
        batching.blueprints.update.mutate({ id: running, name: 'x' }),
        ['PUT', `/api/blueprints/${running}`, { name: 'x' }],
      ],
      [batching.blueprints.create.mutate({ name: '' }), ['POST', '/api/blueprints', { name: '' }]],
      [batching.blueprints.delete.mutate({ id: running }), ['DELETE', `/api/blueprints/${running}`]],
      [batching.orders.approve.mutate({ id: MISSING }), ['POST', `/api/orders/${MISSING}/approve`]],
      [batching.orders.list.query({ cursor: 'made-up' }), ['GET', '/api/orders?cursor=made-up']],
      [
        batching.riskRules.update.mutate({ maxOrderSize: -1 }),
        ['PUT', '/api/risk-rules', { maxOrderSize: -1 }],
      ],
      [
        batching.portfolio.close.mutate({ tokenId: TOKEN, amount: 1e9 }),
        ['POST', '/api/portfolio/positions/close', { tokenId: TOKEN, amount: 1e9 }],
      ],
      [batching.marketData.crypto.query({}), ['GET', '/api/crypto']],
      [
        batching.apiKeys.create.mutate({ name: 'x', scopes: ['risk:read'] }),
        ['POST', '/api/api-keys', { name: 'x', scopes: ['risk:read'] }],
      ],
    ];
    const refusals = await Promise.all(questions.map(([call]) => refusalOf(call)));
    for (const [index, [, question]] of questions.entries()) {
      const answer = await account.http(...question);
      const { code, message, issues } = expectRefusal(answer, answer.status);
      expect({ issues: [], ...refusals[index], requestId: '' }).toEqual({
        code,
        message,
        issues,
        requestId: '',
      });
    }
    const scoped = await limited.http('GET', '/api/orders');
    expect(await refusalOf(clientOf(limited.key).orders.list.query({}))).toMatchObject({
      code: expectRefusal(scoped, 403).code,
    });
  });

  test('unknown fields, bad credentials and csrf are refused alike, with the same status and headers', async () => {
    const call = (headers: Record<string, string>, raw: string) =>
      world.send('POST', '/trpc/riskRules.update', {
        headers: { 'content-type': 'application/json', ...headers },
        raw,
      });
    const { cookie } = await world.signUp();
    for (const [headers, raw, status, code] of [
      [bearer(account.key), '{"nope":1}', 400, 'validation_failed'],
      [bearer(account.key), '{', 400, 'malformed_json'],
      [bearer(account.key), '[]', 400, 'validation_failed'],
      [{ ...bearer(account.key), 'content-type': 'text/plain' }, '{}', 400, 'unsupported_media_type'],
      [bearer(account.key), `{"maxOrderSize":1${' '.repeat(300_000)}}`, 400, 'payload_too_large'],
      [bearer('tsk_x'), '{broken', 401, 'credentials_invalid'],
      [{}, '{}', 401, 'credentials_missing'],
      [{ cookie }, '{}', 403, 'csrf_rejected'],
      [{ cookie, origin: 'https://evil.example' }, '{}', 403, 'csrf_rejected'],
    ] as const) {
      const answer = await call(headers, raw);
      expect({ raw: raw.slice(0, 20), status: answer.status }).toEqual({ raw: raw.slice(0, 20), status });
      expect(answer.body).toMatchObject({ error: { data: { error: { code } } } });
      if (status !== 400) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="api"/);
    }
    const answer = await call({ cookie, origin: ORIGIN }, '{}');
    expect(answer.status).toBe(200);
  });

  test("an error over tRPC holds no stack and only the refusal's words", async () => {
    const answer = await world.send('GET', '/trpc/orders.list?input=%7B%7D');
    expect(answer.status).toBe(401);
    const { error } = answer.body as { error: { data: object } };
    expect(Object.keys(error).sort()).toEqual(['code', 'data', 'message']);
    expect(Object.keys(error.data).sort()).toEqual(['code', 'error', 'httpStatus', 'path']);
  });
});

describe('a batch', () => {
  test('a call that fails stores nothing, and its neighbour stores all', async () => {
    const id = await addBlueprint(account, 'Before');
    const other = await addBlueprint(account, 'Other', { nodes: [{ id: 'x', type: 'no.such.type' }] });
    const outcomes = await Promise.allSettled([
      batching.blueprints.update.mutate({ id, name: 'After' }),
      batching.blueprints.deploy.mutate({ id: other }),
      batching.blueprints.update.mutate({ id: MISSING, name: 'Nobody' }),
      batching.riskRules.update.mutate({ maxOpenPositions: 3 }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await batching.blueprints.read.query({ id })).toMatchObject({ name: 'After' });
    expect(await batching.blueprints.read.query({ id: other })).toMatchObject({
      name: 'Other',
      status: 'draft',
    });
    expect(await batching.riskRules.read.query({})).toMatchObject({ maxOpenPositions: 3 });
  });

  test('calls of one batch share no transaction: one does not commit the open work of another', async () => {
    const name = newId();
    const [changed, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const probe = router({
      changesAndRefuses: procedure({ scope: 'risk:read' })
        .input(z.object({}))
        .mutation(({ ctx }) =>
          transact(ctx.work, async (tx) => {
            await createBlueprint(tx, { name });
            changed.resolve();
            await saved.promise;
            throw new DomainError('invalid_state', 'No.');
          }),
        ),
      saves: procedure({ scope: 'risk:read' })
        .input(z.object({}))
        .mutation(async ({ ctx }) => {
          await changed.promise;
          await transact(ctx.work, async (tx) => tx.db.selectFrom('blueprint').select('id').execute());
          saved.resolve();
        }),
    });
    const caller = createCallerFactory(probe)(contextOf());
    const [refused] = await Promise.allSettled([caller.changesAndRefuses({}), caller.saves({})]);
    expect(refused.status).toBe('rejected');
    const stored = await world.db.selectFrom('blueprint').select('id').where('name', '=', name).execute();
    expect(stored).toEqual([]);
  });

  test('400: more than twenty calls at once, before any of them runs', async () => {
    const paths = Array(21).fill('riskRules.read').join(',');
    const answer = await account.http('GET', `/trpc/${paths}?batch=1&input=%7B%7D`);
    expect(expectRefusal(answer, 400, 'validation_failed').message).toContain('at most 20');
  });
});

/** A request of the account, without HTTP. */
function contextOf(): Context {
  const context: Partial<Context> = {
    pool: world.pool,
    limits: {
      consume: async () => ({ headers: {}, refusal: null }),
      consumeForm: async () => ({ headers: {}, refusal: null }),
      forgiveForm: async () => {},
    },
    counted: {},
    principal: {
      kind: 'key',
      accountId: account.accountId,
      mode: 'paper',
      id: account.keyId,
      actor: 'key:test',
      label: 'test',
      scopes: new Set(['risk:read']),
    },
    credentialProblem: null,
    confirm: null,
    requestProblem: null,
    replyHeaders: {},
    replies: [],
    requestId: 'test-request',
  };
  return context as Context;
}
