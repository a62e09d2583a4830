/** Tasks as models do them, with their mistakes: each ends in a correct state, or in a refusal that names the next step. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../engine/trading/keys/create.ts';
import { addBlueprint } from '../support/trading.ts';
import { type Account, openWorld, type World } from '../support/world.ts';

let world: World;
let account: Account;
/** A blueprint whose graph can run. */
let id: string;
beforeAll(async () => {
  world = await openWorld();
  account = await world.account();
  id = await addBlueprint(account, 'Sound', GRAPH);
});
afterAll(() => world.close());

const MISSING = '019a9f44-11d8-7e3a-b6c2-7d9e0f1a2b3c';
const GRAPH = {
  nodes: [
    { id: 'price', type: 'crypto.price', data: { config: { symbol: 'BTCUSDT' } } },
    { id: 'low', type: 'constant', data: { config: { value: 1000 } } },
    { id: 'dip', type: 'compare', data: { config: { op: 'lt' } } },
  ],
  edges: [
    { source: 'price', target: 'dip', targetHandle: 'a' },
    { source: 'low', target: 'dip', targetHandle: 'b' },
  ],
};
const withNode = (node: object) => ({ ...GRAPH, nodes: [...GRAPH.nodes, { id: 'more', ...node }] });

type Said = { isError: boolean; text: string; structured: Record<string, unknown> };

async function call(
  name: string,
  input: object = {},
  { of = account, query = '', meta = {} }: { of?: Pick<Account, 'key'>; query?: string; meta?: object } = {},
): Promise<Said> {
  const { body } = await world.send('POST', `/mcp${query}`, {
    headers: { authorization: `Bearer ${of.key}` },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input, _meta: meta },
    },
  });
  const { result } = body as {
    result: { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
  };
  return {
    isError: result.isError === true,
    text: result.content.map(({ text }) => text).join('\n'),
    structured: result.structuredContent ?? {},
  };
}

describe('a wrong argument is refused with the right one', () => {
  test.each<[string, string, object, string]>([
    ['prose for a graph', 'blueprints_create', { name: 'x', visual: 'buy the dip' }, '"nodes\\" and'],
    ['a list for a graph', 'blueprints_create', { name: 'x', visual: [] }, 'guides_read'],
    ['a name of its own invention', 'blueprints_create', { name: 'x', strategy: {} }, '/strategy'],
    ['no name', 'blueprints_create', {}, '/name'],
    ['a name for an id', 'blueprints_read', { id: 'my strategy' }, '/id'],
    ['an id that is gone', 'blueprints_read', { id: MISSING }, 'blueprints_list'],
    ['an id of another kind', 'orders_read', { id: MISSING }, 'orders_list'],
    ['text for a number', 'blueprints_list', { limit: '10' }, '/limit'],
    ['more rows than there may be', 'orders_list', { limit: 100_000 }, '1 to 1000'],
    ['a status there is not', 'orders_list', { status: 'done' }, 'pending'],
    ['a cursor made up', 'orders_list', { cursor: 'page2' }, 'without `cursor`'],
    ['text for a version', 'orders_approve', { id: MISSING, expectedVersion: 'v1' }, '/expectedVersion'],
    ['a wait too long', 'backtests_read', { id: MISSING, waitSec: 600 }, '/waitSec'],
    ['a guide there is not', 'guides_read', { name: 'strategy' }, 'strategies'],
    ['a type there is not', 'blueprints_nodeTypes', { types: ['rsi'] }, 'indicator'],
    ['text for a limit', 'riskRules_update', { maxOrderSize: '80' }, '/maxOrderSize'],
    ['a history that ends first', 'backtests_start', { from: '2026-09-01', to: '2026-08-01' }, '/from'],
    ['a tool with a dot', 'blueprints.list', {}, 'blueprints_list'],
    ['a tool said the other way round', 'listOrders', {}, 'orders_list'],
  ])('%s', async (_mistake, tool, input, next) => {
    const { isError, text } = await call(tool, input);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(next) });
    expect(JSON.parse(text).remedy).toBeTypeOf('string');
  });
});

describe('a wrong graph is refused with the fix', () => {
  test.each<[string, object, string]>([
    ['settings beside data', withNode({ type: 'constant', config: { value: 1 } }), 'data.config'],
    ['settings in data', withNode({ type: 'constant', data: { value: 1 } }), 'data.config'],
    ['an indicator for a type', withNode({ type: 'rsi', data: { config: {} } }), 'indicator'],
    [
      'an edge to nowhere',
      { ...GRAPH, edges: [...GRAPH.edges, { source: 'price', target: 'buy', targetHandle: 'when' }] },
      'no node \\"buy',
    ],
    [
      'percent for a fraction',
      withNode({ type: 'exit', data: { config: { instrument: 'BTCUSDT', stopLoss: 5 } } }),
      'stopLoss',
    ],
    [
      'an edge to a port there is not',
      { ...GRAPH, edges: [...GRAPH.edges, { source: 'price', target: 'dip', targetHandle: 'value' }] },
      '/edges/2',
    ],
  ])('%s', async (_mistake, visual, next) => {
    const { isError, text } = await call('blueprints_validate', { id, visual });
    expect({ isError, text }).toEqual({ isError: false, text: expect.stringContaining(next) });
  });
});

describe('a task is done in spite of a mistake', () => {
  test('a graph as text is stored and deployed; a repeated request has one effect', async () => {
    const meta = { idempotencyKey: 'draft' };
    const sent = { name: 'As text', visual: JSON.stringify(GRAPH) };
    const { structured: made } = await call('blueprints_create', sent, { meta });
    expect((await call('blueprints_create', sent, { meta })).structured).toMatchObject({
      id: made['id'],
      replayed: true,
    });
    const at = { id: made['id'] };
    expect((await call('blueprints_validate', at)).structured).toMatchObject({ valid: true });
    for (const tool of ['blueprints_deploy', 'blueprints_deploy'])
      expect((await call(tool, at)).structured).toMatchObject({ status: 'running', version: 2 });
    expect((await call('blueprints_update', { ...at, name: 'New' })).text).toContain('Stop it first');
    for (const tool of ['blueprints_stop', 'blueprints_stop'])
      expect((await call(tool, at)).structured).toMatchObject({ status: 'stopped' });
  });

  test('a graph is checked before there is a strategy, and leaves no trace', async () => {
    const fresh = await world.account('blueprints:read');
    const sent = { visual: JSON.stringify(GRAPH) };
    expect((await call('blueprints_validateDrawing', sent, { of: fresh })).structured).toMatchObject({
      valid: true,
    });
    const wrong = { visual: withNode({ type: 'nope' }) };
    const checked = await call('blueprints_validateDrawing', wrong, { of: fresh });
    expect(checked.structured).toMatchObject({ valid: false, issues: [{ code: 'unknown_type' }] });
    const { db } = world;
    const kept = await db
      .selectFrom('blueprint')
      .select('id')
      .where('account_id', '=', fresh.accountId)
      .execute();
    expect(kept).toEqual([]);
    const audited = await db
      .selectFrom('audit_event')
      .select('action')
      .where('account_id', '=', fresh.accountId)
      .where('action', 'like', 'blueprint.%')
      .execute();
    expect(audited).toEqual([]);
  });

  test('an update of an outdated version is refused, read again and done', async () => {
    const mine = await addBlueprint(account, 'Shared', GRAPH);
    const { structured } = await call('blueprints_read', { id: mine });
    const expectedVersion = structured['version'];
    await call('blueprints_update', { id: mine, name: 'Quicker' });
    const late = await call('blueprints_update', { id: mine, name: 'Late', expectedVersion });
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('expectedVersion') });
    const again = await call('blueprints_read', { id: mine });
    const done = { id: mine, name: 'Late', expectedVersion: again.structured['version'] };
    expect((await call('blueprints_update', done)).structured).toMatchObject({ name: 'Late' });
  });

  test('a list too long for one answer comes in parts that lose no row', async () => {
    const many = await world.account();
    for (let at = 0; at < 40; at++) await addBlueprint(many, `${at} ${'x'.repeat(100)}`, GRAPH);
    const names: unknown[] = [];
    for (let cursor: unknown; ; ) {
      const input = { limit: 200, ...(cursor !== undefined && { cursor }) };
      const { structured, text } = await call('blueprints_list', input, { of: many });
      expect(text.length).toBeLessThan(25_000);
      names.push(...(structured['items'] as { name: string }[]).map(({ name }) => name.split(' ')[0]));
      cursor = structured['nextCursor'];
      if (cursor === undefined) break;
    }
    expect(names).toEqual(Array.from({ length: 40 }, (_, at) => String(39 - at)));
  });

  test('texts of venues are marked as such', async () => {
    const { structured } = await call('marketData_venueA', { top: 3 });
    expect(structured['untrusted']).toContain('title');
  });

  test('a request that an address or a key may not make is refused with the remedy', async () => {
    const readonly = await call('blueprints_create', { name: 'No' }, { query: '?readonly=1' });
    expect(readonly.text).toContain('without readonly=1');
    const { key } = await createKey(account.work, {
      name: 'Reader',
      scopes: ['orders:read'],
      envelope: { alwaysApprove: true },
      createdBy: null,
    });
    const beyond = await call('blueprints_list', {}, { of: { key } });
    expect(beyond).toMatchObject({ isError: true, text: expect.stringContaining('blueprints:read') });
  });
});
