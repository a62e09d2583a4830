import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { EXIT } from '../../client/src/cli/io.ts';
import { strategySource } from '../../client/src/strategy/index.ts';
import { CROSSES, storeWaves } from '../support/backtests.ts';
import { commandLine } from '../support/command-line.ts';
import { openedForFile } from '../support/opened.ts';
import { runQueued } from '../support/run-queued.ts';
import { type Account, openWorld } from '../support/world.ts';

type Step = {
  action: string;
  id: string | null;
  differences: string[];
  noLonger: string[];
  newly: string[];
  backtest?: { before: { figures: object } | null; after: { figures: object } };
};
type Planned = { plan: string; valid: boolean; changes: number; steps: Step[] };
type View = { id: string; name: string; status: string; deploymentId: string | null };

const world = openedForFile(openWorld);
let account: Account;
let folder: string;
beforeEach(async () => {
  account = await world.account();
  folder = mkdtempSync(path.join(tmpdir(), 'apply-'));
  return () => rmSync(folder, { recursive: true });
});

const file = (name: string, value: unknown): string => {
  const at = path.join(folder, name);
  writeFileSync(at, JSON.stringify(value));
  return at;
};
const constant = (value: number) => ({
  nodes: [{ id: 'one', type: 'constant', data: { config: { value } } }],
  edges: [],
});
const command = (args: readonly string[], ask: (() => Promise<string>) | null = null) =>
  commandLine(
    args,
    { HOME: folder, TRADING_STRATEGY_URL: world.base, TRADING_STRATEGY_KEY: account.key },
    ask,
  );
const plan = async (...args: string[]): Promise<Planned> =>
  JSON.parse((await command(['plan', ...args, '--json'])).out) as Planned;
const strategies = async (): Promise<View[]> =>
  ((await account.http('GET', '/api/blueprints')).body as View[]).map(
    ({ id, name, status, deploymentId }) => ({
      id,
      name,
      status,
      deploymentId,
    }),
  );

describe('apply', () => {
  test('the same files twice are one strategy each, and change nothing', async () => {
    const files = [file('one.json', constant(1)), file('two.json', { name: 'Two', visual: constant(2) })];
    expect(await plan(...files)).toMatchObject({
      valid: true,
      changes: 2,
      steps: [{ action: 'create' }, { action: 'create' }],
    });
    expect(await strategies()).toEqual([]);
    expect(await command(['apply', ...files, '--yes'])).toMatchObject({ exit: EXIT.done });
    const applied = await strategies();
    expect(applied.map(({ name, status }) => [name, status]).sort()).toEqual([
      ['Two', 'running'],
      ['one', 'running'],
    ]);
    expect(await plan(...files)).toMatchObject({ changes: 0 });
    expect(await command(['apply', ...files])).toMatchObject({
      exit: EXIT.done,
      out: expect.stringMatching(/2 nothing\n$/),
    });
    expect(await strategies()).toEqual(applied);
  });

  test('two at the same time create one strategy', { tags: ['long'] }, async () => {
    const one = file('one.json', constant(1));
    await Promise.all(Array.from({ length: 3 }, () => command(['apply', one, '--yes'])));
    expect(await command(['apply', one, '--yes'])).toMatchObject({ exit: EXIT.done });
    expect(await strategies()).toMatchObject([{ name: 'one', status: 'running' }]);
  });

  test('a strategy that was deleted is created again', async () => {
    const one = file('one.json', constant(1));
    await command(['apply', one, '--yes']);
    const [first] = await strategies();
    await account.http('POST', `/api/blueprints/${first?.id}/stop`);
    await account.http('DELETE', `/api/blueprints/${first?.id}`);
    expect(await command(['apply', one, '--yes'])).toMatchObject({ exit: EXIT.done });
    const again = await strategies();
    expect(again).toMatchObject([{ name: 'one', status: 'running' }]);
    expect(again[0]?.id).not.toBe(first?.id);
  });

  test('a running strategy is redeployed under its id; one that no file names stays', async () => {
    await command(['apply', file('one.json', constant(1)), file('other.json', constant(7)), '--yes']);
    const before = await strategies();
    const changed = file('one.json', constant(2));
    expect((await plan(changed)).steps).toMatchObject([
      { action: 'redeploy', differences: [expect.stringContaining('~ node one')] },
    ]);
    expect(await command(['apply', changed, '--yes'])).toMatchObject({ exit: EXIT.done });
    const after = await strategies();
    expect(after.map(({ id, status }) => [id, status])).toEqual(before.map(({ id }) => [id, 'running']));
    const moved = after.filter(
      ({ deploymentId }) => !before.some((each) => each.deploymentId === deploymentId),
    );
    expect(moved).toMatchObject([{ name: 'one' }]);
  });

  test('a stopped strategy is updated and stays stopped', async () => {
    await command(['apply', file('one.json', constant(1)), '--yes']);
    const [{ id = '' } = {}] = await strategies();
    await account.http('POST', `/api/blueprints/${id}/stop`);
    expect(await plan(file('one.json', constant(1)))).toMatchObject({ changes: 0 });
    expect((await plan(file('one.json', constant(2)))).steps).toMatchObject([{ action: 'update' }]);
    await command(['apply', file('one.json', constant(2)), '--yes']);
    expect(await strategies()).toMatchObject([{ id, status: 'stopped' }]);
    expect((await account.http('GET', `/api/blueprints/${id}`)).body).toMatchObject({ visual: constant(2) });
  });

  test('nothing is applied while one file cannot run', async () => {
    const bad = file('bad.json', { nodes: [{ id: 'x', type: 'nope', data: {} }], edges: [] });
    const files = [file('one.json', constant(1)), bad];
    expect(await command(['plan', ...files])).toMatchObject({
      exit: EXIT.invalid,
      out: expect.stringContaining('error /nodes/0'),
    });
    expect(await command(['apply', ...files, '--yes'])).toMatchObject({ exit: EXIT.invalid });
    expect(await strategies()).toEqual([]);
  });

  test('asks first: no terminal and no --yes is refused, and no changes nothing', async () => {
    const one = file('one.json', constant(1));
    expect(await command(['apply', one])).toMatchObject({ exit: EXIT.usage });
    expect(await command(['apply', one], async () => 'n')).toMatchObject({ exit: EXIT.failed });
    expect(await strategies()).toEqual([]);
    expect(await command(['apply', one], async () => 'y')).toMatchObject({ exit: EXIT.done });
    expect(await strategies()).toHaveLength(1);
  });

  test('does only what was planned: a strategy that changed since, and another plan, are refused', async () => {
    const one = file('one.json', constant(1));
    const reviewed = (await plan(one)).plan;
    expect(await command(['apply', one, '--yes', '--plan', reviewed])).toMatchObject({ exit: EXIT.done });
    const [{ id = '' } = {}] = await strategies();
    const stale = await command(['apply', one, '--yes', '--plan', reviewed, '--json']);
    expect(stale.exit).toBe(EXIT.refused);
    expect(JSON.parse(stale.err)).toMatchObject({ error: { code: 'plan_changed' } });
    const meanwhile = async () => {
      await account.http('POST', `/api/blueprints/${id}/stop`);
      return 'y';
    };
    const changed = file('one.json', constant(2));
    expect(await command(['apply', changed], meanwhile)).toMatchObject({
      exit: EXIT.refused,
      err: expect.stringContaining('precondition_failed'),
    });
    expect(await strategies()).toMatchObject([{ id, status: 'stopped' }]);
  });

  test('two files of one strategy are refused', async () => {
    const twins = [
      file('a.json', { name: 'Twin', visual: constant(1) }),
      file('b.json', { name: 'Twin', visual: constant(2) }),
    ];
    expect(await command(['apply', ...twins, '--yes'])).toMatchObject({
      exit: EXIT.usage,
      err: expect.stringContaining('Twin'),
    });
    expect(await strategies()).toEqual([]);
  });

  test('a strategy that was pulled is applied to itself', async () => {
    const { id } = (await account.http('POST', '/api/blueprints', { name: 'By hand', visual: constant(1) }))
      .body as View;
    await account.http('POST', `/api/blueprints/${id}/deploy`);
    const pulled = path.join(folder, 'pulled.json');
    await command(['pull', id, '--out', pulled]);
    expect((await plan(pulled)).steps).toMatchObject([{ action: 'nothing', id }]);
  });

  test('a strategy written in TypeScript is applied, and pulled as TypeScript again', async () => {
    const at = path.join(folder, 'typed.ts');
    const source = strategySource({ name: 'Typed', visual: CROSSES });
    const entry = new URL('../../client/src/strategy/index.ts', import.meta.url).href;
    writeFileSync(at, source.replace('trading-strategy/strategy', entry));
    expect(await command(['apply', at, '--yes'])).toMatchObject({ exit: EXIT.done });
    const [{ id = '', name = '' } = {}] = await strategies();
    expect(name).toBe('Typed');
    expect(await plan(at)).toMatchObject({ changes: 0 });
    const pulled = path.join(folder, 'pulled.ts');
    expect(await command(['pull', id, '--out', pulled])).toMatchObject({ exit: EXIT.done });
    writeFileSync(pulled, readFileSync(pulled, 'utf8').replace('trading-strategy/strategy', entry));
    expect((await plan(pulled)).steps).toMatchObject([{ action: 'nothing', id }]);
    writeFileSync(at, 'export default 7;');
    expect(await command(['plan', at])).toMatchObject({ exit: EXIT.usage });
    expect(await command(['plan', path.join(folder, 'absent.ts')])).toMatchObject({ exit: EXIT.usage });
  });

  test('a plan says in words what acts differently, and backtests both graphs over the same days', {
    tags: ['long'],
  }, async () => {
    const toMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    await storeWaves(world.db, { fromMs: toMs - 8 * 86_400_000, toMs });
    const running = runQueued(world);
    try {
      await command(['apply', file('cross.json', CROSSES), '--yes']);
      const nodes = CROSSES.nodes.map((node) =>
        node.id === 'amount' ? { ...node, data: { config: { value: 0.002 } } } : node,
      );
      const doubled = file('cross.json', { ...CROSSES, nodes });
      const { steps } = await plan(doubled, '--backtest', '3');
      const figures = { netProfit: expect.any(Number), closedTrades: expect.any(Number) };
      expect(steps).toMatchObject([
        {
          action: 'redeploy',
          noLonger: [expect.stringContaining('0.001')],
          newly: [expect.stringContaining('0.002')],
          backtest: { before: { figures }, after: { figures } },
        },
      ]);
    } finally {
      await running.stop();
    }
    expect(await command(['plan', file('cross.json', CROSSES), '--backtest', '0'])).toMatchObject({
      exit: EXIT.usage,
    });
  });
});

test('tune runs a strategy with other values of its parameters, and says which it does not know', async () => {
  const visual = {
    ...constant(0),
    nodes: [{ id: 'one', type: 'constant', data: { config: { value: { parameter: 'level' } } } }],
    parameters: { level: { value: 5, max: 9 }, note: { value: 'old' } },
  };
  const [{ id } = { id: '' }] = [
    (await account.http('POST', '/api/blueprints', { name: 'Tuned', visual })).body as View,
  ];
  const tuned = await command([
    'tune',
    id,
    'level=7',
    'note=71321045679252212594626385532706912750332728571942532289631379312455583992563',
  ]);
  expect(tuned).toEqual({ exit: EXIT.done, err: '', out: `${id}  running  Tuned\n` });
  expect((await account.http('GET', `/api/blueprints/${id}`)).body).toMatchObject({
    visual: {
      parameters: { level: { value: 7, max: 9 }, note: { value: expect.stringMatching(/^\d{77}$/) } },
    },
  });
  const unknown = await command(['tune', id, 'slow=1']);
  expect([unknown.exit, unknown.err]).toEqual([EXIT.refused, expect.stringContaining('/parameters/slow')]);
  for (const words of [[], [id], [id, 'level'], [id, '=7']])
    expect((await command(['tune', ...words])).exit).toBe(EXIT.usage);
});

test('explain says in words what acts, and where a graph is wrong instead', async () => {
  const graph = path.join(folder, 'buy.strategy');
  writeFileSync(
    graph,
    'ask = crypto.price("BTCUSDT", field: "ask")\norder("BTCUSDT", "buy", "market", amount: 0.001) when ask < 1\n',
  );
  const { exit, out } = await command(['explain', graph]);
  expect([exit, out]).toEqual([EXIT.done, expect.stringMatching(/^Buys 0\.001 .*BTCUSDT.*\.\n$/)]);
  expect((await command(['plan', graph])).out).toContain('newly: Buys 0.001');
  writeFileSync(graph, 'order("BTCUSDT", "buy", "market", amount: 0.001)\n');
  const wrong = await command(['explain', graph]);
  expect([wrong.exit, wrong.out]).toEqual([EXIT.invalid, expect.stringContaining('buy.strategy:1:')]);
});
