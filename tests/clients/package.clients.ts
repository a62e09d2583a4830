import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT, type Exit, type Io } from '../../client/src/cli/io.ts';
import { run as runCommand } from '../../client/src/cli/run.ts';
import { createClient, isRefusedWith } from '../../client/src/index.ts';
import { updateRules } from '../../engine/usecases/risk-rules/rules.ts';
import { addBlueprint, pendingBuy } from '../support/trading.ts';
import { type Account, openWorld, type World } from '../support/world.ts';
import { openProject, type Project } from './project.ts';
import { sh } from './sh.ts';
import { COMPILERS } from './tools.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  // First the project: while it compiles, this process answers no database.
  project = await openProject();
  world = await openWorld();
});
afterAll(async () => {
  project.remove();
  await world.close();
});

const NEWEST = COMPILERS['TypeScript 7'];
const WITH_TRPC = 'with-trpc.json';
const run = async (program: string) => {
  const { key } = await world.account();
  return sh(process.execPath, [path.join(project.folder, 'out', program), world.base, key]);
};

describe('the packed package', () => {
  test('is installed by npm, compiles strictly, every declaration checked, and tours the service through both entries', async () => {
    expect(await project.compile(NEWEST)).toBe('');
    expect((await run('tour.js')).stdout).toBe('toured\n');
  });

  test.each(['TypeScript 5.9', 'TypeScript 5.7'] as const)('compiles with %s, too', async (name) => {
    const compiler = COMPILERS[name];
    expect(await project.compile(compiler, ['--noEmit'])).toBe('');
    expect(await project.compile(compiler, ['--noEmit'], WITH_TRPC)).toBe('');
  });

  test('asks little of a compiler: beside the platform it needs the package alone', async () => {
    const { stdout } = await sh(process.execPath, [
      COMPILERS['TypeScript 5.9'],
      '-p',
      project.folder,
      '--noEmit',
      '--extendedDiagnostics',
      '--listFiles',
    ]);
    const foreign = /node_modules\/(?!typescript\/lib\/|trading-strategy\/)\S+/.exec(stdout)?.[0];
    expect(foreign).toBeUndefined();
    expect(Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1])).toBeLessThan(40_000);
  });

  test.each([
    ['an answer loses a field', 'router.d.ts', 'totalPnl:', 'profit:'],
    ['an input asks for more', 'router.d.ts', 'type BlueprintsValidateInput = {', '$& thorough: boolean;'],
    ['a procedure goes', 'router.d.ts', 'deploy: Mutation', 'start: Mutation'],
    ['a code of refusals goes', 'router.d.ts', '"not_found"', '"absent"'],
    ['an operation moves', 'rest.d.ts', '"/api/blueprints/{id}/stop"', '"/api/blueprints/{id}/halt"'],
  ])('a breaking change breaks the types of a project: %s', async (_what, name, from, to) => {
    const file = path.join(project.folder, 'node_modules/trading-strategy/dist/generated', name);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replaceAll(from, to));
    try {
      expect(await project.compile(NEWEST, ['--noEmit'])).toContain('tour.ts(');
    } finally {
      writeFileSync(file, text);
    }
  });

  test('its declarations need no file of the service, and a library only for tRPC', () => {
    const dist = path.join(project.folder, 'node_modules/trading-strategy/dist');
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    );
    const imported = names.flatMap((name) =>
      [
        ...readFileSync(path.join(dist, name), 'utf8').matchAll(
          /(?:\sfrom |import\()["']([^."'][^"']*)["']/g,
        ),
      ].map(([, from = '']) => `${name}: ${from.split('/').slice(0, 2).join('/')}`),
    );
    expect([...new Set(imported)].sort()).toEqual(['trpc.d.ts: @trpc/client', 'trpc.d.ts: @trpc/server']);
  });

  test.each(['11.4.4', '11.8.1', '11.13.4', '11.18.0', '11.25.2'])(
    'works with @trpc/client %s',
    async (version) => {
      await project.withTrpc(version);
      for (const [configuration, program] of [
        ['tsconfig.json', 'tour.js'],
        [WITH_TRPC, 'with-trpc.js'],
      ] as const) {
        expect(await project.compile(NEWEST, [], configuration)).toBe('');
        expect((await run(program)).stdout).toBe('toured\n');
      }
    },
  );

  test('is refused by npm beside a @trpc/client without the types it uses', async () => {
    const refused = await project.withTrpc('11.3.1').catch((error: unknown) => error);
    // The message differs from one version of npm to the next.
    expect(refused).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('@trpc/') });
    expect(project.installed('@trpc/client')).not.toBe('11.3.1');
  });
});

type Ran = { exit: Exit; out: string; err: string };

describe('a client that exceeds the rate limit', () => {
  let narrow: World;
  beforeAll(async () => {
    narrow = await openWorld({
      settings: { RATE_LIMITS: '{"read":{"points":3,"windowSec":1},"write":{"points":1,"windowSec":1}}' },
    });
  });
  afterAll(() => narrow.close());

  test('retries each query of a batch, until all are answered', async () => {
    const { key } = await narrow.account();
    const client = createClient({ url: narrow.base, key, retriesMax: 10 });
    const lists = await Promise.all(Array.from({ length: 12 }, () => client.orders.list.query({})));
    expect(lists).toEqual(Array.from({ length: 12 }, () => []));
  });

  test('repeats a change under its idempotency key, with one effect', async () => {
    const { key } = await narrow.account();
    const client = createClient({ url: narrow.base, key, retriesMax: 10 });
    const names = ['One', 'Two', 'Three'];
    await Promise.all(names.map((name) => client.blueprints.create.mutate({ name })));
    const made = await client.blueprints.list.query({});
    expect(made.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test('without retries gets the refusal at once', async () => {
    const { key } = await narrow.account();
    const client = createClient({ url: narrow.base, key, retriesMax: 0 });
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => client.orders.list.query({})));
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const each of refused)
      expect(each.status === 'rejected' && isRefusedWith(each.reason, 'rate_limited')).toBe(true);
  });
});

describe('the command line', () => {
  async function command(
    account: Pick<Account, 'key'> | null,
    args: readonly string[],
    {
      home = project.folder,
      typed = null as string | null,
      answer = (typed === null ? null : async () => typed) as Io['ask'],
      lines = [] as string[],
      signal = AbortSignal.timeout(20_000),
    } = {},
  ): Promise<Ran> {
    let [out, err] = ['', ''];
    const env = account ? { TRADING_STRATEGY_URL: world.base, TRADING_STRATEGY_KEY: account.key } : {};
    const io: Io = {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      ask: answer,
      lines: async function* () {
        yield* lines;
      },
      env: { ...env, HOME: home },
      signal,
    };
    return { exit: await runCommand(args, io), out, err };
  }

  const file = (name: string, value: unknown): string => {
    const at = path.join(project.folder, name);
    writeFileSync(at, JSON.stringify(value));
    return at;
  };
  const drawing = { nodes: [{ id: 'one', type: 'constant', data: { config: { value: 1 } } }], edges: [] };

  test('stores a valid key where only its user can read it, and refuses an invalid one', async () => {
    const { key } = await world.account();
    const wrong = await command(null, ['login', world.base], { lines: ['tsk_nothing'] });
    expect(wrong).toMatchObject({ exit: EXIT.signedOut });
    expect(await command(null, ['list'])).toMatchObject({
      exit: EXIT.signedOut,
      err: expect.stringContaining('login'),
    });
    expect(await command(null, ['login', world.base], { lines: [key] })).toMatchObject({ exit: EXIT.done });
    const kept = statSync(path.join(project.folder, '.config/trading-strategy/account.json'));
    expect(kept.mode & 0o777).toBe(0o600);
    expect(await command(null, ['list', '--json'])).toMatchObject({ exit: EXIT.done, out: '[]\n' });
    await command(null, ['logout']);
    expect(await command(null, ['list'])).toMatchObject({ exit: EXIT.signedOut });
  });

  test('checks a graph without storing it, deploys one, lists and stops it', async () => {
    const account = await world.account();
    const bad = file('bad.json', { nodes: [{ id: 'x', type: 'nope', data: {} }], edges: [] });
    expect(await command(account, ['validate', bad])).toMatchObject({ exit: EXIT.invalid });
    expect(await command(account, ['deploy', bad])).toMatchObject({ exit: EXIT.invalid });
    const good = file('good.json', { name: 'From a file', visual: drawing });
    const checked = await command(account, ['validate', good, '--json']);
    const { valid } = JSON.parse(checked.out) as { valid: boolean };
    expect(checked.exit).toBe(valid ? EXIT.done : EXIT.invalid);
    const listed = await command(account, ['list', '--json']);
    expect(JSON.parse(listed.out)).toEqual([]);
    expect(await command(account, ['stop', '--all'])).toMatchObject({ exit: EXIT.done, out: '0 stopped\n' });
  });

  test('deploys a graph from a file, again under its id, and stops it', async () => {
    const account = await world.account();
    const visual = {
      nodes: [
        { id: 'level', type: 'constant', data: { config: { value: 1 } } },
        { id: 'never', type: 'compare', data: { config: { op: 'gt' } } },
        { id: 'size', type: 'size', data: { config: { mode: 'notional', notional: 60 } } },
        { id: 'price', type: 'crypto.price', data: { config: { symbol: 'BTCUSDT', field: 'ask' } } },
        {
          id: 'buy',
          type: 'order',
          data: { config: { instrument: 'BTCUSDT', side: 'buy', type: 'market' } },
        },
      ],
      edges: [
        { source: 'level', target: 'never', targetHandle: 'a' },
        { source: 'price', target: 'never', targetHandle: 'b' },
        { source: 'price', target: 'size', targetHandle: 'price' },
        { source: 'never', target: 'buy', targetHandle: 'when' },
        { source: 'size', target: 'buy', targetHandle: 'amount' },
      ],
    };
    const drawn = file('runs.json', visual);
    expect(await command(account, ['validate', drawn])).toMatchObject({ exit: EXIT.done });
    const deployed = await command(account, ['deploy', drawn, '--name', 'Runs', '--json']);
    expect(deployed.exit).toBe(EXIT.done);
    const { id } = JSON.parse(deployed.out) as { id: string };
    expect(JSON.parse(deployed.out)).toMatchObject({ name: 'Runs', status: 'running' });
    const same = await command(account, ['deploy', drawn, '--name', 'Runs', '--json']);
    expect(JSON.parse(same.out)).toMatchObject({ id, status: 'running' });
    expect(
      (await command(account, ['deploy', file('other.json', { nodes: [], edges: [] }), '--id', id])).exit,
    ).toBe(EXIT.refused);
    const stopped = await command(account, ['stop', id]);
    expect(stopped).toMatchObject({ exit: EXIT.done, out: `${id}  stopped\n` });
    const again = await command(account, ['deploy', drawn, '--id', id]);
    expect(again).toMatchObject({ exit: EXIT.done, out: `${id}  running  Runs\n` });
    expect(await command(account, ['stop', '--all'])).toMatchObject({ exit: EXIT.done, out: '1 stopped\n' });
  });

  test('approves nothing that was decided while it was on screen', async () => {
    const account = await world.account();
    const blueprintId = await addBlueprint(account, 'Changing', { nodes: [], edges: [] });
    const { id } = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const meanwhile = async () => {
      await account.http('POST', `/api/orders/${id}/reject`);
      return 'y';
    };
    expect(await command(account, ['approve', id], { answer: meanwhile })).toMatchObject({
      exit: EXIT.refused,
      err: expect.stringMatching(/intent_not_pending|precondition_failed/),
    });
  });

  test('approves the version that was on screen, and no other', async () => {
    const account = await world.account();
    const blueprintId = await addBlueprint(account, 'Versioned', { nodes: [], edges: [] });
    const { id } = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    const meanwhile = async () => {
      const { version } = await world.db
        .selectFrom('trade_order')
        .select('version')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      await world.db
        .updateTable('trade_order')
        .set({ version: version + 1 })
        .where('id', '=', id)
        .execute();
      return 'y';
    };
    expect(await command(account, ['approve', id], { answer: meanwhile })).toMatchObject({
      exit: EXIT.refused,
      err: expect.stringContaining('precondition_failed'),
    });
  });

  test('shows the receipt and approves after the user confirms', async () => {
    const account = await world.account();
    const blueprintId = await addBlueprint(account, 'Waiting', { nodes: [], edges: [] });
    const { id } = await pendingBuy(world, account, { blueprintId, amount: '0.001' });
    expect(await command(account, ['approve', id])).toMatchObject({ exit: EXIT.usage });
    expect(await command(account, ['approve', id], { typed: 'no' })).toMatchObject({ exit: EXIT.failed });
    const approved = await command(account, ['approve', id], { typed: 'y' });
    expect(approved).toMatchObject({
      exit: EXIT.done,
      out: expect.stringMatching(/maxOrderSize.*approved\n$/s),
    });
    expect(await command(account, ['reject', id])).toMatchObject({ exit: EXIT.refused });
    const orders = await command(account, ['export']);
    expect(orders.out).toMatch(new RegExp(`^id,.*\r\n${id},`));
  });

  test('watches events, a line each', async () => {
    const account = await world.account();
    const enough = new AbortController();
    const watching = command(account, ['watch', '--kinds', 'risk_rules.changed', '--json'], {
      signal: enough.signal,
    });
    for (let size = 1; size <= 20; size++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await updateRules(account.work, { maxOrderSize: String(size) });
    }
    enough.abort();
    const { exit, out } = await watching;
    expect(exit).toBe(EXIT.done);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ type: 'risk_rules.changed' });
  });

  test('bridges an agent’s messages, and answers those that cannot be forwarded', async () => {
    const listing = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
    const { out } = await command(await world.account(), ['mcp'], { lines: [listing] });
    expect(JSON.parse(out)).toMatchObject({ id: 7, result: { tools: expect.any(Array) } });
    const refused = await command({ key: 'tsk_nothing' }, ['mcp'], { lines: [listing] });
    expect(JSON.parse(refused.out)).toMatchObject({ id: 7, error: { message: expect.any(String) } });
  });

  test.each([[[]], [['fly']], [['list', '--nope']], [['completion', 'tcsh']]])('2: %j', async (args) => {
    expect(await command(null, args)).toMatchObject({ exit: EXIT.usage });
  });

  test('the packed program runs', async () => {
    const bin = path.join(project.folder, 'node_modules/trading-strategy/dist/cli/main.js');
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await sh(process.execPath, [bin, 'completion', shell])).stdout).toContain('deploy');
  });

  test('the bridge of the packed program, started by npx, serves an agent', async () => {
    const { key } = await world.account();
    const agent = new McpClient({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: 'npx',
      args: ['--no-install', 'trading-strategy', 'mcp'],
      cwd: project.folder,
      env: {
        ...(process.env as Record<string, string>),
        TRADING_STRATEGY_URL: world.base,
        TRADING_STRATEGY_KEY: key,
      },
    });
    await agent.connect(transport as Parameters<McpClient['connect']>[0]);
    try {
      const { tools } = await agent.listTools();
      expect(tools.map(({ name }) => name)).toContain('blueprints_deploy');
      const listed = await agent.callTool({ name: 'blueprints_list', arguments: {} });
      expect(listed.content).toMatchObject([{ type: 'text', text: '[]' }]);
    } finally {
      await agent.close();
    }
  });
});
