import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT } from '../../client/src/cli/io.ts';
import { run } from '../../client/src/cli/run.ts';
import { parseStrategy } from '../../client/src/strategy-text/index.ts';

const LEVEL = 'mid = market.price("KXBTC:yes")\nnotify("Cheap: {mid}") when mid < 0.4\n';
const UNTIDY =
  '\nmid   = market.price(instrument:"KXBTC:yes")\nnotify(text: "Cheap: {mid}", when: mid<0.4)\n';

let home: string;
let server: http.Server;
let sent: { url: string; body: string }[];
let answer: (url: string) => unknown;
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'strategy-files-'));
  sent = [];
  answer = () => ({});
  server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url = '' } = request;
    sent.push({ url, body: Buffer.concat(chunks).toString() });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

async function command(...args: string[]) {
  let [out, err] = ['', ''];
  const { port } = server.address() as AddressInfo;
  const exit = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ask: null,
    lines: async function* () {},
    env: {
      HOME: home,
      TRADING_STRATEGY_URL: `http://127.0.0.1:${port}`,
      TRADING_STRATEGY_KEY: 'tsk_any',
    },
    signal: AbortSignal.timeout(20_000),
  });
  return { exit, out, err };
}

function fileOf(name: string, text: string): string {
  const file = path.join(home, name);
  writeFileSync(file, text);
  return file;
}

test('check needs no service, and names the place of each error', async () => {
  const good = fileOf('good.strategy', LEVEL);
  expect(await command('check', good)).toEqual({
    exit: EXIT.done,
    out: `${good}: 4 nodes, no errors\n`,
    err: '',
  });
  const bad = fileOf('bad.strategy', 'a = market.prise("X")\nb = c + 1\n');
  const { exit, err } = await command('check', bad);
  expect(exit).toBe(EXIT.invalid);
  expect(err.split('\n')).toEqual([
    `${bad}:1:5 There is no function “market.prise”. Did you mean “market.price”?`,
    `${bad}:2:5 There is no line and no parameter “c”. Write a line “c = …”.`,
    '',
  ]);
  expect(sent).toEqual([]);
});

test('check needs no service for JSON either, and says what is wrong with it', async () => {
  const graph = (type: string, config: object) =>
    JSON.stringify({ nodes: [{ id: 'a', type, data: { config } }], edges: [] });
  const good = fileOf('good.json', graph('constant', { value: 1 }));
  expect(await command('check', good)).toMatchObject({
    exit: EXIT.done,
    out: `${good}: 1 nodes, no errors\n`,
  });
  const unknown = fileOf('unknown.json', graph('rsi', {}));
  expect(await command('check', unknown)).toMatchObject({
    exit: EXIT.invalid,
    err: `${unknown}: There is no node type "rsi".\n`,
  });
  const wrong = fileOf('wrong.json', graph('compare', { op: 'bigger' }));
  expect(await command('check', wrong)).toMatchObject({
    exit: EXIT.invalid,
    err: expect.stringContaining('“compare”'),
  });
  expect(await command('check', fileOf('none.json', '{"visaul":{}}'))).toMatchObject({ exit: EXIT.usage });
  expect(sent).toEqual([]);
});

test('format writes text and JSON as formatted text', async () => {
  const file = fileOf('level.strategy', UNTIDY);
  expect(await command('format', file)).toMatchObject({ exit: EXIT.done, out: LEVEL });
  await command('format', file, '--out', file);
  expect(readFileSync(file, 'utf8')).toBe(LEVEL);
  const read = parseStrategy(LEVEL);
  const json = fileOf('level.json', JSON.stringify({ name: 'Level', visual: read.ok && read.visual }));
  expect(await command('format', json)).toMatchObject({ exit: EXIT.done, out: LEVEL });
  const strange = fileOf('strange.json', '{"nodes":[{"id":"a","type":"magic"}]}');
  expect(await command('format', strange)).toMatchObject({
    exit: EXIT.invalid,
    err: 'There is no node type "magic". Write it as JSON.\n',
  });
});

test('a text is validated and deployed as its graph, under the name of its file', async () => {
  const file = fileOf('level.strategy', LEVEL);
  const issue = { nodeId: 'notify', path: '/nodes/3', code: 'x', severity: 'error', message: 'Too loud.' };
  answer = () => ({ result: { data: { valid: false, issues: [issue] } } });
  const refused = await command('validate', file);
  expect(refused).toMatchObject({ exit: EXIT.invalid });
  expect(refused.out).toContain(`${file}:2:1`);
  const known = { id: 'known', name: 'level', status: 'deployed' };
  answer = (url) => {
    if (url.includes('list')) return [{ result: { data: [] } }];
    return { result: { data: url.includes('validate') ? { valid: true, issues: [] } : known } };
  };
  expect(await command('deploy', file)).toMatchObject({ exit: EXIT.done });
  const created = sent.find(({ url }) => url.includes('create'));
  const read = parseStrategy(LEVEL);
  expect(JSON.parse(created?.body ?? '')).toMatchObject({
    name: 'level',
    visual: read.ok && read.visual,
  });
});

test('backtest runs a text over recent days, and shows what to read first', async () => {
  const file = fileOf('level.strategy', LEVEL);
  const result = {
    statistics: {
      netProfit: -12.5,
      maxDrawdown: { share: 0.01 },
      exposure: { value: 0.2 },
      trades: { closed: 3, fees: 1.5 },
    },
    verdicts: [
      { code: 'few_trades', severity: 'warning', message: 'Three trades prove nothing.' },
      { code: 'x', severity: 'info', message: 'A remark.' },
    ],
  };
  answer = (url) => {
    if (url.includes('backtests.read')) return [{ result: { data: { id: 'run', status: 'done', result } } }];
    return { result: { data: url.includes('start') ? { id: 'run' } : { valid: true, issues: [] } } };
  };
  const { exit, out } = await command('backtest', file, '--days', '7');
  expect(exit).toBe(EXIT.done);
  expect(out.split('\n')).toEqual([
    'Three trades prove nothing.',
    'backtest over 7 days:',
    'netProfit: -12.5',
    'maxDrawdown: 0.01',
    'exposure: 0.2',
    'closedTrades: 3',
    'fees: 1.5',
    'warnings: 1',
    '',
  ]);
  const { body = '' } = sent.find(({ url }) => url.includes('backtests.start')) ?? {};
  const { from, to, visual } = JSON.parse(body) as { from: string; to: string; visual: unknown };
  expect(Date.parse(to) - Date.parse(from)).toBe(7 * 86_400_000);
  const read = parseStrategy(LEVEL);
  expect(visual).toEqual(read.ok && read.visual);
});

test('backtest refuses a number of days that it cannot run, and a graph that cannot run', async () => {
  const file = fileOf('level.strategy', LEVEL);
  for (const days of ['0', '366', 'x'])
    expect(await command('backtest', file, '--days', days)).toMatchObject({
      exit: EXIT.usage,
      err: expect.stringContaining(`--days takes 1 to 365 days, not ${days}.`),
    });
  const issue = { nodeId: 'notify', path: '/nodes/3', code: 'x', severity: 'error', message: 'Too loud.' };
  answer = () => ({ result: { data: { valid: false, issues: [issue] } } });
  const refused = await command('backtest', file);
  expect(refused.exit).toBe(EXIT.invalid);
  expect(refused.out).toContain(`${file}:2:1`);
  expect(sent.some(({ url }) => url.includes('start'))).toBe(false);
});

test('pull writes text into a file of that name', async () => {
  const read = parseStrategy(LEVEL);
  answer = () => [{ result: { data: { name: 'Level', visual: read.ok && read.visual } } }];
  const file = path.join(home, 'pulled.strategy');
  expect(await command('pull', 'some', '--out', file)).toMatchObject({ exit: EXIT.done });
  expect(readFileSync(file, 'utf8')).toBe(LEVEL);
});

test('diff names a changed parameter', async () => {
  const text = 'param low = 0.4 in 0..1\nmid = market.price("A:yes")\nnotify("Low") when mid < low\n';
  const read = parseStrategy(text);
  const visual = read.ok && read.visual;
  const known = { id: 'known', name: 'low', status: 'draft', visual };
  answer = () => [{ result: { data: [known] } }];
  const file = fileOf('low.strategy', text.replace('0.4', '0.3'));
  expect(await command('diff', file)).toMatchObject({
    exit: EXIT.failed,
    out: '~ parameter low: {"max":1,"min":0,"value":0.4} -> {"max":1,"min":0,"value":0.3}\n',
  });
});
