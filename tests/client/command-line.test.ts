import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storeAccount } from '../../client/src/cli/account.ts';
import { COMMANDS } from '../../client/src/cli/commands.ts';
import { EXIT } from '../../client/src/cli/io.ts';
import { run } from '../../client/src/cli/run.ts';

type ReceivedRequest = { method: string; url: string; body: string };

let home: string;
let requests: ReceivedRequest[];
let answer: (request: ReceivedRequest) => { status?: number; body: string; headers?: Record<string, string> };
let server: http.Server;
let env: Record<string, string>;
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'command-line-'));
  requests = [];
  answer = () => ({ body: '{}' });
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '' } = request;
      requests.push({ method, url, body });
      const said = answer({ method, url, body });
      response
        .writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers })
        .end(said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { HOME: home, TRADING_STRATEGY_URL: url, TRADING_STRATEGY_KEY: 'tsk_any' };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

async function command(args: readonly string[], { lines = [] as string[], by = env } = {}) {
  let [out, err] = ['', ''];
  const exit = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ask: null,
    lines: async function* () {
      yield* lines;
    },
    env: by,
    signal: AbortSignal.timeout(20_000),
  });
  return { exit, out, err };
}

describe('commands that report what they did', () => {
  test.each([
    [['stop', 'one', 'two']],
    [['stop', 'one', '--all']],
    [['approve', 'one', 'two', '--yes']],
    [['reject', 'one', 'two']],
    [['deploy', 'one.json', 'two.json']],
    [['orders', 'pending']],
    [['logout', 'now']],
  ])('does nothing of it: %j', async (args) => {
    expect(await command(args)).toMatchObject({
      exit: EXIT.usage,
      err: expect.stringContaining(String(args[0])),
    });
    expect(requests).toEqual([]);
  });
});

test.each(['localhost:3000', 'ftp://desk.example', 'desk'])(
  'an address without http is none: %s',
  async (url) => {
    const { exit, err } = await command(['login', url], { lines: ['tsk_any'] });
    expect(exit).toBe(EXIT.usage);
    expect(err).toContain(`http://${url.replace(/^ftp:\/\//, '')}`);
  },
);

test('a graph deployed under an id keeps its name, unless the command gives another', async () => {
  const file = path.join(home, 'second.json');
  writeFileSync(file, '{"nodes":[{"id":"a"}],"edges":[]}');
  const known = { id: 'known', name: 'Kept', visual: null };
  const answerOf = (url: string): unknown => {
    if (url.includes('validate')) return { result: { data: { valid: true, issues: [], sentences: [] } } };
    if (url.includes('read')) return [{ result: { data: known } }];
    return url.includes('list') ? [{ result: { data: [] } }] : { result: { data: known } };
  };
  answer = ({ url }) => ({ body: JSON.stringify(answerOf(url)) });
  await command(['deploy', file, '--id', 'known']);
  await command(['deploy', file, '--id', 'known', '--name', 'Said']);
  await command(['deploy', file]);
  const changes = requests
    .filter(({ url }) => /update|create/.test(url))
    .map(({ body }) => JSON.parse(body).name);
  expect(changes).toEqual([undefined, 'Said', 'second']);
});

test('a file that is deployed again unchanged changes nothing, whatever the order of its fields', async () => {
  const file = path.join(home, 'again.json');
  writeFileSync(file, '{"nodes":[{"id":"a","type":"constant","data":{"config":{"value":1}}}],"edges":[]}');
  const node = { data: { config: { value: 1 } }, type: 'constant', id: 'a', position: { x: 5, y: 5 } };
  const known = { id: 'known', name: 'again', visual: { edges: [], nodes: [node] } };
  const answerOf = (url: string): unknown => {
    if (url.includes('list')) return [{ result: { data: [known] } }];
    return {
      result: { data: url.includes('validate') ? { valid: true, issues: [], sentences: [] } : known },
    };
  };
  answer = ({ url }) => ({ body: JSON.stringify(answerOf(url)) });
  for (let time = 0; time < 2; time++) expect((await command(['deploy', file])).exit).toBe(EXIT.done);
  expect(requests.filter(({ url }) => /update|create/.test(url))).toEqual([]);
  const keys = requests.filter(({ url }) => url.includes('list')).map(({ url }) => url);
  expect(new Set(keys).size).toBe(1);
  expect(await command(['diff', file])).toMatchObject({ exit: EXIT.done, out: '' });
  writeFileSync(file, '{"nodes":[{"id":"b","type":"constant"}],"edges":[{"source":"b","target":"c"}]}');
  const differs = await command(['diff', file]);
  expect([differs.exit, differs.out]).toEqual([EXIT.failed, '+ edge b -> c\n- node a\n+ node b\n']);
});

test('prints its version, helps with one command, and prints errors as JSON if requested', async () => {
  expect((await command(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await command(['deploy', '--help'])).toMatchObject({
    exit: EXIT.done,
    out: expect.stringMatching(/^trading-strategy deploy <file>/),
  });
  const wrong = await command(['deploy', 'nowhere.json', '--json']);
  expect(wrong.exit).toBe(EXIT.usage);
  expect(JSON.parse(wrong.err)).toMatchObject({ error: { code: 'usage' } });
  const error = { code: 'not_found', message: 'No.', requestId: 'one' };
  answer = () => ({
    status: 404,
    body: JSON.stringify([{ error: { code: -32_004, message: 'No.', data: { error } } }]),
  });
  const refused = await command(['pull', 'one', '--json']);
  expect(refused.exit).toBe(EXIT.refused);
  expect(JSON.parse(refused.err)).toMatchObject({ error });
});

test('a key is stored in a new file where an older file was readable by all', async () => {
  const by = { HOME: home };
  const file = await storeAccount(by, { url: 'http://desk.example', key: 'old' });
  writeFileSync(file, '', { mode: 0o644 });
  await storeAccount(by, { url: 'http://desk.example', key: 'new' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: 'http://desk.example', key: 'new' });
});

test.each(['', 'null', '[]', '{"url":7}'])(
  'a damaged account file counts as no account: %j',
  async (text) => {
    const by = { HOME: home };
    writeFileSync(await storeAccount(by, { url: 'http://desk.example', key: 'one' }), text);
    expect(await command(['list'], { by })).toMatchObject({ exit: EXIT.signedOut });
  },
);

test('an error is printed once, with the address that does not answer', { tags: ['long'] }, async () => {
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { exit, err } = await command(['stop', '--all']);
  expect(exit).toBe(EXIT.failed);
  expect(err.match(/fetch failed/g)).toHaveLength(1);
  expect(err).toContain(`127.0.0.1:${port}`);
});

test('a refusal with one reason prints it once', async () => {
  const issues = [{ path: '/id', code: 'invalid_format', message: 'is not a UUID' }];
  const error = {
    code: 'validation_failed',
    message: 'Request validation failed at /id: is not a UUID',
    issues,
    requestId: 'r',
  };
  answer = () => ({
    status: 400,
    body: JSON.stringify({
      error: { message: error.message, code: -32_600, data: { httpStatus: 400, error } },
    }),
  });
  const { exit, err } = await command(['reject', 'abc']);
  expect(exit).toBe(EXIT.refused);
  expect(err.match(/is not a UUID/g)).toHaveLength(1);
});

describe('the bridge', () => {
  test.each(['[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 'no json', '7', 'null'])(
    'answers what is no message of the protocol: %s',
    async (line) => {
      answer = () => ({ status: 400, body: 'no' });
      const { out } = await command(['mcp'], { lines: [line] });
      expect(JSON.parse(out)).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: 'no' } });
    },
  );

  test('answers no notification', async () => {
    answer = () => ({ status: 400, body: 'no' });
    const { out } = await command(['mcp'], {
      lines: ['{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    });
    expect(out).toBe('');
  });
});

test('an order that is not pending is shown with its status, is not approved, and no question is request', async () => {
  const order = { id: 'one', side: 'buy', amount: 1, tokenId: 'BTCUSDT', status: 'filled', receipt: null };
  answer = ({ url }) => ({
    body: JSON.stringify(
      url.includes('approve')
        ? { result: { data: { ok: true, id: 'one' } } }
        : [{ result: { data: order, meta: { requestId: 'one', version: 3 } } }],
    ),
  });
  const { exit, out } = await command(['approve', 'one']);
  expect([exit, out]).toEqual([
    EXIT.done,
    expect.stringContaining('nothing to approve: the order is filled'),
  ]);
  expect(out).not.toMatch(/^approved/m);
});

test('an empty export is empty, without a line', async () => {
  answer = () => ({ body: '[{"result":{"data":[],"meta":{"requestId":"one"}}}]' });
  expect(await command(['export'])).toMatchObject({ exit: EXIT.done, out: '' });
});

describe('profiles', () => {
  const account = (name: string) => ({ url: `http://${name}.example`, key: `tsk_${name}_secret` });

  test('are stored where only the user can read them, and listed without their keys', async () => {
    const by = { HOME: home };
    const files = [await storeAccount(by, account('desk')), await storeAccount(by, account('live'), 'live')];
    for (const file of files) expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const options of [[], ['--json']]) {
      const { exit, out } = await command(['profiles', ...options], { by });
      expect([exit, out]).toEqual([EXIT.done, expect.stringMatching(/default.*desk.*live.*live/s)]);
      expect(out).not.toContain('secret');
    }
  });

  test('--profile takes precedence over the environment, and the environment names one, too', async () => {
    const { TRADING_STRATEGY_URL: url = '', TRADING_STRATEGY_KEY: _key, ...rest } = env;
    await storeAccount(env, { url, key: 'tsk_other' }, 'other');
    answer = () => ({ body: '[{"result":{"data":[]}}]' });
    const elsewhere = {
      ...rest,
      TRADING_STRATEGY_URL: 'http://127.0.0.1:1',
      TRADING_STRATEGY_KEY: 'tsk_any',
    };
    expect(await command(['list', '--profile', 'other'], { by: elsewhere })).toMatchObject({
      exit: EXIT.done,
    });
    const named = { ...rest, TRADING_STRATEGY_PROFILE: 'other' };
    expect(await command(['list'], { by: named })).toMatchObject({ exit: EXIT.done });
    expect(requests).toHaveLength(2);
  });

  test('a missing profile is not signed in; a name that leaves the folder is refused', async () => {
    expect(await command(['list', '--profile', 'absent'])).toMatchObject({
      exit: EXIT.signedOut,
      err: expect.stringContaining('--profile absent'),
    });
    for (const name of ['../account', '', 'a/b', 'x'.repeat(65)])
      expect(await command(['list', '--profile', name])).toMatchObject({ exit: EXIT.usage });
    expect(requests).toEqual([]);
  });

  test('a file that other users can read is refused, and its key is not printed', async () => {
    const file = await storeAccount(env, account('desk'), 'desk');
    chmodSync(file, 0o644);
    const { exit, out, err } = await command(['list', '--profile', 'desk']);
    expect([exit, err]).toEqual([EXIT.usage, expect.stringContaining(`chmod 600 ${file}`)]);
    expect(out + err).not.toContain('secret');
  });
});

describe('completion', () => {
  const complete = async (...words: string[]): Promise<string[]> => {
    const { out: script } = await command(['completion', 'bash']);
    const line = words.map((word) => `'${word}'`).join(' ');
    const request = `COMP_WORDS=(trading-strategy ${line}); COMP_CWORD=${words.length}; _trading_strategy; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', `${script}${request}`], { encoding: 'utf8', cwd: home })
      .trim()
      .split('\n');
  };

  test('bash completes commands, the options of each command, and files', async () => {
    expect(await complete('pl')).toEqual(['plan']);
    expect(await complete('plan', '--b')).toEqual(['--backtest']);
    expect(await complete('apply', '--p')).toEqual(['--plan', '--profile']);
    writeFileSync(path.join(home, 'dip.json'), '{}');
    expect(await complete('plan', 'd')).toEqual(['dip.json']);
  });

  test.each(['bash', 'zsh', 'fish'])('%s knows every command that help lists', async (shell) => {
    const { out } = await command(['completion', shell]);
    for (const name of Object.keys(COMMANDS)) expect(out).toContain(name);
  });
});

test.each(Object.keys(COMMANDS))('%s --help says what it does, and does nothing', async (name) => {
  expect(await command([name, '--help'])).toMatchObject({
    exit: EXIT.done,
    out: expect.stringContaining(COMMANDS[name]?.does ?? ''),
  });
  expect(requests).toEqual([]);
});
