/** The packed package in the layouts that projects have. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';
import { openProject, type Project } from './project.ts';
import { runRestarts } from './restarts.ts';
import { sh } from './sh.ts';
import { COMPILERS, MODULES } from './tools.ts';

const NEWEST = COMPILERS['TypeScript 7'];
const PNPM = 'pnpm@10.18.0';

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

const write = (name: string, value: unknown) =>
  writeFileSync(path.join(project.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
const configured = (name: string, compilerOptions: object, include: string[]) =>
  write(name, { extends: './tsconfig.json', compilerOptions, include });

const COMMON = `import strategies = require('trading-strategy');
import rest = require('trading-strategy/rest');
const [, , url = '', key = ''] = process.argv;
const orders: Promise<strategies.Order[]> = strategies.createClient({ url, key }).orders.list.query({});
void orders.then(async (list) => {
  const { data } = await rest.createRestClient({ url, key }).GET('/api/orders');
  console.log(list.length, data?.length);
});
`;

const HOVERED = `import { createClient, follow } from 'trading-strategy';
const client = createClient({ url: '', timeoutMs: 1 });
const { totalPnl } = await client.portfolio.summary.query({});
const order = await client.orders.read.query({ id: '' });
console.log(totalPnl, order.amount, order.limitPrice, client.orders.waitFor, client.orders.list.all);
await client.orders.approve.mutate({ id: '' });
for await (const event of follow({ url: '', key: '', onState() {} }))
  if (event.type === 'fill.applied') console.log(event.payload.orderId);
`;

test('CommonJS: compiles strictly with types of its own, and runs', async () => {
  write('common.cts', COMMON);
  configured('common.json', { types: ['node'] }, ['common.cts']);
  expect(await project.compile(NEWEST, [], 'common.json')).toBe('');
  const { key } = await world.account();
  const ran = await sh(process.execPath, [path.join(project.folder, 'out/common.cjs'), world.base, key]);
  expect(ran.stdout).toBe('0 0\n');
});

test('a bundler: compiles strictly', async () => {
  const options = { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true };
  configured('bundler.json', options, ['tour.ts', 'bot.ts']);
  expect(await project.compile(NEWEST, [], 'bundler.json')).toBe('');
});

test('Vite: is bundled for a browser without anything of Node.js', async () => {
  const warnings: string[] = [];
  await build({
    root: project.folder,
    configFile: false,
    logLevel: 'silent',
    build: {
      lib: { entry: 'bot.ts', formats: ['es'] },
      rolldownOptions: { onwarn: ({ message }) => void warnings.push(message) },
    },
  });
  expect(warnings).toEqual([]);
});

test('an editor shows the documentation of fields, procedures and options', async () => {
  write('hover.ts', HOVERED);
  const { stdout } = await sh(process.execPath, [
    path.join(import.meta.dirname, 'hover.mjs'),
    path.join(MODULES, 'typescript/lib/typescript.js'),
    path.join(project.folder, 'hover.ts'),
  ]);
  const documented = JSON.parse(stdout) as Record<string, string>;
  expect(Object.keys(documented)).toHaveLength(10);
  expect(Object.entries(documented).filter(([, words]) => words === '')).toEqual([]);
  expect(documented['order.amount']).toBe('Quantity: contracts, shares or base coin.');
});

test('pnpm: compiles strictly with links in place of folders', async () => {
  const beside = path.join(project.folder, 'by-pnpm');
  const tarball = path.join('..', project.tarball);
  await sh('mkdir', [beside]);
  write('by-pnpm/package.json', {
    type: 'module',
    private: true,
    dependencies: { 'trading-strategy': tarball },
  });
  await sh('npx', ['--yes', PNPM, 'install', '--ignore-scripts', '--prefer-offline'], { cwd: beside });
  write(
    'by-pnpm/bot.ts',
    `import type {} from 'trading-strategy/rest';\nexport * from 'trading-strategy';\n`,
  );
  write('by-pnpm/tsconfig.json', {
    extends: '../tsconfig.json',
    compilerOptions: { noEmit: true },
    include: ['bot.ts'],
  });
  expect(await project.compile(NEWEST, [], 'by-pnpm/tsconfig.json')).toBe('');
});

test('a bot loses and repeats nothing through restarts, kills among them', async () => {
  expect(await project.compile(NEWEST)).toBe('');
  const figures = await runRestarts(path.join(project.folder, 'out/bot.js'), 2);
  expect(figures).toMatchObject({ changes: 6, lost: 0, doubled: 0, effects: 6, repeated: 0 });
}, 600_000);
