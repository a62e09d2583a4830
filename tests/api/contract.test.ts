/**
 * A client that knows the contract and nothing of the service. It expects exactly the documented fields and statuses of
 * blueprints and risk rules.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { openedForFile } from '../support/opened.ts';
import { openWorld } from '../support/world.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const NOBODYS = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503];

const world = openedForFile(openWorld);
let key: string;

beforeEach(async () => {
  key = (await world.account()).key;
});

type Body = Record<string, unknown>;
type Answered = { status: number; body: unknown };

/** One call as the contract writes it. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  apiKey: string | null = key,
): Promise<Answered> {
  const response = await fetch(world.base + path, {
    method,
    headers: {
      ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(STATUSES).toContain(response.status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, body: await response.json() };
}

/** A 200 and its object. */
async function ok(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await call(method, path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return answer.body as Body;
}

/** A refusal, whose message is in the place that the contract names. */
async function refused(status: number, method: string, path: string, body?: unknown): Promise<string> {
  const answer = await call(method, path, body);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status });
  const { error, message } = answer.body as { error: { message: string }; message: string };
  expect(error.message.length).toBeGreaterThan(5);
  expect(message).toBe(error.message);
  return message;
}

function expectBlueprint(body: unknown): void {
  const fields = [
    'id',
    'name',
    'status',
    'deploymentId',
    'visual',
    'nodeStates',
    'error',
    'createdAt',
    'updatedAt',
  ];
  expect(Object.keys(body as Body).sort()).toEqual(fields.sort());
  expect(body).toMatchObject({
    id: expect.stringMatching(UUID),
    name: expect.any(String),
    status: expect.stringMatching(/^(draft|running|error|stopped)$/),
    createdAt: expect.stringMatching(DATE_TIME),
    updatedAt: expect.stringMatching(DATE_TIME),
  });
}

const RULES = {
  maxOrderSize: 100,
  maxDailyLoss: 250,
  maxOpenPositions: 10,
  maxOrdersPerMinute: 10,
  cooldownAfterLossSec: 300,
  requireApprovalAbove: 50,
};

describe('authentication (contract 5)', () => {
  test('the health check, the careers form and the key set need no credentials', async () => {
    expect(await call('GET', '/health', undefined, null)).toEqual({ status: 200, body: { status: 'ok' } });
    const form = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
    expect(await call('POST', '/api/careers', form, null)).toMatchObject({
      status: 200,
      body: { received: true },
    });
    expect(await call('GET', '/api/auth/jwks', undefined, null)).toMatchObject({ status: 200 });
  });
});

describe('blueprints (contract 4.1)', () => {
  test('an empty one is created with only a name: a draft with id and timestamps', async () => {
    const created = await ok('POST', '/api/blueprints', { name: 'Empty' });
    expectBlueprint(created);
    expect(created).toMatchObject({
      name: 'Empty',
      status: 'draft',
      deploymentId: null,
      visual: null,
      nodeStates: null,
      error: null,
    });
  });

  test.each([[{ nodes: [], edges: [] }], [[1, 'two', null]], ['a text'], [42], [true], [null], [{}]])(
    'visual may be any JSON value: %j',
    async (visual) => {
      const { id, visual: stored } = await ok('POST', '/api/blueprints', { name: 'Drawn', visual });
      expect(stored).toEqual(visual);
      const [listed] = (await ok('GET', '/api/blueprints')) as unknown as Body[];
      expect(listed).toMatchObject({ id, visual });
    },
  );

  test('thesisId is accepted and not returned', async () => {
    expectBlueprint(await ok('POST', '/api/blueprints', { name: 'Thesis', thesisId: NOBODYS }));
    await refused(400, 'POST', '/api/blueprints', { name: 'Thesis', thesisId: 'no UUID' });
  });

  test('the list is an array of the account’s own, newest first', async () => {
    expect(await call('GET', '/api/blueprints')).toEqual({ status: 200, body: [] });
    for (const name of ['first', 'second', 'third']) await ok('POST', '/api/blueprints', { name });
    const list = (await ok('GET', '/api/blueprints')) as unknown as Body[];
    for (const blueprint of list) expectBlueprint(blueprint);
    expect(list.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
  });

  test('update takes name, visual or both, and keeps absent fields', async () => {
    const { id, updatedAt } = await ok('POST', '/api/blueprints', { name: 'Before', visual: { a: 1 } });
    const renamed = await ok('PUT', `/api/blueprints/${id}`, { name: 'After' });
    expectBlueprint(renamed);
    expect(renamed).toMatchObject({ id, name: 'After', visual: { a: 1 }, status: 'draft' });
    expect(Date.parse(String(renamed['updatedAt']))).toBeGreaterThanOrEqual(Date.parse(String(updatedAt)));
    expect(await ok('PUT', `/api/blueprints/${id}`, { visual: [2] })).toMatchObject({
      name: 'After',
      visual: [2],
    });
    expect(await ok('PUT', `/api/blueprints/${id}`, { visual: null })).toMatchObject({
      name: 'After',
      visual: null,
    });
    expect(await ok('PUT', `/api/blueprints/${id}`, {})).toMatchObject({ name: 'After', visual: null });
    await refused(400, 'PUT', `/api/blueprints/${id}`, { name: null });
    await refused(400, 'PUT', '/api/blueprints/no-uuid', { name: 'x' });
    await refused(404, 'PUT', `/api/blueprints/${NOBODYS}`, { name: 'x' });
  });

  test('deploy returns the blueprint with its new status and deploymentId; a running one rejects edits', async () => {
    const { id } = await ok('POST', '/api/blueprints', { name: 'Runs' });
    const deployed = await ok('POST', `/api/blueprints/${id}/deploy`);
    expectBlueprint(deployed);
    expect(deployed).toMatchObject({ id, status: 'running', deploymentId: expect.stringMatching(UUID) });
    expect(await refused(403, 'PUT', `/api/blueprints/${id}`, { name: 'x' })).toMatch(/stop it first/i);
    expect(await ok('POST', `/api/blueprints/${id}/stop`)).toMatchObject({ id, status: 'stopped' });
    expect(await ok('PUT', `/api/blueprints/${id}`, { name: 'Edited' })).toMatchObject({ name: 'Edited' });
    const again = await ok('POST', `/api/blueprints/${id}/deploy`);
    expect(again['deploymentId']).not.toBe(deployed['deploymentId']);
    await refused(404, 'POST', `/api/blueprints/${NOBODYS}/deploy`);
  });

  test('400: a graph that cannot run is not deployed, and every problem is named', async () => {
    const visual = {
      nodes: [
        { id: 'a', type: 'crypto.pirce' },
        { id: 'b', type: 'order' },
      ],
      edges: [],
    };
    const { id } = await ok('POST', '/api/blueprints', { name: 'Broken', visual });
    const answer = await call('POST', `/api/blueprints/${id}/deploy`);
    expect(answer.status).toBe(400);
    const { error } = answer.body as { error: { code: string; issues: { path: string; message: string }[] } };
    expect(error.code).toBe('blueprint_invalid');
    expect(error.issues.length).toBeGreaterThanOrEqual(2);
    for (const { path, message } of error.issues) {
      expect(path).toMatch(/^\/visual/);
      expect(message).toMatch(/\S/);
    }
    const check = await ok('POST', `/api/blueprints/${id}/validate`);
    expect(check).toMatchObject({ valid: false });
    expect(await ok('GET', `/api/blueprints/${id}`)).toMatchObject({ status: 'draft', deploymentId: null });
  });

  test('one is read, deleted and then missing', async () => {
    const { id } = await ok('POST', '/api/blueprints', { name: 'Short-lived' });
    expectBlueprint(await ok('GET', `/api/blueprints/${id}`));
    expect(await ok('DELETE', `/api/blueprints/${id}`)).toEqual({ deleted: true });
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/deploy'],
      ['POST', '/stop'],
    ] as const) {
      await refused(
        404,
        method,
        `/api/blueprints/${id}${path}`,
        method === 'PUT' ? { name: 'x' } : undefined,
      );
    }
    expect(await call('GET', '/api/blueprints')).toEqual({ status: 200, body: [] });
  });

  test('403: a draft cannot be stopped, a running one not deleted; stop all stops what runs', async () => {
    const { id } = await ok('POST', '/api/blueprints', { name: 'One' });
    await refused(403, 'POST', `/api/blueprints/${id}/stop`);
    await ok('POST', `/api/blueprints/${id}/deploy`);
    await refused(403, 'DELETE', `/api/blueprints/${id}`);
    expect(await ok('POST', '/api/blueprints/stop')).toEqual({ stopped: 1 });
    expect(await ok('POST', '/api/blueprints/stop')).toEqual({ stopped: 0 });
    expect(await ok('DELETE', `/api/blueprints/${id}`)).toEqual({ deleted: true });
  });
});

describe('risk rules (contract 4.4)', () => {
  test('a new account has one set, with all six fields as numbers', async () => {
    expect(await ok('GET', '/api/risk-rules')).toEqual(RULES);
  });

  test('a body with three of them changes three and returns six', async () => {
    const change = { maxOrderSize: 80.25, maxOpenPositions: 0, requireApprovalAbove: 40 };
    expect(await ok('PUT', '/api/risk-rules', change)).toEqual({ ...RULES, ...change });
    expect(await ok('GET', '/api/risk-rules')).toEqual({ ...RULES, ...change });
    expect(await ok('PUT', '/api/risk-rules', {})).toEqual({ ...RULES, ...change });
  });
});
