import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { systemWork } from '../../engine/platform/context.ts';
import { createConnection } from '../../engine/trading/connections/create.ts';
import { KeyRing } from '../../engine/trading/connections/credentials/key-ring.ts';
import { proposeIntent } from '../../engine/trading/orders/entry/propose.ts';
import { SCOPE_NAMES } from '../../routers/scopes.ts';
import { bearer, expectOk, expectRefusal } from '../support/api.ts';
import { backdate } from '../support/deployments.ts';
import { openedForFile } from '../support/opened.ts';
import { openMarket } from '../support/trading.ts';
import { type Answer, ORIGIN, openWorld } from '../support/world.ts';

const DAY_MS = 86_400_000;

const world = openedForFile(() =>
  openWorld({
    settings: { LIVE_TRADING: 'on', CREDENTIAL_KEYS: `k1:${randomBytes(32).toString('base64')}` },
  }),
);

const expectTrpcRefusal = ({ status, body }: Answer, code: string) =>
  expect({ status, body }).toMatchObject({ status: 403, body: { error: { data: { error: { code } } } } });

const HOUR_MS = 3_600_000;
const drawing = (name: string) => ({ nodes: [{ id: name, type: 'note', data: {} }], edges: [] });

/** A blueprint of a person who is connected to a live venue. */
async function drawn() {
  const { cookie: who } = await world.signUp();
  const send = (method: string, path: string, body?: unknown) =>
    world.send(method, path, {
      headers: { cookie: who, origin: ORIGIN },
      ...(body !== undefined && { body }),
    });
  const { id } = expectOk(await send('POST', '/api/blueprints', { name: 'Tried', visual: drawing('a') })) as {
    id: string;
  };
  const call = (name: string, input: object) => send('POST', `/live/trpc/${name}`, input);
  const accountId = async () => {
    const blueprint = world.db.selectFrom('blueprint').select('account_id').where('id', '=', id);
    return (await blueprint.executeTakeFirstOrThrow()).account_id;
  };
  const connectReal = async () => {
    const work = systemWork(world.pool, { accountId: await accountId(), mode: 'live' });
    const credentials = { apiKey: 'k'.repeat(40), secret: 's'.repeat(40) };
    const limits = { maxOrder: null, maxDay: null, maxOpenNotional: null };
    const account = { venue: 'crypto', environment: 'live', label: 'Real', isEligible: true } as const;
    const keys = KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`);
    await createConnection(work, { ...account, credentials, limits }, { keys, prices: 'live' });
  };
  return { id, send, call, accountId, connectReal };
}
const paperFor = async ({ id, send }: Awaited<ReturnType<typeof drawn>>, ms: number) => {
  expectOk(await send('POST', `/api/blueprints/${id}/deploy`));
  await backdate(world.db, id, new Date(Date.now() - ms));
  expectOk(await send('POST', `/api/blueprints/${id}/stop`));
};

test('a graph without one, or changed since, is refused; it is not required without a live connection', async () => {
  const mine = await drawn();
  const { id, send, call } = mine;
  expectOk(await call('blueprints.deploy', { id }));
  expectOk(await call('blueprints.stop', { id }));
  await mine.connectReal();
  expectTrpcRefusal(await call('blueprints.deploy', { id }), 'paper_run_missing');
  await paperFor(mine, 23 * HOUR_MS);
  await paperFor(mine, 2 * HOUR_MS);
  expectTrpcRefusal(await call('blueprints.deploy', { id }), 'paper_run_missing');
  await paperFor(mine, 25 * HOUR_MS);
  expectOk(await call('blueprints.deploy', { id }));
  expectOk(await call('blueprints.stop', { id }));
  expectOk(await send('PUT', `/api/blueprints/${id}`, { visual: drawing('b') }));
  expectTrpcRefusal(await call('blueprints.deploy', { id }), 'paper_run_missing');
  await paperFor(mine, 25 * HOUR_MS);
  await world.db
    .updateTable('deployment_state')
    .set({ halted: true })
    .where(
      'deployment_id',
      'in',
      world.db.selectFrom('deployment').select('id').where('blueprint_id', '=', id),
    )
    .execute();
  expectTrpcRefusal(await call('blueprints.deploy', { id }), 'paper_run_missing');
});

test('a run that bought yes and no of one market does not count: in live mode the second is refused', async () => {
  const mine = await drawn();
  const { id, send, call } = mine;
  await mine.connectReal();
  const work = systemWork(world.pool, { accountId: await mine.accountId(), mode: 'paper' });
  const wish = { blueprintId: id, type: 'market', timeInForce: 'ioc', amount: '10' } as const;
  const tryOut = async (...tokens: string[]) => {
    const { deploymentId } = expectOk(await send('POST', `/api/blueprints/${id}/deploy`)) as {
      deploymentId: string;
    };
    for (const tokenId of tokens) {
      await openMarket(world, tokenId);
      const raised = { origin: 'order', deploymentId, nodeId: tokenId, stepAt: new Date() } as const;
      const { status } = await proposeIntent(work, {
        ...wish,
        ...raised,
        side: 'buy',
        tokenId,
        inputs: [],
      });
      expect(status).not.toBe('denied');
    }
    await backdate(world.db, id, new Date(Date.now() - 25 * HOUR_MS));
    expectOk(await send('POST', `/api/blueprints/${id}/stop`));
  };
  await tryOut('KXELONMARS-99:yes', 'KXELONMARS-99:no');
  const refused = await call('blueprints.deploy', { id });
  expectTrpcRefusal(refused, 'paper_run_missing');
  expect(JSON.stringify(refused.body)).toContain('bought yes and no of one market');
  const look = `/live/trpc/console.paperRun?input=${encodeURIComponent(JSON.stringify({ id }))}`;
  expect(expectOk(await send('GET', look))).toMatchObject({
    result: { data: { longestMs: 0, hasBothSides: true, isMissing: true } },
  });
  await tryOut('KXELONMARS-99:no');
  expectOk(await call('blueprints.deploy', { id }));
});

test('a person vouches for the version they reviewed, which the audit trail records; so do the spending limits of a key', async () => {
  const mine = await drawn();
  const { id, send, call } = mine;
  await mine.connectReal();
  const read = await send(
    'GET',
    `/live/trpc/console.blueprint?input=${encodeURIComponent(JSON.stringify({ id }))}`,
  );
  const { version } = (read.body as { result: { data: { version: number } } }).result.data;
  expect((await call('console.deployUntried', { id, version: version + 1 })).status).toBe(412);
  expectOk(await call('console.deployUntried', { id, version }));
  expectOk(await call('blueprints.stop', { id }));
  const keyOf = async (more: object) => {
    const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString();
    const scopes = [...SCOPE_NAMES, 'trade:live'];
    const body = { name: 'Agent', scopes, mode: 'live', envelope: { maxOrder: 10, ...more }, expiresAt };
    const made = expectOk(await send('POST', '/api/agent-keys', body)) as { key: string };
    return { headers: bearer(made.key) };
  };
  const path = `/api/blueprints/${id}/deploy`;
  expectRefusal(await world.send('POST', path, await keyOf({})), 403, 'paper_run_missing');
  expectOk(await world.send('POST', path, await keyOf({ allowsUntried: true })));
  const rows = await world.db
    .selectFrom('audit_event')
    .select('after')
    .where('action', '=', 'blueprint.deployed')
    .where('subject_id', '=', id)
    .execute();
  expect(rows.map(({ after }) => (after as { isUntried?: boolean }).isUntried)).toEqual([true, true]);
});
